"""The evidence for a patch: the verdict and its deciding facts first, the rest on request."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from whet.cli.views.screen import COLOURS, foreign, some
from whet.cli.views.undecided import reviewer_lines
from whet.domain.evidence import Evidence
from whet.domain.plural import count
from whet.domain.redact import redact
from whet.domain.sanitize import one_line, sanitize
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict

_SHOWN = 8
_WIDEST_PARAGRAPH = 118


def evidence_view(bundle: Evidence, *, everything: bool = False) -> RenderableType:
    """Show the verdict, its scope or reasons, deciding safeguards and test ids.

    `everything` adds the other safeguards and the sandbox.
    """
    colour = COLOURS[bundle.verdict.value]
    lines: list[RenderableType] = [
        Text.from_markup(f"[bold {colour}]{bundle.verdict.value.upper()}[/]  [dim]evidence {bundle.digest[:12]}[/]")
    ]
    if bundle.verdict is Verdict.PASSED:
        lines.append(scope_paragraph(bundle))
    else:
        lines += [Text(f"  {sanitize(reason)}") for reason in bundle.reasons]
    if undecided := bundle.undecided:
        lines += [Text(f"  {line}", style="yellow") for line in reviewer_lines(undecided, bundle.patch_digest)]
    tables = [_check(check, bundle.verdict, everything=everything) for check in bundle.checks]
    lines += [table for table in tables if table.row_count]
    lines += [Text(f"  guard, {finding.severity}: {sanitize(finding.reason)}") for finding in bundle.guard]
    sandbox = bundle.containment
    if sandbox and everything:
        spaces = ", ".join(sandbox.namespaces)
        words = f"  sandbox: {sandbox.backend} {sandbox.version}, uid {sandbox.uid}, no network, own {spaces}"
        lines.append(Text(words, style="dim"))
    cost = f"  {count(bundle.cost.suite_runs, 'suite run')}, {bundle.cost.seconds:.1f} s; base {bundle.base[:10]}"
    policy = f", policy {bundle.policy_digest[:8]}" if everything else ""
    return Group(*lines, Text(cost + policy, style="dim"))


def scope_paragraph(bundle: Evidence) -> RenderableType:
    """Show what was proved and what was not looked at."""
    return Constrain(Padding(Text(one_line(redact(bundle.scope.text))), (0, 0, 0, 2)), _WIDEST_PARAGRAPH)


def _check(check: CheckResult, verdict: Verdict, *, everything: bool) -> Table:
    table = Table.grid(padding=(0, 2))
    rows = [
        ("red without it", check.red, "red"),
        ("green with it", check.green, "green"),
        ("red on revert", check.reverted, "red"),
    ]
    if check.saw_red:
        rows = [("red, green with it, red on revert", check.red, "green")]
    rows += [
        ("regressed" if check.check == "tests" else "new", check.regressed, "red"),
        ("missing", check.missing, "red"),
        ("flaky, excluded", check.flaky, "yellow"),
        ("red before and after", check.still_red, "yellow"),
        ("also fixed", check.also_mended, "green"),
    ]
    deciding = [safeguard for safeguard in check.safeguards if safeguard.decides]
    others = [safeguard for safeguard in check.safeguards if not safeguard.decides]
    _add_safeguards(table, check, deciding)
    for name, tests, colour in rows:
        if tests:
            shown = "\n".join(map(one_line, some(tests, _SHOWN)))
            table.add_row(f"    [dim]{check.label}[/]", f"[{colour}]{name}[/]", foreign(shown))
    if check.held:
        table.add_row(f"    [dim]{check.label}[/]", "unchanged", count(check.held, "other test"))
    for note in () if verdict is Verdict.PASSED else check.notes:  # the paragraph of a passed proof has them
        table.add_row(f"    [dim]{check.label}[/]", "[yellow]open[/]", foreign(note))
    if everything:
        _add_safeguards(table, check, others)
    elif others:
        silent = [safeguard for safeguard in others if safeguard.verdict is None]
        words = f"{len(others) - len(silent)} passed" + (f", {len(silent)} did not apply" if silent else "")
        table.add_row(f"    [dim]{check.label}[/]", "[dim]safeguards[/]", f"[dim]{words} (--all)[/]")
    return table


def _add_safeguards(table: Table, check: CheckResult, safeguards: Sequence[SafeguardResult]) -> None:
    for safeguard in safeguards:
        colour = COLOURS[safeguard.verdict.value] if safeguard.verdict else "dim"
        table.add_row(f"    [dim]{check.label}[/]", f"[{colour}]{safeguard.name}[/]", foreign(safeguard.words))
