"""Audit: verify the ledger, and compare it with the repository."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from whet.app.audits.audit_approvals import ApprovalAudit, unsigned_change
from whet.app.audits.outside import compare_outside
from whet.app.project import Project
from whet.domain.deployment import Deployment, Intent, Rollback, Snapshot
from whet.domain.lesson import Lesson
from whet.domain.plural import count
from whet.errors import Corrupt, GitFailed
from whet.git.git import ZERO, Commit, Git
from whet.ledger.entry import Entry, Head
from whet.ledger.invariants.check import InvariantResult, check_invariants
from whet.ledger.invariants.history import History
from whet.ledger.ledger import ANCHOR, verify
from whet.phases.approve.roll import Roll
from whet.phases.deploy.step import verify_snapshot

_BRANCHES = "refs/heads/whet/"


@dataclass(frozen=True, kw_only=True)
class Audit:
    """The result of an audit. `chain`, `commits`, `snapshots` and `approvals` are problems, each a sentence; empty is good.

    `unchecked` says what could not be compared, `notes` what people accepted before, `unproven` are approvals that no
    signature proves, and `reviews` those on a forge, whose commit and login were checked and whose existence was not.
    """

    entries: int
    chain: tuple[str, ...]
    unchecked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    commits: tuple[str, ...]
    snapshots: tuple[str, ...]
    invariants: tuple[InvariantResult, ...]
    approvals: tuple[str, ...] = ()
    unproven: tuple[str, ...] = ()
    reviews: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        blocked = any(invariant.blocking and not invariant.holds for invariant in self.invariants)
        return not (self.chain or self.commits or self.snapshots or self.approvals or blocked)


def audit(project: Project) -> Audit:
    """Check the whole record and change nothing. Needs the target branch and the ledger, but no sandbox."""
    try:
        entries = project.ledger.entries()
    except Corrupt as problem:
        return Audit(entries=0, chain=(problem.message,), commits=(), snapshots=(), invariants=())
    git, record = project.git, History(entries)
    git_audit = GitAudit(git, record, project.ref)
    outside = compare_outside(project, entries, git_audit.commits)
    roll = Roll(git, project.ledger, project.policy, project.ref)
    approvals = ApprovalAudit(entries, record, roll)
    return Audit(
        entries=len(entries),
        chain=(*_chain(entries, project.ledger.anchor(), git_audit.commits), *outside.problems),
        unchecked=outside.unchecked,
        notes=outside.notes,
        commits=tuple(git_audit.problems()),
        snapshots=tuple(_snapshots(record, git)),
        invariants=check_invariants(entries),
        approvals=(*approvals.problems(), *unsigned_change(roll)),
        unproven=tuple(approvals.unproven()),
        reviews=tuple(approvals.reviews()),
    )


def _chain(entries: Sequence[Entry], head: Head | None, commits: Sequence[Commit]) -> Iterator[str]:
    """Verify the hash chain against its anchors outside the database: the head file, and every commit that names a
    position.
    """
    if head is None and entries:
        yield f"{ANCHOR} is missing or unreadable, and the ledger has {count(len(entries), 'row')}: a cut-off tail would not show"
    anchors = [(ANCHOR, head)] if head else []
    for commit in commits:
        named = commit.trailers.get("Whet-Ledger")
        position = Head.parse(named) if named else None
        if named and position is None:
            yield f"commit {commit.id[:10]} names {named!r}, which is not a position in the ledger"
        if position:
            anchors.append((f"commit {commit.id[:10]}", position))
    yield from verify(entries, anchors)


def _snapshots(record: History, git: Git) -> Iterator[str]:
    yield from record.broken(Snapshot)
    for recorded in record.every(Snapshot):
        try:
            verify_snapshot(recorded.noun, git)
        except (Corrupt, GitFailed) as problem:
            yield f"{recorded.noun.id} cannot be restored: {problem.message}"


class GitAudit:
    """Compares the deployments in git with those in the ledger."""

    def __init__(self, git: Git, record: History, ref: str) -> None:
        self._git, self._record, self._ref = git, record, ref
        self._deployments = [recorded.noun for recorded in record.every(Deployment)]
        self._rollbacks = [recorded.noun for recorded in record.every(Rollback)]

    @cached_property
    def commits(self) -> list[Commit]:
        """Return every commit of the target branch and of whet's own branches that carries a `Whet-` trailer."""
        branches = self._git.text("for-each-ref", "--format=%(refname)", _BRANCHES).split()
        ranges = [self._ref, *(f"{self._ref}..{branch}" for branch in branches)]
        tagged = [commit for revisions in ranges for commit in self._git.log(revisions, limit=None, grep="^Whet-")]
        return list({commit.id: commit for commit in tagged}.values())

    def problems(self) -> Iterator[str]:
        yield from self._record.broken(Deployment, Rollback)
        for commit in self.commits:
            yield from self._unrecorded(commit)
        for deployment in self._deployments:
            if deployment.merged:
                yield from self._dropped(deployment)

    def _unrecorded(self, commit: Commit) -> Iterator[str]:
        name, trailers = f"commit {commit.id[:10]} ({commit.subject})", commit.trailers
        if "Whet-Rollback" in trailers:
            rollbacks = {(rollback.after, rollback.deployment) for rollback in self._rollbacks}
            if (commit.id, trailers["Whet-Rollback"]) not in rollbacks:
                yield f"{name} says it is the rollback {trailers['Whet-Rollback']}, which is not on record"
        elif "Whet-Proposal" in trailers or "Whet-Evidence" in trailers:
            evidence, proposal = trailers.get("Whet-Evidence", ""), trailers.get("Whet-Proposal", "")
            deployments = {
                (commit_id, each.evidence_digest, each.proposal)
                for each in self._deployments
                for commit_id in (each.after, each.landed_as)
            }
            if self._cut_off(commit, evidence):
                yield f"{name} was put there by a deployment that was interrupted before it was recorded: `whet resume` finishes it"
            elif (commit.id, evidence, proposal) not in deployments:
                yield f"{name} {self._why_unknown(commit, evidence)}"

    def _why_unknown(self, commit: Commit, evidence: str) -> str:
        deployed = [deployment for deployment in self._deployments if deployment.evidence_digest == evidence]
        if any(deployment.after == commit.id for deployment in self._deployments):
            return "names another proposal or other evidence than the ledger records for it"
        if deployed:
            return (
                f"carries the evidence of {deployed[-1].id} and is not the commit that was deployed "
                f"({deployed[-1].after[:10]}): the history was rebased or amended, or the trailers were copied"
            )
        return (
            "says that whet deployed it, and the ledger knows of no such deployment: it is forged, or of another ledger"
        )

    def _cut_off(self, commit: Commit, evidence: str) -> bool:
        """True if a deployment moved its ref and was cut off before it was recorded."""
        recorded = {deployment.id for deployment in self._deployments}
        named = (evidence, commit.trailers.get("Whet-Ledger"))
        return any(
            (intent.noun.evidence_digest, intent.noun.ledger_head) == named
            and intent.noun.id not in recorded
            and not any(lesson.entry.seq > intent.entry.seq for lesson in self._record.of(Lesson, intent.entry.subject))
            and self._git.is_ancestor(commit.id, intent.noun.ref)
            for intent in self._record.every(Intent)
        )

    def _dropped(self, deployment: Deployment) -> Iterator[str]:
        name, branch = f"{deployment.id} (commit {deployment.after[:10]})", deployment.ref.removeprefix("refs/heads/")
        rollbacks = [rollback for rollback in self._rollbacks if rollback.deployment == deployment.id]
        live = self._git.is_ancestor(deployment.landed_as, deployment.ref)
        if not live and not rollbacks:
            yield f"{name} is no longer on {branch}: its history was rebased, amended or reset after the deployment"
        if deployment.strategy == "pr":
            return  # its rollback is a pull request, and only the forge knows whether people have merged it
        for rollback in rollbacks:
            if live and rollback.after != ZERO and not self._git.is_ancestor(rollback.after, rollback.ref):
                yield f"{name} is on {branch} and its rollback {rollback.after[:10]} no longer is: the change that was rolled back is live"
