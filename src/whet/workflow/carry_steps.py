"""The steps of `carry`: build, validate, the gates, deploy, verify, learn, each recorded."""

from whet.config import load
from whet.domain.approval import Answer, Approval, Gate, Question
from whet.domain.build import Build
from whet.domain.deployment import Deployment, Intent, Rehearsal, Rollback, RollbackIntent, Snapshot, Verification
from whet.domain.evidence import Evidence, GuardFinding
from whet.domain.lesson import Ending, Lesson
from whet.domain.proposal import Proposal
from whet.domain.trial import Trial, Watch
from whet.domain.version import Mode
from whet.errors import BaseMoved, Refused, Withdrawn
from whet.guard.judge import judge
from whet.guard.tier import tier
from whet.phases.approve.person import decision_key
from whet.phases.approve.step import answer, ask, wait_for
from whet.phases.deploy.branch import branch_of
from whet.phases.deploy.live_modules import refuse_unless_safe, refuse_unless_served, served
from whet.phases.deploy.permit import permit
from whet.phases.deploy.rollback import deploy_lock, roll_back
from whet.phases.deploy.step import commit_of, deploy, intend, intend_again, rehearse, snapshot, verify
from whet.phases.deploy.trial import Trier
from whet.phases.deploy.watch import Watcher
from whet.phases.learn.step import learn
from whet.phases.propose.step import build, rebase
from whet.phases.validate import Claim
from whet.phases.validate.step import validate
from whet.workflow.guard_context import account_of, surroundings
from whet.workflow.journal import Turn
from whet.workflow.steps import Steps


