"""The wrappers that capture a tool's calls, one for each kind of callable: plain, async, generator, async generator.

A wrapper is a real function of the same kind, so that `inspect`, pickle and binding to instances work as before. A call
that is not captured costs one counter and one comparison; its failure is still captured.

`_plain` and `_async` repeat each other on purpose. They are the hot path: moving the shared lines into a function would
add a Python call to each captured call, and near the end of the stack that call itself could raise RecursionError.
"""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter_ns

from whet.runtime.capture.values import HEAVIEST, NOT_CAPTURED, Placeholder, capture, capture_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator
    from typing import Any

    from whet.runtime.implementation import Implementation
    from whet.runtime.tool import Tool

OUT_OF_ROOM = (RecursionError, MemoryError)
"""Errors that capturing may run into near the end of the stack or of memory, where the tool itself did not. The call is
then counted but not captured."""

_GENERATOR, _COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80 | 0x100, 0x200


def kind_of(function: Any) -> str:
    """Return `plain`, `async`, `generator` or `async generator`; look through partials, methods and callable objects."""
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
    """Return the function that callers get: it runs the tool's present implementation and captures the call."""
    return {"plain": _plain, "async": _async, "generator": _generator, "async generator": _async_generator}[kind](tool)


def _plain(tool: Tool) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        running = tool.implementation if tool.route is None else tool.route(args, kwargs)
        number = next(running.calls)
        if number < running.due:
            try:
                return running.function(*args, **kwargs)
            except Exception as error:
                with suppress(*OUT_OF_ROOM):
                    running.failed_uncaptured(number, args, kwargs, error)
                raise
        entered = perf_counter_ns()
        try:
            if running.capturer is None:
                running.find_capturer()
            inputs = capture(args, kwargs)
        except OUT_OF_ROOM:
            inputs = NOT_CAPTURED
        began = perf_counter_ns()
        try:
            output = running.function(*args, **kwargs)
        except Exception as error:
            ended = perf_counter_ns()
            with suppress(*OUT_OF_ROOM):
                running.failed(number, inputs, error, began - entered, ended - began, ended)
            raise
        ended = perf_counter_ns()
        try:  # noqa: SIM105 (a context manager costs too much on every call)
            running.succeeded(number, inputs, output, began - entered, ended - began, ended)
        except OUT_OF_ROOM:
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
                with suppress(*OUT_OF_ROOM):
                    running.failed_uncaptured(number, args, kwargs, error)
                raise
        entered = perf_counter_ns()
        try:
            if running.capturer is None:
                running.find_capturer()
            inputs = capture(args, kwargs)
        except OUT_OF_ROOM:
            inputs = NOT_CAPTURED
        began = perf_counter_ns()
        try:
            output = await running.function(*args, **kwargs)
        except Exception as error:
            ended = perf_counter_ns()
            with suppress(*OUT_OF_ROOM):
                running.failed(number, inputs, error, began - entered, ended - began, ended)
            raise
        ended = perf_counter_ns()
        try:  # noqa: SIM105 (a context manager costs too much on every call)
            running.succeeded(number, inputs, output, began - entered, ended - began, ended)
        except OUT_OF_ROOM:
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
                with suppress(*OUT_OF_ROOM):
                    running.failed_uncaptured(number, args, kwargs, error)
                raise
        generator_call = _GeneratorCall(running, number, args, kwargs)
        return (yield from generator_call.run(running.function(*args, **kwargs)))

    return call


def _async_generator(tool: Tool) -> Callable[..., Any]:
    async def call(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        running = tool.implementation if tool.route is None else tool.route(args, kwargs)
        number = next(running.calls)
        generator_call = _GeneratorCall(running, number, args, kwargs, captures=number >= running.due)
        inner = running.function(*args, **kwargs)
        sent: Any = None
        thrown: BaseException | None = None
        try:
            while True:
                generator_call.resume()
                item = await (inner.asend(sent) if thrown is None else inner.athrow(thrown))
                generator_call.pause(item)
                sent, thrown = None, None
                try:
                    sent = yield item
                except GeneratorExit:
                    raise
                except BaseException as error:  # noqa: BLE001 (thrown into the tool's generator, which handles it)
                    thrown = error
        except StopAsyncIteration:
            generator_call.ended(None)
        except GeneratorExit:
            await inner.aclose()
            generator_call.ended(None)
            raise
        except Exception as error:
            generator_call.failed(error)
            raise

    return call


class _GeneratorCall:
    """One call of a generator: the items it yielded, and the time spent in it rather than in its consumer."""

    def __init__(
        self,
        running: Implementation,
        number: int,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        captures: bool = True,
    ) -> None:
        self._running = running
        self._number = number
        self._arguments = args, kwargs
        self._captures = captures
        entered = perf_counter_ns()
        if captures and running.capturer is None:
            running.find_capturer()
        self._inputs = capture(args, kwargs) if captures else None
        self._own_ns = 0
        self._items: list[Any] = []
        self._weight = 0
        self._began = perf_counter_ns()
        self._cost_ns = self._began - entered

    def run(self, inner: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Do what `yield from inner` does, and capture the values."""
        sent: Any = None
        thrown: BaseException | None = None
        try:
            while True:
                self.resume()
                item = inner.send(sent) if thrown is None else inner.throw(thrown)
                self.pause(item)
                sent, thrown = None, None
                try:
                    sent = yield item
                except GeneratorExit:
                    raise
                except BaseException as error:  # noqa: BLE001 (thrown into the tool's generator, which handles it)
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
        if self._captures and self._weight < HEAVIEST // 64:
            captured, weight = capture_one(item)
            self._items.append(captured)
            self._weight += weight
            self._captures = len(self._items) < HEAVIEST
        self._cost_ns += perf_counter_ns() - now

    def ended(self, returned: Any) -> None:
        now = perf_counter_ns()
        self._own_ns += now - self._began
        if self._inputs is not None:
            output = Placeholder("generator", "generator", (self._items, capture_one(returned)[0]))
            self._running.succeeded(self._number, self._inputs, output, self._cost_ns, self._own_ns, now)

    def failed(self, error: Exception) -> None:
        now = perf_counter_ns()
        if self._inputs is None:
            self._running.failed_uncaptured(self._number, *self._arguments, error)
        else:
            self._own_ns += now - self._began
            self._running.failed(self._number, self._inputs, error, self._cost_ns, self._own_ns, now)
