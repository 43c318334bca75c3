"""Evidence in Markdown, for a pull request. Text that whet did not write is quoted as code."""

import re
from collections.abc import Iterable

from whet.domain.evidence import Evidence
from whet.domain.plural import count, shorten
from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.domain.verdict import CheckResult, Verdict

_NO_MARKDOWN = re.compile(r"[A-Za-z0-9 ,]+")


def render(evidence: Evidence) -> str:
    """Return a Markdown summary for a pull request."""
    mark = {Verdict.PASSED: "✅", Verdict.FAILED: "❌", Verdict.INCONCLUSIVE: "❔"}[evidence.verdict]
    lines = [f"### whet: {mark} {evidence.verdict.value}", ""]
    lines += [_paragraph(evidence)] if evidence.verdict is Verdict.PASSED else _bullets(evidence.reasons)
    if undecided := evidence.undecided:
        lines += ["", f"**A question for the reviewer:** what should {quoted(undecided.call)} be?", ""]
        lines += [
            f"- {quoted(answer.text)} {undecided.given_by(answer, evidence.patch_digest)}"
            for answer in undecided.answers
        ]
    for check in evidence.checks:
        lines += ["", *_table(check, notes=evidence.verdict is not Verdict.PASSED)]
    if evidence.guard:
        lines += ["", "**guard**", ""]
        lines += [f"- {finding.severity}: {quoted(finding.reason)}" for finding in evidence.guard]
    seconds, runs = evidence.cost.seconds, evidence.cost.suite_runs
    lines += [
        "",
        f"<sub>evidence `{evidence.digest[:16]}`, base `{evidence.base[:10]}`, {count(runs, 'suite run')}, {seconds:.1f} s</sub>",
    ]
    return "\n".join(lines) + "\n"


def _table(check: CheckResult, *, notes: bool) -> list[str]:
    """Return the table of a check. The notes are left out of a passed proof, whose paragraph has them."""
    always = (("red without it", check.red), ("green with it", check.green), ("red on revert", check.reverted))
    if_any = (
        ("regressed", check.regressed), ("missing", check.missing), ("flaky, excluded", check.flaky),
        ("red before and after", check.still_red), ("also fixed", check.also_mended),
    )  # fmt: skip
    return [
        f"**{check.label}**", "", "| | |", "| --- | --- |",
        *(f"| {name} | {_shown(tests)} |" for name, tests in always),
        f"| unchanged | {check.held} |",
        *(f"| {name} | {_shown(tests)} |" for name, tests in if_any if tests),
        *(f"| {safeguard.name} | {_cell(safeguard.words)} |" for safeguard in check.safeguards),
        *(f"| open | {_cell(note)} |" for note in check.notes if notes),
    ]  # fmt: skip


def _paragraph(evidence: Evidence) -> str:
    """Return the scope of the proof. A clause that may quote a test id or a path is code."""
    shown, open_ = ("; ".join(map(_clause, clauses)) for clauses in (evidence.scope.shown, evidence.scope.not_examined))
    return f"Proved: {shown}. Not looked at: {open_}."


def _clause(text: str) -> str:
    return text if _NO_MARKDOWN.fullmatch(text) else quoted(text)


def _bullets(reasons: Iterable[str]) -> list[str]:
    return [f"- {quoted(reason)}" for reason in reasons]


def _shown(tests: tuple[str, ...]) -> str:
    return shorten([_cell(test) for test in tests], 5) or "none"


def _cell(text: str) -> str:
    return quoted(text).replace("|", "\\|")


def quoted(text: str) -> str:
    """Quote text as Markdown code, so that nothing in it is a link, a mention, an image or HTML."""
    text = one_line(redact(text))
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{room}{text}{room}{fence}"
