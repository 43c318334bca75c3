"""Change the parameters of a function to suit its callers: `def f(a)` -> `def f(a=None)`, `def f(a, **kw)` -> `def f(a, /, **kw)`."""

import re
from collections.abc import Iterator

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template
from whet.pyast.functions import Function

_TWICE = re.compile(r"(\w+)\(\) got multiple values for argument '(\w+)'")
_MISSING = re.compile(r"(\w+)\(\) missing \d+ required positional arguments?: (.+)")
_DEFAULTS = (("None", 1.0), ("False", 0.4), ('""', 0.4), ("()", 0.3), ("0", 0.3))


def make_positional_only(node: Function, scope: Scope) -> Iterator[Edit]:
    """Free a parameter name that callers pass as a keyword: `def call(self, **kw)` -> `def call(self, /, **kw)`."""
    arguments = node.args
    if arguments.posonlyargs or arguments.defaults or arguments.kwarg is None:
        return
    for argument in arguments.args:
        if (node.name, argument.arg) in _quoted(_TWICE, scope):
            end = scope.module.span(argument)[1]
            yield replace(end, end, ", /", say("Make {} positional-only", argument.arg), 2.0)


def make_optional(node: Function, scope: Scope) -> Iterator[Edit]:
    """Give the last required parameter a default."""
    positional = [*node.args.posonlyargs, *node.args.args]
    required = positional[: len(positional) - len(node.args.defaults)]
    if not required:
        return
    last = required[-1]
    if any(function == node.name and f"'{last.arg}'" in names for function, names in _quoted(_MISSING, scope)):
        end = scope.module.span(last)[1]
        equals = "=" if last.annotation is None else " = "
        for text, weight in _DEFAULTS:
            made = equals + scope.module.literal(text)
            yield replace(
                end, end, made, say("Use {} as the default of {}", scope.module.literal(text), last.arg), weight
            )


def _quoted(pattern: re.Pattern[str], scope: Scope) -> list[tuple[str, str]]:
    """Return the (function, parameter) pairs that the failure messages name."""
    return [groups for message in scope.hints.messages for groups in pattern.findall(message)]


TEMPLATES = [
    Template("parameters", 0.9, Function.__args__, make_positional_only),
    Template("parameters", 0.9, Function.__args__, make_optional),
]
