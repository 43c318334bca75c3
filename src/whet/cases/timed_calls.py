"""Turn captured calls of a slow tool into a benchmark: a script that repeats them and prints how long they took."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from whet.cases.from_calls import call_bodies
from whet.cases.from_suggestion import module_name
from whet.domain.canonical import digest
from whet.domain.captured import CapturedCall, CapturedTool
from whet.domain.recommendation import may_replay
from whet.domain.timed_calls import TimedCalls

_LONGEST_RUN_NS = 2_000_000_000
_RUN = """\


def main():
    seconds = 0.0
    for call in random.Random(int(sys.argv[1])).sample(CALLS, {most}):
        began = time.perf_counter()
        call()
        seconds += time.perf_counter() - began
    print(seconds)


main()
"""


def why_not_timed(characteristics: Mapping[str, Any]) -> str:
    """Return why a tool's captured calls may not be repeated to time them; empty if they may.

    A characteristic that is not declared counts as the riskier value.
    """
    if not may_replay(characteristics):
        return "it has side effects, so its captured calls are not timed again"
    if characteristics.get("idempotent") is not True:
        return "it is not declared idempotent, so its captured calls are not timed again"
    return ""


def timed_calls(tool: CapturedTool, path: str, calls: Sequence[CapturedCall]) -> TimedCalls | None:
    """Write the benchmark from calls that worked, the slowest first; None if no call can be written down.

    `path` is the file of the tool's module. Each run times a few of the calls, which the seed on the command line chooses,
    so that a search and its proof do not measure the same ones if there are several.
    """
    slowest = sorted((call for call in calls if call.duration_ns), key=lambda call: -(call.duration_ns or 0))
    written = call_bodies(tool, path, slowest)
    if written is None:
        return None
    head, bodies = written
    longest = slowest[0].duration_ns or _LONGEST_RUN_NS
    most = max(1, min(len(bodies) // 2, _LONGEST_RUN_NS // longest))
    functions = [line for name, body in bodies.items() for line in ["", "", f"def {name}():", *_indented(body)]]
    text = "\n".join([
        f'"""Captured calls of {tool.name}: the printed number is the seconds that they take."""', "",
        "import random", "import sys", "import time", "",
        f"sys.path.insert(0, {_import_folder(path)!r})", "",
        *head, *functions, "", "", f"CALLS = [{', '.join(bodies)}]",
    ])  # fmt: skip
    return TimedCalls(
        name=f"captured calls of {tool.name}",
        path=f"whet_captured_calls_{digest([tool.name, tool.version])[:8]}.py",
        text=text + _RUN.format(most=most),
        calls=len(bodies),
    )


def _indented(body: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in body]


def _import_folder(path: str) -> str:
    """Return the folder from which the tool's module is imported, relative to the repository."""
    folders, packages = PurePosixPath(path).parts[:-1], len(module_name(path).split("."))
    if PurePosixPath(path).name != "__init__.py":
        packages -= 1
    return "/".join(folders[: len(folders) - packages]) or "."
