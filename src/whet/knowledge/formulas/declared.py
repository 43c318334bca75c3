"""A declared formula in a tree: its file, its function, its cases. A declaration that fits no function is refused."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from whet.config import FormulaCase, FormulaPolicy
from whet.domain.own_files import FILE_NAME
from whet.errors import BadConfig
from whet.kit import Kit
from whet.knowledge.formulas.case_file import read_cases

_SOURCE_FOLDERS = ("", "src/", "lib/")


@dataclass(frozen=True)
class Formula:
    """A declared formula as it is in one tree. `root` is the folder that its module is imported from."""

    name: str
    policy: FormulaPolicy
    path: str
    root: str
    source: str
    node: ast.FunctionDef
    cases: tuple[FormulaCase, ...]

    @property
    def parameters(self) -> list[str]:
        arguments = self.node.args
        return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]

    @property
    def required(self) -> list[str]:
        """Return the parameters without a default."""
        arguments = self.node.args
        positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        named = [argument.arg for argument, default in keywords if default is None]
        return [*positional[: len(positional) - len(arguments.defaults)], *named]


class FormulaMissing(Exception):
    """The tree does not have the function; the text says what is missing and what to write instead."""


class FormulaUnreadable(FormulaMissing):
    """The file that should have the function is not valid Python."""


def find_formula(name: str, tree: str, cases_from: tuple[str, ...], kit: Kit) -> Formula:
    """Return the formula in a tree, with its cases from the first of the trees `cases_from` that has the file.

    Raise FormulaMissing if the tree does not have the function, BadConfig if the declaration does not fit it.
    """
    policy = kit.policy.formulas.declared[name]
    files = kit.git.files(tree)
    place = next(((root, path) for root, path in _places(policy.module, kit) if path in files), None)
    if place is None:
        raise FormulaMissing(f"there is no module {policy.module}; a module is named as tests import it")
    root, path = place
    source = (kit.git.read(tree, path) or b"").decode(errors="replace")
    try:
        functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    except (SyntaxError, ValueError, RecursionError):
        raise FormulaUnreadable(f"{path} is not valid Python") from None
    if policy.name not in functions:
        near = get_close_matches(policy.name, functions, n=3, cutoff=0.4) or sorted(functions)[:5]
        defined = f"it defines {', '.join(near)}" if near else "it defines no function"
        raise FormulaMissing(f"{path} does not define the function {policy.name}; {defined}")
    cases = (*policy.cases, *_cases_in_file(name, policy, cases_from, kit))
    formula = Formula(name, policy, path, root, source, functions[policy.name], cases)
    _refuse_misfit(formula)
    return formula


def _places(module: str, kit: Kit) -> Iterator[tuple[str, str]]:
    """Yield (folder, path) where the module may be: from the top, `src`, `lib`, and the same in each package."""
    stem = module.replace(".", "/")
    tops = ["", *(f"{package.folder}/" for package in kit.policy.project if package.folder != ".")]
    for top in tops:
        for folder in _SOURCE_FOLDERS:
            for path in (f"{stem}.py", f"{stem}/__init__.py"):
                yield f"{top}{folder}", f"{top}{folder}{path}"


def _cases_in_file(name: str, policy: FormulaPolicy, trees: tuple[str, ...], kit: Kit) -> tuple[FormulaCase, ...]:
    if not policy.cases_file:
        return ()
    content = next((content for tree in trees if (content := kit.git.read(tree, policy.cases_file)) is not None), None)
    if content is None:
        raise _refusal(
            name, "cases_file", f"{policy.cases_file} is not in the commit", "commit it, or correct the path"
        )
    try:
        return read_cases(policy.cases_file, content)
    except ValueError as problem:
        raise _refusal(name, "cases_file", f"{policy.cases_file}: {problem}", "correct the file") from None


def _refuse_misfit(formula: Formula) -> None:
    """Raise BadConfig for an argument that the function does not have, or one that nothing gives a value."""
    policy, known = formula.policy, formula.parameters
    remedy = f"{policy.name} has the arguments {', '.join(known)}" if known else f"{policy.name} has no arguments"
    if formula.node.args.posonlyargs:
        raise _refusal(
            formula.name, "function", f"{policy.name} has arguments before a /", "arguments are given by name"
        )
    for argument in policy.arguments:
        if argument not in known:
            raise _refusal(formula.name, "arguments", f"{policy.name} has no argument {argument!r}", remedy)
    for number, case in enumerate(formula.cases, 1):
        for argument in case.inputs:
            if argument not in known:
                words = f"case {number} gives {argument!r}, which {policy.name} does not take"
                raise _refusal(formula.name, "cases", words, remedy)
        if missing := [argument for argument in formula.required if argument not in case.inputs]:
            raise _refusal(formula.name, "cases", f"case {number} gives no {', '.join(missing)}", remedy)
    if policy.is_bounded or policy.monotone:
        ranged = [argument for argument, settings in policy.arguments.items() if settings.range]
        if missing := [argument for argument in formula.required if argument not in ranged]:
            words = f"{', '.join(missing)} of {policy.name} has no range and no default"
            raise _refusal(
                formula.name, "arguments", words, "give it low and high, so that bounds and directions can be tried"
            )


def _refusal(formula: str, key: str, words: str, remedy: str) -> BadConfig:
    return BadConfig(f"{FILE_NAME}: formulas.declared.{formula}.{key}: {words}", remedy)


def refuse_missing(formula: str, problem: FormulaMissing) -> BadConfig:
    """Return the refusal of a declaration whose function exists nowhere."""
    return _refusal(formula, "function", str(problem), "correct the name: module:function")
