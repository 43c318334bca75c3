"""Nouns for people: tables, evidence, coloured diffs."""

import sys

from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from whet.app.proposal_view import Dossier
from whet.app.scan import Scan
from whet.domain.evidence import Evidence
from whet.domain.sanitize import one_line, sanitize
from whet.domain.strategy import Strategy
from whet.domain.verdict import CheckResult

_COLOURS = {"passed": "green", "failed": "red", "inconclusive": "yellow"}
_SHOWN = 8


def console() -> Console:
    """As wide as the terminal; off a terminal wide enough that nothing is folded that a script may look for."""
    return Console(highlight=False, emoji=False, soft_wrap=False, width=None if sys.stdout.isatty() else 200)


def foreign(text: str) -> str:
    """Text that whet did not write, for a place that reads markup."""
    return escape(sanitize(text))


def diff(text: str) -> RenderableType:
    return Syntax(sanitize(text), "diff", theme="ansi_dark", background_color="default", word_wrap=True)


def scan_table(scan: Scan, *, everything: bool = False) -> RenderableType:
    table = Table("score", "finding", "category", "why", "engine", box=None, pad_edge=False, header_style="bold")
    shown = [seen for seen in scan.seen if seen.engines or everything]
    for seen in shown:
        finding = seen.finding
        engines = ", ".join(seen.engines) or "[dim]none[/dim]"
        why = foreign("; ".join(finding.reasons))
        table.add_row(f"{finding.score:.2f}", foreign(one_line(finding.title)), finding.category.value, why, engines)
    ran = f"{scan.passed} of {scan.tests} tests passed in {scan.seconds} s"
    tests = ran if scan.tests else "the suite has no tests, so nothing can be proved"
    summary = f"{tests}; {scan.signals} signals at {scan.base[:10]}"
    if hidden := len(scan.seen) - len(shown):
        summary += f"; {hidden} more findings that no engine can act on (--all)"
    return Group(table, Text(summary, style="dim")) if shown else Text(f"nothing to act on: {summary}")


def list_table(dossiers: list[Dossier]) -> RenderableType:
    table = Table(
        "proposal", "status", "verdict", "engine", "risk", "what", box=None, pad_edge=False, header_style="bold"
    )
    for found in dossiers:
        verdict = found.evidence.verdict.value if found.evidence else "-"
        proposal = found.proposal
        table.add_row(
            proposal.id, found.status, f"[{_COLOURS.get(verdict, 'dim')}]{verdict}[/]", proposal.engine,
            proposal.risk.value, foreign(one_line(_title(found))),
        )  # fmt: skip
    return table


def _title(found: Dossier) -> str:
    patch = found.built.patch if found.built else None
    return patch.summary if patch else found.proposal.title


def evidence(found: Evidence) -> RenderableType:
    colour = _COLOURS[found.verdict.value]
    lines: list[RenderableType] = [
        Text.from_markup(f"[bold {colour}]{found.verdict.value}[/]  [dim]evidence {found.digest[:12]}[/]")
    ]
    lines += [Text(f"  {sanitize(reason)}") for reason in found.reasons]
    for check in found.checks:
        lines.append(_check(check))
    lines += [Text(f"  guard, {finding.severity}: {sanitize(finding.reason)}") for finding in found.guard]
    if what := found.containment:
        lines.append(
            Text(
                f"  sandbox: {what.backend} {what.version}, uid {what.uid}, no network, own {', '.join(what.namespaces)}",
                style="dim",
            )
        )
    cost = f"  {found.cost.suite_runs} suite runs, {found.cost.seconds:.1f} s; base {found.base[:10]}, policy {found.policy_digest[:8]}"
    return Group(*lines, Text(cost, style="dim"))


