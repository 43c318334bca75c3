"""Every command of `whet`. Heavy imports stay inside the functions, so that `whet --help` answers at once."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from whet.app.dossier import Dossier
    from whet.app.loop import Loop
    from whet.app.project import Project

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Which = Annotated[str, typer.Argument(help="A proposal, by the beginning of its id; a deployment's id works too.")]
Why = Annotated[str, typer.Option("--why", help="The reason, for the record.")]


def register(app: typer.Typer) -> None:
    for command in (init, doctor, scan, run, list_, show, diff, approve, reject, withdraw, resume, rollback, history,
                    audit, suggest, prove, stop, start, demo, version):  # fmt: skip
        app.command(name=command.__name__.rstrip("_"), epilog=f"Example: {_EXAMPLES[command.__name__.rstrip('_')]}")(
            command
        )


_EXAMPLES = {
    "init": "cd my-repo && whet init",
    "doctor": "whet doctor",
    "scan": "whet scan --json",
    "run": "whet run --top 2",
    "list": "whet list",
    "show": "whet show p-3f",
    "diff": "whet diff p-3f",
    "approve": "whet approve p-3f --digest 9c1d22aa",
    "reject": 'whet reject p-3f --why "the caller is wrong, not this"',
    "withdraw": 'whet withdraw p-3f --why "wait for the release"',
    "resume": "whet resume",
    "rollback": 'whet rollback p-3f --why "latency doubled"',
    "history": "whet history src/pkg/core.py --diff 3 4",
    "audit": "whet audit --json",
    "suggest": "whet suggest 'an empty list has mean 0' --where stats.py --case 'mean([]) == 0'",
    "prove": "whet prove --branch feature --markdown",
    "stop": 'whet stop --why "incident"',
    "start": "whet start",
    "demo": "whet demo",
    "version": "whet version",
}


def init(
    as_json: Json = False,
    print_: Annotated[bool, typer.Option("--print", help="Print every key with its default instead.")] = False,
) -> int:
    """Write a short whet.toml for this repository; never overwrites one."""
    from whet.app.setup import every_key
    from whet.app.setup import init as write
    from whet.cli.output import emit, say
    from whet.sandbox.git import open_repository

    if print_:
        say(every_key().rstrip())
        return 0
    path, found = write(open_repository(Path.cwd()))
    if as_json:
        emit({"path": str(path), "detected": found})
        return 0
    say(f"wrote {path}", f"tests: {found.runner} {' '.join(found.folders)}".rstrip(), f"python: {found.version}")
    say(*(f"note: {note}" for note in found.notes), "next: whet doctor, then whet scan")
    return 0


def doctor(
    as_json: Json = False,
    quick: Annotated[bool, typer.Option("--quick", help="Leave the self-checks out.")] = False,
) -> int:
    """Say what works here and what is missing, and try that the proof can pass and can fail."""
    from whet.app.doctor import examine
    from whet.cli.output import emit, say

    found = []
    for result in examine(Path.cwd(), self_checks=not quick):
        found.append(result)
        if not as_json:
            say(f"{'ok     ' if result.ok else 'missing'}  {result.name}: {result.found}")
            if result.remedy:
                say(f"         {result.remedy}")
    if as_json:
        emit(found)
    return 0 if all(result.ok for result in found) else 4


def scan(as_json: Json = False) -> int:
    """List what could be better, ranked, with evidence and reason. Changes nothing; runs the suite once."""
    from whet.app.scan import scan as look
    from whet.cli import render
    from whet.cli.output import emit

    project = _project(as_json=as_json)
    seen = look(project)
    _end_progress(project)
    if as_json:
        emit(seen)
    else:
        render.console().print(render.scan_table(seen))
    return 0


def run(
    as_json: Json = False,
    top: Annotated[int | None, typer.Option("--top", min=1, help="Carry the best N proposals.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Build and prove, show what would happen, stop there.")
    ] = False,
    reason: Annotated[str, typer.Option("--reason", help="Why this cycle is started, for the record.")] = "asked for",
) -> int:
    """Carry the best finding through the loop: propose, prove, ask, deploy, verify, learn."""
    from whet.app.loop import running

    project = _project(as_json=as_json)
    if dry_run:
        return _dry_run(project, top, as_json=as_json)
    with running(project) as loop:
        proposals = loop.wait_for_cycle(loop.start(reason, top=top))
        return _see_through(loop, proposals, as_json=as_json)


def resume(as_json: Json = False) -> int:
    """Go on with everything that was cut off or has been answered."""
    from whet.app.dossier import all_dossiers
    from whet.app.loop import running

    project = _project(as_json=as_json)
    with running(project) as loop:
        for cycle in [name for name in loop.engine.unfinished() if name.startswith("c-")]:
            loop.wait_for_cycle(cycle)
        open_ones = [found.proposal.id for found in all_dossiers(project.ledger) if found.lesson is None]
        return _see_through(loop, open_ones, as_json=as_json)


def list_(as_json: Json = False) -> int:
    """List the proposals and where each of them stands."""
    from whet.app.dossier import all_dossiers
    from whet.cli import render
    from whet.cli.output import emit, say

    found = all_dossiers(_project(as_json=True).ledger)
    if as_json:
        emit([_brief(one) for one in found])
    elif found:
        render.console().print(render.list_table(found))
    else:
        say("no proposals yet: `whet run` makes the first")
    return 0


def show(which: Which, as_json: Json = False) -> int:
    """Show everything on record about a proposal: diagnosis, evidence, answers, deployments."""
    from whet.cli import render
    from whet.cli.output import emit

    _, found = _find(which)
    if as_json:
        emit({**_brief(found), **_everything(found)})
    else:
        render.console().print(render.dossier(found))
    return 0


def diff(which: Which, as_json: Json = False) -> int:
    """Show the patch of a proposal."""
    from whet.cli import render
    from whet.cli.output import emit
    from whet.errors import Refused

    project, found = _find(which)
    patch = found.built.patch if found.built else None
    if patch is None:
        raise Refused(f"{found.proposal.id} has no patch" + (f": {found.built.note}" if found.built else " yet"))
    if as_json:
        emit(patch)
    elif sys.stdout.isatty():
        render.console().print(render.diff(patch.diff))
    else:
        sys.stdout.buffer.write(project.git.diff(patch.base, patch.tree))
    return 0


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

    project, found = _find(which)
    taken = decisions.withdraw(project, found.proposal.id, why)
    _carry_on_if_free(project, found.proposal.id)
    if as_json:
        emit(taken)
    else:
        say(f"withdrawn: the {taken.gate.value} gate of {taken.proposal}")
    return 0


def rollback(
    which: Annotated[str, typer.Argument(help="A deployment or proposal; with --to, a path.")],
    why: Why = "taken back by hand",
    to: Annotated[int | None, typer.Option("--to", min=1, help="Bring the PATH back to this version.")] = None,
    as_json: Json = False,
) -> int:
    """Take a deployment back as a revert with the reason, or bring a file back to any version."""
    from whet.app import undo
    from whet.cli.output import emit, say

    project = _project(as_json=as_json)
    done = undo.restore(project, which, to, why) if to else undo.rollback(project, which, why)
    _end_progress(project)
    if as_json:
        emit(done)
    else:
        now = "removed" if set(done.after) == {"0"} else f"is at {done.after[:10]}"
        say(f"taken back: {done.deployment}; {done.ref.removeprefix('refs/heads/')} {now}")
    return 0


def history(
    path: Annotated[str, typer.Argument(help="A file in the repository.")],
    diff: Annotated[
        tuple[int, int] | None, typer.Option("--diff", help="Show what changed between two versions.")
    ] = None,
    as_json: Json = False,
) -> int:
    """List every version of a file, whet's own marked with their proposal."""
    from rich.table import Table

    from whet.app import undo
    from whet.cli import render
    from whet.cli.output import emit

    project = _project(as_json=True)
    if diff:
        text = undo.compare(project, path, *diff)
        emit({"diff": text}) if as_json else render.console().print(render.diff(text))
        return 0
    versions = undo.history(project, path)
    if as_json:
        emit(versions)
        return 0
    table = Table(
        "version", "commit", "when", "author", "proposal", "what", box=None, pad_edge=False, header_style="bold"
    )
    for version in versions:
        table.add_row(
            str(version.number), version.commit[:10], version.at, version.author, version.proposal, version.subject
        )
    render.console().print(table)
    return 0


