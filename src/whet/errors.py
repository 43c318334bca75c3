"""All errors of whet, in one tree.

Negative results inside the pipeline are values (`guard.Refuse`, a failed `Verdict`). An error is raised if a request is
invalid or refused, or if whet cannot continue. It has a stable code for scripts, a one-sentence message and a remedy.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that `import whet` takes in an application
if TYPE_CHECKING:
    from typing import ClassVar


class WhetError(Exception):
    """The base of all errors. `exit_code` is the exit code of the command line."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(WhetError):
    """The request is invalid: an unknown id, a bad option, a contradictory setting."""

    code = "usage"
    exit_code = 2


class NotOnRecord(UsageError):
    """The named thing does not exist."""

    code = "not_on_record"


class KeyUsedTwice(UsageError):
    """An idempotency key came with two different requests."""

    code = "key_used_twice"


class MissingPrecondition(UsageError):
    """An answer over REST does not say which evidence it is about."""

    code = "missing_precondition"


class UnknownEngine(UsageError):
    code = "unknown_engine"


class BadConfig(UsageError):
    code = "bad_config"


class BadSigners(UsageError):
    """The list of people who may sign has a line that cannot be read, or a change to it makes no sense."""

    code = "bad_signers"


class BadHookEvent(UsageError):
    """A hook event of a coding agent that cannot be read. Its exit code, 2, makes every agent block the call."""

    code = "bad_hook_event"


class Refused(WhetError):
    """A guard or the policy refused a direct request."""

    code = "refused"
    exit_code = 3


class NotSignedIn(Refused):
    """A request to the web server without a session or a valid token."""

    code = "not_signed_in"


class TooManyRequests(Refused):
    """A caller of the web server exceeded its rate, or the server has as many streams as it can serve."""

    code = "too_many_requests"


class NoScope(Refused):
    """A request to the web server with a token whose scopes do not permit it."""

    code = "no_scope"


class RepositoryNotAllowed(Refused):
    """This repository is not in `guard.repositories`."""

    code = "repository_not_allowed"


class WorktreeNotClean(Refused):
    """A checkout has edits or an unfinished git operation that a deployment would touch."""

    code = "worktree_not_clean"


class BaseMoved(Refused):
    """The target branch moved since the proof, and the proof does not cover the new base."""

    code = "base_moved"


class EvidenceChanged(Refused):
    """The change to deploy differs from the approved evidence."""

    code = "evidence_changed"


class Withdrawn(Refused):
    """A person withdrew their approval before the deployment."""

    code = "withdrawn"


class NotCounted(Refused):
    """A vote at a gate that does not count: too weak, of another key, or for another question."""

    code = "not_counted"


class ApproversChanged(Refused):
    """The approvers on the target branch are not those on record, and no quorum has signed the change."""

    code = "approvers_changed"


class UnprovenApproval(Refused):
    """An approval on record whose votes do not prove what its tier needs. It may be forged."""

    code = "unproven_approval"


class BadSignature(Refused):
    """A signature or a public key that proves nothing: malformed, over other data, weak, or made without a touch."""

    code = "bad_signature"


class OtherTree(Refused):
    """An attestation is about another tree than the one it was asked about."""

    code = "other_tree"


class Stopped(Refused):
    """The kill switch is on. Workflows are parked and continue when it is off."""

    code = "stopped"


class BudgetSpent(Stopped):
    """A daily budget is used up. Workflows are parked and continue when the budget renews."""

    code = "budget_spent"


class CycleTooLong(Refused):
    """A cycle has taken longer than `budget.cycle_seconds`. It ends before its next step and leaves a lesson."""

    code = "cycle_too_long"


class EnvironmentProblem(WhetError):
    """The machine or the target repository is in a state that whet cannot work with."""

    code = "environment"
    exit_code = 4


class NotARepository(EnvironmentProblem):
    code = "not_a_repository"


class ForeignRepository(EnvironmentProblem):
    """The repository belongs to another user, and safe.directory does not name it."""

    code = "foreign_repository"


class SandboxUnavailable(EnvironmentProblem):
    code = "sandbox_unavailable"


class InterpreterMissing(EnvironmentProblem):
    code = "interpreter_missing"


class AgentMissing(EnvironmentProblem):
    """The coding agent cannot be started: its program or the key of its model is missing."""

    code = "agent_missing"


class SuiteBroken(EnvironmentProblem):
    """The test suite gave no outcomes to compare: it cannot be imported, hangs, or has no tests."""

    code = "suite_broken"


class SignalUnclaimed(UsageError):
    """A source gives signals of a kind that no installed analyzer claims."""

    code = "signal_unclaimed"


class StateUnusable(EnvironmentProblem):
    """The state cannot be read or written. whet stops, because it does nothing that it cannot record."""

    code = "state_unusable"


class AlreadyRunning(EnvironmentProblem):
    code = "already_running"


class GitFailed(EnvironmentProblem):
    code = "git_failed"


class ModelUnavailable(EnvironmentProblem):
    """A language model cannot be asked, or does not answer. Engines without a model go on."""

    code = "model_unavailable"


class ForgeUnavailable(EnvironmentProblem):
    """A forge does not answer, or asks to wait longer than whet waits. The step runs again with `whet resume`."""

    code = "forge_unavailable"


class ForgeRefused(Refused):
    """A forge refuses a request, or whet refuses to send it. The step runs again with `whet resume`."""

    code = "forge_refused"


class NotOnForge(ForgeRefused):
    """The forge has no such thing, or does not show it to this token."""

    code = "forge_not_found"


class Corrupt(WhetError):
    """Stored data is damaged or was edited."""

    code = "corrupt"
    exit_code = 6


class DamagedLedger(Corrupt):
    """The ledger is damaged. Nothing is permitted or appended until it is restored."""


class BadAttestation(Corrupt):
    """A file that is not an attestation of whet, or that was changed after it was made."""

    code = "bad_attestation"


class Internal(WhetError):
    """A bug in whet, recorded with its traceback."""

    code = "internal"
    exit_code = 70


PARKING: tuple[type[WhetError], ...] = (Stopped, StateUnusable, DamagedLedger)
"""Errors that suspend a workflow instead of failing it: it continues with `whet resume` when the cause is gone."""
