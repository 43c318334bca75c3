"""The last audit of a record, kept so that a page can show it without reading the whole record again."""

import threading
import time
from dataclasses import dataclass
from datetime import datetime

from whet.app.audits.audit import Audit, audit
from whet.app.project import Project
from whet.domain.clock import now
from whet.errors import WhetError
from whet.ledger.entry import Head

FEW_ROWS = 500
QUICK_SECONDS = 0.2
"""A page audits a record by itself if it is this short, or if its last audit was this quick. Else a person asks for it."""


@dataclass(frozen=True, kw_only=True)
class CheckedRecord:
    """An audit, with the head of the record before it and its cost. `problem` says why it could not be made."""

    audit: Audit | None
    head: Head
    at: datetime
    seconds: float
    problem: str = ""

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems that are no violations of an invariant."""
        if self.audit is None:
            return (self.problem,)
        return (*self.audit.chain, *self.audit.commits, *self.audit.snapshots, *self.audit.approvals)


class RecordChecks:
    """The audits of one repository, made one at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: CheckedRecord | None = None

    def latest(self, project: Project) -> CheckedRecord | None:
        """Return the last audit; a new one if the record has changed and auditing it is cheap."""
        last, head = self._last, project.ledger.head()
        if last and last.head == head:
            return last
        is_cheap = last.seconds < QUICK_SECONDS if last else head.seq <= FEW_ROWS
        return self.check(project) if is_cheap else last

    def check(self, project: Project) -> CheckedRecord:
        """Audit the record now. Whoever waits for an audit that began after the request gets its result."""
        asked_at = now()
        with self._lock:
            if self._last is None or self._last.at < asked_at:
                self._last = _checked(project)
            return self._last


def _checked(project: Project) -> CheckedRecord:
    head, at, began = project.ledger.head(), now(), time.monotonic()
    try:
        result, problem = audit(project), ""
    except WhetError as trouble:
        result, problem = None, trouble.message
    return CheckedRecord(audit=result, head=head, at=at, seconds=time.monotonic() - began, problem=problem)
