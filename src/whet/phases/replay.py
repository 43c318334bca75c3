"""Recorded calls of a tool as a test file that ships with the fix.

What failed must be answered, what worked must stay as it was, and the cases that the tool declares must hold. A call is
written down only where its values can be; nothing of a recording is ever run outside the sandbox.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from whet.domain.plain import digest
from whet.domain.strategy import Way, strategy
from whet.phases.literal import Unwritable, Writer
from whet.phases.regression import folder_of_tests, module_name

_MOST = 20


@dataclass(frozen=True, kw_only=True)
class ToolFacts:
    """A tool as its application declared it; `path` is where its module lies in the repository."""

    name: str
    version: str
    path: str
    qualname: str
    kind: str
    declared: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RecordedCall:
    """`args`, `kwargs` and `output` as they were recorded: JSON with marks. `error` is empty where it worked."""

    args: list[Any]
    kwargs: dict[str, Any]
    output: Any = None
    error: str = ""
    message: str = ""
    signature: str = ""


@dataclass(frozen=True)
class Replay:
    """The test file, its ids, and how many calls of each sort it holds."""

    path: str
    text: str
    ids: tuple[str, ...]
    failed: int
    worked: int
    cases: int


def replay(
    tool: ToolFacts,
    failed: Sequence[RecordedCall],
    worked: Sequence[RecordedCall],
    paths: Sequence[str],
    is_test: Callable[[str], bool],
) -> Replay | None:
    """None where nothing of it can be written down, or may be called again."""
    writer = Writer()
    again = strategy(tool.declared, recorded=1).way in (Way.SHADOW, Way.REPLAY)
    lines = _Lines(tool, writer)
    answered = lines.each(failed, lines.answers) if again else []
    kept = lines.each(worked, lines.agrees) if again else []
    cases = lines.each(tool.declared.get("cases", ()), lines.case)
    if not answered and not cases:
        return None
    identity = digest([tool.name, [call.signature for call in failed][:1]])[:8]
    path = f"{folder_of_tests(paths, is_test)}test_whet_{identity}.py"
    name = tool.qualname.rpartition(".")[2].strip("_").lower() or "tool"
    functions = [
        (f"test_{name}_answers_what_it_failed_on", answered),
        (f"test_{name}_keeps_its_answers", kept),
        (f"test_{name}_holds_its_cases", cases),
    ]
    present = [(function, bodies) for function, bodies in functions if bodies]
    text = _text(tool, writer, present, lines)
    ids = tuple(f"{path}::{function}_{number}" for function, bodies in present for number in range(1, len(bodies) + 1))
    return Replay(path, text, ids, len(answered), len(kept), len(cases))


class _Lines:
    """The body of one test for one call; the same call is written once."""

    def __init__(self, tool: ToolFacts, writer: Writer) -> None:
        self._writer = writer
        self.ignored = tuple(map(str, tool.declared.get("ignore", ())))
        self.tolerance = float(tool.declared.get("tolerance", 0.0))
        self._mocks = tuple(map(str, tool.declared.get("mocks", ())))
        self._called = {
            "plain": "{}",
            "async": "asyncio.run({})",
            "generator": "list({})",
            "async generator": "asyncio.run(_all({}))",
        }[tool.kind]
        self._function = tool.qualname
        self.kind = tool.kind
        self.uses_raises = False

    def each(self, calls: Iterable[Any], body: Callable[[Any], list[str]]) -> list[list[str]]:
        found: dict[str, list[str]] = {}
        for call in calls:
            try:
                lines = body(call)
            except Unwritable:
                continue
            found.setdefault("\n".join(lines), lines)
        return [self._within_mocks(lines) for lines in list(found.values())[:_MOST]]

    def answers(self, call: RecordedCall) -> list[str]:
        return [f"{self._call(call)}  # raised {call.error.rpartition('.')[2]}"]

    def agrees(self, call: RecordedCall) -> list[str]:
        return [self._equal(self._call(call), call.output)]

    def case(self, case: Any) -> list[str]:
        called = self._call(RecordedCall(args=case["args"], kwargs=case["kwargs"]))
        if error := case.get("error"):
            if not error.isidentifier():
                raise Unwritable(error)
            self.uses_raises = True
            return ["with pytest.raises(Exception) as raised:", f"    {called}",
                    f"assert {error!r} in [kind.__name__ for kind in type(raised.value).__mro__]"]  # fmt: skip
        return [self._equal(called, case["expected"])]

    def _call(self, call: RecordedCall) -> str:
        return self._called.format(f"{self._function}({self._writer.arguments(call.args, call.kwargs)})")

    def _equal(self, called: str, recorded: Any) -> str:
        if isinstance(recorded, dict) and "$generator" in recorded:
            recorded = recorded["$generator"][0]
        expected = self._writer.write(recorded)
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


def _text(tool: ToolFacts, writer: Writer, functions: Sequence[tuple[str, list[list[str]]]], lines: _Lines) -> str:
    imports = [
        f"import {name}" for name, used in (("asyncio", "async" in tool.kind), ("math", lines.tolerance)) if used
    ]
    if tool.declared.get("mocks"):
        imports.append("from unittest import mock")
    plain = sorted(f"from {module} import {name}" for module, name in writer.imports)
    outer = tool.qualname.partition(".")[0]
    own = f"from {module_name(tool.path)} import {outer}"
    head = [f'"""Calls of {tool.name}: what failed must be answered, what worked must stay as it was."""', ""]
    head += [*imports, *([""] if imports else [])]
    head += ["import pytest", ""] if lines.uses_raises else []
    head += [*(line for line in plain if line != own), own]
    helpers = [*(_ALL if tool.kind == "async generator" else []), *(_without(lines.ignored) if lines.ignored else [])]
    helpers += _near(lines.tolerance) if lines.tolerance else []
    body = []
    for function, bodies in functions:
        for number, statements in enumerate(bodies, 1):
            body += ["", "", f"def {function}_{number}():", *(f"    {line}" for line in statements)]
    return "\n".join([*head, *helpers, *body, ""])


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
