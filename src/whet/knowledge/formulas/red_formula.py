"""Find out what a declared formula gets wrong in a tree, and write the tests that show it."""

import re
from collections.abc import Iterator

from whet.cases.from_formula import FormulaTest, bound_test, case_test, formula_as_tests, monotone_test
from whet.domain.payload import BrokenFormula
from whet.domain.suite import Failure
from whet.kit import Kit
from whet.knowledge.formulas.declared import Formula, FormulaMissing, FormulaUnreadable, find_formula, refuse_missing
from whet.knowledge.formulas.judgement import Judgement, PropertyState
from whet.knowledge.formulas.sampling import SampledInputs, sample
from whet.knowledge.formulas.trial import try_formula

_SEED = "search"  # a proof takes other inputs
_MOST_CASES = 20
_MOST_HELD_INPUTS = 5


class CannotBeTried(Exception):
    """The module of a formula cannot be imported or does not answer; the text says why."""


def tried(name: str, tree: str, kit: Kit) -> tuple[Formula, SampledInputs, Judgement]:
    """Return a declared formula, the inputs that it was called with, and its judgement.

    Raise BadConfig if the declaration fits no function of the tree, CannotBeTried if its module cannot be used.
    """
    try:
        formula = find_formula(name, tree, (tree,), kit)
    except FormulaUnreadable as problem:
        raise CannotBeTried(str(problem)) from None
    except FormulaMissing as problem:
        raise refuse_missing(name, problem) from None
    samples = sample(formula, _SEED)
    judgement = try_formula(formula, samples, tree, kit)
    if judgement.problem:
        raise CannotBeTried(f"{formula.policy.name} in {formula.path} {judgement.problem}")
    return formula, samples, judgement


def broken_formula(name: str, tree: str, kit: Kit) -> BrokenFormula | None:
    """Return what a formula gets wrong; None if everything holds. Raise as `tried` does."""
    formula, samples, judgement = tried(name, tree, kit)
    broken = judgement.broken
    if not broken:
        return None
    tests = list(_tests(formula, samples, judgement)) if kit.policy.tests.runner == "pytest" else []
    replay, failures = None, {}
    if any(test.red for test in tests):
        paths = [entry.path for entry in kit.git.entries(tree)]
        replay = formula_as_tests(name, formula.policy.module, formula.policy.name, tests, paths, kit.is_test)
        reds = [test.why for test in tests if test.red]
        failures = {
            test: Failure(exception="AssertionError", message=why, frames=(), text=why)
            for test, why in zip(replay.red, reds, strict=True)
        }
    return BrokenFormula(
        path=formula.path,
        line=formula.node.lineno,
        function=formula.policy.name,
        broken=tuple(broken),
        replay=replay,
        failures=failures,
    )


def _tests(formula: Formula, samples: SampledInputs, judgement: Judgement) -> Iterator[FormulaTest]:
    """Yield a test for each case, the wrong ones first, and for each broken property that calls can show."""
    function = formula.policy.name
    results = list(zip(formula.cases, judgement.cases.items(), strict=True))
    ordered = sorted(enumerate(results, 1), key=lambda numbered: numbered[1][1][1].holds)
    for number, (case, (label, result)) in ordered[:_MOST_CASES]:
        statement = case_test(function, case.inputs, case.expected, case.tolerance)
        yield FormulaTest(f"case_{number}", (statement,), not result.holds, f"{label}: {result.words}")
    for label, found in judgement.properties.items():
        if found.state is not PropertyState.BROKEN or not found.shown_by:
            continue
        name = re.sub(r"\W+", "_", label.replace("-", "minus ")).strip("_")
        body = _bound(formula, samples, judgement, found.shown_by[0], label) if len(found.shown_by) == 1 else ()
        body = body or _monotone(formula, samples, judgement, found.shown_by, label)
        yield FormulaTest(name, body, red=True, why=f"{label}: {found.words}")


def _bound(formula: Formula, samples: SampledInputs, judgement: Judgement, place: int, label: str) -> tuple[str, ...]:
    """Return the counterexample of a bound, and the first inputs for which there is an answer."""
    lower = label.startswith("lower")
    sign, bound = (">=", formula.policy.lower) if lower else ("<=", formula.policy.upper)
    answered = [other for other in samples.free if judgement.answers.by_input[other].number is not None]
    chosen = dict.fromkeys([place, *answered[:_MOST_HELD_INPUTS]])
    return tuple(bound_test(formula.policy.name, samples.inputs[other], sign, bound or 0.0) for other in chosen)


def _monotone(
    formula: Formula, samples: SampledInputs, judgement: Judgement, places: tuple[int, ...], label: str
) -> tuple[str, ...]:
    """Return the inputs along one argument among which the result goes the wrong way."""
    direction, _, argument = label.partition(" in ")
    line = next(line for line in samples.lines[argument] if set(places) <= set(line))
    answered = [samples.inputs[place] for place in line if judgement.answers.by_input[place].number is not None]
    return monotone_test(formula.policy.name, answered, argument, direction)
