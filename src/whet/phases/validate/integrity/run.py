"""Examine a patch with every safeguard."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from whet.domain.verdict import SafeguardResult, Verdict
from whet.phases.validate.integrity.doctests import is_doctest
from whet.phases.validate.integrity.neighbours.changed_functions import changed_functions
from whet.phases.validate.integrity.neighbours.near_tests import near_tests
from whet.phases.validate.integrity.safeguard import Examination, Safeguard
from whet.phases.validate.integrity.safeguards import SAFEGUARDS
from whet.phases.validate.integrity.subject import Subject, sample
from whet.phases.validate.integrity.version_runs import groups_of_versions, run_versions
from whet.phases.validate.side_by_side import side_by_side
from whet.target.tracer import TracedTest, trace

_MOST_TRACED = 50


def examine(subject: Subject) -> list[SafeguardResult]:
    """Return what each safeguard says about the patch, in the order of SAFEGUARDS; the late ones only if nothing speaks
    against the patch before.

    Only the runs happen at the same time; the safeguards are prepared and judged one after the other.
    """
    chosen = [safeguard for safeguard in SAFEGUARDS if _applies(safeguard, subject)]
    examinations = [safeguard.prepare(subject) for safeguard in chosen if not safeguard.late]
    targets, near = _tests_to_trace(subject)
    traces, outputs = _run(subject, examinations, [*targets, *near])
    of_targets = [traced for traced in traces if traced.test in targets]
    results = [examination.judge(output, of_targets) for examination, output in zip(examinations, outputs, strict=True)]
    late_subject = replace(subject, traces=tuple(traces))
    for safeguard in chosen:
        if safeguard.late and all(result.verdict in (Verdict.PASSED, None) for result in results):
            examination = safeguard.prepare(late_subject)
            results.append(examination.judge(examination.run(), of_targets))
    return results


def _run(
    subject: Subject, examinations: Sequence[Examination], traced: Sequence[str]
) -> tuple[Sequence[TracedTest], list[Any]]:
    """Return the traces of tests, and the output or report that each examination needs."""
    versions = {index: examination.version for index, examination in enumerate(examinations) if examination.version}
    groups = groups_of_versions(subject, versions) if versions else []
    of_versions = [partial(run_versions, subject, group) for group in groups]
    runs: list[Callable[[], Any]] = [
        lambda: _trace(subject, traced),
        *of_versions,
        *(examination.run for examination in examinations),
    ]
    traces, *outputs = side_by_side(runs)
    reports = {index: report for part in outputs[: len(groups)] for index, report in part.items()}
    return traces, [reports.get(index, output) for index, output in enumerate(outputs[len(groups) :])]


def _applies(safeguard: Safeguard, subject: Subject) -> bool:
    return bool(subject.targets) or (not safeguard.needs_targets and (subject.held or not safeguard.late))


def _tests_to_trace(subject: Subject) -> tuple[list[str], list[str]]:
    """Return the target tests to trace, and other tests near the patch. Doctests cannot be traced."""
    functions = [test for test in subject.targets if not is_doctest(test, subject.reports.base)]
    targets = sample(functions, _MOST_TRACED)
    near = near_tests(subject, changed_functions(subject.changed_code())) if targets else []
    return targets, [test for test in near if test not in targets]


def _trace(subject: Subject, tests: Sequence[str]) -> Sequence[TracedTest]:
    """Run the tests once under the tracer; several safeguards read the traces."""
    return trace(subject.kit.suite, subject.trees.patched, tests) if tests else []
