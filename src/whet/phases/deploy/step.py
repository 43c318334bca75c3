import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from whet.domain.canonical import digest
from whet.domain.change import Change
from whet.domain.clock import now
from whet.domain.deployment import (
    Deployment,
    DeploymentState,
    Intent,
    Rehearsal,
    SavedPath,
    Snapshot,
    Verification,
)
from whet.domain.patch import Patch
from whet.domain.proposal import Proposal
from whet.domain.suite import Outcome
from whet.errors import Corrupt, Refused
from whet.git.git import ZERO, Git
from whet.phases.deploy import Target
from whet.target.suite import Suite

SNAPSHOTS = "refs/whet/snapshots"


def snapshot(proposal: str, patch: Patch, git: Git) -> Snapshot:
    """The state before, kept alive by a ref of its own, with a checksum of every path that will change."""
    identity = f"{proposal}-{patch.base[:12]}-{patch.digest[:8]}"
    ref = f"{SNAPSHOTS}/{identity}"
    if git.read_ref(ref) != patch.base:
        git.move_ref(ref, patch.base, ZERO, f"whet: snapshot for {proposal}")
    return Snapshot(
        id=identity,
        ref=ref,
        commit=patch.base,
        tree=git.tree_of(patch.base),
        saved=tuple(_saved(change, git) for change in patch.changes),
    )


def _saved(change: Change, git: Git) -> SavedPath:
    if change.old_mode == "000000":
        return SavedPath(path=change.path, mode=change.old_mode, blob=change.old_blob, sha256="")
    content = git.blob(change.old_blob)
    return SavedPath(
        path=change.path, mode=change.old_mode, blob=change.old_blob, sha256=hashlib.sha256(content).hexdigest()
    )


def verify_snapshot(found: Snapshot, git: Git) -> None:
    """That what was saved can still be restored, byte for byte."""
    if git.read_ref(found.ref) != found.commit or git.tree_of(found.commit) != found.tree:
        raise Corrupt(f"the snapshot {found.id} is not where it was left", f"git fsck; the commit was {found.commit}")
    for saved in found.saved:
        if saved.sha256 and hashlib.sha256(git.blob(saved.blob)).hexdigest() != saved.sha256:
            raise Corrupt(f"the snapshot of {saved.path} is damaged", "git fsck")


def rehearse(proposal: str, patch: Patch, found: Snapshot, git: Git) -> Rehearsal:
    """The rollback before it is needed: taking the patch out must give the tree before, hash for hash."""
    verify_snapshot(found, git)
    restored = git.apply(patch.tree, git.diff(patch.base, patch.tree), reverse=True)
    if restored != found.tree:
        raise Refused("the rollback was rehearsed and does not give the old tree back")
    return Rehearsal(proposal=proposal, before=patch.base, after=patch.tree, restores=restored)


def intend(
    proposal: str, strategy: str, ref: str, patch: Patch, evidence_digest: str, ledger_head: str, author: str
) -> Intent:
    """What is about to be done. The commit is made of this alone, so the same intent gives the same commit."""
    return Intent(
        id=f"d-{digest([proposal, strategy, patch.digest, patch.base])[:8]}",
        proposal=proposal,
        strategy=strategy,
        ref=ref,
        before=patch.base,
        tree=patch.tree,
        evidence_digest=evidence_digest,
        ledger_head=ledger_head,
        author=author,
        at=now(),
    )


def intend_again(staged: Intent, strategy: str, ref: str) -> Intent:
    """The commit that lies on its branch already, bound for another ref."""
    return replace(staged, id=f"d-{digest([staged.id, strategy, ref])[:8]}", strategy=strategy, ref=ref)


def commit_of(intent: Intent, proposal: Proposal, patch: Patch, git: Git) -> str:
    return git.commit(intent.tree, intent.before, message(proposal, patch, intent), intent.author, intent.at)


def deploy(intent: Intent, commit: str, found: Snapshot, target: Target, actor: str, git: Git) -> Deployment:
    """The commit that was intended, where it was intended to go. One that has been built upon since stays as it is."""
    if git.read_ref(intent.ref) == commit or not git.is_ancestor(commit, intent.ref):
        target.deploy(intent, commit)
    return Deployment(
        id=intent.id,
        proposal=intent.proposal,
        strategy=intent.strategy,
        ref=intent.ref,
        before=intent.before,
        after=commit,
        snapshot=found.id,
        evidence_digest=intent.evidence_digest,
        state=DeploymentState.DEPLOYED,
        actor=actor,
        at=now(),
    )


def message(proposal: Proposal, patch: Patch, intent: Intent) -> str:
    return (
        f"{patch.summary}\n\n{proposal.title}\n\n{proposal.rationale}\n\n"
        f"Whet-Proposal: {proposal.id}\n"
        f"Whet-Evidence: {intent.evidence_digest}\n"
        f"Whet-Ledger: {intent.ledger_head}\n"
    )


def verify(
    deployment: Deployment, intent: Intent, targets: Sequence[str], suite: Suite, smoke: Callable[[str], str], git: Git
) -> Verification:
    """What is there now is what was proved, and it still does what it was deployed for."""
    problems = []
    if not git.is_ancestor(deployment.after, deployment.ref):
        problems.append(f"{deployment.ref} does not hold {deployment.after[:10]}")
    if git.tree_of(deployment.after) != intent.tree:
        problems.append("the deployed tree is not the proved one")
    tests = [target for target in targets if "::" in target]
    if tests:
        report = suite.run(intent.tree, tests)
        red = [test for test in tests if report.outcomes.get(test) is not Outcome.PASSED]
        problems += [f"{test} is not green after the deployment" for test in red]
    if trouble := smoke(intent.tree):
        problems.append(f"the smoke command failed: {trouble}")
    facts = (
        f"{deployment.ref.removeprefix('refs/heads/')} holds {deployment.after[:10]}",
        f"{len(tests)} target tests run again",
    )
    return Verification(deployment=deployment.id, ok=not problems, facts=facts, problems=tuple(problems), at=now())


def undo(deployment: Deployment, reason: str, title: str, head: str, ledger_head: str, git: Git, author: str) -> str:
    """The commit on `head` that takes a deployment out again, as a revert with the reason."""
    if deployment.strategy == "branch":
        if head not in (ZERO, deployment.after):
            raise Refused(
                f"{deployment.ref.removeprefix('refs/heads/')} has commits that are not whet's, and they would be lost",
                "move them to a branch of their own, then delete this one with git",
            )
        return ZERO  # a branch of its own is simply removed
    tree = git.apply(head, git.diff(deployment.before, deployment.after), reverse=True)
    if tree is None:
        raise Refused(
            f"later commits changed the same lines as {deployment.id}",
            f"revert by hand: git revert {deployment.after[:10]}",
        )
    text = (
        f'Revert "{title}"\n\nThis takes back {deployment.after}: {reason}\n\n'
        f"Whet-Rollback: {deployment.id}\nWhet-Proposal: {deployment.proposal}\nWhet-Ledger: {ledger_head}\n"
    )
    return git.commit(tree, head, text, author, now())
