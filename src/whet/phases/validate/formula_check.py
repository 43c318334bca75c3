"""The check of declared formulas: their cases and properties on the base, with the patch, and on the base again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from whet.domain.plural import shorten
from whet.domain.verdict import CheckResult, Verdict
from whet.kit import Kit
from whet.knowledge.formulas.declared import Formula, FormulaMissing, find_formula, refuse_missing
from whet.knowledge.formulas.judgement import Judgement, State, shown
from whet.knowledge.formulas.sampling import Samples, sample
from whet.knowledge.formulas.trial import try_formula
from whet.phases.validate import Claim

_MOST_SHOWN = 3


@dataclass
class _Compared:
    """One formula on base and patch. Each entry is a sentence that begins with the case or property."""

    name: str
    worse: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    still_broken: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    held: int = 0

    @property
    def turned_right(self) -> bool:
        """True if something was wrong on the base, and nothing is with the patch."""
        return bool(self.mended) and not (self.worse or self.undecided or self.still_broken)

    @property
    def words(self) -> str:
        """Return the result in one line."""
        if self.worse or self.undecided:
            return "; ".join(self.worse or self.undecided)
        held = "1 case or property" if self.held == 1 else f"{self.held:,} cases and properties"
        parts = [f"{held} held"]
        parts += [f"turned right: {shorten(self.mended, _MOST_SHOWN)}"] if self.mended else []
        parts += [f"wrong before and after: {shorten(self.still_broken, _MOST_SHOWN)}"] if self.still_broken else []
        return "; ".join(parts)


class FormulaCheck:
    """Fails a patch with which a declared formula gets a case wrong, or loses a property, that it had on the base."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._declared = kit, kit.git, kit.policy.formulas.declared

    def check(self, claim: Claim) -> CheckResult | None:
        """Compare all declared formulas; None if there is nothing to compare: no formula, or a patch of tests alone.

        Which other code and data a formula needs is not asked: calling all of them costs less than a wrong answer.
        """
        claimed = claim.targets.get("formulas", ())
        if not claimed and (not self._declared or all(map(self._kit.is_test, claim.patch.paths))):
            return None
        results = []
        for number, name in enumerate(sorted({*self._declared, *claimed}), 1):
            self._kit.progress.advance("formulas", number, len(self._declared))
            results.append(self._compare(name, claim) if name in self._declared else _undeclared(name))
        verdict, reason = _conclude(results, claimed)
        right = tuple(result.name for result in results if result.turned_right)
        red = claimed or (tuple(_labelled(results, "mended")) if claim.by_outsider else ())
        green = tuple(name for name in claimed if name in right) if claimed else red
        return CheckResult(
            check="formulas",
            verdict=verdict,
            reason=reason,
            red=red,
            green=green,
            reverted=green,  # the base was tried again after the patch
            regressed=tuple(_labelled(results, "worse")),
            details={
                "formulas": {result.name: result.words for result in results},
                "skipped": _sentences(results, "unknown"),
            },
        )

    def _compare(self, name: str, claim: Claim) -> _Compared:
        base, patched = self._git.tree_of(claim.patch.base), claim.patch.tree
        seed = claim.patch.digest  # inputs that no search has seen
        result = _Compared(name)
        try:
            after = find_formula(name, patched, (base, patched), self._kit)
        except FormulaMissing as problem:
            self._find_on_base(name, base, problem)
            result.worse.append(f"the function: with the patch, {problem}")
            return result
        try:
            before = find_formula(name, base, (base, patched), self._kit)
        except FormulaMissing:
            samples = sample(after, seed)
            _note_new(result, try_formula(after, samples, patched, self._kit))
            return result
        samples = sample(before, seed)
        judged = [
            try_formula(formula, samples, tree, self._kit)
            for formula, tree in ((before, base), (after, patched), (before, base))
        ]
        _compare(result, samples, *judged)
        return result

    def _find_on_base(self, name: str, base: str, problem: FormulaMissing) -> Formula:
        """Return the formula of the base. Raise BadConfig if the function is in neither tree."""
        try:
            return find_formula(name, base, (base,), self._kit)
        except FormulaMissing:
            raise refuse_missing(name, problem) from None


