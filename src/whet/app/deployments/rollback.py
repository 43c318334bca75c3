"""Roll back deployments, and restore versions of a file."""

from dataclasses import dataclass

from whet.app.approvals.forge_answers import close_request
from whet.app.cycles.loop import actor
from whet.app.project import Project
from whet.app.views.proposal_view import resolve, view_proposal
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.deployment import Deployment, Intent, Rollback
from whet.domain.lesson import Ending
from whet.errors import DamagedLedger, Refused, StateUnusable, UsageError
from whet.phases.deploy.rollback import deploy_lock, roll_back
from whet.phases.learn.step import learn

BY_WHET = "whet"
"""The actor of a rollback that the service decided on. It stops at the kill switch, a person's does not."""


def rollback(project: Project, identity: str, reason: str, despite_damage: str = "", who: str = "") -> Rollback:
    """Roll back a proposal's deployment, with a record and a lesson. Works while the kill switch is on.

    A damaged record is refused, because it says what to roll back. `despite_damage` is a person's reason to do it
    anyway; it is recorded with the damage, and the deployed commit itself must confirm the record. `who` is by default
    the user of this process.
    """
    try:
        project.ledger.refuse_if_damaged()
    except (DamagedLedger, StateUnusable) as problem:
        if not despite_damage:
            remedy = f'{problem.remedy}; in an emergency: `whet rollback {identity} --despite-damage "why"`'
            raise type(problem)(problem.message, remedy) from problem
        return _despite(project, identity, f"{reason} (despite damage: {despite_damage})", problem.message)
    return _rollback(project, identity, reason, who)


def _despite(project: Project, identity: str, reason: str, damage: str) -> Rollback:
    """Roll back although the record is damaged. Anchor and witness are left as they are."""
    ledger, at = project.ledger, now()
    with ledger.despite_damage():
        deployment = view_proposal(ledger, resolve(ledger, identity)).deployment
        if deployment:
            _refuse_unless_git_confirms(project, deployment)
        consent = {"damage": damage, "reason": reason, "rollback": identity, "at": at.isoformat()}
        key = f"despite-damage/{at.isoformat()}"
        ledger.append("deploy", consent, subject=identity, key=key, actor=actor(), kind="DespiteDamage")
        return _rollback(project, identity, reason)


def _refuse_unless_git_confirms(project: Project, deployment: Deployment) -> None:
    """Refuse a recorded deployment whose commit names another proposal, evidence or parent: the row may be forged."""
    git = project.git
    trailers = git.log(deployment.after, limit=1)[0].trailers if git.has(deployment.after) else {}
    named = trailers.get("Whet-Proposal"), trailers.get("Whet-Evidence")
    parent = git.try_ask("rev-parse", "--verify", "--quiet", f"{deployment.after}^") or b""
    if named != (deployment.proposal, deployment.evidence_digest) or parent.decode().strip() != deployment.before:
        raise Refused(
            f"the damaged record names commit {deployment.after[:10]} for {deployment.id}, and that commit does not confirm it",
            "roll it back by hand with git revert",
        )


def _rollback(project: Project, identity: str, reason: str, who: str = "") -> Rollback:
    proposal = resolve(project.ledger, identity)
    view = view_proposal(project.ledger, proposal)
    deployment = view.deployment
    if deployment is None:
        raise Refused(f"{proposal} was not deployed, so there is nothing to roll back")
    if view.lesson and view.lesson.ending is Ending.ROLLED_BACK:
        raise Refused(f"{deployment.id} was rolled back already: {view.rollbacks[-1].reason}")
    if not deployment.merged and project.git.is_ancestor(deployment.after, project.ref):
        branch = project.ref.removeprefix("refs/heads/")
        raise Refused(
            f"{deployment.id} was merged into {branch} by hand, and with strategy branch whet does not move {branch}",
            f"git revert {deployment.after[:10]}, or set deploy.strategy to merge",
        )
    automatic, who = who == BY_WHET, who or actor()  # the user of a service may be called `whet` too
    with deploy_lock(project.state):
        if automatic:
            project.refuse_unless_permitted()  # inside the lock, so that nothing moves after `whet stop` has returned
        rolled_back = roll_back(view.proposal.title, deployment, reason, who, project.kit, project.targets)
    if view.request and not deployment.merged:
        close_request(project, view.request, f"whet rolls this change back: {reason}")
    project.ledger.append(
        "deploy", rolled_back, subject=proposal, key=f"{proposal}/deploy/rollback-{deployment.id}", actor=who
    )
    digest = view.evidence.patch_digest if view.evidence else ""
    lesson = learn(view.proposal, Ending.ROLLED_BACK, "rolled_back", reason, digest)
    project.ledger.append("learn", lesson, subject=proposal, key=f"{proposal}/learn/rollback", actor=who)
    return rolled_back


@dataclass(frozen=True)
class Version:
    number: int
    commit: str
    at: str
    author: str
    subject: str
    proposal: str


