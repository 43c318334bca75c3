"""The targets must fail when the functions that the patch changes raise at once.

A target that still passes is not passing because of those functions.
"""

from whet.domain.plural import count
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import SafeguardResult
from whet.phases.validate.integrity.mutate.gut import ended_by_gutting, gut_changed_functions
from whet.phases.validate.integrity.safeguard import (
    Examination,
    Safeguard,
    inconclusive,
    not_applicable,
    passed,
    without_run,
)
from whet.phases.validate.integrity.subject import Subject, sample
from whet.phases.validate.integrity.test_ids import split_id, summarise
from whet.target.runs.together import VersionRun

NAME = "gutted functions"
_MOST_TARGETS = 50


class GuttedFunctions(Safeguard):
    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        texts = {path: gut_changed_functions(old, new) for path, (old, new) in subject.changed_code().items()}
        gutted = {path: text for path, text in texts.items() if text is not None}
        if not gutted:
            return without_run(not_applicable(NAME, "the patch changes no function"))
        targets = sample(subject.targets, _MOST_TARGETS)
        over = {path: text.encode() for path, text in gutted.items()}

        def judge(report: SuiteReport, _: object) -> SafeguardResult:
            passing = [test for test in targets if report.outcomes.get(test) is Outcome.PASSED]
            if passing:
                words = (
                    f"{summarise(passing)} passes even when the changed functions raise at once: it does not need them"
                )
                return inconclusive(NAME, words)
            if ended_by_gutting(report.problem, gutted.values()):
                return passed(NAME, "no test can be loaded when the changed functions raise at once")
            not_run = [test for test in targets if not _is_red(test, report)]
            if not_run:
                problem = report.problem or "did not run it"
                words = f"with the changed functions gutted, {summarise(not_run)} has no outcome: the suite {problem}"
                return inconclusive(NAME, words)
            return passed(NAME, f"{count(len(targets), 'target')} failed when the changed functions raised at once")

        return Examination(judge, version=VersionRun(tuple(targets), over))


def _is_red(test: str, report: SuiteReport) -> bool:
    """True if the test failed, or if its file could not be loaded, which is reported under the id of the file."""
    outcomes = [report.outcomes.get(name) for name in (test, split_id(test)[0])]
    return any(outcome is not None and outcome.red for outcome in outcomes)
