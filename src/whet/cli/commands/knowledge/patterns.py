"""`patterns`: the fixes that worked, in general form."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from whet.cli.commands.shared import Json, Why, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.domain.pattern import Pattern

EXAMPLES = {
    "list": "whet patterns",
    "show": "whet patterns show k-1a2b",
    "export": "whet patterns export --to patterns.json",
    "import": "whet patterns import patterns.json",
    "forget": 'whet patterns forget k-1a2b --why "too general"',
}
group = typer.Typer(
    name="patterns",
    invoke_without_command=True,
    rich_markup_mode=None,
    help="List, show, export, import and forget known fixes.",
    epilog=f"Example: {EXAMPLES['list']}",
)
Identity = Annotated[str, typer.Argument(metavar="PATTERN", help="A pattern, by the beginning of its id.")]


@group.callback()
def patterns(context: typer.Context, as_json: Json = False) -> int:
    """List, show, export, import and forget known fixes.

    Every patch that passes its proof and changes one piece of code becomes a pattern. The engine known_fix applies
    patterns to new failures; it is confident after three successes.
    """
    if context.invoked_subcommand:
        return 0
    from whet.cli.output import emit, say

    known = repository_of(open_project_here(as_json=True)).patterns()
    if as_json:
        emit({"patterns": [_plain(pattern) for pattern in known]})
    elif known:
        _table(known)
    else:
        say(
            "no patterns yet: a patch that passes its proof and changes one piece of code becomes one when its proposal has ended"
        )
    return 0


@group.command(epilog=f"Example: {EXAMPLES['show']}")
def show(pattern: Identity, as_json: Json = False) -> int:
    """Show a pattern, the fixes that it comes from, and its outcomes."""
    from whet.cli.output import emit, say

    known = repository_of(open_project_here(as_json=True)).pattern(pattern)
    emit(_plain(known)) if as_json else say(*_lines(known))
    return 0


@group.command(epilog=f"Example: {EXAMPLES['export']}")
def export(
    chosen: Annotated[list[str] | None, typer.Argument(metavar="[PATTERN]...", help="Only these patterns.")] = None,
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="Write to FILE instead.")] = None,
) -> int:
    """Print patterns as JSON, for another repository.

    The export holds the changed code, file names and failure messages of this repository: read it before you share it.
    """
    import json

    from whet.cli.ask import write_text
    from whet.cli.output import emit, say
    from whet.domain.plural import count
    from whet.domain.redact_noun import redact_noun

    data = repository_of(open_project_here(as_json=True)).export_patterns(*(chosen or ()))
    if to is None:
        emit(data)
        return 0
    write_text(to, json.dumps(redact_noun(data), indent=2) + "\n")
    say(f"wrote {count(len(data['patterns']), 'pattern')} to {to}")
    return 0


@group.command(name="import", epilog=f"Example: {EXAMPLES['import']}")
def import_(file: Annotated[Path, typer.Argument(metavar="FILE", help="An export.")], as_json: Json = False) -> int:
    """Take over the patterns of another repository, without confidence."""
    from whet.cli.output import emit, say
    from whet.domain.plural import count

    ids = repository_of(open_project_here(as_json=True)).import_patterns(file)
    emit({"patterns": ids}) if as_json else say(f"imported {count(len(ids), 'pattern')}", *ids)
    return 0


@group.command(epilog=f"Example: {EXAMPLES['forget']}")
def forget(pattern: Identity, why: Why = "", as_json: Json = False) -> int:
    """Forget a pattern until a new fix shows it again."""
    from whet.cli.output import emit, say

    forgotten = repository_of(open_project_here(as_json=True)).forget_pattern(pattern, why)
    emit({"forgotten": forgotten.id}) if as_json else say(f"forgot {forgotten.id}")
    return 0


def _plain(pattern: "Pattern") -> dict[str, object]:
    return {
        "id": pattern.id,
        "standing": pattern.outcomes.standing,
        "weight": pattern.outcomes.weight,
        "search": pattern.rule.search,
        "rewrite": pattern.rule.rewrite,
        "outcomes": pattern.outcomes,
        "imported": pattern.imported,
        "contexts": pattern.contexts,
        "examples": pattern.examples,
    }


def _table(known: "tuple[Pattern, ...]") -> None:
    from rich.table import Table

    from whet.cli.views import screen
    from whet.cli.views.screen import foreign
    from whet.domain.sanitize import one_line

    table = Table("pattern", "standing", "worked", "failed", "search", "rewrite", box=None, header_style="bold")
    for pattern in known:
        counts, rule = pattern.outcomes, pattern.rule
        failed = counts.failures + counts.rollbacks + counts.rejections
        standing = "imported" if pattern.imported else counts.standing.value
        searched, rewritten = (foreign(one_line(text)) for text in (rule.search, rule.rewrite))
        table.add_row(pattern.id, standing, str(counts.successes), str(failed), searched, rewritten)
    screen.console().print(table)


def _lines(pattern: "Pattern") -> list[str]:
    counts = pattern.outcomes
    lines = [
        f"{pattern.id}  {counts.standing.value}  weight {counts.weight}",
        f"worked {counts.successes}, failed {counts.failures}, rolled back {counts.rollbacks}, rejected {counts.rejections}",
        "",
        *(f"- {line}" for line in pattern.rule.search.splitlines()),
        *(f"+ {line}" for line in pattern.rule.rewrite.splitlines()),
    ]
    for example in pattern.examples:
        origin = f"imported from {example.imported_from}" if example.imported_from else f"{example.proposal}"
        lines += ["", f"{origin}, by {example.engine}, in {example.function or 'the module'} of {example.path}"]
        lines += [f"  mended {example.exception}: {example.failure.splitlines()[0]}"] if example.failure else []
        lines += [f"  - {line}" for line in example.before.splitlines()]
        lines += [f"  + {line}" for line in example.after.splitlines()]
    return lines
