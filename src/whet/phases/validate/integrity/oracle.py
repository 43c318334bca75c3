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
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.examples import take_examples
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
    return Inquiry(asked, _asked([test for test in held if _file(test) in asked][:_TRIED], ids, read) if asked else {})


def judge(inquiry: Inquiry, base: Said, patched: Said) -> Safeguard:
    before, after = _answers(base), _answers(patched)
    usable = {
        path: cases
        for path, cases in inquiry.targets.items()
        if before and _can_be_asked(path, inquiry.held.get(path, {}), before)
    }
    if not usable or before is None:
        return Safeguard(NAME, None, "the target tests cannot be asked without the runner")
    if after is None:
        return Safeguard(NAME, Verdict.INCONCLUSIVE, "asked outside the test runner, the code did not come to an end")
    questions = [(path, one) for path, cases in usable.items() for case in cases.values() for one in case.questions]
    if changed := [one.shown for _, one in questions if one.kept and _right(one, before) and not _right(one, after)]:
        words = f"the code changes `{changed[0]}`, which the test gives to it and compares with"
        return Safeguard(NAME, Verdict.INCONCLUSIVE, words)
    questions = [(path, one) for path, one in questions if not one.kept]
    if strange := [kind for _, one in questions if (kind := _of_its_own(one, before, after))]:
        words = f"where the tests expect plain data there is now a value of the class `{strange[0]}`"
        return Safeguard(NAME, Verdict.INCONCLUSIVE, words)
    wrong = [
        one.shown
        for path, one in questions
        if (path not in after.imported or not _right(one, after)) and not _only_prints(path, one.key, before, after)
    ]
    if wrong:
        words = f"asked outside the test runner, `{wrong[0]}` does not give what the test expects"
        return Safeguard(NAME, Verdict.INCONCLUSIVE, words)
    return Safeguard(
        NAME, Verdict.PASSED, f"{len(questions)} values asked outside the test runner are what the tests expect"
    )


def _only_prints(path: str, key: str, before: "_Answers", after: "_Answers") -> bool:
    """What an example shows may be what the code prints, if it never gave a value."""
    return path.endswith(".txt") and before.values.get(key) == after.values.get(key) == "None"


def _can_be_asked(path: str, tried: Mapping[str, Case], before: "_Answers") -> bool:
    questions = [one for case in tried.values() for one in case.questions]
    return path in before.imported and all(_right(one, before) for one in questions if not one.kept)


def _asked(tests: Sequence[str], ids: Sequence[str], read: Read) -> dict[str, dict[str, Case]]:
    """By file: the cases of these tests, found by their place among the ids of their function."""
    files: dict[str, Asked | None] = {}
    found: dict[str, dict[str, Case]] = {}
    for test in tests[:_MOST]:
        (path, name), file = split(test), _file(test)
        if file not in files:
            source = read(path) if path.endswith(".py") else None
            take = take_apart if file == path else take_examples
            package = _package(path, read)
            files[file] = take(source, package if file == path else _dotted(package, path)) if source else None
        asked = files[file]
        cases = asked.cases.get(name, []) if asked else []
        family = [other for other in ids if split(other) == (path, name)]
        if len(cases) != len(family):
            continue
        case = cases[family.index(test)]
        if case.questions and asked:
            found.setdefault(file, {"": Case(asked.imports, [])})[test] = case
    return found


def _file(test: str) -> str:
    """Where a test's questions are kept: the examples of a file apart from its functions."""
    path = split(test)[0]
    return f"{path.removesuffix('.py')}.txt" if is_doctest(test) else path


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
    kinds: Mapping[str, str]


def _answers(events: Said) -> _Answers | None:
    if events is None:
        return None
    imported = {str(event["module"]) for event in events if event.get("event") == "import" and not event.get("problem")}
    said = {str(event["key"]): event for event in events if event.get("event") == "value"}
    return _Answers(
        frozenset(imported),
        {key: event.get("value") for key, event in said.items()},
        {key: str(event.get("kind", "")) for key, event in said.items()},
    )


def _of_its_own(question: Expectation, before: _Answers, after: _Answers) -> str:
    """The class of the tree that an answer is of, where plain data is expected and no answer was of it before."""
    kind = after.kinds.get(question.key, "")
    plain = isinstance(question.expected, int | float | str | bytes | list | tuple | dict | set)
    opaque = question.key in after.values and after.values[question.key] is None
    return kind if plain and opaque and not question.raises and kind not in before.kinds.values() else ""


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


def _dotted(package: str, path: str) -> str:
    stem = path.removesuffix(".py").rpartition("/")[2]
    return package if stem == "__init__" else f"{package}.{stem}".lstrip(".")


def _package(path: str, read: Read) -> str:
    """The package that a test file is in, for its relative imports."""
    parts: list[str] = []
    folder = path.rpartition("/")[0]
    while folder and read(f"{folder}/__init__.py") is not None:
        folder, _, name = folder.rpartition("/")
        parts.insert(0, name)
    return ".".join(parts)
