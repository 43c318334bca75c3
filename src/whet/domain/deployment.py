from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, kw_only=True)
class Saved:
    """One path as it was: enough to restore it byte for byte, and to notice when that is no longer possible."""

    path: str
    mode: str
    blob: str
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The state before a deployment: a commit kept alive by its own ref, and every path that will change."""

    id: str
    ref: str
    commit: str
    tree: str
    saved: tuple[Saved, ...]


@dataclass(frozen=True, kw_only=True)
class Rehearsal:
    """The rollback, tried before it is needed: `restores` is the tree that taking the patch out gives."""

    proposal: str
    before: str
    after: str
    restores: str


@dataclass(frozen=True, kw_only=True)
class Intent:
    """Written before anything moves; a deployment that was cut off is finished from this."""

    id: str
    proposal: str
    strategy: str
    ref: str
    before: str
    tree: str
    evidence_digest: str
    ledger_head: str
    author: str
    at: datetime


class DeploymentState(StrEnum):
    DEPLOYED = "deployed"
    VERIFIED = "verified"
    ROLLED_BACK = "rolled_back"


@dataclass(frozen=True, kw_only=True)
class Deployment:
    id: str
    proposal: str
    strategy: str
    ref: str
    before: str
    after: str
    snapshot: str
    evidence_digest: str
    state: DeploymentState
    actor: str
    at: datetime

    @property
    def merged(self) -> bool:
        """Whether it moved the target branch; otherwise it lies on a branch of its own."""
        return self.strategy != "branch"


@dataclass(frozen=True, kw_only=True)
class Rollback:
    """A deployment taken back: the commit that undoes it, by whom and why."""

    deployment: str
    proposal: str
    ref: str
    before: str
    after: str
    actor: str
    reason: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What a look at the deployment showed, right after it."""

    deployment: str
    ok: bool
    facts: tuple[str, ...]
    problems: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, kw_only=True)
class RollbackIntent:
    """Written before a rollback moves anything; names the head it starts from and the commit it will make."""

    deployment: str
    ref: str
    head: str
    commit: str
    reason: str
    actor: str
    at: datetime
