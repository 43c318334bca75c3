"""A tool's own cases, run on a version before anybody is served by it.

Only tools that say they have no side effects: their cases were held in the sandbox as well, and an application is no
place to try the others.
"""

from __future__ import annotations

from whet.runtime.reload.compatibility import Unfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from whet.runtime.case import Case
    from whet.runtime.tool import Tool


def hold_cases(tool: Tool, module: ModuleType) -> None:
    """Raises Unfit at the first case that the version does not hold."""
    told = tool.characteristics
    if told.side_effects or not told.cases:
        return
    function = _bound(tool, module)
    for case in told.cases:
        _hold(tool, function, case)


def _hold(tool: Tool, function: Callable[..., Any], case: Case) -> None:
    args, kwargs = case.arguments()
    try:
        got = _outcome(tool.kind, function, args, kwargs)
    except Exception as error:
        if case.error is None or case.error not in {cls.__name__ for cls in type(error).__mro__}:
            raise Unfit(f"{tool.name} fails its case {case!r}: it raised {error!r}") from error
        return
    if case.error is not None:
        raise Unfit(f"{tool.name} fails its case {case!r}: it gave {got!r}")
    if not same(case.expected, got, tool.characteristics.tolerance, tool.characteristics.ignore):
        raise Unfit(f"{tool.name} fails its case {case!r}: it gave {got!r}")


def _bound(tool: Tool, module: ModuleType) -> Callable[..., Any]:
    """For a method, on an instance of the version's own class."""
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
        raise Unfit(
            f"{tool.name} has cases, and {holder.__name__} cannot be made without arguments to run them"
        ) from error
    return lambda *args, **kwargs: function(instance, *args, **kwargs)


def _outcome(kind: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
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


def same(expected: Any, got: Any, tolerance: float, ignore: tuple[str, ...]) -> bool:
    """Equal in structure; numbers may differ by the tolerance, relative or absolute, and ignored keys by anything."""
    if isinstance(expected, dict) and isinstance(got, dict):
        kept = {key for key in expected.keys() | got.keys() if key not in ignore}
        return all(key in expected and key in got and same(expected[key], got[key], tolerance, ignore) for key in kept)
    if isinstance(expected, list | tuple) and type(expected) is type(got):
        return len(expected) == len(got) and all(
            same(one, other, tolerance, ignore) for one, other in zip(expected, got, strict=True)
        )
    if tolerance and _is_number(expected) and _is_number(got):
        from math import isclose

        return isclose(expected, got, rel_tol=tolerance, abs_tol=tolerance)
    return bool(expected == got)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
