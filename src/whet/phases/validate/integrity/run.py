"""Examine a patch with every safeguard."""

from collections.abc import Sequence

from whet.domain.verdict import SafeguardResult, Verdict
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.safeguard import Safeguard
from whet.phases.validate.integrity.safeguards import SAFEGUARDS
from whet.phases.validate.integrity.subject import Subject, sample
from whet.phases.validate.side_by_side import side_by_side
from whet.target.tracer import TracedTest, trace

_MOST_TRACED = 50


def examine(subject: Subject) -> list[SafeguardResult]:
    """Return what each safeguard says about the patch, in the order of SAFEGUARDS; the late ones only if nothing speaks
    against the patch before.

    Only the runs happen at the same time; the safeguards are prepared and judged one after the other.
    """
    chosen = [safeguard for safeguard in SAFEGUARDS if _applies(safeguard, subject)]
    plans = [safeguard.prepare(subject) for safeguard in chosen if not safeguard.late]
    traces, *outputs = side_by_side([lambda: _trace_targets(subject), *(plan.run for plan in plans)])
    results = [plan.judge(output, traces) for plan, output in zip(plans, outputs, strict=True)]
    for safeguard in chosen:
        if safeguard.late and all(result.verdict in (Verdict.PASSED, None) for result in results):
            plan = safeguard.prepare(subject)
            results.append(plan.judge(plan.run(), traces))
    return results


def _applies(safeguard: Safeguard, subject: Subject) -> bool:
    return bool(subject.targets) or (not safeguard.needs_targets and (subject.held or not safeguard.late))


def _trace_targets(subject: Subject) -> Sequence[TracedTest]:
    """Run the target tests once under the tracer; several safeguards read the traces. Doctests cannot be traced."""
    functions = [test for test in subject.targets if not is_doctest(test, subject.reports.base)]
    tests = sample(functions, _MOST_TRACED)
    return trace(subject.kit.suite, subject.trees.graded, tests) if tests else []
