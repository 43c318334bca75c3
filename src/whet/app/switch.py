"""The kill switch."""

from whet.app.loop import actor
from whet.app.project import SWITCH, Project
from whet.domain.clock import now


def stop(project: Project, why: str) -> None:
    """The switch is a file: it works without a database, and running sandboxes see it within a second."""
    _ = project.store
    (project.state / SWITCH).write_text(f"{why or 'stopped'} ({actor()}, {now():%Y-%m-%d %H:%M} UTC)\n")
    _record(project, "stopped", why)


def start(project: Project) -> bool:
    switch = project.state / SWITCH
    was_on = switch.exists()
    switch.unlink(missing_ok=True)
    if was_on:
        _record(project, "started", "")
    return was_on


def _record(project: Project, what: str, why: str) -> None:
    at = now()
    body = {"switch": what, "why": why, "at": at.isoformat()}
    project.ledger.append(
        "approve", body, subject="switch", key=f"switch/{at.isoformat()}", actor=actor(), kind="Switch"
    )