class CarrySteps(Steps):
    @property
    def merges(self) -> bool:
        return self._policy.deploy.merges

    def proposal(self, identity: str) -> Proposal:
        return self._boundary.recall(f"{identity}/proposal", Proposal)

    def build(self, proposal: Proposal) -> Build:
        engine = self._engines.proposers[proposal.engine]
        seconds = self._policy.propose.repair_seconds
        return self._do(
            "propose", "build", proposal.id, Build,
            lambda: self._in_time(proposal.id, seconds, lambda: build(proposal, engine, self._memory())),
        )  # fmt: skip

    def rebase(self, proposal: Proposal, built: Build, attempt: int) -> Build:
        return self._do(
            "propose", f"rebase-{attempt}", proposal.id, Build,
            lambda: rebase(built, self._git.resolve(self._ref), self._git),
        )  # fmt: skip

    def validate(self, proposal: Proposal, built: Build, attempt: int) -> Evidence:
        assert built.patch is not None  # noqa: S101 - carry ends before this where there is none
        claim = Claim(patch=built.patch, targets=proposal.plan.targets, trusted_tests=built.trusted_tests)
        checks = {name: self._engines.checks[name] for name in proposal.plan.checks}

        def run() -> Evidence:
            return validate(
                claim, checks, self._judge(proposal, built), self._kit.suite, self._policy.digest,
                proposal.id, proposal.signature,
            )  # fmt: skip

        seconds = self._policy.tests.timeout_seconds
        return self._do(
            "validate", f"validate-{attempt}", proposal.id, Evidence,
            lambda: self._in_time(proposal.id, seconds, run),
        )  # fmt: skip

    def _judge(self, proposal: Proposal, built: Build) -> tuple[GuardFinding, ...]:
        changes = built.patch.changes if built.patch else ()
        return judge(
            changes,
            self._git.texts(changes),
            around=surroundings(built.patch, self._git, self._kit.interpreter) if built.patch else None,
            said=account_of(proposal),
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

    def snapshot_and_rehearse(self, proposal: Proposal, built: Build, evidence: Evidence) -> None:
        patch, name = built.patch, evidence.digest[:12]
        assert patch is not None  # noqa: S101 - evidence is about a patch
        found = self._do(
            "deploy", f"snapshot-{name}", proposal.id, Snapshot, lambda: snapshot(proposal.id, patch, self._git)
        )
        self._do(
            "deploy", f"rehearse-{name}", proposal.id, Rehearsal,
            lambda: rehearse(proposal.id, patch, found, self._git),
        )  # fmt: skip

    def stage(self, proposal: Proposal, built: Build, evidence: Evidence) -> Deployment:
        """On a branch of its own, if the base has not moved since the proof: nothing goes out on an old one."""
        self._do(
            "deploy", f"base-{evidence.digest[:12]}", proposal.id, str, lambda: self._same_base(evidence), kind="Base"
        )
        if self._policy.deploy.reloads:
            self._modules(built)
        return self._deploy("branch", branch_of(proposal.id), proposal, built, evidence)

    def _modules(self, built: Build) -> dict[str, str]:
        """The modules that running applications get, by path; refused where the change is in anything else."""
        assert built.patch is not None  # noqa: S101 - evidence is about a patch
        modules = refuse_unless_served(built.patch.paths, self._kit, built.patch.base)
        if self._policy.deploy.trial is Mode.SHADOW:
            refuse_unless_safe(modules.values(), self._kit)
        return modules

    @property
    def tries_first(self) -> bool:
        return self._policy.deploy.trial is not None

    def trial(self, proposal: Proposal, built: Build, staged: Deployment) -> Trial:
        """One step however long it takes: cut off, it finds the trial running and goes on looking."""
        trier = Trier(self._kit, staged, lambda: self._not_withdrawn(staged), lambda: self._taken_back(staged))
        return self._do(
            "deploy", f"trial-{staged.id}", proposal.id, Trial, lambda: trier.run(self._modules(built)), turn=Turn.LOOKS
        )

    def _not_withdrawn(self, staged: Deployment) -> None:
        """Nobody should go on being served what nobody approves of any more."""
        self._boundary.permitted()
        entries = self._ledger.entries(kind="Approval", subject=staged.proposal)
        for given in (entry.unedited().read(Approval) for entry in entries):
            if given.answer is Answer.WITHDRAWN and given.digest == staged.evidence_digest:
                raise Withdrawn(f"{given.who} took the approval back: {given.why or 'no reason given'}")

    def _taken_back(self, deployment: Deployment) -> str:
        """By whom and why somebody set out to take it back meanwhile; empty while nobody did."""
        entries = self._ledger.entries(kind="RollbackIntent", subject=deployment.proposal)
        begun = [one for one in (entry.read(RollbackIntent) for entry in entries) if one.deployment == deployment.id]
        return f"{begun[-1].actor} took it back: {begun[-1].reason}" if begun else ""

    def watch(self, proposal: Proposal, built: Build, deployment: Deployment) -> Watch:
        watcher = Watcher(self._kit, deployment, self._boundary.permitted, lambda: self._taken_back(deployment))
        told = proposal.diagnosis.finding.signals[0].payload
        paths = built.patch.paths if built.patch else ()

        def run() -> Watch:
            known = served(self._kit, deployment.before)
            modules = {path: known[path] for path in paths if path in known}
            return watcher.run(modules, str(told.get("signature", "")))

        return self._do("deploy", f"watch-{deployment.id}", proposal.id, Watch, run, turn=Turn.LOOKS)

    @property
    def watches(self) -> bool:
        return self._policy.deploy.reloads

    def _same_base(self, evidence: Evidence) -> str:
        if (head := self._git.resolve(self._ref)) != evidence.base:
            raise BaseMoved(f"{self._ref} is at {head[:10]}, not at {evidence.base[:10]} as it was at the proof")
        return head

    def land(self, proposal: Proposal, built: Build, evidence: Evidence) -> Deployment:
        landed = self._deploy(self._policy.deploy.strategy, self._ref, proposal, built, evidence)
        self._git.drop_branch(branch_of(proposal.id), landed.after)
        return landed

    def _deploy(self, strategy: str, ref: str, proposal: Proposal, built: Build, evidence: Evidence) -> Deployment:
        patch, name = built.patch, f"{strategy}-{evidence.digest[:12]}"
        author = self._policy.deploy.author
        gates = (Gate.APPLY,) if strategy == "branch" else (Gate.APPLY, Gate.MERGE)
        assert patch is not None  # noqa: S101 - evidence is about a patch
        found = self._boundary.recall(f"{proposal.id}/deploy/snapshot-{evidence.digest[:12]}", Snapshot)

        def put() -> Intent:
            staged = self._ledger.find(f"{proposal.id}/deploy/intent-branch-{evidence.digest[:12]}")
            if staged:
                return intend_again(staged.read(Intent), strategy, ref)
            return intend(proposal.id, strategy, ref, patch, evidence.digest, str(self._ledger.head()), author)

        intent = self._do("deploy", f"intent-{name}", proposal.id, Intent, put)

        def run() -> Deployment:
            with deploy_lock(self._kit.state):
                commit = commit_of(intent, proposal, patch, self._git)
                if not self._git.is_ancestor(commit, ref):  # else it went out, and only the record was cut off
                    self._ledger.refuse_if_damaged()
                    permit(
                        self._recorded(evidence), patch, self._approvals(evidence), gates,
                        self._judge(proposal, built), load(self._git.root), self._git,
                    )  # fmt: skip
                self._boundary.permitted()
                return deploy(intent, commit, found, self._engines.targets[strategy], self._who(evidence), self._git)

        turn = Turn.LANDS if self._policy.deploy.reloads and strategy != "branch" else Turn.ALONE
        return self._do("deploy", name, proposal.id, Deployment, run, turn=turn)

    def _recorded(self, evidence: Evidence) -> Evidence:
        """The evidence as the ledger holds it now: permission is computed from the record, not from memory."""
        for entry in self._ledger.entries(kind="Evidence", subject=evidence.proposal):
            if entry.unedited().read(Evidence).digest == evidence.digest:
                return entry.read(Evidence)
        raise Refused("the ledger has no such evidence")

    def _approvals(self, evidence: Evidence) -> list[Approval]:
        """Every answer about this evidence, a withdrawal included."""
        entries = self._ledger.entries(kind="Approval", subject=evidence.proposal)
        answers = (entry.unedited().read(Approval) for entry in entries)
        return [given for given in answers if given.digest == evidence.digest]

    def _who(self, evidence: Evidence) -> str:
        """On whose word it goes out: a person's where one was asked."""
        given = self._approvals(evidence)
        return next((approval.who for approval in given if approval.approver == "person"), given[-1].who)

    def verify(self, proposal: Proposal, deployment: Deployment, evidence: Evidence) -> Verification:
        intent = self._boundary.recall(
            f"{proposal.id}/deploy/intent-{deployment.strategy}-{evidence.digest[:12]}", Intent
        )

        def run() -> Verification:
            with self._spending.wall_without_limit(proposal.id):
                return verify(deployment, intent, evidence.targets, self._kit.suite, self._smoke, self._git)

        return self._do("deploy", f"verify-{deployment.id}", proposal.id, Verification, run)

    def _smoke(self, tree: str) -> str:
        command = self._policy.deploy.smoke
        if not command:
            return ""
        finished = self._kit.sandbox.run(self._kit.suite.job(tree, command, self._policy.deploy.timeout_seconds))
        return finished.stopped_by or (finished.output.strip()[-500:] or "no output" if finished.exit_code else "")

    def take_back(self, proposal: Proposal, deployment: Deployment, reason: str) -> Rollback:
        def run() -> Rollback:
            with deploy_lock(self._kit.state):
                self._boundary.permitted()
                return roll_back(proposal.title, deployment, reason, "whet", self._kit, self._engines.targets)

        return self._do("deploy", f"rollback-{deployment.id}", proposal.id, Rollback, run)

    def clear_away(self, proposal: Proposal, staged: Deployment, no: Approval) -> str:
        """The branch of its own goes; one that somebody is at work on stays, and that is said. A no is a no either way."""
        try:
            self.take_back(proposal, staged, f"{no.answer.value} at the merge gate")
        except Refused as in_use:
            return "; ".join(filter(None, (no.why, f"its branch stays: {in_use.message}")))
        return no.why

    def unstage(self, proposal: Proposal, evidence: Evidence) -> None:
        """Take the branch of its own back, if it got that far: its base has moved."""
        staged = self._ledger.find(f"{proposal.id}/deploy/branch-{evidence.digest[:12]}")
        if staged:
            self.take_back(proposal, staged.read(Deployment), "the base has moved")

    def learn(self, proposal: Proposal, ending: Ending, why: str, code: str = "") -> Lesson:
        entry = self._ledger.latest("Evidence", subject=proposal.id)
        evidence = entry.read(Evidence) if entry else None
        code = code or _code_of(ending, evidence)
        digest = evidence.patch_digest if evidence else ""

        def run() -> Lesson:
            self._spending.end_attempt(proposal.id, failed=not ending.worked)
            return learn(proposal, ending, code, why, digest)

        return self._do("learn", "learn", proposal.id, Lesson, run)


def _code_of(ending: Ending, evidence: Evidence | None) -> str:
    """What the guard refused goes by the guard's own code (`diff_suffix_not_allowed`...), the first one where there are more."""
    blocking = [finding.rule for finding in evidence.guard if finding.severity == "block"] if evidence else []
    return blocking[0] if ending is Ending.REFUSED and blocking else ending.value
