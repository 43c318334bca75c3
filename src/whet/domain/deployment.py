"""A deployment and the records around it: snapshot, rehearsal, intent, verification, rollback."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from whet.domain.canonical import ADDED


@dataclass(frozen=True, kw_only=True)
class SavedPath:
    """One path before the deployment: enough to restore the file, and to detect that its content is lost."""

    path: str
    mode: str
    blob: str
    sha256: str  # of the content; empty if the path did not exist


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The state before a deployment: a commit, kept from garbage collection by `ref`, and every path that will change."""

    id: str
    ref: str
    commit: str
    tree: str
    saved: tuple[SavedPath, ...]


@dataclass(frozen=True, kw_only=True)
class Rehearsal:
    """A rollback that was tried before the deployment: reverting `after` gave the tree `restores`."""

    proposal: str
    before: str
    after: str
    restores: str


@dataclass(frozen=True, kw_only=True)
class Intent:
    """The intent of a deployment: recorded before any ref moves. An interrupted deployment is completed from it.

    `approved_by` names the people who approved so far, with the strength of their proof.
    """

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
    ledger_anchor: str = ""  # the commit of refs/whet/ledger at that time
    approved_by: tuple[str, ...] = ()


class DeploymentState(StrEnum):
    DEPLOYED = "deployed"
    VERIFIED = "verified"
    ROLLED_BACK = "rolled_back"


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """A patch on a branch or on running processes, as a deploy target reports it.

    `after` is the commit that whet made. If people merged it on a forge, `merge_commit` is the commit that brought it to the
    branch, which may be another one.
    """

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
    merge_commit: str = field(default="", metadata=ADDED)

    @property
    def landed_as(self) -> str:
        """Return the commit by which the change is on its branch."""
        return self.merge_commit or self.after

    @property
    def merged(self) -> bool:
        """True if the deployment moved the target branch; false if the change is on a branch of its own."""
        return self.strategy != "branch"


@dataclass(frozen=True, kw_only=True)
class Rollback:
    """A finished rollback: `after` is the commit that reverts the deployment."""

    deployment: str
    proposal: str
    ref: str
    before: str
    after: str
    actor: str
    reason: str
    at: datetime

    @property
    def offered(self) -> bool:
        """True if the revert is a pull request: the change is on the branch until people merge that."""
        return self.ref.startswith("refs/whet/forge/")

    @property
    def words(self) -> str:
        """Return what has happened, in two words."""
        return "rollback offered" if self.offered else "rolled back"


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The result of the checks that run right after a deployment."""

    deployment: str
    ok: bool
    facts: tuple[str, ...]
    problems: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, kw_only=True)
class RollbackIntent:
    """The intent of a rollback: recorded before any ref moves: the head it starts from and the commit it will make."""

    deployment: str
    ref: str
    head: str
    commit: str
    reason: str
    actor: str
    at: datetime