def audit(as_json: Json = False) -> int:
    """Verify the ledger's chain and the deploy commits, and prove the ten invariants."""
    from whet.app.audit import audit as examine
    from whet.cli.output import emit, say

    found = examine(_project(as_json=True))
    if as_json:
        emit({"ok": found.ok, "audit": found})
        return 0 if found.ok else 6
    problems = [*found.chain, *found.commits, *found.snapshots]
    say(f"{found.entries} entries: " + ("the chain holds" if not found.chain else "the chain is broken"))
    say(*(f"  problem: {problem}" for problem in problems)) if problems else None
    for proved in found.invariants:
        mark = "holds   " if proved.holds else ("VIOLATED" if proved.blocking else "alert   ")
        say(f"  {mark} {proved.number:>2} {proved.statement} ({proved.checked} checked)")
        if proved.violations:
            say(*(f"              {violation}" for violation in proved.violations))
    return 0 if found.ok else 6


def suggest(
    text: Annotated[str, typer.Argument(help="What should be better, and why.")],
    where: Annotated[str, typer.Option("--where", help="The file it is about.")] = "",
    case: Annotated[str, typer.Option("--case", help="An expression over that file's names that must be true.")] = "",
    raises: Annotated[str, typer.Option("--raises", help="The exception that the case must raise instead.")] = "",
    as_json: Json = False,
) -> int:
    """State an intent. With a case, repair can act on it, and the case ships as a test with the fix."""
    from whet.app.suggest import suggest as record
    from whet.cli.output import emit, say

    made = record(_project(as_json=True), text, where, case, raises)
    if as_json:
        emit(made)
    else:
        say(
            f"noted as {made.id}; `whet scan` ranks it, `whet run` acts on it"
            + ("" if case else " where an engine can")
        )
    return 0


