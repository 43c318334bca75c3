"""`whet status`: what runs, what waits for whom, what is followed, and why whet is silent."""

from dataclasses import dataclass
from datetime import datetime

from whet.app.agent_notes.ask import InquiryState, open_inquiries
from whet.app.project import Project
from whet.app.service.due import next_look_at
from whet.app.service.facts import LastLook, RepositoryFacts, read_facts
from whet.app.service.following import FollowedChange, followed_changes
from whet.app.service.heartbeat import Heartbeat, last_beat
from whet.app.service.signs import engine_is_held
from whet.domain.approval import Question
from whet.domain.clock import now
from whet.domain.cycle_request import CycleRequest
from whet.domain.sanitize import one_line
from whet.domain.trial import TrialBegun
from whet.errors import WhetError
from whet.workflow.noise import Noise


@dataclass(frozen=True, kw_only=True)
class ServiceStatus:
    """The state of one repository. `silent` are the reasons why the service asks nothing now; empty if it may ask.

    `inquiries` are the questions of agents to people. `works` is true while any whet process works on the repository, a person's own `whet run` included.
    """

    repository: str
    serving: bool
    pid: int | None
    since: datetime | None
    beat_at: datetime | None
    works: bool
    doing: str
    unfinished: tuple[str, ...]
    requests: tuple[CycleRequest, ...]
    waiting: tuple[Question, ...]
    inquiries: tuple[InquiryState, ...]
    trials: tuple[TrialBegun, ...]
    followed: tuple[FollowedChange, ...]
    last_look: LastLook | None
    next_look_at: datetime | None
    problem: str
    remedy: str
    silent: tuple[str, ...]


def service_status(project: Project) -> ServiceStatus:
    """Return the state of the repository and of the service that looks after it."""
    facts, heartbeat = read_facts(project.ledger), last_beat(project.state)
    serving = heartbeat is not None and heartbeat.alive
    beat = heartbeat if serving else None
    last, policy = facts.last, project.policy.service
    return ServiceStatus(
        repository=str(project.git.root),
        serving=serving,
        pid=beat.pid if beat else None,
        since=beat.started_at if beat else None,
        beat_at=heartbeat.at if heartbeat else None,
        works=engine_is_held(project.state),
        doing=beat.doing if beat else "",
        unfinished=facts.unfinished,
        requests=facts.requests,
        waiting=facts.waiting,
        inquiries=tuple(open_inquiries(project.ledger)),
        trials=facts.trials,
        followed=tuple(followed_changes(project)),
        last_look=last,
        next_look_at=next_look_at(last.at, policy, last.cycle) if serving and last else None,
        problem=beat.problem if beat else "",
        remedy=beat.remedy if beat else "",
        silent=tuple(_why_silent(project, facts, beat)),
    )


def _why_silent(project: Project, facts: RepositoryFacts, beat: Heartbeat | None) -> list[str]:
    reasons = []
    try:
        project.refuse_unless_permitted()
    except WhetError as problem:
        reasons.append(problem.message)
    if beat is None:
        reasons.append("no service runs here: `whet serve` starts one")
    elif beat.problem and beat.retry_at:
        reasons.append(f"{beat.problem}; next try at {beat.retry_at:%H:%M} UTC")
    most = project.policy.service.cycles_per_day
    if facts.own_cycles_today >= most:
        reasons.append(
            f"{facts.own_cycles_today} of {most} cycles of the last 24 hours have run (service.cycles_per_day)"
        )
    if noise := Noise(project.ledger, project.policy.service).why_silent():
        reasons.append(noise)
    return reasons


def service_line(project: Project) -> str:
    """Return the state of the service in one line, for `whet doctor`."""
    heartbeat, last = last_beat(project.state), read_facts(project.ledger).last
    look = f"last look {ago(last.at)}: {one_line(last.result)}" if last else "no look yet"
    if heartbeat is None:
        return f"not running; {look}"
    if heartbeat.alive:
        return f"running (process {heartbeat.pid}); {look}"
    return f"not running since {ago(heartbeat.at)}; {look}"


def ago(at: datetime) -> str:
    """Return how long ago a time was, in one unit."""
    seconds = max((now() - at).total_seconds(), 0.0)
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit} ago"
    return f"{seconds:.0f} s ago"
