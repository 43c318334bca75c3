"""The kill switch."""

import os

from whet.app.cycles.loop import actor
from whet.app.project import Project
from whet.domain.clock import now
from whet.domain.redact import redact
from whet.errors import AlreadyRunning, StateUnusable
from whet.phases.deploy.rollback import nothing_in_flight
from whet.state_folder import SWITCH, put_switch, remove

_PATIENCE_SECONDS = 5.0


def stop(project: Project, why: str) -> None:
    """Switch whet off. Once this returns, no deployment is running and no other can start.

    The switch is a file, so it works without a database, and running sandboxes see it within a second.
    """
    _switch_on(project, why)
    landed = nothing_in_flight(project.state, _PATIENCE_SECONDS)
    try:
        _record(project, "stopped", why)
    except StateUnusable as problem:
        raise StateUnusable(
            f"whet is stopped, but that is not on record: {problem.message}", problem.remedy
        ) from problem
    if not landed:
        raise AlreadyRunning(
            f"whet is stopped, but a deployment was in flight and has not ended after {_PATIENCE_SECONDS:.0f} s: "
            "it may still finish",
            "run `whet stop` again until it says stopped",
        )


def _switch_on(project: Project, why: str) -> None:
    switch = project.state / SWITCH
    try:
        put_switch(project.state, f"{redact(why) or 'stopped'} ({actor()}, {now():%Y-%m-%d %H:%M} UTC)\n")
    except OSError as problem:
        if not os.path.lexists(switch):  # an empty file (full disk) or anything else in its place stops whet too
            raise StateUnusable(
                f"whet cannot be stopped: {switch} cannot be written: {problem.strerror}", "end its processes by hand"
            ) from problem


def start(project: Project) -> bool:
    """Switch whet on; return True if it was off. The start is recorded before the switch is removed, so none goes unrecorded."""
    switch = project.state / SWITCH
    was_on = os.path.lexists(switch)
    if was_on:
        _record(project, "started", "")
        try:
            remove(project.state, SWITCH)
        except OSError as problem:
            raise StateUnusable(f"{switch} cannot be removed: {problem.strerror}", "remove it by hand") from problem
    return was_on


def _record(project: Project, what: str, why: str) -> None:
    at = now()
    body = {"switch": what, "why": why, "at": at.isoformat()}
    project.ledger.append(
        "approve", body, subject="switch", key=f"switch/{at.isoformat()}", actor=actor(), kind="Switch"
    )
