"""The tests must see every condition that the patch adds both ways.

Code that is right only where the tests run has to tell the two apart, and the condition that does so is the same in every
test. A condition whose other outcome only raises an error is left to the reader: ordinary fixes add such checks.
"""

from collections.abc import Sequence

from whet.domain.plural import count
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.diff.conditions import Condition, new_conditions, reporting_copy
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject
from whet.target.runs.conditions import SeenOutcomes, watch_conditions
from whet.target.tracer import TracedTest

NAME = "new conditions"


class NewConditions(Safeguard):
    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        conditions: list[Condition] = []
        instrumented: dict[str, bytes | None] = {}
        for path, (old, new) in subject.changed_code().items():
            found = new_conditions(path, old, new)
            copy = reporting_copy(new, found, len(conditions)) if found else None
            if copy is not None:
                instrumented[path] = copy
                conditions += found
        if not conditions:
            return without_run(not_applicable(NAME, "the patch adds no condition"))

        def run() -> SeenOutcomes:
            suite, tree = subject.kit.suite, subject.trees.patched
            return watch_conditions(suite, tree, instrumented, len(conditions), subject.targets)

        def judge(seen: SeenOutcomes, _traces: Sequence[TracedTest]) -> SafeguardResult:
            return _judge(conditions, seen)

        return Examination(judge, run)


def _judge(conditions: Sequence[Condition], seen: SeenOutcomes) -> SafeguardResult:
    if not seen.complete:
        return inconclusive(NAME, "the run that watches the outcomes of new conditions did not end")
    not_run, raising = [], []
    for number, condition in enumerate(conditions):
        outcomes = seen.of(number)
        if len(outcomes) == 1:
            (outcome,) = outcomes
            if condition.raises_if is (not outcome):
                raising.append(condition)
                continue
            return inconclusive(
                NAME,
                f"the tests saw `{condition.text}` ({condition.path}, line {condition.line}) only {outcome}; "
                "nothing shows what happens otherwise",
            )
        if not outcomes:
            not_run.append(condition)
    words = [f"{count(len(conditions) - len(raising) - len(not_run), 'new condition')} seen both ways"]
    words += [f"line {condition.line} never raised in a test" for condition in raising]
    words += [f"no test ran the condition in line {condition.line}" for condition in not_run]
    return passed(NAME, "; ".join(words))
