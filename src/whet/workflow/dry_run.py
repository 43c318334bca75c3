"""The parts of a dry run: the same `cycle` and `carry`, with a journal that records nothing and stops at the first gate.

The steps run in this process, one after the other. Their results go to a ledger in memory (`whet.ledger.scratch`). The
policy answers a plan gate that needs no person; any other gate ends the run with its question.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext

from whet.domain.approval import Approval, Gate, Question
from whet.domain.evidence import Evidence
from whet.domain.proposal import Proposal
from whet.errors import Internal, WhetError
from whet.workflow.budgets import Budgets
from whet.workflow.carry_steps import CarrySteps


class InProcess:
    """Runs steps directly and starts no workflow; `started` collects the proposals that a cycle would carry."""

    def __init__(self) -> None:
        self.started: list[str] = []

    def run_step(self, options: Mapping[str, str], function: Callable[[], str], /) -> str:
        return function()

    def parking(self, errors: tuple[type[WhetError], ...]) -> AbstractContextManager[None]:
        return nullcontext()

    def receive(self, topic: str, timeout_seconds: float) -> bool:
        raise Internal("a dry run waits at no gate", "please report this")

    def start(self, name: str, identity: str) -> None:
        self.started.append(identity)


class DryRunEnds(Exception):
    """Ends a dry run, with the question that a real run would ask now, if it is at a gate."""

    def __init__(self, question: Question | None = None) -> None:
        super().__init__(question.gate.value if question else "")
        self.question = question


class DryCarrySteps(CarrySteps):
    """The steps of `carry` up to the first gate that asks."""

    def gate(self, gate: Gate, proposal: Proposal, evidence: Evidence | None = None) -> Approval:
        digest = evidence.digest if evidence else proposal.digest
        question = self._question(gate, proposal, evidence, digest)
        if gate is Gate.PLAN and not question.tier.needs_person:
            return super().gate(gate, proposal, evidence)
        raise DryRunEnds(question)


class DryBudgets(Budgets):
    """Budgets that are checked but not spent. The caller charges the wall time of the whole dry run."""

    def reserve_attempt(self, proposal: str, signature: str) -> str:
        return self.why_not(signature)

    def end_attempt(self, proposal: str, *, failed: bool) -> None:
        return

    @contextmanager
    def wall(self, subject: str, seconds: float) -> Iterator[None]:
        yield
