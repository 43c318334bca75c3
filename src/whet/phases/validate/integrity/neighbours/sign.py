"""A sign against a patch: a sentence, and the call that a person should decide, if the sign comes from one."""

from dataclasses import dataclass

from whet.domain.undecided_call import BASE, PATCH, RAISE, VARIANT, PossibleAnswer, UndecidedCall
from whet.phases.validate.integrity.neighbours.comparison import ComparedFunction
from whet.target.varied.calls import CallAnswer


@dataclass(frozen=True)
class Sign:
    words: str
    question: UndecidedCall | None = None


def question(
    compared: ComparedFunction, call: str, patched: CallAnswer, *, base: CallAnswer | None, variant: CallAnswer | None
) -> UndecidedCall | None:
    """Return what a person should say about this call; None if the answers look the same.

    `variant` is the answer of a version of the patch that no test notices.
    """
    by_text: dict[str, list[str]] = {}
    for name, answer in ((PATCH, patched), (VARIANT, variant), (BASE, base)):
        if answer is not None and answer.known:
            by_text.setdefault(f"{RAISE}{answer.text}" if answer.raised else answer.text, []).append(name)
    if len(by_text) < 2:
        return None
    answers = tuple(PossibleAnswer(text=text, patches=tuple(names)) for text, names in by_text.items())
    return UndecidedCall(call=call, function=compared.function.name, path=compared.function.path, answers=answers)
