"""Compare one declared formula on base and patch: what got worse, what is open, what turned right."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from whet.domain.plural import shorten
from whet.knowledge.formulas.judgement import Judgement, PropertyState, shown
from whet.knowledge.formulas.sampling import SampledInputs

MOST_SHOWN = 3


@dataclass
class ComparedFormula:
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
        parts += [f"turned right: {shorten(self.mended, MOST_SHOWN)}"] if self.mended else []
        parts += [f"wrong before and after: {shorten(self.still_broken, MOST_SHOWN)}"] if self.still_broken else []
        return "; ".join(parts)


@dataclass(frozen=True, kw_only=True)
class FormulaTrials:
    """The judgements of one formula by the same inputs. `elsewhere` is the patch in another environment: code that recognises
    the check answers differently there."""

    base: Judgement
    patched: Judgement
    elsewhere: Judgement
    base_again: Judgement


def note_new(result: ComparedFormula, after: Judgement) -> None:
    """Note the results of a formula that only the patch has: nothing can have become worse, and nothing may be wrong."""
    if after.problem:
        result.undecided.append(f"the function is new and {after.problem}")
    wrong = after.broken
    result.worse += [f"{words} (the function is new)" for words in wrong]
    result.held = len(after.cases) + len(after.properties) - len(wrong)


def compare_formula(result: ComparedFormula, samples: SampledInputs, trials: FormulaTrials) -> None:
    """Note the differences between the base and the patch."""
    before, after = trials.base, trials.patched
    if after.problem and before.problem:
        result.undecided.append(f"the function: before and after, it {after.problem}")
    elif after.problem:
        result.worse.append(f"the function: with the patch, it {after.problem}")
    elif before.problem:
        note_new(result, after)
        result.mended.append(f"the function: it {before.problem}")
    elif before.answers != trials.base_again.answers:
        result.undecided.append("the function answers the same inputs differently when it is called again")
    elif after.answers != trials.elsewhere.answers:
        words = "with the patch, the function answers the same inputs differently as another user in another folder"
        result.undecided.append(words)
    else:
        _compare_cases(result, before, after)
        _compare_properties(result, before, after)
        result.worse += _lost_answers(samples, before, after)


def _compare_cases(result: ComparedFormula, before: Judgement, after: Judgement) -> None:
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


def _compare_properties(result: ComparedFormula, before: Judgement, after: Judgement) -> None:
    for label, new in after.properties.items():
        old = before.properties[label]
        if new.state is PropertyState.BROKEN and old.state is PropertyState.HOLDS:
            result.worse.append(f"{label}: {new.words}")
        elif new.state is PropertyState.OPEN and old.state is PropertyState.HOLDS:
            result.undecided.append(f"{label}: {new.words}")
        elif new.state is PropertyState.HOLDS and old.state is PropertyState.BROKEN:
            result.mended.append(label)
        elif new.state is PropertyState.HOLDS:
            result.held += 1
        elif new.state is PropertyState.OPEN:
            result.unknown.append(f"{label}: {new.words}")
        else:
            result.still_broken.append(f"{label}: {new.words}")


def _lost_answers(samples: SampledInputs, before: Judgement, after: Judgement) -> Iterator[str]:
    """Yield one sentence if the patch gives no number for an input in the ranges that the base answers with one."""
    for place in samples.free:
        old, new = before.answers.by_input[place], after.answers.by_input[place]
        if old.number is not None and new.number is None:
            yield f"the result: {shown(samples.inputs[place])} gives {new.words}, and {old.words} on the base"
            return
