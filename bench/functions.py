"""Short functions with injected bugs, for `python -m bench.repair functions SET`.

A set is a text file in `bench/functions/`. After `%% NAME` comes a correct source; each `%bug KIND: OLD => NEW` is a bug to
inject (`\\n` is a line break, ` && ` separates several places); `%show` and `%hide` are calls. The tests that repair sees are
the calls after `%show`, with the results of the correct source; a patch is right if the calls after `%hide` agree too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "functions"
_BUG = re.compile(r"%bug ([^:]+): (.*?) =>(?: (.*))?$")


@dataclass(frozen=True)
class BugCase:
    """A module with a bug, as source, and two test modules for it: the one that repair sees, and the hidden one."""

    name: str
    kind: str
    wrong: str
    shown: str
    hidden: str


def cases(name: str) -> list[BugCase]:
    """Return the bugs of a set. The tests are computed by running the correct sources."""
    return [case for part in _parts(FOLDER / f"{name}.txt") for case in _cases(part)]


def _parts(path: Path) -> list[list[str]]:
    parts: list[list[str]] = []
    for line in path.read_text().splitlines():
        if line.startswith("%% "):
            parts.append([])
        parts[-1].append(line)
    return parts


def _cases(lines: Sequence[str]) -> Iterator[BugCase]:
    name = lines[0].removeprefix("%% ")
    right = "\n".join(line for line in lines[1:] if not line.startswith("%")).strip("\n") + "\n"
    shown, hidden = ([line[6:] for line in lines if line.startswith(mark)] for mark in ("%show ", "%hide "))
    bugs = [match.groups("") for line in lines if (match := _BUG.match(line))]
    for number, (kind, old, new) in enumerate(bugs, 1):
        module = f"{name.lower()}_{number}"
        tests = [_tests(module, name, right, calls) for calls in (shown, hidden)]
        yield BugCase(module, kind, _with_bug(right, old, new), *tests)


def _with_bug(source: str, old: str, new: str) -> str:
    for before, after in zip(old.split(" && "), new.split(" && "), strict=True):
        before, after = (text.replace("\\n", "\n") for text in (before, after))
        if source.count(before) != 1:
            raise ValueError(f"{before!r} occurs {source.count(before)} times")
        source = source.replace(before, after)
    return source


def _tests(module: str, name: str, right: str, calls: Sequence[str]) -> str:
    """Return a test module with one test per call."""
    namespace: dict[str, object] = {}
    exec(compile(right, module, "exec"), namespace)
    parts = [f"import pytest\n\nfrom {module} import {name}\n"]
    for number, call in enumerate(calls, 1):
        try:
            lines = [f"    assert {call} == {eval(call, namespace)!r}"]
        except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
            lines = [f"    with pytest.raises({type(error).__name__}):", f"        {call}"]
        parts.append("\n".join([f"def test_{number}():", *lines, ""]))
    return "\n\n".join(parts)