def prove(
    commits: Annotated[str, typer.Argument(help="A range of commits, such as main..feature.")] = "",
    patch: Annotated[Path | None, typer.Option("--patch", help="A patch file.")] = None,
    branch: Annotated[str, typer.Option("--branch", help="A branch, compared with where it left the base.")] = "",
    base: Annotated[str, typer.Option("--base", help="What it is proved against; default: the target branch.")] = "",
    trust_tests: Annotated[
        bool, typer.Option("--trust-tests", help="You have read the tests that the change brings: let them count.")
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a summary for a pull request.")] = False,
    as_json: Json = False,
) -> int:
    """Give the same proof to anyone's change: red without it, green with it, red on revert, the rest held."""
    from whet.app import prove as proofs
    from whet.cli import render
    from whet.cli.output import emit, say
    from whet.domain.verdict import Verdict
    from whet.errors import UsageError

    if sum(map(bool, (commits, patch, branch))) != 1:
        raise UsageError("name one change: --patch FILE, --branch NAME or a range", "whet prove --branch feature")
    project = _project(as_json=as_json or markdown)
    against = project.git.resolve(base or project.ref)
    if patch:
        change = proofs.from_file(project.git, against, patch)
    else:
        change = proofs.from_branch(project.git, against, branch) if branch else proofs.from_range(project.git, commits)
    proof = proofs.prove(project, change, trust_tests=trust_tests)
    _end_progress(project)
    if as_json:
        emit({"verdict": proof.evidence.verdict, "digest": proof.evidence.digest, "evidence": proof.evidence})
    elif markdown:
        say(proofs.markdown(proof).rstrip())
    else:
        render.console().print(render.evidence(proof.evidence))
    return {Verdict.PASSED: 0, Verdict.FAILED: 1, Verdict.INCONCLUSIVE: 7}[proof.evidence.verdict]


def stop(why: Why = "", as_json: Json = False) -> int:
    """Switch whet off: running sandboxes end within a second, nothing new begins."""
    from whet.app import switch
    from whet.cli.output import emit, say

    switch.stop(_project(as_json=True), why)
    emit({"stopped": True}) if as_json else say("stopped; `whet start` switches whet on again")
    return 0


def start(as_json: Json = False) -> int:
    """Switch whet on again after a stop."""
    from whet.app import switch
    from whet.cli.output import emit, say

    was = switch.start(_project(as_json=True))
    emit({"stopped": False, "was_stopped": was}) if as_json else say(
        "on again; `whet resume` goes on" if was else "whet was on"
    )
    return 0


def demo(
    keep: Annotated[Path | None, typer.Option("--keep", help="Make the repository here and keep it.")] = None,
    as_json: Json = False,
) -> int:
    """The whole loop on a buggy calculator: from a failing test to a deployed fix and its rollback."""
    from whet.cli.demo import run_demo

    return run_demo(keep, as_json=as_json)


def version(as_json: Json = False) -> int:
    """Print the version."""
    from whet import __version__
    from whet.cli.output import emit, say

    emit({"version": __version__}) if as_json else say(__version__)
    return 0


# ---- shared ---------------------------------------------------------------------------------------------------


def _project(*, as_json: bool) -> "Project":
    from whet.app.project import open_project
    from whet.cli.progress import Terminal

    return open_project(progress=None if as_json else Terminal())


def _end_progress(project: "Project") -> None:
    from whet.cli.progress import Terminal

    if isinstance(project.progress, Terminal):
        project.progress.done()


def _find(which: str) -> "tuple[Project, Dossier]":
    from whet.app.dossier import dossier, resolve

    project = _project(as_json=True)
    return project, dossier(project.ledger, resolve(project.ledger, which))


def _answer(which: str, answer: Any, why: str, digest: str, *, as_json: bool) -> int:
    from whet.app import decisions
    from whet.app.loop import running
    from whet.cli.output import emit, say
    from whet.errors import AlreadyRunning

    project, found = _find(which)
    given = decisions.answer(project, found.proposal.id, answer, via="cli", why=why, digest=digest)
    if not as_json:
        say(f"{given.answer.value} at the {given.gate.value} gate of {given.proposal}")
        project = _project(as_json=False)
    try:
        with running(project) as loop:
            return _see_through(loop, [found.proposal.id], as_json=as_json)
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


def _see_through(loop: "Loop", proposals: list[str], *, as_json: bool) -> int:
    """Follow proposals to their end or to a gate; on a terminal, ask there and then."""
    from whet.cli.ask import ask_at_gate, interactive
    from whet.cli.output import emit, say

    ended = []
    for proposal in proposals:
        found = loop.wait_for(proposal)
        while found.open_question and not as_json and interactive():
            _end_progress(loop.project)
            if not ask_at_gate(loop.project, found):
                break
            found = loop.wait_for(proposal)
        _end_progress(loop.project)
        ended.append(found)
        if not as_json:
            say(*_ending(found))
    _end_progress(loop.project)
    if as_json:
        emit([_brief(found) for found in ended])
    elif not ended:
        say("nothing to carry: `whet scan` shows what was seen")
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


def _brief(found: "Dossier") -> dict[str, Any]:
    question, deployment = found.open_question, found.deployment
    return {
        "proposal": found.proposal.id,
        "status": found.status,
        "title": found.proposal.title,
        "summary": found.built.patch.summary if found.built and found.built.patch else "",
        "engine": found.proposal.engine,
        "risk": found.proposal.risk,
        "verdict": found.evidence.verdict if found.evidence else None,
        "evidence_digest": found.evidence.digest if found.evidence else None,
        "open_question": question,
        "deployment": deployment.id if deployment else None,
        "commit": deployment.after if deployment else None,
        "ending": found.lesson.ending if found.lesson else None,
        "code": found.lesson.code if found.lesson else None,
        "why": found.lesson.summary if found.lesson else None,
    }


def _everything(found: "Dossier") -> dict[str, Any]:
    return {
        "record": found.proposal,
        "built": found.built,
        "evidence": found.evidence,
        "approvals": found.approvals,
        "deployments": found.deployments,
        "rollbacks": found.rollbacks,
        "lesson": found.lesson,
        "errors": found.errors,
    }


def _dry_run(project: "Project", top: int | None, *, as_json: bool) -> int:
    from whet.app.rehearsal import dry_run
    from whet.cli import render
    from whet.cli.output import emit, say

    found = dry_run(project, top or project.policy.propose.top)
    _end_progress(project)
    if as_json:
        emit(found)
        return 0
    if not found:
        say("nothing would be proposed")
    for would in found:
        render.console().print(f"[bold]{would.proposal.title}[/bold]", markup=True)
        if would.evidence and would.built.patch:
            render.console().print(render.diff(would.built.patch.diff), render.evidence(would.evidence))
        say(f"would {would.next}")
    return 0
