"""Divide a suite into parts of about equal time by its test files, and put the reports of the parts together."""

from collections.abc import Collection, Mapping, Sequence

from whet.domain.canonical import digest
from whet.domain.suite import Outcome, SuiteReport
from whet.target.suite import Part

_SHORTEST_SECONDS = 8  # below that, a second sandbox costs more than it saves
_FEWEST_FILES = 4
_LEAST_GAIN = 0.8


def divide_suite(base: SuiteReport, most: int) -> list[Part]:
    """Return at most `most` parts of the suite that ran as `base`; none if dividing it would save too little.

    Every part collects the whole suite, so only the time of the tests is divided. A file that is new belongs to the first
    part.
    """
    if most < 2 or base.seconds < _SHORTEST_SECONDS or len(base.file_seconds) < _FEWEST_FILES:
        return []
    files = _balance(base.file_seconds, most)
    longest = max(sum(base.file_seconds[file] for file in part) for part in files)
    if base.seconds - sum(base.file_seconds.values()) + longest > _LEAST_GAIN * base.seconds:
        return []
    others = files[1:]
    elsewhere = sorted(file for part in others for file in part)
    return [{"skip": elsewhere}, *({"keep": sorted(part)} for part in others)]


def _balance(seconds: Mapping[str, float], count: int) -> list[list[str]]:
    """Give each file, the longest first, to the part with the least work."""
    parts: list[list[str]] = [[] for _ in range(count)]
    work = [0.0] * count
    for file in sorted(seconds, key=lambda name: (-seconds[name], name)):
        lightest = work.index(min(work))
        parts[lightest].append(file)
        work[lightest] += seconds[file]
    return parts


def join_parts(reports: Sequence[SuiteReport], shared: Collection[str]) -> SuiteReport:
    """Return the report of the whole suite from those of its parts.

    The tests of the files in `shared` and files that cannot be collected are in every part, and must do the same in all.
    Any other test in two parts, or a part without an end, makes the run incomplete.
    """
    outcomes: dict[str, Outcome] = {}
    problem = next((report.problem for report in reports if not report.complete), "")
    for report in reports:
        for test, outcome in report.outcomes.items():
            may_repeat = "::" not in test or test.partition("::")[0] in shared
            if test in outcomes and (not may_repeat or outcomes[test] is not outcome):
                problem = problem or f"reported {test} in two parts of the run"
            outcomes[test] = outcome
    return SuiteReport(
        tree=reports[0].tree,
        outcomes=outcomes,
        seconds=max(report.seconds for report in reports),
        complete=not problem,
        problem=problem,
        exit_code=max((report.exit_code or 0 for report in reports), default=0),
        failures={test: failure for report in reports for test, failure in report.failures.items()},
        looks=_join_looks([report.looks for report in reports]),
        doctests=frozenset(test for report in reports for test in report.doctests),
        file_seconds={file: seconds for report in reports for file, seconds in report.file_seconds.items()},
    )


def _join_looks(looks: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return the digests of modules; one that is not the same in all parts gets a digest that no run has."""
    joined: dict[str, str] = {}
    for name in sorted({name for part in looks for name in part}):
        values = sorted({part[name] for part in looks if name in part})
        joined[name] = values[0] if len(values) == 1 else digest(values)[:16]
    return joined
