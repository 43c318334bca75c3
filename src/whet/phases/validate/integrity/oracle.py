"""The same questions, asked where no test runs: the code answers with data, and is judged outside.

What is expected never goes inside, and neither do the tests. A value that is right only under a test runner, or only
because it calls itself equal to everything, is not right here. Each file is tried on the base first: where its
questions cannot even be asked there, nothing is concluded from it.
"""

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whet.domain.verdict import Safeguard, Verdict
from whet.phases.validate.integrity.names import split
from whet.phases.validate.integrity.questions import Asked, Case, Expectation, take_apart

NAME = "values outside the runner"
_MOST = 200
_TRIED = 20
Read = Callable[[str], bytes | None]
Said = list[dict[str, Any]] | None


@dataclass(frozen=True)
class Inquiry:
    """What is asked of both trees: the cases of the targets, and of tests that hold, by file."""

    targets: Mapping[str, dict[str, Case]]
    held: Mapping[str, dict[str, Case]]

    @property
    def request(self) -> dict[str, Any]:
        return _request({path: {**cases, **self.held.get(path, {})} for path, cases in self.targets.items()})


def inquire(targets: Sequence[str], held: Sequence[str], ids: Sequence[str], read: Read) -> Inquiry:
    """`held` are tests that pass on the base: their answers there tell whether a file can be asked at all."""
    asked = _asked(targets, ids, read)
    return Inquiry(
        asked, _asked([test for test in held if split(test)[0] in asked][:_TRIED], ids, read) if asked else {}
    )


def judge(inquiry: Inquiry, base: Said, patched: Said) -> Safeguard:
    before, after = _answers(base), _answers(patched)
    usable = {
        path: cases
        for path, cases in inquiry.targets.items()
        if before and _can_be_asked(path, inquiry.held.get(path, {}), before)
    }
    if not usable:
        return Safeguard(NAME, None, "the target tests cannot be asked without the runner")
    if after is None:
        return Safeguard(NAME, Verdict.INCONCLUSIVE, "asked outside the test runner, the code did not come to an end")
    questions = [(path, one) for path, cases in usable.items() for case in cases.values() for one in case.questions]
    wrong = [one.shown for path, one in questions if path not in after.imported or not _right(one, after)]
    if wrong:
        words = f"asked outside the test runner, `{wrong[0]}` does not give what the test expects"
        return Safeguard(NAME, Verdict.INCONCLUSIVE, words)
    return Safeguard(
        NAME, Verdict.PASSED, f"{len(questions)} values asked outside the test runner are what the tests expect"
    )


def _can_be_asked(path: str, tried: Mapping[str, Case], before: "_Answers") -> bool:
    questions = [one for case in tried.values() for one in case.questions]
    return path in before.imported and all(_right(one, before) for one in questions)


def _asked(tests: Sequence[str], ids: Sequence[str], read: Read) -> dict[str, dict[str, Case]]:
    """By file: the cases of these tests, found by their place among the ids of their function."""
    files: dict[str, Asked | None] = {}
    found: dict[str, dict[str, Case]] = {}
    for test in tests[:_MOST]:
        path, name = split(test)
        if path not in files:
            source = read(path) if path.endswith(".py") else None
            files[path] = take_apart(source, _package(path, read)) if source is not None else None
        asked = files[path]
        cases = asked.cases.get(name, []) if asked else []
        family = [other for other in ids if split(other) == (path, name)]
        if len(cases) != len(family):
            continue
        case = cases[family.index(test)]
        if case.questions and asked:
            found.setdefault(path, {"": Case(asked.imports, [])})[test] = case
    return found


def _request(asked: Mapping[str, dict[str, Case]]) -> dict[str, Any]:
    modules = {
        path: {
            "name": path.removesuffix(".py").rpartition("/")[2],
            "imports": cases[""].source,
            "cases": {test: case.source for test, case in cases.items() if test},
        }
        for path, cases in asked.items()
    }
    folders = dict.fromkeys(["", "src", *(path.rpartition("/")[0] for path in asked)])
    return {"path": list(folders), "modules": modules}


@dataclass(frozen=True)
class _Answers:
    imported: frozenset[str]
    values: Mapping[str, str | None]


def _answers(events: Said) -> _Answers | None:
    if events is None:
        return None
    imported = {str(event["module"]) for event in events if event.get("event") == "import" and not event.get("problem")}
    values = {str(event["key"]): event.get("value") for event in events if event.get("event") == "value"}
    return _Answers(frozenset(imported), values)


def _right(question: Expectation, answers: _Answers) -> bool:
    if question.key not in answers.values:
        return False  # it raised on the way
    said = answers.values[question.key]
    if said is None:
        return True  # not plain data: other safeguards judge it
    try:
        value = ast.literal_eval(said)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    if question.raises:
        return isinstance(value, list) and (question.expected in value or not str(question.expected).isidentifier())
    if question.near:
        return _near(value, question.expected)
    return bool(value == question.expected)


def _near(value: object, expected: object) -> bool:
    if isinstance(expected, list | tuple) and isinstance(value, list | tuple) and len(value) == len(expected):
        return all(map(_near, value, expected))
    if isinstance(expected, int | float) and isinstance(value, int | float):
        return math.isclose(value, expected, rel_tol=1e-5, abs_tol=1e-9)
    return isinstance(expected, dict | str) or value == expected


def _package(path: str, read: Read) -> str:
    """The package that a test file is in, for its relative imports."""
    parts: list[str] = []
    folder = path.rpartition("/")[0]
    while folder and read(f"{folder}/__init__.py") is not None:
        folder, _, name = folder.rpartition("/")
        parts.insert(0, name)
    return ".".join(parts)
