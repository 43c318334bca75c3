"""The contract between the search and what runs its candidates."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from whet.phases.propose.repair.candidate import Candidate


@dataclass(frozen=True, slots=True)
class CandidateRun:
    """The test outcomes of one candidate. A test that is absent did not run."""

    outcomes: Mapping[str, str]
    seconds: float = 0.0
    timed_out: bool = False

    def passed(self, tests: Sequence[str]) -> bool:
        return all(self.outcomes.get(test) == "passed" for test in tests)


class Evaluator(Protocol):
    """Runs the target tests on candidates, `width` at a time, and ranks those that pass."""

    @property
    def width(self) -> int: ...

    def __call__(self, candidates: Iterable[Candidate]) -> Sequence[tuple[Candidate, CandidateRun]]:
        """Run the target tests on each candidate and return (candidate, run) pairs in the same order.

        The iterator may be consumed while earlier candidates still run. A run may stop at its first failing test.
        """
        ...

    def ranked(self, survivors: Sequence[Candidate]) -> list[Candidate]:
        """Return the survivors, the most likely fix first."""
        ...

    def any_sure(self, survivors: Sequence[Candidate]) -> bool:
        """True if some survivor has no red flag."""
        ...


Stage = Callable[[Sequence[Candidate]], list[Candidate]]
"""Returns the candidates that pass some of the tests that passed before the edit."""
