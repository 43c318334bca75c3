"""A function that cannot be called as its callers do."""

import ast
import re
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace
from whet.phases.propose.repair.module import Function, Scope
from whet.phases.propose.repair.templates.template import Template

_TWICE = re.compile(r"(\w+)\(\) got multiple values for argument '(\w+)'")
_MISSING = re.compile(r"(\w+)\(\) missing \d+ required positional arguments?: (.+)")
_DEFAULTS = (("None", 1.0), ("False", 0.4), ('""', 0.4), ("()", 0.3), ("0", 0.3))


def only_by_place(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Iterator[Edit]:
    """A parameter whose name callers may use for a keyword of their own: `def call(self, /, **kwargs)`."""
    arguments = node.args
    if arguments.posonlyargs or arguments.defaults or arguments.kwarg is None:
        return
    for argument in arguments.args:
        if (node.name, argument.arg) in _said(_TWICE, scope):
            end = scope.module.span(argument)[1]
            yield replace(end, end, ", /", f"`{argument.arg}` is given by its place alone", 2.0)


def need_not_be_given(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Iterator[Edit]:
    """The last parameter without a default gets one."""
    placed = [*node.args.posonlyargs, *node.args.args]
    required = placed[: len(placed) - len(node.args.defaults)]
    if not required:
        return
    last = required[-1]
    if any(function == node.name and f"'{last.arg}'" in names for function, names in _said(_MISSING, scope)):
        end = scope.module.span(last)[1]
        equals = "=" if last.annotation is None else " = "
        for text, weight in _DEFAULTS:
            made = equals + scope.module.literal(text)
            yield replace(end, end, made, f"`{last.arg}` need not be given", weight)


def _said(pattern: re.Pattern[str], scope: Scope) -> list[tuple[str, str]]:
    return [found for message in scope.hints.messages for found in pattern.findall(message)]


TEMPLATES = [
    Template("signature", 0.9, Function.__args__, only_by_place),
    Template("signature", 0.9, Function.__args__, need_not_be_given),
]
