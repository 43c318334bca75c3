"""Turn captured calls of a tool into a test file that ships with the fix.

Calls that failed must return, calls that worked must return the same, and the tool's declared cases must hold. A call
is left out if its values cannot be written as Python source. Captured calls are run only in the sandbox.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whet.cases.from_suggestion import module_name
from whet.cases.python_literals import Literals, Unwritable
from whet.domain.canonical import digest
from whet.domain.captured import CapturedCall, CapturedTool
from whet.domain.recommendation import may_replay
from whet.domain.tool_name import is_name

_MOST = 8


@dataclass(frozen=True)
class Replay:
    """A test file, and its test ids by kind: calls that failed, calls that worked, declared cases."""

    path: str
    text: str
    failed: tuple[str, ...]
    worked: tuple[str, ...]
    cases: tuple[str, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return (*self.failed, *self.worked, *self.cases)


def replay(
    tool: CapturedTool,
    path: str,
    failed: Sequence[CapturedCall],
    worked: Sequence[CapturedCall],
    folder: str,
    error: str,
    without: Collection[str] = (),
) -> Replay | None:
    """Write the test file; return None if no call can be written down or may be called again.

    `path` is the tool's module, `folder` the folder for tests, `error` the exception of the failed calls. Test ids in
    `without` are left out.
    """
    if not is_name(tool.name) or not all(part.isidentifier() for part in [*tool.qualname.split("."), error]):
        return None
    writer = Literals()
    declared: Mapping[str, Any] = tool.characteristics
    again = may_replay(declared)
    lines = _Lines(tool, writer, error)
    answered = lines.each(failed, lines.answers) if again else []
    kept = lines.each(worked, lines.agrees) if again else []
    cases = lines.each(declared.get("cases", ()), lines.case)
    if not answered and not cases:
        return None
    identity = digest([tool.name, [call.signature for call in failed][:1]])[:8]
    test = f"{folder}test_whet_{identity}.py"
    name = tool.qualname.rpartition(".")[2].strip("_").lower() or "tool"
    sorts = {"captured_failure": answered, "captured_result": kept, "declared_case": cases}
    bodies: dict[str, list[str]] = {}
    ids = []
    for sort, each in sorts.items():
        named = {f"test_{name}_{sort}_{number}": body for number, body in enumerate(each, 1)}
        named = {function: body for function, body in named.items() if f"{test}::{function}" not in without}
        bodies |= named
        ids.append(tuple(f"{test}::{function}" for function in named))
    return Replay(test, _text(tool, path, writer, bodies, lines), *ids)


@dataclass(frozen=True)
class LiveCallTests:
    """A throw-away test file of live calls: the calls of each test, by its id."""

    path: str
    text: str
    calls: Mapping[str, tuple[CapturedCall, ...]]


def live_call_tests(tool: CapturedTool, path: str, calls: Iterable[CapturedCall], folder: str) -> LiveCallTests | None:
    """Write a throw-away test file for a tool whose calls may be run a second time; None if none can be written down."""
    if not is_name(tool.name) or not all(part.isidentifier() for part in tool.qualname.split(".")):
        return None
    writer = Literals()
    lines = _Lines(tool, writer, "an error")
    same: dict[tuple[str, ...], list[CapturedCall]] = {}
    for call in calls:
        try:
            same.setdefault(tuple(lines.of(call)), []).append(call)
        except Unwritable:
            continue
    test = f"{folder}test_whet_live_calls.py"
    bodies = {f"test_{number}": list(body) for number, body in enumerate(same, 1)}
    calls_by_test = {f"{test}::{name}": tuple(each) for name, each in zip(bodies, same.values(), strict=True)}
    return LiveCallTests(test, _text(tool, path, writer, bodies, lines), calls_by_test) if same else None


def call_bodies(
    tool: CapturedTool, path: str, calls: Sequence[CapturedCall]
) -> tuple[list[str], dict[str, list[str]]] | None:
    """Return the lines that importing needs, and for each distinct call a function body that repeats it and asserts its answer.

    Return None if no call can be written down.
    """
    if not is_name(tool.name) or not all(part.isidentifier() for part in tool.qualname.split(".")):
        return None
    writer = Literals()
    lines = _Lines(tool, writer, "an error")
    bodies = {f"call_{number}": body for number, body in enumerate(lines.each(calls, lines.agrees), 1)}
    return (_head(tool, path, writer, lines), bodies) if bodies else None


class _Lines:
    """Writes the bodies of the tests: one test per distinct call."""

    def __init__(self, tool: CapturedTool, writer: Literals, error: str) -> None:
        declared: Mapping[str, Any] = tool.characteristics
        self._writer = writer
        self._error = error
        self.ignored = tuple(map(str, declared.get("ignore", ())))
        self.tolerance = float(declared.get("tolerance", 0.0))
        self._mocks = tuple(map(str, declared.get("mocks", ())))
        self._called = {
            "plain": "{}",
            "async": "asyncio.run({})",
            "generator": "list({})",
            "async generator": "asyncio.run(_all({}))",
        }[tool.kind]
        self._function = tool.qualname
        holder, _, method = tool.qualname.rpartition(".")
        self._of_an_instance = f"{holder}().{method}" if holder else method
        self.kind = tool.kind
        self.uses_raises = False

    def each(self, calls: Iterable[Any], body: Callable[[Any], list[str]]) -> list[list[str]]:
        distinct: dict[str, list[str]] = {}
        for call in calls:
            try:
                lines = body(call)
            except Unwritable:
                continue
            distinct.setdefault("\n".join(lines), lines)
        return [self._within_mocks(lines) for lines in list(distinct.values())[:_MOST]]

    def of(self, call: CapturedCall) -> list[str]:
        return self._within_mocks(self.answers(call) if call.failed else self.agrees(call))

    def answers(self, call: CapturedCall) -> list[str]:
        return [f"{self._again(call)}  # raised {self._error}"]

    def agrees(self, call: CapturedCall) -> list[str]:
        return [self._equal(self._again(call), json.loads(call.output or "null"))]

    def case(self, case: Any) -> list[str]:
        called = self._call(case["args"], case["kwargs"], self._of_an_instance)
        if error := case.get("error"):
            if not error.isidentifier():
                raise Unwritable(error)
            self.uses_raises = True
            return ["with pytest.raises(Exception) as raised:", f"    {called}",
                    f"assert {error!r} in [kind.__name__ for kind in type(raised.value).__mro__]"]  # fmt: skip
        return [self._equal(called, case["expected"])]

    def _again(self, call: CapturedCall) -> str:
        if not call.replayable:
            raise Unwritable("it was cut, redacted or of unknown classes")
        args, kwargs = json.loads(call.inputs)
        return self._call(args, kwargs)

    def _call(self, args: list[Any], kwargs: Mapping[str, Any], function: str = "") -> str:
        return self._called.format(f"{function or self._function}({self._writer.arguments(args, kwargs)})")

    def _equal(self, called: str, captured: Any) -> str:
        if isinstance(captured, dict) and "$generator" in captured:
            captured = captured["$generator"][0]
        expected = self._writer.write(captured)
        if self.ignored:
            called, expected = f"_without({called})", f"_without({expected})"
        if self.tolerance:
            return f"assert _near({called}, {expected})"
        if expected in ("None", "True", "False"):
            return f"assert {called} is {expected}"
        return f"assert {called} == {expected}"

    def _within_mocks(self, lines: list[str]) -> list[str]:
        for name in reversed(self._mocks):
            lines = [f"with mock.patch({name!r}):", *(f"    {line}" for line in lines)]
        return lines


def _text(tool: CapturedTool, path: str, writer: Literals, bodies: Mapping[str, list[str]], lines: _Lines) -> str:
    title = (
        f'"""Captured calls of {tool.name}: those that failed must return, those that worked must return the same."""'
    )
    body = []
    for function, statements in bodies.items():
        body += ["", "", f"def {function}():", *(f"    {line}" for line in statements)]
    return "\n".join([title, "", *_head(tool, path, writer, lines), *body, ""])


def _head(tool: CapturedTool, path: str, writer: Literals, lines: _Lines) -> list[str]:
    """Return the imports and the functions that the bodies of the calls use."""
    imports = [
        f"import {name}" for name, used in (("asyncio", "async" in tool.kind), ("math", lines.tolerance)) if used
    ]
    if tool.characteristics.get("mocks"):
        imports.append("from unittest import mock")
    plain = sorted(f"from {module} import {name}" for module, name in writer.imports)
    outer = tool.qualname.partition(".")[0]
    own = f"from {module_name(path)} import {outer}"
    head = [*imports, *([""] if imports else [])]
    head += ["import pytest", ""] if lines.uses_raises else []
    head += [*(line for line in plain if line != own), own]
    head += [*(_ALL if tool.kind == "async generator" else []), *(_without(lines.ignored) if lines.ignored else [])]
    return [*head, *(_near(lines.tolerance) if lines.tolerance else [])]


_ALL = ["", "", "async def _all(items):", "    return [item async for item in items]"]


def _without(ignored: Sequence[str]) -> list[str]:
    return [
        "", "", "def _without(value):",
        "    if isinstance(value, dict):",
        f"        return {{key: _without(item) for key, item in value.items() if key not in {list(ignored)!r}}}",
        "    if isinstance(value, list | tuple):",
        "        return [_without(item) for item in value]",
        "    return value",
    ]  # fmt: skip


def _near(tolerance: float) -> list[str]:
    return [
        "", "", "def _near(left, right):",
        "    if isinstance(left, dict) and isinstance(right, dict):",
        "        return left.keys() == right.keys() and all(_near(left[key], right[key]) for key in left)",
        "    if isinstance(left, list | tuple) and isinstance(right, list | tuple):",
        "        return len(left) == len(right) and all(map(_near, left, right))",
        "    if isinstance(left, float) or isinstance(right, float):",
        f"        return math.isclose(left, right, rel_tol={tolerance!r}, abs_tol={tolerance!r})",
        "    return left == right",
    ]  # fmt: skip
