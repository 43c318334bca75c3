"""Check that callers of the running version of a tool can call another version instead."""

from __future__ import annotations

import ast
import inspect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from whet.runtime.tool import Tool

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_ANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Incompatible(Exception):
    """A version cannot be put to use; the message says why. It ends up in the process report and never reaches a caller."""


def check(tool: Tool, new: Tool) -> None:
    """Raise Incompatible unless every caller of `tool` can call `new` instead."""
    if new.kind != tool.kind:
        raise Incompatible(f"{tool.name} is {tool.kind} and would become {new.kind}")
    function = new.implementation.function
    problem = parameter_problem(inspect.unwrap(tool.function), function)
    if problem:
        raise Incompatible(f"{tool.name} cannot be called as before: {problem}")
    if "__class__" in getattr(getattr(function, "__code__", None), "co_freevars", ()):
        raise Incompatible(f"{tool.name} uses super(), which refuses the instances that exist already")


def parameter_problem(old: Callable[..., Any], new: Callable[..., Any]) -> str:
    """Return why a call that fits the old parameters would fail or mean something else with the new ones, or ''."""
    before, after = inspect.signature(old).parameters, inspect.signature(new).parameters
    for name, parameter in before.items():
        if name not in after:
            return f"{name} is gone"
        if after[name].kind != parameter.kind:
            return f"{name} is passed in another way"
        if parameter.default is not parameter.empty and after[name].default is parameter.empty:
            return f"{name} must now be given"
    for name, parameter in after.items():
        if name not in before and parameter.kind not in _ANY and parameter.default is parameter.empty:
            return f"{name} is new and must be given"
    positional_before, positional_after = _positional_names(before), _positional_names(after)
    if positional_after[: len(positional_before)] != positional_before:
        return "the positional arguments are in another order"
    if _has_var_positional(before) and len(positional_after) != len(positional_before):
        return "a new argument takes what *args got before"
    return ""


def class_problem(old: bytes, new: bytes, qualname: str) -> str:
    """Return why a method cannot be replaced alone, or ''.

    Only the method is replaced. Its class, and so every existing instance, stays the old one, so nothing else in the
    class may change.
    """
    if "." not in qualname:
        return ""
    cls, _, method = qualname.rpartition(".")
    if _rest_of_class(old, cls, method) == _rest_of_class(new, cls, method):
        return ""
    return f"more of {cls} changes than {method}, and the instances that exist would not"


def _rest_of_class(source: bytes, cls: str, method: str) -> str:
    """Return the syntax tree of a class, without one method, as text; '' if there is no such class."""
    body = ast.parse(source).body
    definition: ast.ClassDef | None = None
    for name in cls.split("."):
        classes = [node for node in body if isinstance(node, ast.ClassDef) and node.name == name]
        if not classes:
            return ""
        definition = classes[-1]  # a later definition replaces an earlier one
        body = definition.body
    if definition is None:
        return ""
    definition.body = [node for node in definition.body if getattr(node, "name", "") != method]
    return ast.dump(definition)


def _positional_names(parameters: Any) -> list[str]:
    return [name for name, parameter in parameters.items() if parameter.kind in _POSITIONAL]


def _has_var_positional(parameters: Any) -> bool:
    return any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters.values())
