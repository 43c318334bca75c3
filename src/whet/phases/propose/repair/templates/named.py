"""Add what a failure message names: a parameter, an attribute, an import, a first value, `self`."""

import ast
import re
import sys
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, Replacement, Summary, replace, say
from whet.phases.propose.repair.module import first_statement
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template
from whet.pyast.functions import Function, parameters

_UNEXPECTED = re.compile(r"(\w+)\(\) got an unexpected keyword argument '(\w+)'")
_TOO_MANY = re.compile(r"(\w+)\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given")
_NO_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_UNDEFINED = re.compile(r"name '(\w+)' is not defined")
_UNBOUND = re.compile(r"variable '(\w+)'")
_FIRST_VALUES = ("None", "[]", "{}", "0", '""', "False")
_DEFAULTS = (("None", 1.0), ("False", 0.8))
_MOST_USES = 12


def accept_argument(node: Function, scope: Scope) -> Iterator[Edit]:
    """Add a parameter that callers pass, and use it: store it, pass it on, or put it in the place of a constant."""
    if node.args.kwarg is not None:
        return
    place, separator = _end_of_parameters(node, scope)
    for function, name in _quoted(_UNEXPECTED, scope):
        if function != node.name or name in parameters(node.args):
            continue
        for default, weight in _DEFAULTS:
            added = Replacement(place, place, f"{separator}{name}={default}")
            yield Edit((added,), say("Accept {}", name), weight * 0.5)
            for use, summary, likelihood in _uses(node, name, scope):
                yield Edit((added, use), summary, weight * likelihood)
        for constant in _constants(node, scope):
            text = scope.module.text(constant)
            added = Replacement(place, place, f"{separator}{name}={text}")
            use = Replacement(*scope.module.span(constant), name)
            yield Edit((added, use), say("Accept {} instead of {}", name, text), 0.7)


def _uses(node: Function, name: str, scope: Scope) -> Iterator[tuple[Replacement, Summary, float]]:
    module = scope.module
    if node.name == "__init__":
        first = first_statement(node)
        indent, start = module.indent(first), module.line_start(first.lineno)
        if indent is not None:
            line = Replacement(start, start, f"{indent}self.{name} = {name}{module.newline}")
            yield line, say("Accept and store {}", name), 1.0
    for call in [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)][:_MOST_USES]:
        callee = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        end = module.span(call)[1] - 1
        if callee and not module.source[:end].rstrip().endswith(","):
            passed = Replacement(end, end, f"{', ' if call.args or call.keywords else ''}{name}={name}")
            known = name in module.parameter_names.get(callee, ())
            yield passed, say("Accept {} and pass it on to {}", name, callee), 1.0 if known else 0.4


def _constants(node: Function, scope: Scope) -> list[ast.Constant]:
    inner = [item for statement in node.body for item in ast.walk(statement) if isinstance(item, ast.Constant)]
    inside = [item for item in inner if isinstance(scope.module.parents.get(item), ast.expr | ast.keyword | ast.Return)]
    return [item for item in inside if not isinstance(scope.module.parents.get(item), ast.JoinedStr)][:_MOST_USES]


def _end_of_parameters(node: Function, scope: Scope) -> tuple[int, str]:
    """Return where a further parameter stands, and what separates it from the one before."""
    arguments, module = node.args, scope.module
    stars = [arguments.vararg] if arguments.vararg else []
    ends = [module.span(item)[1] for item in (*arguments.posonlyargs, *arguments.args, *stars, *arguments.kwonlyargs)]
    ends += [module.span(value)[1] for value in (*arguments.defaults, *arguments.kw_defaults) if value is not None]
    if ends:
        return max(ends), ", "
    return module.source.index("(", module.span(node)[0]) + 1, ""


def accept_self(node: Function, scope: Scope) -> Iterator[Edit]:
    """Add `self` to a method that is called with one argument too many."""
    wrong = [function for function, takes, given in _quoted(_TOO_MANY, scope) if int(given) == int(takes) + 1]
    if (
        node.name in wrong
        and isinstance(scope.module.parents.get(node), ast.ClassDef)
        and "self" not in scope.parameters
    ):
        place = scope.module.source.index("(", scope.module.span(node)[0]) + 1
        separator = ", " if parameters(node.args) else ""
        yield replace(place, place, f"self{separator}", say("Accept self"), 1.0)


def set_attribute(node: Function, scope: Scope) -> Iterator[Edit]:
    """Set an attribute that objects of the class lack, from a parameter of that name or to a first value."""
    owner = scope.module.parents.get(node)
    if node.name != "__init__" or not isinstance(owner, ast.ClassDef):
        return
    first = first_statement(node)
    indent, start = scope.module.indent(first), scope.module.line_start(first.lineno)
    for kind, name in _quoted(_NO_ATTRIBUTE, scope):
        if kind == owner.name and indent is not None:
            stripped = name.lstrip("_")
            values = [text for text in (name, stripped) if text in parameters(node.args)] or _FIRST_VALUES
            for position, value in enumerate(values):
                line = f"self.{name} = {scope.module.literal(value)}"
                yield replace(
                    start, start, f"{indent}{line}{scope.module.newline}", say("Add {}", line), 1 / (1 + position)
                )


def import_module(node: ast.Name, scope: Scope) -> Iterator[Edit]:
    """Import a module of the standard library that is used without an import."""
    names = {name for (name,) in _quoted(_UNDEFINED, scope)}
    if node.id in names and node.id in sys.stdlib_module_names:
        body = scope.module.tree.body
        imports = [item for item in body if isinstance(item, ast.Import | ast.ImportFrom)]
        imports.sort(key=lambda item: isinstance(item, ast.ImportFrom))  # plain imports usually come first
        usual = [item for item in imports if getattr(item, "module", "") != "__future__"]
        before = next((item for item in [*usual, *body] if not _is_text(item)), body[0])
        start = scope.module.line_start(before.lineno)
        yield replace(start, start, f"import {node.id}{scope.module.newline}", say("Import {}", node.id), 1.5)


def bind_first(node: Function, scope: Scope) -> Iterator[Edit]:
    """Give a local name a first value, if some path reads it unbound."""
    bound = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
    first = first_statement(node)
    indent, start = scope.module.indent(first), scope.module.line_start(first.lineno)
    if indent is None or "UnboundLocalError" not in scope.hints.exceptions:
        return
    for (name,) in _quoted(_UNBOUND, scope):
        for position, value in enumerate(_FIRST_VALUES if name in bound else ()):
            line = f"{name} = {scope.module.literal(value)}"
            yield replace(
                start, start, f"{indent}{line}{scope.module.newline}", say("Add {}", line), 1 / (1 + position)
            )


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _quoted(pattern: re.Pattern[str], scope: Scope) -> list[tuple[str, ...]]:
    """Return what the failure messages name, without duplicates."""
    found = [match.groups() for message in scope.hints.messages for match in pattern.finditer(message)]
    return list(dict.fromkeys(found))


TEMPLATES = [
    Template("accepted_argument", 0.9, Function.__args__, accept_argument),
    Template("accepted_argument", 0.9, Function.__args__, accept_self),
    Template("first_value", 0.7, Function.__args__, set_attribute),
    Template("first_value", 0.7, Function.__args__, bind_first),
    Template("import", 0.9, (ast.Name,), import_module),
]
