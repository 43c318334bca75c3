"""The four kinds of callable that a tool can be, each with its wrapper.

A wrapper is a real function of the same kind, so that `inspect`, pickle and binding to instances see what they saw
before. A call that is not kept costs a counter and a comparison; its failure is still seen.
"""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter_ns

from whet.runtime.record.capture import HEAVIEST, NOT_TAKEN, StandIn, capture, capture_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator
    from typing import Any

    from whet.runtime.implementation import Implementation
    from whet.runtime.tool import Tool

NO_ROOM = (RecursionError, MemoryError)
"""What the recorder may run into at the end of the stack or the memory, where the tool just did not. Its record is lost;
the call is counted."""

_GENERATOR, _COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80 | 0x100, 0x200


def kind_of(function: Any) -> str:
    """`plain`, `async`, `generator` or `async generator`, seen through partials, methods and callable objects."""
    while hasattr(function, "func") and hasattr(function, "keywords"):
        function = function.func
    if getattr(function, "_is_coroutine_mark", None) is not None:
        return "async"
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None) or getattr(vars(type(function)).get("__call__"), "__code__", None)
    flags = getattr(code, "co_flags", 0)
    if flags & _COROUTINE:
        return "async"
    if flags & _GENERATOR:
        return "generator"
    return "async generator" if flags & _ASYNC_GENERATOR else "plain"


def wrapper(tool: Tool, kind: str) -> Callable[..., Any]:
    return {"plain": _plain, "async": _async, "generator": _generator, "async generator": _async_generator}[kind](tool)


def _plain(tool: Tool) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        running = tool.implementation if tool.route is None else tool.route(args, kwargs)
        number = next(running.calls)
        if number < running.due:
            try:
                return running.function(*args, **kwargs)
            except Exception as error:
                with suppress(*NO_ROOM):
                    running.failed_unwatched(number, args, kwargs, error)
                raise
        entered = perf_counter_ns()
        try:
            if running.recorder is None:
                running.find_recorder()
            inputs = capture(args, kwargs)
        except NO_ROOM:
            inputs = NOT_TAKEN
        began = perf_counter_ns()
        try:
            output = running.function(*args, **kwargs)
        except Exception as error:
            ended = perf_counter_ns()
            with suppress(*NO_ROOM):
                running.failed(number, inputs, error, began - entered, ended - began, ended)
            raise
        ended = perf_counter_ns()
        try:  # noqa: SIM105 (a context manager is dear on every call)
            running.succeeded(number, inputs, output, began - entered, ended - began, ended)
        except NO_ROOM:
            pass
        return output

    return call


def _async(tool: Tool) -> Callable[..., Any]:
    async def call(*args: Any, **kwargs: Any) -> Any:
        running = tool.implementation if tool.route is None else tool.route(args, kwargs)
        number = next(running.calls)
        if number < running.due:
            try:
                return await running.function(*args, **kwargs)
            except Exception as error:
                with suppress(*NO_ROOM):
                    running.failed_unwatched(number, args, kwargs, error)
                raise
        entered = perf_counter_ns()
        try:
            if running.recorder is None:
                running.find_recorder()
            inputs = capture(args, kwargs)
        except NO_ROOM:
            inputs = NOT_TAKEN
        began = perf_counter_ns()
        try:
            output = await running.function(*args, **kwargs)
        except Exception as error:
            ended = perf_counter_ns()
            with suppress(*NO_ROOM):
                running.failed(number, inputs, error, began - entered, ended - began, ended)
            raise
        ended = perf_counter_ns()
        try:  # noqa: SIM105 (a context manager is dear on every call)
            running.succeeded(number, inputs, output, began - entered, ended - began, ended)
        except NO_ROOM:
            pass
        return output

    return call


def _generator(tool: Tool) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        running = tool.implementation if tool.route is None else tool.route(args, kwargs)
        number = next(running.calls)
        if number < running.due:
            try:
                return (yield from running.function(*args, **kwargs))
            except Exception as error:
                with suppress(*NO_ROOM):
                    running.failed_unwatched(number, args, kwargs, error)
                raise
        passed = _Passed(running, number, args, kwargs)
        return (yield from passed.through(running.function(*args, **kwargs)))

    return call


def _async_generator(tool: Tool) -> Callable[..., Any]:
    async def call(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        running = tool.implementation if tool.route is None else tool.route(args, kwargs)
        number = next(running.calls)
        passed = _Passed(running, number, args, kwargs, kept=number >= running.due)
        inner = running.function(*args, **kwargs)
        given: Any = None
        thrown: BaseException | None = None
        try:
            while True:
                passed.resume()
                item = await (inner.asend(given) if thrown is None else inner.athrow(thrown))
                passed.pause(item)
                given, thrown = None, None
                try:
                    given = yield item
                except GeneratorExit:
                    raise
                except BaseException as error:  # noqa: BLE001 (handed to the tool, whose answer it awaits)
                    thrown = error
        except StopAsyncIteration:
            passed.ended(None)
        except GeneratorExit:
            await inner.aclose()
            passed.ended(None)
            raise
        except Exception as error:
            passed.failed(error)
            raise

    return call


class _Passed:
    """What a generator gave, item by item, and the time that was spent in it rather than in its consumer."""

    def __init__(
        self, running: Implementation, number: int, args: tuple[Any, ...], kwargs: dict[str, Any], *, kept: bool = True
    ) -> None:
        self._running = running
        self._number = number
        self._arguments = args, kwargs
        self._kept = kept
        entered = perf_counter_ns()
        if kept and running.recorder is None:
            running.find_recorder()
        self._inputs = capture(args, kwargs) if kept else None
        self._own_ns = 0
        self._items: list[Any] = []
        self._weight = 0
        self._began = perf_counter_ns()
        self._cost_ns = self._began - entered

    def through(self, inner: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """`yield from inner`, watched."""
        given: Any = None
        thrown: BaseException | None = None
        try:
            while True:
                self.resume()
                item = inner.send(given) if thrown is None else inner.throw(thrown)
                self.pause(item)
                given, thrown = None, None
                try:
                    given = yield item
                except GeneratorExit:
                    raise
                except BaseException as error:  # noqa: BLE001 (handed to the tool, whose answer it is)
                    thrown = error
        except StopIteration as stop:
            self.ended(stop.value)
            return stop.value
        except GeneratorExit:
            inner.close()
            self.ended(None)
            raise
        except Exception as error:
            self.failed(error)
            raise

    def resume(self) -> None:
        self._began = perf_counter_ns()

    def pause(self, item: Any) -> None:
        now = perf_counter_ns()
        self._own_ns += now - self._began
        if self._kept and self._weight < HEAVIEST // 64:
            taken, weight = capture_one(item)
            self._items.append(taken)
            self._weight += weight
            self._kept = len(self._items) < HEAVIEST
        self._cost_ns += perf_counter_ns() - now

    def ended(self, returned: Any) -> None:
        now = perf_counter_ns()
        self._own_ns += now - self._began
        if self._inputs is not None:
            output = StandIn("generator", "generator", (self._items, capture_one(returned)[0]))
            self._running.succeeded(self._number, self._inputs, output, self._cost_ns, self._own_ns, now)

    def failed(self, error: Exception) -> None:
        now = perf_counter_ns()
        if self._inputs is None:
            self._running.failed_unwatched(self._number, *self._arguments, error)
        else:
            self._own_ns += now - self._began
            self._running.failed(self._number, self._inputs, error, self._cost_ns, self._own_ns, now)
