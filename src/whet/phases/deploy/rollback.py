"""Roll a deployment back: record the intent, then act, so that an interrupted rollback can be finished."""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from whet import state_folder
from whet.domain.clock import now
from whet.domain.deployment import Deployment, Rollback, RollbackIntent
from whet.errors import StateUnusable
from whet.kit import Kit
from whet.phases.deploy import Target
from whet.phases.deploy.step import revert
from whet.store.versions import Versions

LOCK = "deploy.lock"
_POLL_SECONDS = 0.02


@contextlib.contextmanager
def deploy_lock(state: Path) -> Iterator[None]:
    """Hold the lock that lets only one process at a time deploy in a repository.

    Callers check the kill switch again inside: `whet stop` sets it and then waits for this lock.
    """
    with state_folder.locked(state, LOCK):
        yield


def nothing_in_flight(state: Path, within_seconds: float) -> bool:
    """True if the deploy lock was free within the time. False if it was not, or if that cannot be determined."""
    deadline = time.monotonic() + within_seconds
    try:
        with os.fdopen(state_folder.open_file(state, LOCK, os.O_RDWR | os.O_CREAT), "w") as lock:
            while not _try_lock(lock):
                if time.monotonic() >= deadline:
                    return False
                time.sleep(_POLL_SECONDS)
            return True
    except (OSError, StateUnusable):
        return False


def _try_lock(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def roll_back(
    title: str, deployment: Deployment, reason: str, actor: str, kit: Kit, targets: Mapping[str, Target]
) -> Rollback:
    """Roll the deployment back, end its trial, and return the record of it. The caller must hold the deploy lock."""
    head = kit.git.read_ref(deployment.ref)
    intent = _interrupted_rollback(deployment, head, kit) or _record_intent(title, deployment, reason, actor, head, kit)
    Versions(kit.state).end_trials(deployment.id)  # here, because the process that runs the trial may have ended
    targets[deployment.strategy].roll_back(deployment.ref, intent.head, intent.commit)
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


def _record_intent(title: str, deployment: Deployment, reason: str, actor: str, head: str, kit: Kit) -> RollbackIntent:
    position = kit.ledger.head()
    commit = revert(deployment, reason, title, head, str(position), kit.git, kit.policy.deploy.author)
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


def _interrupted_rollback(deployment: Deployment, head: str, kit: Kit) -> RollbackIntent | None:
    """Return the intent of a rollback that moved the ref but was not recorded as done, or None.

    A rollback that did not move the ref is started again from the beginning.
    """
    entries = kit.ledger.entries(kind="RollbackIntent", subject=deployment.proposal)
    intents = [entry.read(RollbackIntent) for entry in entries]
    for intent in reversed(intents):
        if intent.deployment == deployment.id and intent.commit == head:
            return intent
    return None