def history(project: Project, path: str) -> list[Version]:
    """Return the versions of a file on the target branch; the oldest is 1. Versions that whet made name their proposal."""
    commits = project.git.log(project.ref, path, limit=None)
    if not commits:
        raise UsageError(f"{path} has no history on {project.ref.removeprefix('refs/heads/')}")
    return [
        Version(len(commits) - index, commit.id, commit.at, commit.author, commit.subject,
                commit.trailers.get("Whet-Proposal", ""))
        for index, commit in enumerate(commits)
    ]  # fmt: skip


def compare(project: Project, path: str, old: int, new: int) -> str:
    """Return the diff between two versions of a file."""
    first, second = _version(project, path, old), _version(project, path, new)
    diff = project.git.ask("diff-tree", "-p", "--no-color", "--no-ext-diff", first.commit, second.commit, "--", path)
    return diff.decode(errors="backslashreplace")


def restore(project: Project, path: str, number: int, reason: str) -> Rollback:
    """Restore a version of a file as a commit on the branch, recorded as a person's act."""
    project.refuse_unless_permitted()
    version = _version(project, path, number)
    if not project.policy.deploy.merges or project.policy.deploy.requests:
        raise Refused(
            f"deploy.strategy is {project.policy.deploy.strategy}, so whet may not move the branch",
            "restore it with git by hand",
        )
    project.ledger.refuse_if_damaged()
    with deploy_lock(project.state):
        project.refuse_unless_permitted()
        return _restore(project, path, version, reason)


def _restore(project: Project, path: str, version: Version, reason: str) -> Rollback:
    """Record the intent, then restore. An interrupted restoration is finished from its recorded intent."""
    who, git, ledger = actor(), project.git, project.ledger
    head, commit_made = _cut_off(project, path, version) or (git.read_ref(project.ref), "")
    tree = git.with_entries(head, version.commit, [path])
    if tree == git.tree_of(head):
        raise Refused(f"{path} is at version {version.number} already")
    identity = _restoration(path, version, head)
    intent = Intent(
        id=identity, proposal=identity, strategy=project.policy.deploy.strategy, ref=project.ref, before=head, tree=tree,
        evidence_digest="", ledger_head=str(ledger.head()), author=project.policy.deploy.author, at=now(),
    )  # fmt: skip
    intent = ledger.append("deploy", intent, subject=identity, key=f"{identity}/intent", actor=who).read(Intent)
    text = (
        f"Restore {path} to version {version.number}\n\n{reason}\n\n"
        f"Whet-Rollback: {identity}\nWhet-Ledger: {intent.ledger_head}\n"
    )
    commit = commit_made or git.commit(tree, head, text, project.policy.deploy.author, intent.at)
    project.targets[intent.strategy].deploy(intent, commit)
    restored = Rollback(
        deployment=identity, proposal="", ref=project.ref, before=head, after=commit, actor=who, reason=reason, at=now()
    )
    _remember_undone(project, path, version, commit, reason)  # before the end of it is recorded: it may be repeated
    return ledger.append("deploy", restored, subject=identity, key=f"{identity}/rollback", actor=who).read(Rollback)


def _remember_undone(project: Project, path: str, version: Version, commit: str, reason: str) -> None:
    """Record a lesson for each of whet's changes that the restoration took back, so that none is proposed again."""
    undone = {
        later.proposal for later in history(project, path) if later.number > version.number and later.commit != commit
    }
    known = {entry.subject for entry in project.ledger.entries(kind="Lesson")}
    for proposal in sorted(undone & known):
        view = view_proposal(project.ledger, proposal)
        if view.lesson and view.lesson.ending.worked:
            digest = view.evidence.patch_digest if view.evidence else ""
            why = f"{path} was restored to version {version.number}: {reason}"
            lesson = learn(view.proposal, Ending.ROLLED_BACK, "rolled_back", why, digest)
            project.ledger.append("learn", lesson, subject=proposal, key=f"{proposal}/learn/rollback", actor=actor())


def _restoration(path: str, version: Version, head: str) -> str:
    return f"r-{digest([path, version.commit, head])[:8]}"


def _cut_off(project: Project, path: str, version: Version) -> tuple[str, str] | None:
    """Return (old head, commit) of this restoration, if it moved the branch and was interrupted before it was recorded."""
    last = project.git.log(project.ref, limit=1)[0]
    parent = project.git.try_ask("rev-parse", "--verify", "--quiet", f"{last.id}^")
    before = parent.decode().strip() if parent else ""
    identity = _restoration(path, version, before)
    begun = last.trailers.get("Whet-Rollback") == identity and project.ledger.find(f"{identity}/rollback") is None
    return (before, last.id) if begun else None


def _version(project: Project, path: str, number: int) -> Version:
    versions = history(project, path)
    version = next((version for version in versions if version.number == number), None)
    if version is None:
        raise UsageError(f"{path} has versions 1 to {len(versions)}, not {number}", f"`whet history {path}`")
    return version
