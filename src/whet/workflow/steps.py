"""The parts that the steps of both workflows share: the engines by name, the journal, the budgets."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

from whet.kit import Kit
from whet.phases.approve import Approver
from whet.phases.deploy import Target
from whet.phases.diagnose import Analyzer
from whet.phases.learn import Learner
from whet.phases.observe import Source
from whet.phases.propose import Proposer
from whet.phases.validate import Check
from whet.workflow.budgets import Budgets
from whet.workflow.journal import Journal


@dataclass(frozen=True)
class Engines:
    """The engines that the policy names, by name."""

    sources: Mapping[str, Source]
    analyzers: Mapping[str, Analyzer]
    proposers: Mapping[str, Proposer]
    checks: Mapping[str, Check]
    approvers: Mapping[str, Approver]
    targets: Mapping[str, Target]
    learners: Mapping[str, Learner]


class Steps:
    def __init__(self, kit: Kit, engines: Engines, journal: Journal, budgets: Budgets, ref: str) -> None:
        self._kit, self._engines, self._journal, self._budgets, self._ref = kit, engines, journal, budgets, ref
        self._git, self._ledger, self._policy = kit.git, journal.ledger, kit.policy
        self._do = journal.step

    def _wall(self, subject: str, seconds: float) -> Callable[[], AbstractContextManager[None]]:
        """Return a context that reserves `seconds` of the day's wall time and settles what was really used."""
        return partial(self._budgets.wall, subject, seconds)
