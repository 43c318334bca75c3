"""The evidence for a patch: the verdict and its deciding facts first, the rest on request."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from whet.cli.views.screen import COLOURS, foreign, some
from whet.domain.evidence import Evidence
from whet.domain.plural import count
from whet.domain.sanitize import one_line, sanitize
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict

_SHOWN = 8


def evidence_view(bundle: Evidence, *, everything: bool = False) -> RenderableType:
    """Show verdict, reasons, deciding safeguards and test ids. `everything` adds the other safeguards and the sandbox."""
    colour = COLOURS[bundle.verdict.value]
    lines: list[RenderableType] = [
        Text.from_markup(f"[bold {colour}]{bundle.verdict.value.upper()}[/]  [dim]evidence {bundle.digest[:12]}[/]")
    ]
    lines += [Text(f"  {sanitize(reason)}") for reason in bundle.reasons]
    lines += [_check(check, everything=everything) for check in bundle.checks]
    lines += [Text(f"  guard, {finding.severity}: {sanitize(finding.reason)}") for finding in bundle.guard]
    sandbox = bundle.containment
    if sandbox and everything:
        spaces = ", ".join(sandbox.namespaces)
        words = f"  sandbox: {sandbox.backend} {sandbox.version}, uid {sandbox.uid}, no network, own {spaces}"
        lines.append(Text(words, style="dim"))
    cost = f"  {count(bundle.cost.suite_runs, 'suite run')}, {bundle.cost.seconds:.1f} s; base {bundle.base[:10]}"
    policy = f", policy {bundle.policy_digest[:8]}" if everything else ""
    return Group(*lines, Text(cost + policy, style="dim"))


def _check(check: CheckResult, *, everything: bool) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    rows = [
        ("red without it", check.red, "red"),
        ("green with it", check.green, "green"),
        ("red on revert", check.reverted, "red"),
    ]
    if check.saw_red:
        rows = [("red, green with it, red on revert", check.red, "green")]
    rows += [
        ("regressed", check.regressed, "red"),
        ("missing", check.missing, "red"),
        ("flaky, set apart", check.flaky, "yellow"),
        ("red before and after", check.still_red, "yellow"),
        ("also fixed", check.also_mended, "green"),
    ]
    for name, tests, colour in rows:
        if tests:
            shown = "\n".join(map(one_line, some(tests, _SHOWN)))
            table.add_row(f"    [dim]{check.check}[/]", f"[{colour}]{name}[/]", foreign(shown))
    if check.held:
        table.add_row(f"    [dim]{check.check}[/]", "unchanged", count(check.held, "other test"))
    deciding = [safeguard for safeguard in check.safeguards if _decides(safeguard)]
    others = [safeguard for safeguard in check.safeguards if not _decides(safeguard)]
    for safeguard in [*deciding, *(others if everything else [])]:
        colour = COLOURS[safeguard.verdict.value] if safeguard.verdict else "dim"
        table.add_row(f"    [dim]{check.check}[/]", f"[{colour}]{safeguard.name}[/]", foreign(safeguard.words))
    if others and not everything:
        silent = [safeguard for safeguard in others if safeguard.verdict is None]
        words = f"{len(others) - len(silent)} passed" + (f", {len(silent)} had nothing to ask" if silent else "")
        table.add_row(f"    [dim]{check.check}[/]", "[dim]safeguards[/]", f"[dim]{words} (--all)[/]")
    return table


def _decides(safeguard: SafeguardResult) -> bool:
    return safeguard.verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE)
