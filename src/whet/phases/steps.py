"""Each phase function as a durable, recorded step: what `cycle` says, with what the phases need handed to them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import TypeVar

from whet import guard
from whet.domain.approval import Approval, Gate, Question
from whet.domain.built import Built
from whet.domain.clock import now
from whet.domain.deployment import Deployment, Intent, Rehearsal, Rollback, Snapshot, Verification
from whet.domain.diagnosis import Diagnosis
from whet.domain.evidence import Evidence, GuardFinding
from whet.domain.finding import Finding
from whet.domain.lesson import Ending, Lesson
from whet.domain.memory import Memory
from whet.domain.place import Place
from whet.domain.proposal import Proposal
from whet.domain.signal import Signal
from whet.domain.trigger import Trigger
from whet.errors import BaseMoved, Refused, WhetError
from whet.guard.budget import Spent, budget
from whet.guard.tier import tier
from whet.phases.approve import Approver
from whet.phases.approve.person import decision_key
from whet.phases.approve.step import answer, ask, wait_for
from whet.phases.boundary import Boundary
from whet.phases.deploy import Target
from whet.phases.deploy.branch import branch_of
from whet.phases.deploy.permit import permit
from whet.phases.deploy.step import deploy, intend, intend_again, rehearse, snapshot, verify
from whet.phases.diagnose.step import diagnose, findings
from whet.phases.kit import Kit
from whet.phases.learn.step import broken, learn, nothing, remember
from whet.phases.observe import Source
from whet.phases.observe.step import observe
from whet.phases.propose import Proposer
from whet.phases.propose.step import build, propose, rebase
from whet.phases.rollback import deploy_lock, roll_back
from whet.phases.validate import Check, Claim
from whet.phases.validate.step import validate

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
    def __init__(self, kit: Kit, engines: Engines, boundary: Boundary, ref: str) -> None:
        self._kit, self._engines, self._boundary, self._ref = kit, engines, boundary, ref
        self._git, self._ledger, self._policy = kit.git, kit.ledger, kit.policy

    @property
    def merges(self) -> bool:
        return self._policy.deploy.strategy == "merge"

    def _do(
        self, phase: str, name: str, subject: str, returns: type[Noun], function: Callable[[], Noun], kind: str = ""
    ) -> Noun:
        return self._boundary.step(phase, name, subject, returns, function, kind)

    # ---- one cycle --------------------------------------------------------------------------------------------

    def trigger(self, identity: str) -> Trigger:
        return self._boundary.recall(f"{identity}/trigger", Trigger)

    def base(self, identity: str) -> str:
        return self._do("observe", "base", identity, str, lambda: self._git.resolve(self._ref), kind="Base")

    def observe(self, identity: str, base: str) -> tuple[Signal, ...]:
        kit = self._kit
        return self._do(
            "observe", "observe", identity, tuple[Signal, ...],
            lambda: observe(base, self._engines.sources, kit.progress),
        )  # fmt: skip

    def diagnose(self, trigger: Trigger, signals: tuple[Signal, ...], base: str) -> tuple[Diagnosis, ...]:
        def run() -> tuple[Diagnosis, ...]:
            found = [finding for finding in findings(signals, self._kit.is_test) if self._wanted(finding, base)]
            located = (
                diagnose(finding, lambda f: self._engines.localise(f, base), self._policy.target) for finding in found
            )
            return tuple(islice((diagnosis for diagnosis in located if diagnosis.places), trigger.top))

        return self._do("diagnose", "diagnose", trigger.id, tuple[Diagnosis, ...], run)

    def _wanted(self, finding: Finding, base: str) -> bool:
        memory = self._memory()
        return any(
            engine.can_help(finding) and not memory.why_not(finding.signature, name, base)
            for name, engine in self._engines.proposers.items()
        )

    def propose(self, trigger: Trigger, diagnoses: tuple[Diagnosis, ...], base: str) -> tuple[Proposal, ...]:
        def run() -> tuple[Proposal, ...]:
            offered = propose(diagnoses, self._engines.proposers, self._memory(), base, trigger.id, self._kit.progress)
            affordable = [proposal for proposal in offered if self._affordable(proposal)]
            return tuple(affordable[: trigger.top])

        return self._do("propose", "propose", trigger.id, tuple[Proposal, ...], run)

    def _affordable(self, proposal: Proposal) -> bool:
        memory, today = self._memory(), now() - timedelta(days=1)
        tries = [lesson for lesson in memory.lessons if lesson.signature == proposal.signature]
        spent = Spent(
            proposals_today=len(self._ledger.entries(kind="Proposal", since=today)),
            cycles_today=0,  # counted when the cycle was started
            attempts_on_signature=memory.attempts(proposal.signature),
            seconds_since_last_attempt=(now() - tries[-1].learned_at).total_seconds() if tries else None,
            readable=True,
        )
        given = budget(spent, self._policy.budget)
        if isinstance(given, guard.Refuse):
            self._kit.progress.note(f"{proposal.title}: {given.reason}")
        return isinstance(given, guard.Allow)

    def learn_nothing(self, identity: str, base: str, signals: int) -> Lesson:
        summary = f"{signals} signals, nothing that an engine could propose a change for"
        return self._do("learn", "learn", identity, Lesson, lambda: nothing(identity, base, summary))

    def learn_broken(self, identity: str, problem: WhetError) -> Lesson:
        return self._do("learn", "learn", identity, Lesson, lambda: broken(identity, problem.code, problem.message))

    def start(self, proposal: Proposal, trigger: Trigger) -> None:
        self._ledger.append(
            "propose", proposal, subject=proposal.id, key=f"{proposal.id}/proposal", actor=trigger.actor
        )
        self._boundary.durable.start("carry", proposal.id)

    # ---- one proposal -----------------------------------------------------------------------------------------

    def proposal(self, identity: str) -> Proposal:
        return self._boundary.recall(f"{identity}/proposal", Proposal)

    def build(self, proposal: Proposal) -> Built:
        engine = self._engines.proposers[proposal.engine]
        return self._do("propose", "build", proposal.id, Built, lambda: build(proposal, engine, self._memory()))

    def rebase(self, proposal: Proposal, built: Built, attempt: int) -> Built:
        return self._do(
            "propose", f"rebase-{attempt}", proposal.id, Built,
            lambda: rebase(built, self._git.resolve(self._ref), self._git),
        )  # fmt: skip

    def validate(self, proposal: Proposal, built: Built, attempt: int) -> Evidence:
        assert built.patch is not None  # noqa: S101 - carry ends before this where there is none
        claim = Claim(patch=built.patch, targets=proposal.plan.targets, trusted_tests=built.trusted_tests)
        checks = {name: self._engines.checks[name] for name in proposal.plan.checks}

        def run() -> Evidence:
            return validate(
                claim, checks, self._judge(proposal, built), self._kit.suite, self._policy.digest,
                proposal.id, proposal.signature,
            )  # fmt: skip

        return self._do("validate", f"validate-{attempt}", proposal.id, Evidence, run)

    def _judge(self, proposal: Proposal, built: Built) -> tuple[GuardFinding, ...]:
        return guard.judge(
            built.patch.changes if built.patch else (),
            category=proposal.category,
            risk=proposal.risk,
            policy=self._policy,
            trusted_new_tests=built.trusted_tests,
        )

    def gate(self, gate: Gate, proposal: Proposal, evidence: Evidence | None = None) -> Approval:
        """Ask, and wait as long as it takes. What is asked about is a digest: of the plan, or of the evidence."""
        digest = evidence.digest if evidence else proposal.digest
        name = f"{gate.value}-{digest[:12]}"

        def put() -> Question:
            asked, reasons = tier(
                gate=gate,
                risk=proposal.risk,
                kind=proposal.kind,
                category=proposal.category,
                verdict=evidence.verdict if evidence else None,
                findings=evidence.guard if evidence else (),
                policy=self._policy,
            )
            return ask(proposal.id, gate, digest, asked, reasons, self._policy.approve)

        question = self._do("approve", f"ask-{name}", proposal.id, Question, put)
        return wait_for(question, self._boundary.durable.receive, lambda knocks: self._look(question, name, knocks))

    def _look(self, question: Question, name: str, knocks: int) -> Approval | None:
        """One look at whether it is answered; the answer itself is recorded under a key of its own."""

        def run() -> str:
            given = answer(question, self._engines.approvers)
            if given is None:
                return ""
            key = decision_key(question)
            self._ledger.append("approve", given, subject=question.proposal, key=key, actor=given.who)
            return key

        key = self._do("approve", f"look-{name}-{knocks}", question.proposal, str, run, kind="Look")
        return self._boundary.recall(key, Approval) if key else None

    def snapshot_and_rehearse(self, proposal: Proposal, built: Built, evidence: Evidence) -> None:
        patch, name = built.patch, evidence.digest[:12]
        assert patch is not None  # noqa: S101 - evidence is about a patch
        found = self._do(
            "deploy", f"snapshot-{name}", proposal.id, Snapshot, lambda: snapshot(proposal.id, patch, self._git)
        )
        self._do(
            "deploy", f"rehearse-{name}", proposal.id, Rehearsal,
            lambda: rehearse(proposal.id, patch, found, self._git),
        )  # fmt: skip

    def stage(self, proposal: Proposal, built: Built, evidence: Evidence) -> Deployment:
        """On a branch of its own, if the base has not moved since the proof: nothing goes out on an old one."""
        self._do(
            "deploy", f"base-{evidence.digest[:12]}", proposal.id, str, lambda: self._same_base(evidence), kind="Base"
        )
        return self._deploy("branch", branch_of(proposal.id), proposal, built, evidence)

    def _same_base(self, evidence: Evidence) -> str:
        if (head := self._git.resolve(self._ref)) != evidence.base:
            raise BaseMoved(f"{self._ref} is at {head[:10]}, not at {evidence.base[:10]} as it was at the proof")
        return head

    def land(self, proposal: Proposal, built: Built, evidence: Evidence) -> Deployment:
        landed = self._deploy("merge", self._ref, proposal, built, evidence)
        self._git.drop_branch(branch_of(proposal.id), landed.after)
        return landed

    def _deploy(self, strategy: str, ref: str, proposal: Proposal, built: Built, evidence: Evidence) -> Deployment:
        patch, name = built.patch, f"{strategy}-{evidence.digest[:12]}"
        assert patch is not None  # noqa: S101 - evidence is about a patch
        found = self._boundary.recall(f"{proposal.id}/deploy/snapshot-{evidence.digest[:12]}", Snapshot)

        def put() -> Intent:
            staged = self._ledger.find(f"{proposal.id}/deploy/intent-branch-{evidence.digest[:12]}")
            if staged:
                return intend_again(staged.read(Intent), strategy, ref)
            return intend(proposal.id, strategy, ref, patch, evidence.digest, str(self._ledger.head()))

        intent = self._do("deploy", f"intent-{name}", proposal.id, Intent, put)

        def run() -> Deployment:
            with deploy_lock(self._kit.state):
                permit(
                    self._recorded(evidence), patch, self._approvals(evidence),
                    self._judge(proposal, built), self._policy, self._git,
                )  # fmt: skip
                target, author = self._engines.targets[strategy], self._policy.deploy.author
                return deploy(intent, proposal, patch, found, target, author, self._who(evidence), self._git)

        return self._do("deploy", name, proposal.id, Deployment, run)

    def _recorded(self, evidence: Evidence) -> Evidence:
        """The evidence as the ledger holds it now: permission is computed from the record, not from memory."""
        for entry in self._ledger.entries(kind="Evidence", subject=evidence.proposal):
            if entry.read(Evidence).digest == evidence.digest:
                return entry.read(Evidence)
        raise Refused("the ledger has no such evidence")

    def _approvals(self, evidence: Evidence) -> list[Approval]:
        """Every answer about this evidence, a withdrawal included."""
        entries = self._ledger.entries(kind="Approval", subject=evidence.proposal)
        return [given for given in (entry.read(Approval) for entry in entries) if given.digest == evidence.digest]

    def _who(self, evidence: Evidence) -> str:
        """On whose word it goes out: a person's where one was asked."""
        given = self._approvals(evidence)
        return next((approval.who for approval in given if approval.approver == "person"), given[-1].who)

    def verify(self, proposal: Proposal, deployment: Deployment, evidence: Evidence) -> Verification:
        intent = self._boundary.recall(
            f"{proposal.id}/deploy/intent-{deployment.strategy}-{evidence.digest[:12]}", Intent
        )
        return self._do(
            "deploy", f"verify-{deployment.id}", proposal.id, Verification,
            lambda: verify(deployment, intent, evidence.targets, self._kit.suite, self._smoke, self._git),
        )  # fmt: skip

    def _smoke(self, tree: str) -> str:
        command = self._policy.deploy.smoke
        if not command:
            return ""
        finished = self._kit.sandbox.run(self._kit.suite.job(tree, command, self._policy.deploy.timeout_seconds))
        return finished.stopped_by or (finished.output.strip()[-500:] or "no output" if finished.exit_code else "")

    def take_back(self, proposal: Proposal, deployment: Deployment, reason: str) -> Rollback:
        return self._do(
            "deploy", f"rollback-{deployment.id}", proposal.id, Rollback,
            lambda: roll_back(proposal.title, deployment, reason, "whet", self._kit, self._engines.targets),
        )  # fmt: skip

    def unstage(self, proposal: Proposal, evidence: Evidence) -> None:
        """Take the branch of its own back, if it got that far: its base has moved."""
        staged = self._ledger.find(f"{proposal.id}/deploy/branch-{evidence.digest[:12]}")
        if staged:
            self.take_back(proposal, staged.read(Deployment), "the base has moved")

    # ---- what stays -------------------------------------------------------------------------------------------

    def _memory(self) -> Memory:
        return remember(self._ledger.entries(kind="Lesson"))

    def learn(self, proposal: Proposal, ending: Ending, why: str, code: str = "") -> Lesson:
        evidence = self._ledger.latest("Evidence", subject=proposal.id)
        digest = evidence.read(Evidence).patch_digest if evidence else ""
        return self._do(
            "learn", "learn", proposal.id, Lesson, lambda: learn(proposal, ending, code or ending.value, why, digest)
        )
