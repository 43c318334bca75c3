"""Turn changed code into a rule: variables and literals that occur before and after become metavariables."""

import ast
import string
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from whet.domain.pattern import Rule
from whet.knowledge.rewrite import VARIABLE, applications, meaning
from whet.knowledge.syntax import LITERALS, is_broken, is_name_of_something_else, leaves, parse, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

MOST_VARIABLES = 20


def generalise(before: str, after: str, variables: Collection[str], *, keep_literals: bool = False) -> Rule | None:
    """Return the rule of one change; None if it has none.

    Local variables become metavariables. A literal becomes one if it occurs on both sides, unless `keep_literals`.
    Names of functions, classes, attributes and arguments stay. There is no rule if the new code uses a local variable
    that the old code does not have, or if the rule does not turn `before` into `after`.
    """
    old, new = parse(before), parse(after)
    if is_broken(old) or is_broken(new):
        return None
    shared = {leaf.text() for leaf in leaves(new)}
    names: dict[str, str] = {}

    def is_free(leaf: "SgNode") -> bool:
        if leaf.kind() == "identifier":
            return leaf.text() in variables and not is_name_of_something_else(leaf)
        return leaf.kind() in LITERALS and leaf.text() in shared and not keep_literals

    for leaf in leaves(old):
        if is_free(leaf) and leaf.text() not in names:
            names[leaf.text()] = metavariable(len(names))
    if len(names) > MOST_VARIABLES or _uses_unknown_variable(new, after, variables, names):
        return None
    rule = Rule(_substituted(before, old, is_free, names), _substituted(after, new, is_free, names))
    return rule if reproduces(rule, before, after) and is_concrete(rule) else None


def metavariable(number: int) -> str:
    return f"${string.ascii_uppercase[number]}"


def reproduces(rule: Rule, before: str, after: str) -> bool:
    """True if the rule, applied to the old code as a whole, gives the new code."""
    wanted = meaning(after)
    return any(meaning(hit.source) == wanted for hit in applications(rule, before) if hit.code == before)


def is_concrete(rule: Rule) -> bool:
    """True if the search has something besides metavariables: an operator, a name, a keyword, a subscript."""
    return bool(VARIABLE.sub("", rule.search).strip("(), \n"))


def specificity(rule: Rule) -> int:
    """Return the number of names and literals that the search names itself; keywords and operators count nothing."""
    named = VARIABLE.sub(lambda match: f"free_{match.group(1).lower()}", rule.search)
    kinds = {"identifier", *LITERALS}
    return sum(leaf.kind() in kinds and not leaf.text().startswith("free_") for leaf in leaves(parse(named)))


def _uses_unknown_variable(new: "SgNode", after: str, variables: Collection[str], names: dict[str, str]) -> bool:
    """True if the new code reads a local variable that the old code has not, and does not bind it itself."""
    try:
        bound = {node.id for node in ast.walk(ast.parse(after)) if isinstance(node, ast.Name) and _binds(node)}
        bound |= {node.arg for node in ast.walk(ast.parse(after)) if isinstance(node, ast.arg)}
    except SyntaxError:
        return True
    used = {leaf.text() for leaf in leaves(new) if leaf.kind() == "identifier" and not is_name_of_something_else(leaf)}
    return bool((used & set(variables)) - set(names) - bound)


def _binds(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _substituted(code: str, root: "SgNode", is_free: "Callable[[SgNode], bool]", names: dict[str, str]) -> str:
    """Return the code with every free leaf that has a metavariable replaced by it."""
    for leaf in reversed(list(leaves(root))):
        if is_free(leaf) and leaf.text() in names:
            start, end = span(leaf)
            code = code[:start] + names[leaf.text()] + code[end:]
    return code
