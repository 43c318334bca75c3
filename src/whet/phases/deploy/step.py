"""The steps of a deployment: snapshot, rehearsal of the rollback, intent, commit, deploy, verify; and the revert."""

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
from whet.domain.plural import count
from whet.domain.proposal import Proposal
from whet.domain.suite import Outcome
from whet.errors import Corrupt, Refused
from whet.git.git import ZERO, Git
from whet.phases.deploy import Target
from whet.target.suite import Suite

SNAPSHOTS = "refs/whet/snapshots"


def snapshot(proposal: str, patch: Patch, git: Git) -> Snapshot:
    """Keep the state before the deployment under a ref, with a checksum of every path that will change."""
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


def verify_snapshot(saved_state: Snapshot, git: Git) -> None:
    """Raise Corrupt unless the snapshot can still be restored, byte for byte."""
    if git.read_ref(saved_state.ref) != saved_state.commit or git.tree_of(saved_state.commit) != saved_state.tree:
        raise Corrupt(
            f"the snapshot {saved_state.id} is not where it was left", f"git fsck; the commit was {saved_state.commit}"
        )
    for saved in saved_state.saved:
        if saved.sha256 and hashlib.sha256(git.blob(saved.blob)).hexdigest() != saved.sha256:
            raise Corrupt(f"the snapshot of {saved.path} is damaged", "git fsck")


def rehearse(proposal: str, patch: Patch, saved_state: Snapshot, git: Git) -> Rehearsal:
    """Try the rollback before it is needed: reverting the patch must give exactly the tree before, else refuse."""
    verify_snapshot(saved_state, git)
    restored = git.apply(patch.tree, git.diff(patch.base, patch.tree), reverse=True)
    if restored != saved_state.tree:
        raise Refused("the rollback was rehearsed and does not restore the old tree")
    return Rehearsal(proposal=proposal, before=patch.base, after=patch.tree, restores=restored)


def intend(
    proposal: str, strategy: str, ref: str, patch: Patch, evidence_digest: str, ledger_head: str, author: str
) -> Intent:
    """Describe the deployment that is about to happen. The commit is made from the intent alone, so a repeated step after
    a crash makes the same commit."""
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
    """Return the intent to deploy a commit, which is on its own branch already, to another ref."""
    return replace(staged, id=f"d-{digest([staged.id, strategy, ref])[:8]}", strategy=strategy, ref=ref)


def commit_of(intent: Intent, proposal: Proposal, patch: Patch, git: Git) -> str:
    """Create the commit of an intent; the same intent always gives the same commit."""
    return git.commit(intent.tree, intent.before, message(proposal, patch, intent), intent.author, intent.at)


def deploy(intent: Intent, commit: str, saved_state: Snapshot, target: Target, actor: str, git: Git) -> Deployment:
    """Deploy the commit of the intent to its ref. If later commits build on it there already, nothing moves."""
    if git.read_ref(intent.ref) == commit or not git.is_ancestor(commit, intent.ref):
        target.deploy(intent, commit)
    return Deployment(
        id=intent.id,
        proposal=intent.proposal,
        strategy=intent.strategy,
        ref=intent.ref,
        before=intent.before,
        after=commit,
        snapshot=saved_state.id,
        evidence_digest=intent.evidence_digest,
        state=DeploymentState.DEPLOYED,
        actor=actor,
        at=now(),
    )


def message(proposal: Proposal, patch: Patch, intent: Intent) -> str:
    """Return the commit message, with trailers that name the proposal, the evidence, the approvers and the ledger
    position."""
    approved = "".join(f"Whet-Approved-By: {people}\n" for people in intent.approved_by)
    return (
        f"{patch.summary}\n\n{proposal.title}\n\n{proposal.rationale}\n\n"
        f"Whet-Proposal: {proposal.id}\n"
        f"Whet-Evidence: {intent.evidence_digest}\n"
        f"{approved}Whet-Ledger: {intent.ledger_head}\n"
        + (f"Whet-Anchor: {intent.ledger_anchor}\n" if intent.ledger_anchor else "")
    )


def verify(
    deployment: Deployment, intent: Intent, targets: Sequence[str], suite: Suite, smoke: Callable[[str], str], git: Git
) -> Verification:
    """Check that the deployed tree is the proven one, and that target tests and smoke command pass on it.

    A tree that people merged on a forge may hold other changes too; the checks run on that tree.
    """
    problems = []
    if not git.is_ancestor(deployment.landed_as, deployment.ref):
        problems.append(f"{deployment.ref} does not hold {deployment.landed_as[:10]}")
    tree = git.tree_of(deployment.landed_as)
    if tree != intent.tree and not deployment.merge_commit:
        problems.append("the deployed tree is not the proved one")
    tests = [target for target in targets if "::" in target]
    if tests:
        report = suite.run(tree, tests)
        red = [test for test in tests if report.outcomes.get(test) is not Outcome.PASSED]
        problems += [f"{test} is not green after the deployment" for test in red]
    if failure := smoke(tree):
        problems.append(f"the smoke command failed: {failure}")
    facts = (
        f"{deployment.ref.removeprefix('refs/heads/')} holds {deployment.landed_as[:10]}",
        f"{count(len(tests), 'target test')} run again",
        *(
            ("the merged tree is not the proved one: people merged it with other changes",)
            if tree != intent.tree
            else ()
        ),
    )
    return Verification(deployment=deployment.id, ok=not problems, facts=facts, problems=tuple(problems), at=now())


def revert(deployment: Deployment, reason: str, title: str, head: str, ledger_head: str, git: Git, author: str) -> str:
    """Return a commit on `head` that reverts a deployment and states the reason; ZERO removes a branch of its own."""
    if deployment.strategy == "branch":
        if head not in (ZERO, deployment.after):
            raise Refused(
                f"{deployment.ref.removeprefix('refs/heads/')} has commits that are not whet's, and they would be lost",
                "move them to a branch of their own, then delete this one with git",
            )
        return ZERO  # the target removes the branch
    tree = git.apply(head, git.diff(deployment.before, deployment.after), reverse=True)
    if tree is None:
        raise Refused(
            f"later commits changed the same lines as {deployment.id}",
            f"revert by hand: git revert {deployment.after[:10]}",
        )
    text = (
        f'Revert "{title}"\n\nThis rolls back {deployment.after}: {reason}\n\n'
        f"Whet-Rollback: {deployment.id}\nWhet-Proposal: {deployment.proposal}\nWhet-Ledger: {ledger_head}\n"
    )
    return git.commit(tree, head, text, author, now())
