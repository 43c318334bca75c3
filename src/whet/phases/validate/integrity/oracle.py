"""The same questions, asked where no test runs: the code answers with data, and is judged outside.

What is expected never goes inside, and neither do the tests. A value that is right only under a test runner, or only
because it calls itself equal to everything, is not right here; nor is one that is right only in this place, zone or
order. Each file is tried on the base first: where its questions cannot even be asked there, nothing is concluded from
it.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whet.domain.verdict import Safeguard, Verdict
from whet.phases.validate.integrity.answers import LIBRARY, Answer, Answers, Kind, Said, read_answers
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.examples import take_examples
from whet.phases.validate.integrity.questions import Asked, Case, Expectation, How, take_apart
from whet.phases.validate.integrity.test_ids import split

NAME = "values outside the runner"
NOTHING = "none of the target tests can be asked without the runner: what their values are outside it is not known"
_MOST = 200
_TRIED = 20
_AGREES_WITH_ALL = ("itertools.", "builtins.generator", "builtins.map", "builtins.zip", "builtins.filter", "unittest.")
Read = Callable[[str], bytes | None]
IsKnown = Callable[[str, str], bool]


@dataclass(frozen=True)
class Inquiry:
    """What is asked of both trees: the cases of the targets, and of tests that hold, by file."""

    targets: Mapping[str, dict[str, Case]]
    held: Mapping[str, dict[str, Case]]

    @property
    def files(self) -> list[str]:
        return list(self.targets)

    @property
    def request(self) -> dict[str, Any]:
        """Nothing in it names a test."""
        modules = []
        for path, cases in self.targets.items():
            both = {**cases, **self.held.get(path, {})}
            sources = [case.source for test, case in both.items() if test]
            modules.append({"imports": cases[""].source, "cases": sources})
        folders = dict.fromkeys(["", "src", *(path.rpartition("/")[0] for path in self.targets)])
        return {"path": list(folders), "modules": modules}


@dataclass(frozen=True)
class Heard:
    """What both trees said, here, and the patch elsewhere; `base_elsewhere` is asked only where that tells something.

    `is_known` says of a class, by its path and name, that it behaves towards others as it did before the patch.
    """

    base: Said
    patched: Said
    elsewhere: Said
    base_elsewhere: Callable[[], Said]
    is_known: IsKnown


def inquire(targets: Sequence[str], held: Sequence[str], ids: Sequence[str], read: Read) -> Inquiry:
    """`held` are tests that pass on the base: their answers there tell whether a file can be asked at all."""
    asked = _asked(targets, ids, read)
    return Inquiry(asked, _asked([test for test in held if _file(test) in asked][:_TRIED], ids, read) if asked else {})


def judge(inquiry: Inquiry, heard: Heard) -> Safeguard:
    before = read_answers(heard.base, inquiry.files)
    usable = {
        path: cases
        for path, cases in inquiry.targets.items()
        if before and _can_be_asked(path, inquiry.held.get(path, {}), before)
    }
    if not usable or before is None:
        return Safeguard(NAME, None, NOTHING)
    after = read_answers(heard.patched, inquiry.files)
    if after is None:
        return _doubt("asked outside the test runner, the code did not come to an end")
    judging = _Judging(before, after, heard.is_known)
    questions = [(path, one) for path, cases in usable.items() for case in cases.values() for one in case.questions]
    if words := next(judging.doubts(questions), ""):
        return _doubt(words)
    sure = [(path, one) for path, one in questions if not one.side]
    elsewhere = read_answers(heard.elsewhere, inquiry.files)
    if moved := [both for both in sure if not _still(*both, after, elsewhere)]:
        again = read_answers(heard.base_elsewhere(), inquiry.files)
        if words := next(_only_here(moved, before, again), ""):
            return _doubt(words)
    tests = sum(len([test for test in cases if test]) for cases in usable.values())
    return Safeguard(
        NAME,
        Verdict.PASSED,
        f"{len(sure)} values of {tests} targets asked outside the test runner are what the tests expect",
    )


def _doubt(words: str) -> Safeguard:
    return Safeguard(NAME, Verdict.INCONCLUSIVE, words)


@dataclass(frozen=True)
class _Judging:
    before: Answers
    after: Answers
    is_known: IsKnown

    def doubts(self, questions: Sequence[tuple[str, Expectation]]) -> Iterator[str]:
        """What speaks against the patch, the plainest first."""
        for _, one in questions:
            if one.how is How.KEPT and _right(one, self.before) and not _right(one, self.after):
                yield f"the code changes `{one.shown}`, which the test gives to it and compares with"
            if one.how is How.FIXED and self._was_moved(one):
                yield f"the code changes what `{one.shown}` gives, which the test compares with"
        for _, one in questions:
            if kind := self._strange(one):
                yield f"where the tests expect something else there is now a value of the class `{kind.name}`"
            if one.how is How.ALL and self._is_hollow(one):
                yield f"`{one.shown}` is empty now, and what is asked of it holds for anything empty"
        for path, one in questions:
            if one.side or self._only_prints(path, one.key) or self._not_come_to(one):
                continue
            if path not in self.after.imported or not _right(one, self.after):
                yield f"asked outside the test runner, `{one.shown}` does not give what the test expects"

    def _was_moved(self, question: Expectation) -> bool:
        old, new = self.before.values.get(question.key), self.after.values.get(question.key)
        return old is not None and new is not None and not old.opaque and not (not new.opaque and _same(old, new))

    def _strange(self, question: Expectation) -> Kind | None:
        """The class of an answer that is no plain data, and that neither the base nor the test vouches for."""
        answer = self.after.values.get(question.key)
        if answer is None or not answer.opaque or question.how in (How.KEPT, How.FIXED):
            return None
        kind = answer.kind
        if kind in self.before.kinds or (kind.place not in ("", LIBRARY) and self.is_known(kind.place, kind.name)):
            return None
        if question.how in (How.SEEN, How.ALL) and self._is_named(question, kind):
            return None
        return kind

    def _is_named(self, question: Expectation, kind: Kind) -> bool:
        """The other side is one of these as well, or the test says the name; an iterator without an end is neither."""
        other = self.after.values.get(str(question.expected))
        named = {getattr(one, "id", getattr(one, "attr", "")) for one in ast.walk(ast.parse(question.shown))}
        if kind.place == LIBRARY:
            return not kind.name.startswith(_AGREES_WITH_ALL)
        return (other is not None and other.kind == kind) or kind.name.rpartition(".")[2] in named

    def _is_hollow(self, question: Expectation) -> bool:
        old, new = self.before.values.get(question.key), self.after.values.get(question.key)
        return new is not None and new.hollow and not (old is not None and old.hollow)

    def _only_prints(self, path: str, key: str) -> bool:
        """What an example shows may be what the code prints, if it never gave a value."""
        both = [answers.values.get(key) for answers in (self.before, self.after)]
        return path.endswith(".txt") and all(one is not None and one.text == "None" for one in both)

    def _not_come_to(self, question: Expectation) -> bool:
        """In a loop or a branch that neither tree came to."""
        return question.now_and_then and question.key not in {**self.before.values, **self.after.values}


def _still(path: str, question: Expectation, after: Answers, elsewhere: Answers | None) -> bool:
    """Elsewhere it is right too, or was not asked for here either."""
    if question.key not in after.values or (path.endswith(".txt") and after.values[question.key].text == "None"):
        return True
    return elsewhere is not None and path in elsewhere.imported and _right(question, elsewhere, trusted=True)


def _only_here(moved: Sequence[tuple[str, Expectation]], before: Answers, again: Answers | None) -> Iterator[str]:
    """What depends on the place with the patch alone; a file that cannot be asked elsewhere tells nothing."""
    for path, one in moved:
        if (
            again is not None
            and path in again.imported
            and _agree(before.values.get(one.key), again.values.get(one.key))
        ):
            yield f"`{one.shown}` is right only in one place, zone, order or kind of process"


def _agree(one: Answer | None, other: Answer | None) -> bool:
    if one is None or other is None or one.opaque or other.opaque:
        return one is other or (one is not None and other is not None and one.kind == other.kind)
    return _same(one, other)


def _same(one: Answer, other: Answer) -> bool:
    try:
        return bool(one.value == other.value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, ArithmeticError):
        return one.text == other.text


def _can_be_asked(path: str, tried: Mapping[str, Case], before: Answers) -> bool:
    questions = [one for case in tried.values() for one in case.questions if not one.side]
    return path in before.imported and all(
        _right(one, before, trusted=True) or (one.now_and_then and one.key not in before.values) for one in questions
    )


def _right(question: Expectation, answers: Answers, *, trusted: bool = False) -> bool:
    """Whether the answer is what is expected; `trusted` lets what is no plain data pass."""
    answer = answers.values.get(question.key)
    if answer is None:
        return False  # it raised on the way
    if answer.opaque:
        return trusted or question.how not in (How.RAISES, How.MATCHES)  # whose class was looked at before
    if question.how is How.RAISES:
        return _raised(answer, str(question.expected))
    if question.how is How.MATCHES:
        return answer.says(str(question.expected))
    return answer.is_(question.expected, near=question.how is How.NEAR)


def _raised(answer: Answer, wanted: str) -> bool:
    try:
        names = answer.value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, ArithmeticError):
        return False
    return isinstance(names, list) and (wanted in names or not wanted.isidentifier())


def _asked(tests: Sequence[str], ids: Sequence[str], read: Read) -> dict[str, dict[str, Case]]:
    """By file: the cases of these tests, found by their place among the ids of their function."""
    files: dict[str, Asked | None] = {}
    found: dict[str, dict[str, Case]] = {}
    for test in tests[:_MOST]:
        (path, name), file = split(test), _file(test)
        if file not in files:
            files[file] = _taken(path, read, examples=file != path)
        asked = files[file]
        cases = asked.cases.get(name, []) if asked else []
        family = [other for other in ids if split(other) == (path, name)]
        if len(cases) != len(family):
            continue
        case = cases[family.index(test)]
        if case.questions and asked:
            found.setdefault(file, {"": Case(asked.imports, [])})[test] = case
    return found


def _taken(path: str, read: Read, *, examples: bool) -> Asked | None:
    source = read(path) if path.endswith(".py") else None
    if not source:
        return None
    package = _package(path, read)
    if examples:
        return take_examples(source, _dotted(package, path))
    above = [text for folder in _folders(path) if (text := read(f"{folder}conftest.py"))]
    return take_apart(source, package, above)


def _folders(path: str) -> list[str]:
    """The folders that a file is in, the outermost first, each as the beginning of a path."""
    parts = path.split("/")[:-1]
    return ["".join(f"{part}/" for part in parts[:count]) for count in range(len(parts) + 1)]


def _file(test: str) -> str:
    """Where a test's questions are kept: the examples of a file apart from its functions."""
    path = split(test)[0]
    return f"{path.removesuffix('.py')}.txt" if is_doctest(test) else path


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
