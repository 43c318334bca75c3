"""Tests that blame the changed functions must not stay red: the patch may fix only a part of the cause.

A suite often has red tests for other reasons, and many of them run the changed functions by the way. A red test counts
only if the most suspicious code that it runs on the base lies in changed functions alone and in lines that the patch
touches, and if its failure may come from there: an assertion, the exception of a target, or a failure that the patch
changes.
"""

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher

from whet.domain.plural import count
from whet.domain.suite import Failure, SuiteReport
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import split_id, summarise
from whet.pyast.functions import functions
from whet.target.suspicion.blame import Blame, CodePlace, blamed_functions

NAME = "other red tests"
_MOST_TESTS = 30
_ASSERTIONS = ("AssertionError", "Failed")
_ADDRESS, _NUMBER = re.compile("0x[0-9a-f]+"), re.compile("0x[0-9a-f]+|[0-9]+")
Blamed = Mapping[str, Blame]


class OtherRedTests(Safeguard):
    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        base, patched, targets = subject.reports.base, subject.reports.patched, subject.targets
        still_red = {test for test in base.red & patched.red if "::" in test and not is_doctest(test, base)}
        tests = _nearest(still_red.difference(targets), targets)
        texts = subject.changed_code()
        changed, touched = changed_functions(texts), touched_lines(texts)
        if not tests:
            return without_run(not_applicable(NAME, "no other test is red before and after"))
        if not changed:
            return without_run(not_applicable(NAME, "the patch changes no function of the base"))

        def run() -> Blamed:
            kit = subject.kit
            chosen = tests[:_MOST_TESTS]
            failures = {test: base.failures[test] for test in chosen if test in base.failures}
            return blamed_functions(kit.suite, subject.trees.base, chosen, failures, base.passed, kit.is_test)

        def judge(blamed: Blamed, _: object) -> SafeguardResult:
            pointing = {test: blame for test, blame in blamed.items() if points_to(blame, changed, touched)}
            return _judge(blamed, pointing, len(tests), (base, patched), targets)

        return Examination(judge, run)


def changed_functions(texts: Mapping[str, tuple[str, str]]) -> frozenset[CodePlace]:
    """Return the functions of the base that the new texts change or remove."""
    changed: set[CodePlace] = set()
    for path, (old, new) in texts.items():
        before, after = _functions(old), _functions(new)
        changed |= {CodePlace(path, name) for name, body in before.items() if name and after.get(name) != body}
    return frozenset(changed)


def touched_lines(texts: Mapping[str, tuple[str, str]]) -> frozenset[tuple[str, int]]:
    """Return the lines of the base that the new texts replace or remove, and those before which they insert some."""
    touched: set[tuple[str, int]] = set()
    for path, (old, new) in texts.items():
        compared = SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
        for kind, start, end, _, _ in compared.get_opcodes():
            if kind != "equal":
                touched |= {(path, line + 1) for line in range(start, max(end, start + 1))}
    return frozenset(touched)


def points_to(blame: Blame, changed: frozenset[CodePlace], touched: frozenset[tuple[str, int]]) -> bool:
    """True if all functions that are blamed were changed, and a line that is blamed was touched."""
    return all(_is_within(place, changed) for place in blame) and any(
        (place.path, line) in touched for place, lines in blame.items() for line in lines
    )


def why_related(test: str, reports: tuple[SuiteReport, SuiteReport], targets: Iterable[str]) -> str:
    """Return how the failure of a red test is related to the change, in words; empty if it seems to have another cause.

    `reports` are the runs on the base and with the patch.
    """
    before, after = (report.failures.get(test) for report in reports)
    if before is None or after is None:
        return "the runner does not say how it fails"
    if _kind(before) != _kind(after):
        return f"{before.exception} before, {after.exception} with the patch"
    if _message(before) != _message(after):
        return f"{before.exception} before and after, with another message"
    if before.exception in _ASSERTIONS:
        return f"the same {before.exception} before and after"
    exceptions = {failure.exception for target in targets if (failure := reports[0].failures.get(target))}
    return f"the same {before.exception} as the target tests" if before.exception in exceptions else ""


def _judge(
    blamed: Blamed, pointing: Blamed, still_red: int, reports: tuple[SuiteReport, SuiteReport], targets: Sequence[str]
) -> SafeguardResult:
    """Judge by the tests that were traced and those of them that point to the change."""
    related: dict[str, str] = {}
    for test, blame in pointing.items():
        if why := why_related(test, reports, targets):
            related[test] = f"{min(blame).function}() and is red before and after: {why}"
    if related:
        first = next(iter(related))
        more = f" The same holds for {summarise(list(related)[1:])}." if len(related) > 1 else ""
        words = f"{first} also runs {related[first]}. The patch may fix only a part of the cause.{more}"
        return inconclusive(NAME, words)
    if not blamed:
        return not_applicable(NAME, "the lines that the other red tests run could not be traced")
    compared = f"{len(blamed)} of {count(still_red, 'other red test')}"
    return passed(NAME, f"{compared} compared; none of them points to the changed functions")


def _nearest(tests: Iterable[str], targets: Sequence[str]) -> list[str]:
    """Sort tests by how near they are to the targets: other parameters of the same test, the same file, the rest."""
    names, files = {split_id(target) for target in targets}, {split_id(target)[0] for target in targets}
    return sorted(tests, key=lambda test: (split_id(test) not in names, split_id(test)[0] not in files, test))


def _is_within(place: CodePlace, changed: frozenset[CodePlace]) -> bool:
    """True if the function is a changed one or lies inside it."""
    parts = place.function.split(".")
    return any(CodePlace(place.path, ".".join(parts[:size])) in changed for size in range(1, len(parts) + 1))


def _kind(failure: Failure) -> tuple[str, str]:
    """Return the exception and the function of the innermost frame; lines move with every patch."""
    return failure.exception, failure.frames[-1][2] if failure.frames else ""


def _message(failure: Failure) -> str:
    """Return the message without parts that differ in every run: addresses, and in other errors than assertions numbers."""
    varying = _ADDRESS if failure.exception in _ASSERTIONS else _NUMBER
    return varying.sub("", failure.message)


def _functions(text: str) -> dict[str, str]:
    try:
        return {name: ast.dump(node) for name, node in functions(ast.parse(text)).items()}
    except (SyntaxError, ValueError, RecursionError):
        return {}
