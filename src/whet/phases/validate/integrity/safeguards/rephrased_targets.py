"""The targets must still pass when their source text is rewritten without changing its meaning.

A patch that recognises tests by their text does not recognise these, and a test that passed by luck may not pass twice.
"""

from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import SafeguardResult, Verdict
from whet.phases.validate.integrity.mutate.rephrase import rephrase
from whet.phases.validate.integrity.planted_file import plant
from whet.phases.validate.integrity.safeguard import Examination, Safeguard, inconclusive, passed
from whet.phases.validate.integrity.safeguards.planted_tests import judge_planted
from whet.phases.validate.integrity.subject import Subject
from whet.phases.validate.integrity.test_ids import names_by_file, split_id, summarise
from whet.target.runs.together import VersionRun

NAME = "rephrased targets"


class RephrasedTargets(Safeguard):
    """Runs the rephrased targets beside newly planted tests, which must fail."""

    name = NAME

    def prepare(self, subject: Subject) -> Examination:
        planted = plant(split_id(subject.targets[0])[0])
        over = {**_rephrased_files(subject), planted.path: planted.text}

        def judge(report: SuiteReport, _: object) -> SafeguardResult:
            if not report.complete:
                return inconclusive(NAME, f"with rephrased targets the suite {report.problem}")
            not_passed = [test for test in subject.targets if report.outcomes.get(test) is not Outcome.PASSED]
            if not_passed:
                return inconclusive(NAME, f"{summarise(not_passed)} passed, and did not when its text was rephrased")
            planted_result = judge_planted(planted, report)
            if planted_result.verdict is not Verdict.PASSED:
                return planted_result
            return passed(NAME, "the targets pass when rephrased, beside planted tests that failed")

        return Examination(judge, version=VersionRun(subject.targets, over, (planted.path,)))


def _rephrased_files(subject: Subject) -> dict[str, bytes]:
    names = names_by_file(subject.targets)
    texts = {path: rephrase(source, names[path]) for path, source in subject.sources(names).items()}
    return {path: text for path, text in texts.items() if text is not None}
