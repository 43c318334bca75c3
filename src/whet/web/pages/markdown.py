"""A proposal as Markdown, to paste into a review or a chat. Text that whet did not write is quoted as code."""

import re

from whet.domain.plural import count, shorten
from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.web.pages.proposal_page import ProposalPage
from whet.web.pages.text import duration, moment

_MOST_TESTS = 5


def as_markdown(page: ProposalPage) -> str:
    """Return the proposal in a few paragraphs: what changes, what was proved, what speaks against it, what is asked."""
    view, evidence = page.view, page.view.evidence
    lines = [
        f"### {code(page.summary)}",
        "",
        f"{code(view.proposal.id)}, {page.verdict or 'not proved yet'}, evidence `{page.digest[:16]}`",
        "",
    ]
    if question := page.question:
        reasons = "; ".join(map(code, question.reasons))
        lines += [
            f"Asks at the {question.gate} gate, tier {question.tier}, until {moment(question.expires_at)}: {reasons}",
            "",
        ]
    lines += ["**Why**", "", code(view.proposal.diagnosis.finding.title), ""]
    if view.built and view.built.patch:
        lines += ["**Change**", "", *fenced(view.built.patch.diff), ""]
    if evidence:
        lines += ["**Proof**", "", *(f"- {code(clause)}" for clause in evidence.scope.shown)]
        lines += (
            [f"- targets: {shorten([code(test) for test in evidence.targets], _MOST_TESTS)}"]
            if evidence.targets
            else []
        )
        lines += [f"- {count(evidence.cost.suite_runs, 'suite run')} in {duration(evidence.cost.seconds)}", ""]
    lines += ["**Against**", "", *(f"- {point.source}: {code(point.words)}" for point in page.against), ""]
    return "\n".join(lines) + f"ledger row {page.head.seq} `{page.head.hash[:16]}`\n"


def code(text: str) -> str:
    """Quote text as Markdown code, so that nothing in it is a link, a mention, an image or HTML."""
    text = one_line(redact(text))
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{room}{text}{room}{fence}"


def fenced(diff: str) -> list[str]:
    """Return a diff as a code block that nothing in it can close."""
    lines = [one_line(line) for line in redact(diff).rstrip("\n").split("\n")]
    fence = "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line)), default=0))
    return [f"{fence}diff", *lines, fence]
