"""Inputs on which a version of the patch that no test notices answers differently: what the tests leave open."""

from collections.abc import Collection, Iterator

from whet.phases.validate.integrity.mutate.patch_mutant import (
    FORCED,
    KEEPING,
    LIMIT,
    LOSSY,
    PARAMETER,
    REDUCED,
    SIBLING,
    SIMPLER,
    TRUTH,
    PatchMutant,
)
from whet.phases.validate.integrity.neighbours.comparison import OWN, ComparedFunction
from whet.phases.validate.integrity.neighbours.sign import Sign, question
from whet.phases.validate.integrity.neighbours.signals import CHANGES_ARGUMENTS, said
from whet.target.varied.calls import CallAnswer, VariedCall

_NEAR = {"same shape", "alike", "number", "order", "flipped", "longer", "date"}
_FAR = {"longer text", "long text", "long", "text of the patch", "text in other case"}


def doubts(mutant: PatchMutant, by_base: ComparedFunction, by_mutant: ComparedFunction) -> Iterator[Sign]:
    """Yield inputs on which a mutant that no test notices answers differently. `by_base` compares base and patch,
    `by_mutant` patch and mutant."""
    if mutant.kind in (LOSSY, REDUCED):
        yield from _unmotivated(mutant, by_base, by_mutant)
    if mutant.kind == KEEPING:
        yield from _needless_changes(mutant, by_base, by_mutant)
    on_base = by_base.answers()
    for key, (patched, mutated) in by_mutant.answers().items():
        base = on_base[key][0].answer if key in on_base else None
        if patched.kind == OWN or patched.answer.same(mutated.answer):
            continue
        if reason := _reason(mutant.kind, patched, mutated.answer, base, by_base.function.raises):
            yield Sign(
                f"no test notices {mutant.words} ({mutant.path}, line {mutant.line}), but `{patched.call}` "
                f"{said(patched.answer)} with the patch and {said(mutated.answer)} then; {reason}",
                question(by_base, patched.call, patched.answer, base=base, variant=mutated.answer),
            )


def _reason(
    kind: str, patched: VariedCall, mutated: CallAnswer, base: CallAnswer | None, raises: Collection[str]
) -> str:
    """Return why the answers to one varied call speak against a patch with a surviving mutant of this kind; else empty."""
    lets_pass = kind in SIMPLER and base is not None and patched.answer.answered and base.same(mutated)
    if lets_pass and mutated.digest in raises and patched.kind != "text with spaces":
        return "the latter as on the base; no test asks for the change"
    if _decides(kind, patched, mutated, base):
        as_base = base is not None and _alike(base, mutated)
        return "the latter as on the base; no test asks for the change" if as_base else "nothing shows which is right"
    return ""


def _needless_changes(mutant: PatchMutant, by_base: ComparedFunction, by_mutant: ComparedFunction) -> Iterator[Sign]:
    """Yield calls that change their arguments with the patch, although the tests do not need that and the base never does."""
    usual = {effect for before, _ in by_base.answers().values() for effect in before.answer.effects}
    for before, after in by_mutant.answers().values() if CHANGES_ARGUMENTS not in usual else ():
        if CHANGES_ARGUMENTS in before.answer.effects - after.answer.effects:
            yield Sign(
                f"`{before.call}` ({by_base.place}) changes its arguments; on the base no call does, and no test notices "
                f"{mutant.words} ({mutant.path}, line {mutant.line})"
            )


def _decides(kind: str, patched: VariedCall, mutated: CallAnswer, base: CallAnswer | None) -> bool:
    """True if two different answers to one varied call speak against a patch with a surviving mutant of this kind.

    Usually both must be answers. An exception counts if the base agrees with the mutant: a limit that nobody tests now
    refuses the input, or a step that drops data lets an input pass that was an error.
    """
    as_base, near = base is not None and _alike(base, mutated), _is_near(patched.kind)
    refused = kind == LIMIT and as_base and mutated.answered
    let_pass = kind == LOSSY and as_base and patched.answer.answered
    if not (patched.answer.answered and mutated.answered) and not refused and not let_pass:
        return False
    far = patched.kind in _FAR
    decisions = {
        LIMIT: True,
        TRUTH: as_base,
        FORCED: near,
        PARAMETER: near,
        LOSSY: near or far,
        SIBLING: near and as_base,
    }
    return decisions.get(kind, False)


def _is_nothing(kind: str) -> bool:
    """True for a variation that has None or something empty in the place of a value: ordinary guards are for these."""
    return "none" in kind or "empty" in kind


def _alike(base: CallAnswer, mutated: CallAnswer) -> bool:
    return base.same(mutated) or (base.raised and mutated.raised)


def _unmotivated(mutant: PatchMutant, by_base: ComparedFunction, by_mutant: ComparedFunction) -> Iterator[Sign]:
    """Yield inputs to which a patch with one part less answers as the base does, and the whole patch otherwise.

    Also if the answers are equal and the object of the method is left in another state.
    """
    names = {name for call in by_base.calls for name in call.before.clean.state}
    on_base = by_base.answers()
    for key, (before, after) in by_mutant.answers().items():
        patched, mutated = before.answer, after.answer
        base = on_base[key][0].answer if key in on_base else None
        if base is None or not (base.answered and patched.answered and mutated.answered):
            continue
        attribute = patched.different_attribute(mutated, names)
        lost = mutant.kind == LOSSY and before.kind.rpartition("attribute ")[2] in _NEAR | _FAR
        if not patched.same(mutated) and base.same(mutated) and (patched.text != mutated.text or not attribute):
            words, new, old = "answers", patched.text, mutated.text
        elif (
            (patched.same(mutated) or base.same(mutated))
            and attribute
            and (lost or not base.different_attribute(mutated, {attribute}))
        ):
            words = f"leaves `{attribute}` as"
            new, old = patched.state[attribute][1], mutated.state[attribute][1]
        else:
            continue
        as_base = "" if attribute and base.different_attribute(mutated, {attribute}) else ", as on the base"
        yield Sign(
            f"no test notices {mutant.words} ({mutant.path}, line {mutant.line}), but `{before.call}` {words} {new} with "
            f"the patch and {old} then{as_base}; no test asks for the change",
            question(by_base, before.call, patched, base=base, variant=mutated),
        )


def _is_near(kind: str) -> bool:
    """True for a variation that stays close to the test's input: neither empty nor far away nor an object in another state."""
    return kind.rpartition("inner ")[2] in _NEAR
