"""Judge a formula in one tree: do its cases and properties hold, and which input shows that they do not?"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from whet.config import FormulaCase
from whet.domain.sanitize import one_line
from whet.knowledge.formulas.answers import Answers, FormulaAnswer
from whet.knowledge.formulas.declared import Formula
from whet.knowledge.formulas.dimensions import Mismatch, NotFollowed, check_dimensions
from whet.knowledge.formulas.sampling import Inputs, SampledInputs

_BILLIONTH = 1e-9
_INFINITE = float("inf")


class PropertyState(StrEnum):
    HOLDS = "holds"
    BROKEN = "broken"
    OPEN = "open"


@dataclass(frozen=True)
class Property:
    """One property. `words` are the counterexample, or why it is open; `shown_by` are the positions of its inputs."""

    state: PropertyState
    words: str = ""
    shown_by: tuple[int, ...] = ()


@dataclass(frozen=True)
class CaseResult:
    """One case: how far the answer is from the expected one, and whether that is within the tolerance."""

    error: float
    holds: bool
    words: str


@dataclass(frozen=True)
class Judgement:
    """The results of a formula in one tree, by the words for the case or property. `problem` says why there are none."""

    answers: Answers
    cases: Mapping[str, CaseResult] = field(default_factory=dict)
    properties: Mapping[str, Property] = field(default_factory=dict)

    @property
    def problem(self) -> str:
        return self.answers.problem

    @property
    def broken(self) -> list[str]:
        """Return a sentence for each wrong case and broken property."""
        return [
            *(f"{label}: {case.words}" for label, case in self.cases.items() if not case.holds),
            *(f"{label}: {found.words}" for label, found in self._in_state(PropertyState.BROKEN)),
        ]

    @property
    def open(self) -> list[str]:
        """Return a sentence for each property that could not be judged."""
        return [f"{label}: {found.words}" for label, found in self._in_state(PropertyState.OPEN)]

    def _in_state(self, state: PropertyState) -> Iterator[tuple[str, Property]]:
        return ((label, found) for label, found in self.properties.items() if found.state is state)


def judge(formula: Formula, samples: SampledInputs, answers: Answers, own_units: tuple[str, ...]) -> Judgement:
    """Judge the answers of a formula, and the units of its expression."""
    properties = {"the units": _units(formula, own_units)} if formula.policy.has_units else {}
    if answers.problem:
        return Judgement(answers, {}, properties)
    cases = {
        f"case {number} ({shown(case.inputs)})": _case(case, answers.by_input[samples.cases[number - 1]])
        for number, case in enumerate(formula.cases, 1)
    }
    properties |= dict(_bounds(formula, samples, answers))
    for argument, direction in formula.policy.monotone.items():
        properties[f"{direction} in {argument}"] = _monotone(argument, direction, samples, answers)
    return Judgement(answers, cases, properties)


def shown(inputs: Inputs) -> str:
    """Return inputs in one short line."""
    return one_line(", ".join(f"{name}={value!r}" for name, value in inputs.items()))[:200]


def slack(*numbers: float) -> float:
    """Return the difference that counts as rounding."""
    return _BILLIONTH * max(map(abs, numbers))


def tolerance_of(case: FormulaCase) -> float:
    return slack(case.expected) if case.tolerance is None else case.tolerance


def _case(case: FormulaCase, answer: FormulaAnswer) -> CaseResult:
    error = _INFINITE if answer.number is None else abs(answer.number - case.expected)
    tolerance = tolerance_of(case)
    words = f"{answer.words} instead of {case.expected:g}" + (f" +- {tolerance:g}" if case.tolerance else "")
    return CaseResult(error, error <= tolerance, words)


def _bounds(formula: Formula, samples: SampledInputs, answers: Answers) -> Iterator[tuple[str, Property]]:
    policy = formula.policy
    if policy.lower is not None:
        yield f"lower bound {policy.lower:g}", _bound(samples, answers, policy.lower, 1)
    if policy.upper is not None:
        yield f"upper bound {policy.upper:g}", _bound(samples, answers, policy.upper, -1)


def _bound(samples: SampledInputs, answers: Answers, bound: float, sign: int) -> Property:
    """Judge one bound; `sign` is 1 for a lower and -1 for an upper one. Inputs without an answer say nothing about it."""
    for place in _tried(samples):
        number = answers.by_input[place].number
        if number is not None and sign * (number - bound) < -slack(bound, number):
            side = "below" if sign > 0 else "above"
            words = f"{shown(samples.inputs[place])} gives {number:.6g}, {side} the bound {bound:g}"
            return Property(PropertyState.BROKEN, words, (place,))
    return Property(PropertyState.HOLDS)


def _tried(samples: SampledInputs) -> Iterator[int]:
    """Yield the inputs in the declared ranges: the edges, the random ones, and those along one argument."""
    yield from dict.fromkeys(
        [*samples.free, *(place for lines in samples.lines.values() for line in lines for place in line)]
    )


def _monotone(argument: str, direction: str, samples: SampledInputs, answers: Answers) -> Property:
    sign = 1 if direction == "increasing" else -1
    for line in samples.lines.get(argument, ()):
        numbers = [(place, answers.by_input[place].number) for place in line]
        answered = [(place, number) for place, number in numbers if number is not None]
        for (before, left), (after, right) in pairwise(answered):
            if sign * (right - left) < -slack(left, right):
                first, then = samples.inputs[before], samples.inputs[after][argument]
                words = f"{shown(first)} gives {left:.6g}, and {argument}={then!r} gives {right:.6g}"
                return Property(PropertyState.BROKEN, words, (before, after))
    return Property(PropertyState.HOLDS)


def _units(formula: Formula, own_units: tuple[str, ...]) -> Property:
    try:
        check_dimensions(formula, own_units)
    except Mismatch as problem:
        return Property(PropertyState.BROKEN, one_line(f"{formula.path}, {problem}"))
    except NotFollowed as problem:
        return Property(PropertyState.OPEN, one_line(f"{formula.path}, {problem}"))
    except RecursionError:
        return Property(PropertyState.OPEN, f"{formula.path} is nested too deep")
    return Property(PropertyState.HOLDS)
