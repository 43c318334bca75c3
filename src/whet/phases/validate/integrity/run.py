"""Examine a patch with every safeguard."""

from collections.abc import Sequence

from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.safeguards import SAFEGUARDS
from whet.phases.validate.integrity.subject import Subject, sample
from whet.phases.validate.side_by_side import side_by_side
from whet.target.tracer import TracedTest, trace

_MOST_TRACED = 50


def examine(subject: Subject) -> list[SafeguardResult]:
    """Return what each safeguard says about the patch, in the order of SAFEGUARDS.

    Only the runs happen at the same time; the safeguards are prepared and judged one after the other.
    """
    chosen = [safeguard for safeguard in SAFEGUARDS if subject.targets or not safeguard.needs_targets]
    plans = [safeguard.prepare(subject) for safeguard in chosen]
    traces, *outputs = side_by_side([lambda: _trace_targets(subject), *(plan.run for plan in plans)])
    return [plan.judge(output, traces) for plan, output in zip(plans, outputs, strict=True)]


def _trace_targets(subject: Subject) -> Sequence[TracedTest]:
    """Run the target tests once under the tracer; several safeguards read the traces. Doctests cannot be traced."""
    functions = [test for test in subject.targets if not is_doctest(test, subject.reports.base)]
    tests = sample(functions, _MOST_TRACED)
    return trace(subject.kit.suite, subject.trees.graded, tests) if tests else []
