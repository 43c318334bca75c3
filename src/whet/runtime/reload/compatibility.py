"""Whether another version of a tool can take the place of the one that callers hold."""

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


class Unfit(Exception):
    """The version cannot be served; the message says why. It becomes a line of the report, never an error of the host."""


def check(tool: Tool, new: Tool) -> None:
    """Raises Unfit unless whoever calls the one in use can call the new one instead."""
    if new.kind != tool.kind:
        raise Unfit(f"{tool.name} is {tool.kind} and would become {new.kind}")
    function = new.implementation.function
    problem = signature_problem(inspect.unwrap(tool.function), function)
    if problem:
        raise Unfit(f"{tool.name} cannot be called as before: {problem}")
    if "__class__" in getattr(getattr(function, "__code__", None), "co_freevars", ()):
        raise Unfit(f"{tool.name} uses super(), which refuses the instances that exist already")


def signature_problem(old: Callable[..., Any], new: Callable[..., Any]) -> str:
    """Why some call that the old signature takes would not mean the same to the new one; empty if there is none."""
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
    if [name for name, one in after.items() if one.kind in _POSITIONAL][: _positional(before)] != [
        name for name, one in before.items() if one.kind in _POSITIONAL
    ]:
        return "the positional arguments are in another order"
    if _takes_any(before) and _positional(after) != _positional(before):
        return "a new argument takes what *args got before"
    return ""


def class_problem(old: bytes, new: bytes, qualname: str) -> str:
    """A method is swapped alone: its class, and so every instance that exists, stays the old one. So nothing else of the
    class may change."""
    if "." not in qualname:
        return ""
    cls, _, method = qualname.rpartition(".")
    if _rest_of_class(old, cls, method) == _rest_of_class(new, cls, method):
        return ""
    return f"more of {cls} changes than {method}, and the instances that exist would not"


def _rest_of_class(source: bytes, cls: str, method: str) -> str:
    body = ast.parse(source).body
    found: ast.ClassDef | None = None
    for name in cls.split("."):
        found = next((one for one in reversed(body) if isinstance(one, ast.ClassDef) and one.name == name), None)
        if found is None:
            return ""
        body = found.body
    if found is not None:
        found.body = [one for one in found.body if getattr(one, "name", "") != method]
    return ast.dump(found) if found is not None else ""


def _positional(parameters: Any) -> int:
    return sum(one.kind in _POSITIONAL for one in parameters.values())


def _takes_any(parameters: Any) -> bool:
    return any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in parameters.values())
