"""`run`, `resume`, and the answers at the gates: `approve`, `reject`, `withdraw`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from whet.cli.commands.shared import Json, Which, Why, brief, end_progress, find, opened

if TYPE_CHECKING:
    from whet.app.loop import Loop
    from whet.app.project import Project
    from whet.app.proposal_view import Dossier


def run(
    as_json: Json = False,
    top: Annotated[int | None, typer.Option("--top", min=1, help="Carry the best N proposals.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Build and prove, show what would happen, stop there.")
    ] = False,
    reason: Annotated[str, typer.Option("--reason", help="Why this cycle is started, for the record.")] = "asked for",
) -> int:
    """Carry the best finding through the loop: propose, prove, ask, deploy, verify, learn."""
    project = opened(as_json=as_json)
    if dry_run:
        return _dry_run(project, top, as_json=as_json)
    project.look_ahead()
    from whet.app.loop import running

    with running(project) as loop:
        proposals = loop.wait_for_cycle(loop.start(reason, top=top))
        return see_through(loop, proposals, as_json=as_json)


def resume(as_json: Json = False) -> int:
    """Go on with everything that was cut off or has been answered."""
    from whet.app.loop import running
    from whet.app.proposal_view import all_dossiers

    project = opened(as_json=as_json)
    with running(project) as loop:
        for cycle in [name for name in loop.engine.unfinished() if name.startswith("c-")]:
            loop.wait_for_cycle(cycle)
        open_ones = [found.proposal.id for found in all_dossiers(project.ledger) if found.lesson is None]
        return see_through(loop, open_ones, as_json=as_json)


def approve(
    which: Which,
    digest: Annotated[str, typer.Option("--digest", help="The beginning of the digest that you approve.")] = "",
    why: Why = "",
    as_json: Json = False,
) -> int:
    """Say yes at the open gate of a proposal, and go on with it."""
    from whet.domain.approval import Answer

    return _answer(which, Answer.APPROVED, why, digest, as_json=as_json)


def reject(which: Which, why: Why, as_json: Json = False) -> int:
    """Say no at the open gate of a proposal; the reason is remembered and it is not proposed again."""
    from whet.domain.approval import Answer
    from whet.errors import UsageError

    if not why.strip():
        raise UsageError("say why not: the reason is remembered", f'whet reject {which} --why "..."')
    return _answer(which, Answer.REJECTED, why, "", as_json=as_json)


def withdraw(which: Which, why: Why = "", as_json: Json = False) -> int:
    """Take back an approval that has not been acted on yet."""
    from whet.app import decisions
    from whet.cli.output import emit, say

    project, found = find(which)
    taken = decisions.withdraw(project, found.proposal.id, why)
    _carry_on_if_free(project, found.proposal.id)
    if as_json:
        emit(taken)
    else:
        say(f"withdrawn: the {taken.gate.value} gate of {taken.proposal}")
    return 0


def _answer(which: str, answer: Any, why: str, digest: str, *, as_json: bool) -> int:
    from whet.app import decisions
    from whet.app.loop import running
    from whet.cli.output import emit, say
    from whet.errors import AlreadyRunning

    project, found = find(which)
    given = decisions.answer(project, found.proposal.id, answer, via="cli", why=why, digest=digest)
    if not as_json:
        say(f"{given.answer.value} at the {given.gate.value} gate of {given.proposal}")
        project = opened(as_json=False)
    try:
        with running(project) as loop:
            return see_through(loop, [found.proposal.id], as_json=as_json)
    except AlreadyRunning:
        emit({"answered": given}) if as_json else say("the whet that is at work goes on with it")
        return 0


def _carry_on_if_free(project: "Project", proposal: str) -> None:
    from whet.app.loop import running
    from whet.errors import AlreadyRunning

    try:
        with running(project) as loop:
            loop.wait_for(proposal)
    except AlreadyRunning:
        return


def see_through(loop: "Loop", proposals: list[str], *, as_json: bool) -> int:
    """Follow proposals to their end or to a gate; on a terminal, ask there and then."""
    from whet.cli.ask import ask_at_gate, interactive
    from whet.cli.output import emit, say

    ended = []
    for proposal in proposals:
        found = loop.wait_for(proposal)
        while found.open_question and not as_json and interactive():
            end_progress(loop.project)
            if not ask_at_gate(loop.project, found):
                break
            found = loop.wait_for(proposal)
        end_progress(loop.project)
        ended.append(found)
        if not as_json:
            say(*_ending(found))
    end_progress(loop.project)
    if as_json:
        emit([brief(found) for found in ended])
    elif not ended:
        say(f"nothing to carry: {loop.why_nothing() or 'nothing was cut off or waits'}")
    return max((_exit_code(found) for found in ended), default=0)


def _ending(found: "Dossier") -> list[str]:
    proposal = found.proposal.id
    if question := found.open_question:
        named = f" --digest {question.digest[:12]}" if question.tier.rank >= 3 else ""
        return [
            f"{proposal} waits at the {question.gate.value} gate (tier {question.tier.value}) until "
            f"{question.expires_at:%Y-%m-%d %H:%M} UTC",
            *_what_is_asked(found),
            f"  whet show {proposal}; whet diff {proposal}",
            f'  whet approve {proposal}{named}   or   whet reject {proposal} --why "..."',
        ]
    lesson = found.lesson
    assert lesson is not None  # noqa: S101 - wait_for gives an end or a question
    lines = [f"{proposal}: {lesson.ending.value}: {lesson.summary}"]
    if lesson.ending.worked and found.deployment:
        lines.append(f'  to take it back: whet rollback {proposal} --why "..."')
    return lines


def _what_is_asked(found: "Dossier") -> list[str]:
    patch = found.built.patch if found.built else None
    verdict = f"  {found.evidence.verdict.value}: {'; '.join(found.evidence.reasons)}" if found.evidence else ""
    return [line for line in (f"  {patch.summary}" if patch else "", verdict) if line]


def _exit_code(found: "Dossier") -> int:
    from whet.domain.lesson import Ending

    if found.open_question:
        return 5
    ending = found.lesson.ending if found.lesson else None
    if ending is None or ending.worked or ending is Ending.NOTHING:
        return 0
    return 3 if ending is Ending.REFUSED else 1


def _dry_run(project: "Project", top: int | None, *, as_json: bool) -> int:
    from whet.app.dry_run import dry_run
    from whet.cli import render
    from whet.cli.output import emit, say
    from whet.domain.canonical import plain

    run = dry_run(project, top)
    end_progress(project)
    if as_json:
        emit([{**plain(preview), "next": preview.next} for preview in run.previews])
        return 0
    if not run.previews:
        say(f"nothing would be proposed: {run.why_nothing}")
    for preview in run.previews:
        render.console().print(f"[bold]{render.foreign(preview.proposal.title)}[/bold]", markup=True)
        if preview.evidence and preview.build and preview.build.patch:
            render.console().print(render.diff(preview.build.patch.diff), render.evidence(preview.evidence))
        say(f"would {preview.next}")
    return 0
