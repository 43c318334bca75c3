"""`preferences`: what people's decisions have taught."""

from typing import TYPE_CHECKING

from whet.cli.commands.shared import Json, open_project_here, repository_of

if TYPE_CHECKING:
    from whet.domain.preference import Preference


def preferences(as_json: Json = False) -> int:
    """Show what your decisions taught, with the evidence.

    A preference needs three decisions of people. It changes the order of proposals, never the guard or the proof. A lint
    rule that people rejected five times, and never accepted, is not proposed again.
    """
    from whet.cli.output import emit, say

    known = repository_of(open_project_here(as_json=True)).preferences()
    if as_json:
        emit({"preferences": [_plain(preference) for preference in known]})
    elif known:
        say(*(line for preference in known for line in _lines(preference)))
    else:
        say("no preferences yet: they come from at least three answers to proposals that have something in common")
    return 0


def _plain(preference: "Preference") -> dict[str, object]:
    return {
        "id": preference.id,
        "trait": preference.trait,
        "value": preference.value,
        "accepted": preference.accepted,
        "rejected": preference.rejected,
        "factor": preference.factor,
        "muted": preference.muted,
        "decisions": preference.decisions,
    }


def _lines(preference: "Preference") -> list[str]:
    effect = "not proposed any more" if preference.muted else f"score x {preference.factor}"
    lines = [f"{preference.id}  {preference.sentence}; {effect}"]
    for decision in preference.decisions:
        answer = "accepted" if decision.accepted else "rejected"
        reason = f": {decision.why}" if decision.why else ""
        lines.append(f"    {decision.proposal} {answer} by {decision.who}{reason}")
    return lines
