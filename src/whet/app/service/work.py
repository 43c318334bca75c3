"""The work of the service in one repository: continue what was begun, decide about followed changes, look if it is time."""

from collections.abc import Container
from dataclasses import dataclass
from functools import partial

from whet.app.cycles.loop import Loop, running
from whet.app.project import Project
from whet.app.service.alarms import alarm
from whet.app.service.due import Due, due
from whet.app.service.facts import RepositoryFacts, read_facts, without_parked
from whet.app.service.following import follow, follow_is_due
from whet.app.views.proposal_report import brief
from whet.app.views.proposal_view import view_proposal
from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.errors import StateUnusable, UsageError, WhetError

_MOST_ROUNDS = 20  # requests in the queue; those beyond wait for the next process


@dataclass(frozen=True, kw_only=True)
class Parked:
    """A proposal that something keeps from going on, such as uncommitted changes in the checkout."""

    proposal: str
    message: str
    remedy: str


@dataclass(frozen=True, kw_only=True)
class Work:
    """One thing that was done: why, the cycle if there was one, and the proposals in their present state.

    `parked` are proposals that cannot go on now, each with the reason; they are tried again later.
    """

    reason: str
    cycle: str
    proposals: tuple[dict[str, object], ...]
    result: str
    parked: tuple[Parked, ...] = ()


def work(project: Project) -> list[Work]:
    """Do everything that is due now, and return what was done. A second process gets AlreadyRunning."""
    done: list[Work] = []
    if what_is_due(project) is None:
        return done
    with running(project) as loop:
        while len(done) < _MOST_ROUNDS and (task := what_is_due(project, loop.engine.parked)):
            done.append(_do(loop, task))
    return done


def what_is_due(project: Project, parked: Container[str] = (), facts: RepositoryFacts | None = None) -> Due | None:
    """Return the next thing to do in a repository, without waiting for a quiet moment.

    `parked` are proposals that cannot go on now. They keep nothing else from being done.
    """
    project.refuse_unless_permitted()
    facts = without_parked(facts or read_facts(project.ledger), parked)
    head = project.git.read_ref(project.ref)
    alarms = partial(alarm, project.state, project.policy)
    return due(facts, head, alarms, project.policy.service, now(), follow_is_due(project))


def _do(loop: Loop, task: Due) -> Work:
    if task.kind is None:
        return _continue(loop, task) if task.begun else _decide_followed(loop, task)
    cycle = loop.start(task.reason, task.kind, task.top or None, task.finding, task.requests)
    try:
        proposals = loop.wait_for_cycle(cycle)
    except UsageError as problem:  # a request for a finding that does not exist: it is answered, and with a lesson
        return Work(reason=task.reason, cycle=cycle, proposals=(), result=problem.message)
    return _followed(loop, task.reason, cycle, proposals)


def _continue(loop: Loop, task: Due) -> Work:
    """Finish interrupted cycles, also one that was recorded and never started, and carry on with unfinished proposals."""
    unfinished = read_facts(loop.project.ledger).unfinished
    cycles = [name for name in unfinished if name.startswith("c-")]
    for cycle in cycles:
        if not loop.engine.has_workflow(cycle):
            loop.engine.start("cycle", cycle)
    loop.finish_interrupted_cycles()
    for cycle in cycles:
        _refuse_endless(loop, cycle)
    facts = without_parked(read_facts(loop.project.ledger), loop.engine.parked)
    return _followed(loop, task.reason, "", [name for name in facts.unfinished if name.startswith("p-")])


def _decide_followed(loop: Loop, task: Due) -> Work:
    return Work(reason=task.reason, cycle="", proposals=(), result="; ".join(follow(loop.project)))


def _refuse_endless(loop: Loop, cycle: str) -> None:
    """Raise StateUnusable if a cycle has ended for the durable engine and not in the ledger: it would come up for ever."""
    if cycle in read_facts(loop.project.ledger).unfinished and loop.engine.ended(cycle):
        raise StateUnusable(
            f"the cycle {cycle} has ended, and the ledger has no lesson of it",
            "run `whet audit`; `whet run` starts a new cycle",
        )


def _followed(loop: Loop, reason: str, cycle: str, proposals: list[str]) -> Work:
    parked = tuple(filter(None, (_wait_for(loop, proposal) for proposal in proposals)))
    ledger = loop.project.ledger
    views = tuple(brief(view_proposal(ledger, proposal)) for proposal in proposals)
    lesson = ledger.latest("Lesson", subject=cycle) if cycle else None
    idle = lesson.read(Lesson) if lesson else None
    result = idle.summary if idle and idle.ending is Ending.NOTHING else ""
    return Work(reason=reason, cycle=cycle, proposals=views, result=result, parked=parked)


def _wait_for(loop: Loop, proposal: str) -> Parked | None:
    """Wait until a proposal has ended or asks a person, or until something keeps this one from going on."""
    try:
        loop.wait_for(proposal)
    except WhetError as problem:
        if problem is not loop.engine.parked.get(proposal):
            raise
        return Parked(proposal=proposal, message=problem.message, remedy=problem.remedy)
    return None
