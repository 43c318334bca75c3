"""The likeliest other fix that the tests accept must not answer near inputs otherwise than the patch.

A patch that fits the inputs of the tests often stands where a small edit of the base does what is meant: `rate * rate // 500`
for `rate // 100`. If both turn the targets green, only a person can say which is right.
"""

from collections.abc import Iterator, Sequence

from whet.domain.plural import count
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.mutate.patch_mutant import PatchMutant
from whet.phases.validate.integrity.mutate.rivals import rivals
from whet.phases.validate.integrity.mutate.survivors import first_surviving, is_noticed
from whet.phases.validate.integrity.neighbours.changed_functions import ChangedFunction, changed_functions
from whet.phases.validate.integrity.neighbours.compared_version import compared_version
from whet.phases.validate.integrity.neighbours.comparison import ComparedFunction
from whet.phases.validate.integrity.neighbours.near_tests import near_tests
from whet.phases.validate.integrity.neighbours.sign import Sign, question
from whet.phases.validate.integrity.neighbours.signals import said
from whet.phases.validate.integrity.neighbours.witnesses import is_near
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject

NAME = "rival fixes"
_MOST_FUNCTIONS, _MOST_COVERING = 3, 30


class RivalFixes(Safeguard):
    name = NAME
    late = True

    def prepare(self, subject: Subject) -> Examination:
        changed = changed_functions(subject.changed_code())
        edited = [function for function in changed if function.edited and _tests_of(subject, function)]
        tests = near_tests(subject, changed)
        if not edited or len(edited) > _MOST_FUNCTIONS:
            return without_run(not_applicable(NAME, "the patch edits no function, or many, that target tests run"))

        def run() -> tuple[int, Sign | None]:
            tried = [_best_rival(subject, function) for function in edited]
            signs = (_sign(subject, rival, tests) for _, rival in tried if rival is not None)
            return sum(number for number, _ in tried), next((sign for sign in signs if sign), None)

        return Examination(lambda found, _: _judge(*found), run)


def _judge(tried: int, sign: Sign | None) -> SafeguardResult:
    if sign:
        return inconclusive(NAME, sign.words, sign.question)
    if not tried:
        return not_applicable(NAME, "no other edit of the changed functions is likely")
    return passed(NAME, f"of {count(tried, 'other edit')} none that the tests accept is likelier and answers otherwise")


def _tests_of(subject: Subject, function: ChangedFunction) -> list[str]:
    """Return the tests that run a function, if a target is among them."""
    body = range(function.after.line + 1, function.last + 1)
    tests = [
        traced.test
        for traced in subject.traces
        if traced.outcome == "passed" and any(line in body for line in traced.lines.get(function.path, ()))
    ]
    return tests[:_MOST_COVERING] if set(tests) & set(subject.targets) else []


def _best_rival(subject: Subject, function: ChangedFunction) -> tuple[int, PatchMutant | None]:
    """Return the number of likely edits, and the likeliest that the tests accept; none if they accept the base's function."""
    old, new = subject.changed_code()[function.path]
    versions = list(rivals(function, old, new, subject.kit.likely_edits))
    if len(versions) < 2:
        return 0, None
    best = first_surviving(subject, versions, _tests_of(subject, function))
    return len(versions) - 1, best if best is not versions[0] else None


def _sign(subject: Subject, rival: PatchMutant, tests: Sequence[str]) -> Sign | None:
    signs = (sign for rows in compared_version(subject, rival, tests) for sign in disagreements(rival, *rows))
    sign = next(signs, None)
    return sign if sign and not is_noticed(subject, rival) else None


def disagreements(rival: PatchMutant, by_base: ComparedFunction, by_rival: ComparedFunction) -> Iterator[Sign]:
    """Yield near inputs that patch and rival answer differently, and both otherwise than the base.

    Nothing if the rival also changes an answer of the base that the patch keeps: then it is no likely fix.
    """
    on_base = by_base.answers()
    rows = [
        (patched, on_base[key][0].answer, patched.answer, other.answer)
        for key, (patched, other) in by_rival.answers().items()
        if key in on_base and is_near(patched.kind)
    ]
    if any(patch.same(base) and not rival_answer.same(base) for _, base, patch, rival_answer in rows):
        return
    for call, base, patch, other in rows:
        differ = not patch.same(other) and not other.same(base) and patch.text != other.text
        if differ and patch.answered and other.answered and base.answered and patch.plain and other.plain:
            yield Sign(
                f"the tests also accept another fix of `{by_base.function.name}` ({rival.path}, line {rival.line}): "
                f"{rival.words}. But `{call.call}` {said(patch)} with the patch and {said(other)} then; nothing shows "
                "which is right",
                question(by_base, call.call, patch, base=base, variant=other),
            )
