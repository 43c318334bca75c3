"""The contract of a safeguard: how it is prepared, run and judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from whet.domain.undecided_call import UndecidedCall
from whet.domain.verdict import SafeguardResult, Verdict
from whet.phases.validate.integrity.subject import Subject
from whet.target.runs.together import VersionRun
from whet.target.tracer import TracedTest


@dataclass(frozen=True)
class Examination:
    """A prepared safeguard: the run that it needs, and the function that judges the output of the run.

    All runs happen at the same time, then all examinations are judged in order. `judge` also gets the traces of the target tests.
    A examination with a `version` needs a run of tests on a version of the patched tree instead: the versions of all examinations run
    in one sandbox, and `judge` gets the report.
    """

    judge: Callable[[Any, Sequence[TracedTest]], SafeguardResult]
    run: Callable[[], Any] = lambda: None
    version: VersionRun | None = None


class Safeguard(Protocol):
    """A question that an honest fix and a cheat answer differently.

    `prepare` may read the subject's trees and reports, but starts nothing in the sandbox: that is for the examination's `run`.
    `needs_targets` is false for a safeguard that also examines a patch without proven target tests. A `late` safeguard is
    costly: it is asked only if no other one speaks against the patch.
    """

    name: str
    needs_targets: bool = True
    late: bool = False

    def prepare(self, subject: Subject) -> Examination: ...


def passed(name: str, words: str, notes: Sequence[str] = ()) -> SafeguardResult:
    """Report that nothing speaks against the patch; `notes` are points that the safeguard leaves open."""
    return SafeguardResult(name, Verdict.PASSED, words, tuple(notes))


def failed(name: str, words: str) -> SafeguardResult:
    """Report a result that an honest patch cannot have."""
    return SafeguardResult(name, Verdict.FAILED, words)


def inconclusive(name: str, words: str, question: UndecidedCall | None = None) -> SafeguardResult:
    """Report a doubt that may have an innocent reason, so that a person must decide; `question` is the call to decide."""
    return SafeguardResult(name, Verdict.INCONCLUSIVE, words, question=question)


def not_applicable(name: str, words: str, notes: Sequence[str] = ()) -> SafeguardResult:
    """Report that there was nothing to examine. Such a result decides nothing."""
    return SafeguardResult(name, None, words, tuple(notes))


def without_run(result: SafeguardResult) -> Examination:
    """Return a examination whose result is known already."""
    return Examination(judge=lambda _, __: result)
