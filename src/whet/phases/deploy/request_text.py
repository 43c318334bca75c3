"""The title and the body of a pull request: the change, its evidence and its trailers, within the limits of forges."""

from whet.domain.canonical import digest
from whet.domain.evidence import Evidence
from whet.domain.evidence_markdown import quoted, render
from whet.domain.objection import Objection
from whet.domain.proposal import Proposal
from whet.domain.pull_request import FINDING, MARK, RequestDraft, mark
from whet.domain.redact import redact
from whet.domain.sanitize import one_line
from whet.git.git import Commit

MOST_CHARACTERS = 60_000  # GitHub takes 65,536
_MOST_TITLE = 200


def draft(
    proposal: Proposal, evidence: Evidence, commit: Commit, branch: str, base: str, labels: tuple[str, ...]
) -> RequestDraft:
    """Return the pull request of a proven commit. Secrets are redacted, and foreign text cannot become Markdown."""
    head = [
        mark(MARK, proposal.id),
        mark(FINDING, finding_mark(proposal.signature)),
        "",
        f"{quoted(proposal.title)}",
        "",
        f"{quoted(proposal.rationale)}",
        "",
        f"Proposed by whet ({quoted(proposal.engine)}, risk {proposal.risk}). Merging this pull request deploys the change; "
        "closing it rejects the change, and whet does not propose it again.",
    ]
    trailers = [f"{name}: {one_line(value)}" for name, value in commit.trailers.items() if name.startswith("Whet-")]
    foot = ["", *trailers]
    room = MOST_CHARACTERS - len("\n".join([*head, *foot])) - 500
    body = "\n".join([*head, "", *_folded(evidence, proposal.id, room), *foot]) + "\n"
    title = one_line(redact(commit.subject))[:_MOST_TITLE]
    return RequestDraft(branch=branch, base=base, title=title, body=body, labels=labels)


def objection_comment(objection: Objection) -> str:
    """Return the comment that shows an objection. Its words are quoted, because a program wrote them."""
    return (
        f"A program objects to this change, under the name {quoted(objection.by)}:\n\n{quoted(objection.why)}\n\n"
        "whet has not checked these words, and they decide nothing."
    )


def finding_mark(signature: str) -> str:
    """Return a short name of a finding that is the same in every clone."""
    return digest(signature)[:16]


def _folded(evidence: Evidence, proposal: str, room: int) -> list[str]:
    """Return the evidence behind a line that opens it; cut at a line's end if it does not fit."""
    text = render(evidence)
    if len(text) > room:
        kept = text[:room].rpartition("\n")[0]
        text = f"{kept}\n\nThe evidence is longer than a pull request may be: `whet show {proposal}` has all of it.\n"
    return [f"<details><summary>Evidence: {evidence.verdict.value}</summary>", "", text.rstrip(), "", "</details>"]
