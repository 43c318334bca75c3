"""The patch must leave the libraries and settings of the test process as they are without it."""

from whet.domain.suite import SuiteReport
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.safeguard import Examination, Safeguard, inconclusive, passed, without_run
from whet.phases.validate.integrity.subject import Reports, Subject

NAME = "process state"


class ProcessState(Safeguard):
    """Compares the digests of library modules, taken after the last test of each run of the suite."""

    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        return without_run(judge_process(subject.reports))


def judge_process(reports: Reports) -> SafeguardResult:
    """Judge what the patch changes in the process. The modules of the tree (`.py`) may change.

    A part that differs between the two runs without the patch is ignored: it is not stable by itself. If a library
    differs with the patch, the second of those runs was one of the whole suite (reverted_run.py).
    """
    unstable = differing_state(reports.base, reports.reverted)
    changed = [name for name in changed_libraries(reports.base, reports.patched) if name not in unstable]
    if changed:
        return inconclusive(NAME, f"with the patch the tests leave {', '.join(changed)} changed")
    return passed(NAME, "the libraries and settings of the test process are as without the patch")


def differing_state(report: SuiteReport, other: SuiteReport) -> list[str]:
    """Return the names of modules and library parts that both runs have and that differ between them."""
    return sorted(name for name, digest in report.looks.items() if other.looks.get(name, digest) != digest)


def changed_libraries(base: SuiteReport, patched: SuiteReport) -> list[str]:
    """Return the names of library parts that differ between a run without and a run with the patch."""
    return [name for name in differing_state(base, patched) if not name.endswith(".py")]
