"""`guard staged`: the guard's answer about what is staged for a commit, as a hook of git."""

from pathlib import Path
from typing import TYPE_CHECKING

from whet.cli.commands.shared import Json

if TYPE_CHECKING:
    from whet.app.staged import StagedFinding

_WORDS = {"block": "refused", "raise": "needs approval", "require": "needs approval"}


def staged(as_json: Json = False) -> int:
    """Judge the files that are staged for a commit.

    The policy is that of HEAD, not a staged whet.toml. Nothing is run, and no bubblewrap is needed. Exits with 3 if something is
    refused, else with 0, whatever else there is to remark.
    """
    from whet.app.staged import review_staged
    from whet.cli.output import emit, say

    review = review_staged(Path.cwd())
    if as_json:
        emit(review)
    else:
        say(*map(_line, review.findings), _summary(review.files, len(review.refused), review.policy))
    return 3 if review.answer == "refused" else 0


def _line(finding: "StagedFinding") -> str:
    place = f"{finding.path}:{finding.line or 1}: " if finding.path else ""
    return f"{place}{_WORDS.get(finding.severity, 'note')}: {finding.reason} [{finding.rule}]"


def _summary(files: int, refused: int, policy: str) -> str:
    from whet.domain.plural import count

    if not files:
        return "nothing is staged"
    words = f"{count(files, 'staged file')}, judged by {policy}"
    if not refused:
        return f"allowed: {words}"
    return f"refused: {words}\n  If a person means this change: SKIP=whet-guard git commit"
