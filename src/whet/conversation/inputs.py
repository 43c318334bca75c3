"""Artifacts of the ledger that the settings put into a prompt: the latest entry of a phase and a kind."""

import json
from collections.abc import Sequence

from whet.config import ModelInput
from whet.conversation.prompt import Quotation, cut
from whet.ledger.ledger import Ledger

_MOST_LINES = 200


def injected(
    inputs: Sequence[ModelInput], role: str, ledger: Ledger
) -> tuple[tuple[Quotation, ...], tuple[Quotation, ...]]:
    """Return the quotations for the system prompt and those for the user's turn. An input without an entry is left out."""
    system: list[Quotation] = []
    user: list[Quotation] = []
    for wish in inputs:
        entry = ledger.latest(wish.kind, phase=wish.phase) if wish.role == role else None
        if entry is not None:
            text = json.dumps(entry.data, indent=1, ensure_ascii=False)
            quotation = Quotation.of(f"{wish.kind} of the phase {wish.phase}", cut(text, _MOST_LINES))
            (system if wish.inject_as == "system" else user).append(quotation)
    return tuple(system), tuple(user)