def _check(check: CheckResult) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    red_green_red = [
        ("red without it", check.red, "red"),
        ("green with it", check.green, "green"),
        ("red on revert", check.reverted, "red"),
    ]
    if check.saw_red:
        red_green_red = [("red, green with it, red on revert", check.red, "green")]
    rest = [
        ("regressed", check.regressed, "red"),
        ("missing", check.missing, "red"),
        ("flaky, set apart", check.flaky, "yellow"),
        ("also mended", check.also_mended, "green"),
    ]
    for name, tests, colour in [*red_green_red, *rest]:
        if tests:
            more = f"\nand {len(tests) - _SHOWN} more" if len(tests) > _SHOWN else ""
            shown = "\n".join(map(one_line, tests[:_SHOWN])) + more
            table.add_row(f"    [dim]{check.check}[/]", f"[{colour}]{name}[/]", foreign(shown))
    if check.held:
        table.add_row(f"    [dim]{check.check}[/]", "held", str(check.held))
    for safeguard in check.safeguards:
        colour = _COLOURS[safeguard.verdict.value] if safeguard.verdict else "dim"
        table.add_row(f"    [dim]{check.check}[/]", f"[{colour}]{safeguard.name}[/]", foreign(safeguard.words))
    return table


def dossier(found: Dossier) -> RenderableType:
    proposal, diagnosis = found.proposal, found.proposal.diagnosis
    head = Text.assemble((proposal.id, "bold"), f"  {found.status}  {one_line(proposal.title)}")
    facts = Table.grid(padding=(0, 2))
    rows = [
        ("kind", f"{proposal.kind.value}, {proposal.category.value}, {proposal.risk.value} risk, by {proposal.engine}"),
        ("why", proposal.rationale),
        ("rank", f"{proposal.score}: " + "; ".join(proposal.reasons)),
        ("layer", f"{diagnosis.layer.value}, confidence {diagnosis.confidence:.2f}"),
        ("places", "\n".join(f"{p.path}:{p.line} {p.suspicion:.2f} {p.why}" for p in diagnosis.places[:3])),
        ("tried by", _tried_by(proposal.plan.strategy)),
        ("base", proposal.base[:12]),
        ("built", found.built.note if found.built else ""),
        ("asked", _asked(found)),
        ("answers", "\n".join(f"{a.gate.value}: {a.answer.value} by {a.who} ({a.via}, tier {a.tier.value}) {a.why}" for a in found.approvals)),
        ("deployed", "\n".join(f"{d.id} {d.strategy} {d.ref.removeprefix('refs/heads/')} {d.before[:10]} -> {d.after[:10]}" for d in found.deployments)),
        ("on real calls", "\n".join(f"{t.mode.value}: {t.state.value}: {t.why}" for t in found.trials)),
        ("watched", "\n".join(f"{w.state.value}: {w.why}" for w in found.watches)),
        ("taken back", "\n".join(f"{r.deployment} by {r.actor}: {r.reason}" for r in found.rollbacks)),
        ("lesson", f"{found.lesson.ending.value}: {found.lesson.summary}" if found.lesson else ""),
        ("errors", "\n".join(f"{e['code']}: {e['message']}" for e in found.errors)),
    ]  # fmt: skip
    for name, value in rows:
        if value:
            facts.add_row(f"  [dim]{name}[/]", foreign(value))
    parts: list[RenderableType] = [head, facts]
    if found.evidence:
        parts.append(evidence(found.evidence))
    return Group(*parts)


def _tried_by(strategy: Strategy | None) -> str:
    if strategy is None:
        return ""
    alone = "may go out by itself" if strategy.deploys_itself else "never goes out by itself"
    return "\n".join(
        [f"{strategy.way.value}, {strategy.risk.value} risk, {alone}", *strategy.steps, *strategy.warnings]
    )


def _asked(found: Dossier) -> str:
    question = found.open_question
    if question is None:
        return ""
    until = f"{question.expires_at:%Y-%m-%d %H:%M} UTC"
    return f"{question.gate.value}, tier {question.tier.value}, until {until}: " + "; ".join(question.reasons)
