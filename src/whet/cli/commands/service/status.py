"""`whet status`: what runs, what waits, and why whet is silent."""

from typing import TYPE_CHECKING

from whet.cli.commands.shared import Json, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.app.service.status import ServiceStatus
    from whet.domain.trial import TrialBegun


def status(as_json: Json = False) -> int:
    """Say what runs, waits and is followed, and why whet is silent."""
    from whet.cli.output import emit, say

    result = repository_of(open_project_here(as_json=True)).status()
    if as_json:
        emit(result)
    else:
        say(*_lines(result))
    return 0


def _trial_line(trial: "TrialBegun", status: "ServiceStatus") -> str:
    from whet.domain.clock import now

    if now() >= trial.until:
        return f"{trial.proposal}: its time was over at {trial.until:%H:%M} UTC, undecided: `whet resume` decides"
    line = f"{trial.proposal} ({trial.mode}) until {trial.until:%Y-%m-%d %H:%M} UTC at the latest"
    return line if status.works else f"{line}; no whet is at work on it: `whet resume` continues"


def _lines(status: "ServiceStatus") -> list[str]:
    from whet.app.service.status import ago
    from whet.domain.plural import shorten
    from whet.domain.sanitize import one_line

    if status.serving and status.since and status.beat_at:
        lines = [f"service    runs (process {status.pid}) since {status.since:%Y-%m-%d %H:%M} UTC"]
    else:
        lines = [f"service    does not run{f', last seen {ago(status.beat_at)}' if status.beat_at else ''}"]
    if status.doing:
        lines.append(f"at work    {one_line(status.doing)}")
    elif status.works:
        lines.append("at work    another whet process")
    if status.unfinished and not (status.works or status.doing):
        lines.append(f"unfinished {shorten(status.unfinished, 5)}: `whet resume` continues")
    lines += [f"requested  {request.id} by {request.actor}: {one_line(request.reason)}" for request in status.requests]
    for question in status.waiting:
        until = f"until {question.expires_at:%Y-%m-%d %H:%M} UTC"
        lines.append(f"waits      {question.proposal} at the {question.gate} gate for a person, {until}")
    for inquiry in status.inquiries:
        words = one_line(inquiry.text)
        lines.append(
            f"asked      {inquiry.id} by {one_line(inquiry.by)}: {words[:80]}{'...' * (len(words) > 80)} (`whet reply {inquiry.id}`)"
        )
    lines += [f"on trial   {_trial_line(trial, status)}" for trial in status.trials]
    for change in status.followed:
        until = f"until {change.ends_at:%Y-%m-%d %H:%M} UTC" if change.ends_at else "as soon as it is merged"
        lines.append(f"followed   {change.proposal} {until}: {one_line(change.title)}")
        if change.suspected:
            lines.append(
                f"suspected  {change.proposal}: {one_line(change.suspected)} (`whet rollback {change.proposal}`)"
            )
    if look := status.last_look:
        lines.append(f"last look  {ago(look.at)} ({one_line(look.reason)}): {one_line(look.result)}")
    else:
        lines.append("last look  none yet")
    if status.next_look_at:
        lines.append(f"next look  {status.next_look_at.astimezone():%Y-%m-%d %H:%M}, or after a push or new failures")
    if status.problem:
        lines += [f"problem    {one_line(status.problem)}", *([f"           {status.remedy}"] if status.remedy else [])]
    return lines + [f"silent     {one_line(reason)}" for reason in status.silent]
