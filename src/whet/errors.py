"""What can break, as one tree with stable codes.

"No" is a value (`guard.Refuse`, a failed `Verdict`); only what is broken is raised. Every error carries a code
that scripts may rely on, one sentence for the reader, and a way out.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing alone would be half of what importing whet costs an application
if TYPE_CHECKING:
    from typing import ClassVar


class WhetError(Exception):
    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(WhetError):
    """The request itself makes no sense: an unknown id, a bad option, a contradictory setting."""

    code = "usage"
    exit_code = 2


class UnknownEngine(UsageError):
    code = "unknown_engine"


class BadConfig(UsageError):
    code = "bad_config"


class Refused(WhetError):
    """A guard or the policy said no to something that was asked for directly."""

    code = "refused"
    exit_code = 3


class RepositoryNotAllowed(Refused):
    """The policy lists where whet may work, and this is elsewhere."""

    code = "repository_not_allowed"


class WorktreeNotClean(Refused):
    """A checkout has edits or an unfinished git operation that a deployment would touch."""

    code = "worktree_not_clean"


class BaseMoved(Refused):
    """The branch moved since the proof; the proof says nothing about the new base."""

    code = "base_moved"


class EvidenceChanged(Refused):
    """What was approved is not what would be deployed."""

    code = "evidence_changed"


class Withdrawn(Refused):
    """A person took their yes back before anything moved."""

    code = "withdrawn"


class Stopped(Refused):
    code = "stopped"


class BudgetSpent(Stopped):
    """What the policy grants for a day is used up: what is under way is parked, and goes on when there is room."""

    code = "budget_spent"


class EnvironmentProblem(WhetError):
    """The machine or the target repository is not in a state whet can work with."""

    code = "environment"
    exit_code = 4


class NotARepository(EnvironmentProblem):
    code = "not_a_repository"


class SandboxUnavailable(EnvironmentProblem):
    code = "sandbox_unavailable"


class InterpreterMissing(EnvironmentProblem):
    code = "interpreter_missing"


class SuiteBroken(EnvironmentProblem):
    """The test suite gave no outcomes to compare: it does not import, hangs, or has no tests."""

    code = "suite_broken"


class SignalUnclaimed(UsageError):
    """A source gives signals of a kind that no installed analyzer claims."""

    code = "signal_unclaimed"


class StateUnusable(EnvironmentProblem):
    """The state folder cannot be read or written; whet does nothing it cannot record."""

    code = "state_unusable"


class AlreadyRunning(EnvironmentProblem):
    code = "already_running"


class GitFailed(EnvironmentProblem):
    code = "git_failed"


class Corrupt(WhetError):
    """Something recorded is not what was recorded."""

    code = "corrupt"
    exit_code = 6


class DamagedLedger(Corrupt):
    """The ledger itself: nothing is permitted on its word, and nothing is added to it, until it is whole again."""


class Internal(WhetError):
    """A bug in whet, recorded with its trace."""

    code = "internal"
    exit_code = 70


PARKING: tuple[type[WhetError], ...] = (Stopped, StateUnusable, DamagedLedger, WorktreeNotClean)
"""Errors that suspend a workflow instead of failing it: it continues with `whet resume` when the cause is gone."""
