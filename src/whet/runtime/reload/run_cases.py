"""Run a tool's declared cases on a new version before the version is put to use.

Only cases of tools without side effects are run: others must not be tried inside an application. All cases have passed
in the sandbox before.
"""

from __future__ import annotations

from whet.runtime.reload.compatibility import Incompatible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whet.runtime.case import Case
    from whet.runtime.tool import Tool


def run_cases(tool: Tool, module: ModuleType) -> None:
    """Raise Incompatible at the first case that fails."""
    characteristics = tool.characteristics
    if characteristics.side_effects or not characteristics.cases:
        return
    function = _bound(tool, module)
    for case in characteristics.cases:
        _run_case(tool, function, case)


def _run_case(tool: Tool, function: Callable[..., Any], case: Case) -> None:
    args, kwargs = case.arguments()
    try:
        output = _result(tool.kind, function, args, kwargs)
    except Exception as error:
        if case.error is None or case.error not in {cls.__name__ for cls in type(error).__mro__}:
            raise Incompatible(f"{tool.name} fails its case {case!r}: it raised {error!r}") from error
        return
    if case.error is not None:
        raise Incompatible(f"{tool.name} fails its case {case!r}: it gave {output!r}")
    if not same(case.expected, output, tool.characteristics.tolerance, tool.characteristics.ignore):
        raise Incompatible(f"{tool.name} fails its case {case!r}: it gave {output!r}")


def _bound(tool: Tool, module: ModuleType) -> Callable[..., Any]:
    """Return the tool's function; a method is bound to an instance of the new version's class."""
    function = tool.implementation.function
    holder: Any = module
    *outer, _ = tool.source.qualname.split(".")
    for name in outer:
        holder = getattr(holder, name)
    if not isinstance(holder, type) or isinstance(vars(holder).get(function.__name__), staticmethod):
        return function
    if isinstance(vars(holder).get(function.__name__), classmethod):
        return lambda *args, **kwargs: function(holder, *args, **kwargs)
    try:
        instance = holder()
    except TypeError as error:
        raise Incompatible(
            f"{tool.name} has cases, and {holder.__name__} cannot be made without arguments to run them"
        ) from error
    return lambda *args, **kwargs: function(instance, *args, **kwargs)


def _result(kind: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kind == "plain":
        return function(*args, **kwargs)
    if kind == "generator":
        return list(function(*args, **kwargs))
    import asyncio

    return asyncio.run(_awaited(kind, function, args, kwargs))


async def _awaited(kind: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kind == "async":
        return await function(*args, **kwargs)
    return [item async for item in function(*args, **kwargs)]


def same(expected: Any, actual: Any, tolerance: float, ignore: tuple[str, ...]) -> bool:
    """True if both are equal. Numbers may differ by `tolerance`, relative or absolute; keys in `ignore` are skipped."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        keys = expected.keys() - set(ignore)
        if keys != actual.keys() - set(ignore):
            return False
        return all(same(expected[key], actual[key], tolerance, ignore) for key in keys)
    if isinstance(expected, list | tuple) and type(expected) is type(actual):
        if len(expected) != len(actual):
            return False
        return all(same(left, right, tolerance, ignore) for left, right in zip(expected, actual, strict=True))
    if tolerance and _is_number(expected) and _is_number(actual):
        from math import isclose

        return isclose(expected, actual, rel_tol=tolerance, abs_tol=tolerance)
    return bool(expected == actual)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