def _note_new(result: _Compared, after: Judgement) -> None:
    """Note the results of a formula that only the patch has: nothing can have become worse, and nothing may be wrong."""
    if after.problem:
        result.undecided.append(f"the function is new and {after.problem}")
    wrong = [f"{label}: {case.words}" for label, case in after.cases.items() if not case.holds]
    wrong += [f"{label}: {found.words}" for label, found in after.properties.items() if found.state is State.BROKEN]
    result.worse += [f"{words} (the function is new)" for words in wrong]
    result.held = len(after.cases) + len(after.properties) - len(wrong)


def _compare(result: _Compared, samples: Samples, before: Judgement, after: Judgement, again: Judgement) -> None:
    if after.problem and before.problem:
        result.undecided.append(f"the function: before and after, it {after.problem}")
        return
    if after.problem:
        result.worse.append(f"the function: with the patch, it {after.problem}")
        return
    if before.problem:
        _note_new(result, after)
        result.mended.append(f"the function: it {before.problem}")
        return
    if before.answers != again.answers:
        result.undecided.append("the function answers the same inputs differently when it is called again")
        return
    _compare_cases(result, before, after)
    _compare_properties(result, before, after)
    result.worse += _lost_answers(samples, before, after)


def _compare_cases(result: _Compared, before: Judgement, after: Judgement) -> None:
    for label, case in after.cases.items():
        old = before.cases[label]
        if case.holds and old.holds:
            result.held += 1
        elif case.holds:
            result.mended.append(label)
        elif old.holds:
            result.worse.append(f"{label}: {case.words} (the base was right)")
        elif case.error > old.error * (1 + 1e-9):
            result.worse.append(f"{label}: {case.words} (the base was nearer: {old.words})")
        else:
            result.still_broken.append(label)


def _compare_properties(result: _Compared, before: Judgement, after: Judgement) -> None:
    for label, new in after.properties.items():
        old = before.properties[label]
        if new.state is State.BROKEN and old.state is State.HOLDS:
            result.worse.append(f"{label}: {new.words}")
        elif new.state is State.OPEN and old.state is State.HOLDS:
            result.undecided.append(f"{label}: {new.words}")
        elif new.state is State.HOLDS and old.state is State.BROKEN:
            result.mended.append(label)
        elif new.state is State.HOLDS:
            result.held += 1
        elif new.state is State.OPEN:
            result.unknown.append(f"{label}: {new.words}")
        else:
            result.still_broken.append(f"{label}: {new.words}")


def _lost_answers(samples: Samples, before: Judgement, after: Judgement) -> Iterator[str]:
    """Yield one sentence if the patch gives no number for an input in the ranges that the base answers with one."""
    for place in samples.free:
        old, new = before.answers.by_input[place], after.answers.by_input[place]
        if old.number is not None and new.number is None:
            yield f"the result: {shown(samples.inputs[place])} gives {new.words}, and {old.words} on the base"
            return


def _labelled(results: Sequence[_Compared], outcome: str) -> Iterator[str]:
    """Yield the formula with each case or property of an outcome."""
    for result in results:
        for words in getattr(result, outcome):
            yield f"{result.name}: {words.partition(': ')[0]}"


def _undeclared(name: str) -> _Compared:
    return _Compared(name, undecided=["it is not declared in [formulas]"])


def _conclude(results: Sequence[_Compared], claimed: Sequence[str]) -> tuple[Verdict, str]:
    if worse := _sentences(results, "worse"):
        return Verdict.FAILED, f"got worse: {_joined(worse)}"
    claims = [result for result in results if result.name in claimed]
    if wrong := _sentences(claims, "still_broken"):
        return Verdict.FAILED, f"still wrong with the patch: {_joined(wrong)}"
    if undecided := _sentences(results, "undecided"):
        return Verdict.INCONCLUSIVE, f"not decided: {_joined(undecided)}"
    if unmended := [result.name for result in claims if not result.mended]:
        return Verdict.INCONCLUSIVE, f"claimed to be mended, and nothing was wrong before: {', '.join(unmended)}"
    return Verdict.PASSED, "; ".join(f"{result.name}: {result.words}" for result in results)


def _sentences(results: Sequence[_Compared], outcome: str) -> list[str]:
    return [f"{result.name}: {words}" for result in results for words in getattr(result, outcome)]


def _joined(sentences: Sequence[str]) -> str:
    rest = len(sentences) - _MOST_SHOWN
    return "; ".join(sentences[:_MOST_SHOWN]) + (f"; and {rest} more" if rest > 0 else "")
