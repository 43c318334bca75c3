"""Taking a deployment back: written down first, then done, and finished from what was written down after a crash."""

import contextlib
import fcntl
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from whet.domain.clock import now
from whet.domain.deployment import Deployment, Rollback, RollbackIntent
from whet.kit import Kit
from whet.phases.deploy import Target
from whet.phases.deploy.step import undo

LOCK = "deploy.lock"
_POLL_SECONDS = 0.02


@contextlib.contextmanager
def deploy_lock(state: Path) -> Iterator[None]:
    """Deployments of a repository happen one after the other, whichever process asks.

    The kill switch is looked at again inside: `whet stop` sets it and then waits for this lock.
    """
    with (state / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def nothing_in_flight(state: Path, within_seconds: float) -> bool:
    """Whether whoever held the deploy lock has let it go by then; not being able to tell is a no."""
    deadline = time.monotonic() + within_seconds
    try:
        with (state / LOCK).open("w") as lock:
            while not _taken(lock):
                if time.monotonic() >= deadline:
                    return False
                time.sleep(_POLL_SECONDS)
            return True
    except OSError:
        return False


def _taken(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def roll_back(
    title: str, deployment: Deployment, reason: str, actor: str, kit: Kit, targets: Mapping[str, Target]
) -> Rollback:
    """The caller holds the deploy lock."""
    head = kit.git.read_ref(deployment.ref)
    intent = _cut_off(deployment, head, kit) or _intend(title, deployment, reason, actor, head, kit)
    targets[deployment.strategy].take_back(deployment.ref, intent.head, intent.commit)
    return Rollback(
        deployment=deployment.id,
        proposal=deployment.proposal,
        ref=deployment.ref,
        before=intent.head,
        after=intent.commit,
        actor=intent.actor,
        reason=intent.reason,
        at=now(),
    )


def _intend(title: str, deployment: Deployment, reason: str, actor: str, head: str, kit: Kit) -> RollbackIntent:
    position = kit.ledger.head()
    commit = undo(deployment, reason, title, head, str(position), kit.git, kit.policy.deploy.author)
    intent = RollbackIntent(
        deployment=deployment.id,
        ref=deployment.ref,
        head=head,
        commit=commit,
        reason=reason,
        actor=actor,
        at=now(),
    )
    key = f"{deployment.proposal}/rollback-intent/{deployment.id}/{position.seq}"
    kit.ledger.append("deploy", intent, subject=deployment.proposal, key=key, actor=actor)
    return intent


def _cut_off(deployment: Deployment, head: str, kit: Kit) -> RollbackIntent | None:
    """A rollback that moved the ref and was not recorded as done. One that moved nothing is begun anew."""
    entries = kit.ledger.entries(kind="RollbackIntent", subject=deployment.proposal)
    begun = [
        intent for intent in (entry.read(RollbackIntent) for entry in entries) if intent.deployment == deployment.id
    ]
    return next((intent for intent in reversed(begun) if head == intent.commit), None)
