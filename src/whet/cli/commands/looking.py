"""`scan`, `list`, `show`, `diff`, `history`, `audit`: nothing changes."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, Which, brief, end_progress, everything, file_of, find, from_here, opened

if TYPE_CHECKING:
    pass


def scan(
    as_json: Json = False,
    everything: Annotated[bool, typer.Option("--all", help="Show also what no engine can act on.")] = False,
) -> int:
    """List what could be better, ranked, with evidence and reason. Changes nothing; runs the suite once."""
    from whet.app.scan import scan as look
    from whet.cli import render
    from whet.cli.output import emit

    project = opened(as_json=as_json)
    seen = look(project)
    end_progress(project)
    if as_json:
        emit(seen)
    else:
        render.console().print(render.scan_table(seen, everything=everything))
    return 0


def list_(as_json: Json = False) -> int:
    """List the proposals and where each of them stands."""
    from whet.app.proposal_view import all_dossiers
    from whet.cli import render
    from whet.cli.output import emit, say

    found = all_dossiers(opened(as_json=True).ledger)
    if as_json:
        emit([brief(one) for one in found])
    elif found:
        render.console().print(render.list_table(found))
    else:
        say("no proposals yet: `whet run` makes the first")
    return 0


def show(which: Which, as_json: Json = False) -> int:
    """Show everything on record about a proposal: diagnosis, evidence, answers, deployments."""
    from whet.cli import render
    from whet.cli.output import emit

    _, found = find(which)
    if as_json:
        emit({**brief(found), **everything(found)})
    else:
        render.console().print(render.dossier(found))
    return 0


def diff(
    which: Which,
    between: Annotated[
        list[int] | None, typer.Argument(help="Two versions of a tool or file.", metavar="[V1 V2]")
    ] = None,
    as_json: Json = False,
) -> int:
    """Show the patch of a proposal, or what changed between two versions of a tool. Off a terminal, byte for byte."""
    if between:
        return _between(which, between, as_json=as_json)
    from whet.cli import render
    from whet.cli.output import emit
    from whet.errors import Refused

    project, found = find(which)
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


def _between(which: str, versions: list[int], *, as_json: bool) -> int:
    from whet.app import rollback
    from whet.cli import render
    from whet.cli.output import emit
    from whet.errors import UsageError

    if len(versions) != 2:
        raise UsageError("name two versions", "whet diff calculator.divide 1 2")
    project = opened(as_json=True)
    text = rollback.compare(project, file_of(project, which), *versions)
    emit({"diff": text}) if as_json else render.console().print(render.diff(text))
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

    from whet.app import rollback
    from whet.cli import render
    from whet.cli.output import emit

    project = opened(as_json=True)
    path = from_here(project, path)
    if diff:
        text = rollback.compare(project, path, *diff)
        emit({"diff": text}) if as_json else render.console().print(render.diff(text))
        return 0
    versions = rollback.history(project, path)
    if as_json:
        emit(versions)
        return 0
    table = Table(
        "version", "commit", "when", "author", "proposal", "what", box=None, pad_edge=False, header_style="bold"
    )
    for version in versions:
        told = (render.foreign(text) for text in (version.author, version.proposal, version.subject))
        table.add_row(str(version.number), version.commit[:10], version.at, *told)
    render.console().print(table)
    return 0


def audit(as_json: Json = False) -> int:
    """Verify the ledger's chain and the deploy commits, and prove the ten invariants."""
    from whet.app.audit import audit as examine
    from whet.cli.output import emit, say

    found = examine(opened(as_json=True))
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
