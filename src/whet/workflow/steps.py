"""What the steps of both workflows share: the engines by name, and how a phase function becomes a step."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from whet.domain.finding import Finding
from whet.domain.memory import Memory
from whet.domain.place import Place
from whet.kit import Kit
from whet.phases.approve import Approver
from whet.phases.deploy import Target
from whet.phases.learn.step import remember
from whet.phases.observe import Source
from whet.phases.propose import Proposer
from whet.phases.validate import Check
from whet.workflow.budgets import Budgets
from whet.workflow.journal import Journal

Noun = TypeVar("Noun")


@dataclass(frozen=True)
class Engines:
    """The engines that the policy names, by name."""

    sources: Mapping[str, Source]
    proposers: Mapping[str, Proposer]
    checks: Mapping[str, Check]
    approvers: Mapping[str, Approver]
    targets: Mapping[str, Target]
    localise: Callable[[Finding, str], tuple[Place, ...]]


class Steps:
    def __init__(self, kit: Kit, engines: Engines, boundary: Journal, spending: Budgets, ref: str) -> None:
        self._kit, self._engines, self._boundary, self._spending, self._ref = kit, engines, boundary, spending, ref
        self._git, self._ledger, self._policy = kit.git, kit.ledger, kit.policy
        self._do = boundary.step

    def _in_time(self, subject: str, seconds: float, function: Callable[[], Noun]) -> Noun:
        """The same function, on the day's wall time: as much as it may take is reserved before it runs."""
        with self._spending.wall(subject, seconds):
            return function()

    def _memory(self) -> Memory:
        return remember(self._ledger.entries(kind="Lesson"))
