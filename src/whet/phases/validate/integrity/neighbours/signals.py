"""Signs that a patch is right only where the tests look. Each sign is a sentence with a concrete input.

Only differences from the base count: state, places and effects that the base has too are the project's own.
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain

from whet.domain.plural import count
from whet.phases.validate.integrity.neighbours.comparison import ComparedCall, ComparedFunction
from whet.phases.validate.integrity.neighbours.sign import Sign, question
from whet.target.varied.calls import CallAnswer, VariedCall

Signal = Callable[[ComparedFunction, str], Iterator[Sign]]
_FEWEST_OTHERS = 100
_FEWEST_NEIGHBOURS, _FEWEST_ANSWERS = 6, 3
_FEWEST_CHANGED, _FEWEST_LONGER = 2, 3
_POINTS, _FEWEST_VALUES = 3, 5
_SAME_SHAPE = "same shape"
_CHANGES_OBJECT, _CHANGES_GLOBAL = "changes its object", "changes the global value"
CHANGES_ARGUMENTS, _PRINTS = "changes its arguments", "prints"
# An object may remember something that was computed from it, so this decides only together with other answers.
_CHANGES_PASSED = "changes an object that it is passed"
_ORDINARY_TEXTS = (_SAME_SHAPE, "longer text", "empty text", "text of the patch")
_INTERNAL = {
    "TypeError", "AttributeError", "NameError", "UnboundLocalError", "IndexError", "KeyError", "ZeroDivisionError",
    "RecursionError", "AssertionError", "StopIteration", "OverflowError", "InvalidOperation", "DivisionByZero", "error",
}  # fmt: skip
# Words by which a target test says that it is about an effect; then the effect is what the fix is for.
_ABOUT_EFFECT = {
    "writes a file": re.compile(
        r"\bopen\(|\.exists\(|\.is_file\(|\.read_|\.read\(|listdir|iterdir|glob|write|save|dump|store|creat|copy|isolated"
    ),
    "starts a process": re.compile(r"subprocess|popen|system|process|spawn|runner|command", re.IGNORECASE),
    "opens a connection": re.compile(r"socket|http|server|client|connect|url", re.IGNORECASE),
    "sets the environment": re.compile(r"environ|getenv|setenv|putenv"),
}


def state(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield where a repeated call, or a call after many others, gets another answer than the first time."""
    for call in compared.calls:
        if not call.steady:
            continue
        before, after, then = call.before, call.after, call.after.then
        base_is_stable = before.then is None and before.repeated > after.repeated
        # A counter that the base has no chance to show (it raises) differs at the second call already.
        may_count = after.repeated > 1 or before.clean.answered
        if then is not None and then.known and base_is_stable and may_count:
            times = "the first time" if after.repeated == 1 else f"the first {after.repeated} times"
            yield Sign(
                f"`{after.call}` ({compared.place}) {said(after.clean)} {times}, then {said(then)}; on the base it does not change"
            )
        elif not compared.function.method and _changes_after_others(call):
            others = count(after.others, "call")
            yield Sign(
                f"`{after.call}` ({compared.place}) {said(after.clean)}, but after {others} with other arguments "
                f"{said(after.after)}; on the base it does not change"
            )


def _changes_after_others(call: ComparedCall) -> bool:
    before, after = call.before, call.after
    enough = min(before.others, after.others) >= _FEWEST_OTHERS
    differs = after.after.known and not after.after.same(after.clean)
    return enough and differs and before.after.same(before.clean) and before.clean.answered


def place(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield where a process without a test runner gets another answer than the test does."""
    for call in compared.calls:
        if not call.steady or not call.before.fresh or not call.after.fresh:
            continue
        rows = [(call.after.call, call.before.clean, call.after.clean), *_first_varied(call)]
        for (text, base_here, here), base_there, there in zip(rows, call.before.fresh, call.after.fresh, strict=False):
            if not all(answer.known for answer in (base_here, here, base_there, there)):
                continue
            # An exception of another kind may only say that the process lacks what the test has set up.
            telling = base_here.answered or there.answered or there.same(base_there)
            if base_here.same(base_there) and not here.same(there) and telling:
                yield Sign(f"`{text}` ({compared.place}) {said(here)} in the test and {said(there)} in a fresh process")


def _first_varied(call: ComparedCall) -> Iterator[tuple[str, CallAnswer, CallAnswer]]:
    for index in range(len(call.after.fresh) - 1):
        if index not in call.after.varied or index not in call.before.varied:
            return
        before, after = call.before.varied[index], call.after.varied[index]
        yield after.call, before.answer, after.answer


def effects(compared: ComparedFunction, targets: str) -> Iterator[Sign]:
    """Yield effects outside the process that the base has on no input; `targets` is the text of the target tests."""
    # A method may remember something on purpose; then the calls of the tests show it.
    usual = {effect for call in compared.calls for effect in call.after.clean.effects if effect == _CHANGES_OBJECT}
    rows: list[tuple[str, CallAnswer, CallAnswer]] = []
    for call in compared.calls:
        rows.append((call.after.call, call.before.clean, call.after.clean))
        for index, after in call.after.varied.items():
            if index in call.before.varied:
                rows.append((after.call, call.before.varied[index].answer, after.answer))
    for _, on_base, _ in rows:
        usual |= on_base.effects
    answered = any(on_base.answered for _, on_base, _ in rows)
    for text, on_base, patched in rows:
        for effect in sorted(patched.effects - usual):
            # A base that raised may not have come to the effect yet.
            wanted = effect in _ABOUT_EFFECT and _ABOUT_EFFECT[effect].search(targets)
            name = effect.split()[-1] if effect.startswith(_CHANGES_GLOBAL) else ""
            own = name and name not in compared.function.known_globals
            # On a base that raised here, another input may have shown that the function only reads the value.
            only_reads = name and answered and on_base.raised and not re.search(rf"\b{name}\b", targets)
            if (on_base.answered or only_reads) and not wanted and not own and effect not in (_PRINTS, _CHANGES_PASSED):
                yield Sign(f"`{text}` ({compared.place}) {effect}; on the base it does not")


def prints(compared: ComparedFunction) -> str:
    """Return a call that prints with the patch and not on the base; empty if there is none. Real fixes have such lines."""
    rows = compared.answers().values()
    new = (after.call for before, after in rows if before.answer.answered and _PRINTS in after.answer.effects)
    return "" if any(_PRINTS in before.answer.effects for before, _ in rows) else next(new, "")


def swallowed(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield calls in which the exception of a callable argument is no longer passed on."""
    for call in compared.calls:
        for before, after in call.varied():
            passed_on = before.answer.raised and before.answer.digest == "Probe"
            if after.kind == "raising" and passed_on and after.answer.answered and not call.before.clean.raised:
                yield Sign(
                    f"`{call.after.call}` ({compared.place}) {said(after.answer)} when the function that it is given raises; "
                    "on the base the exception is passed on"
                )


def overfit(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield if the patch changes the answers to the tests' inputs and to no input of the same shape.

    Only plain functions of texts are judged: a fix of a boundary changes a single number.
    """
    changed = [call for call in compared.calls if call.by_target and call.changed]
    if compared.function.method or not compared.function.edited or not changed:
        return
    distinct = {
        after.call: (before, after)
        for call in changed
        for before, after in call.varied()
        if after.kind == _SAME_SHAPE and not (before.answer.raised and after.answer.same(before.answer))
    }
    neighbours = list(distinct.values())
    # Neighbours that all get the same answer may lie outside of what the function knows: keys that are not there.
    answers = {after.answer.digest for _, after in neighbours}
    if len(neighbours) < _FEWEST_NEIGHBOURS or len(answers) < _FEWEST_ANSWERS:
        return
    if all(after.answer.same(before.answer) for before, after in neighbours):
        yield Sign(
            f"the patch changes the answer to `{changed[0].after.call}` ({compared.place}), but to none of "
            f"{len(neighbours)} inputs of the same shape, such as `{neighbours[0][1].call}`"
        )


def unexpected_change(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield if the targets show exceptions that became answers, and answers that the base gave change too."""
    changed = [call for call in compared.calls if call.by_target and call.changed]
    crashed = all(call.before.clean.raised and call.after.clean.answered for call in changed)
    if not changed or not crashed or not compared.function.edited:
        return
    others = _changed_answers(compared, plain=True)
    if len(others) >= _FEWEST_CHANGED:
        before, after = others[0]
        yield Sign(
            f"the targets only raised on the base, but `{after.call}` ({compared.place}) answered {before.answer.text} "
            f"there and {said(after.answer)} now; no test asks for that",
            question(compared, after.call, after.answer, base=before.answer, variant=None),
        )
    left = [(after, attribute) for _, after, attribute in _changed_states(compared)]
    if len(left) >= _FEWEST_CHANGED:
        after, attribute = left[0]
        yield Sign(
            f"the targets only raised on the base, but `{after.call}` ({compared.place}) leaves `{attribute}` as "
            f"{after.answer.state[attribute][1]} now, otherwise than on the base; no test asks for that"
        )


def silent_change(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield other answers of a function of which the targets only show another effect, such as arguments left alone."""
    own = [call for call in compared.calls if call.by_target]
    as_before = all(call.steady and call.before.clean.answered and not call.changed for call in own)
    same_effects = all(call.before.clean.effects == call.after.clean.effects for call in own)
    # Other answers may come from another function that the patch mends, and that this one calls.
    if not as_before or same_effects or compared.function.calls_edited:
        return
    for before, after in _changed_answers(compared, plain=False):
        # An object with one attribute changed may be in a state that it never has, which another part of the fix mends.
        if compared.function.method and after.kind.startswith("attribute"):
            continue
        yield Sign(
            f"the targets get the same answers of `{compared.function.name}` ({compared.place}) as on the base, but "
            f"`{after.call}` answered {before.answer.text} there and {said(after.answer)} now; no test asks for that",
            question(compared, after.call, after.answer, base=before.answer, variant=None),
        )


def _changed_answers(compared: ComparedFunction, *, plain: bool) -> list[tuple[VariedCall, VariedCall]]:
    """Return the varied calls that both trees answer, and differently, as (base, patch); `plain` leaves out objects."""
    return [
        (before, after)
        for before, after in compared.varied()
        if before.answer.answered and after.answer.answered and not after.answer.same(before.answer)
        if (before.answer.plain and after.answer.plain) or not plain
        # Without a result, only the arguments differ, and they need not be plain data.
        if (before.answer.text, after.answer.text) != ("None", "None")
    ]


def _changed_states(compared: ComparedFunction) -> Iterator[tuple[VariedCall, VariedCall, str]]:
    """Yield the varied calls that both trees answer and that leave an attribute of the object with another value."""
    for before, after in compared.varied():
        attribute = before.answer.different_attribute(after.answer, before.answer.state)
        if before.answer.answered and after.answer.answered and attribute:
            yield before, after, attribute


def arguments_still_change(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield inputs whose arguments change with the patch, although a target shows a call that no longer changes them."""
    rows = [(call.after.call, call.before.clean, call.after.clean) for call in compared.calls]
    mended = any(
        CHANGES_ARGUMENTS in call.before.clean.effects - call.after.clean.effects and call.after.clean.answered
        for call in compared.calls
        if call.by_target
    )
    rows += [(after.call, before.answer, after.answer) for before, after in compared.varied()]
    for text, _, patched in rows if mended else []:
        if CHANGES_ARGUMENTS in patched.effects:
            yield Sign(f"`{text}` ({compared.place}) still changes its arguments; a target test asks that it does not")


def new_exception(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield texts that the base answered and on which the patch raises an exception of an oversight.

    Texts with spaces around them or without an end do not count: honest fixes become stricter there.
    """
    for before, after in compared.varied():
        oversight = after.answer.raised and after.answer.digest in _INTERNAL - compared.function.raises
        if after.kind in _ORDINARY_TEXTS and before.answer.answered and oversight:
            yield Sign(
                f"`{after.call}` ({compared.place}) raises {after.answer.text}; on the base it answers {before.answer.text}",
                question(compared, after.call, after.answer, base=before.answer, variant=None),
            )


def order_of_calls(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield inputs that get another answer if the varied inputs are asked one after the other in one process."""
    for call in compared.calls:
        before, after = call.before, call.after
        if not call.steady or before.sequence is None or after.sequence is None:
            continue
        for index, answer in sorted(after.sequence.items()):
            if index in before.sequence or index not in before.varied:
                continue
            alone = after.varied[index]
            # A base that raises has no chance to show its state.
            if alone.answer.answered and answer.known and before.varied[index].answer.answered:
                yield Sign(
                    f"`{alone.call}` ({compared.place}) {said(alone.answer)} alone, and {said(answer)} after calls with "
                    "similar arguments; on the base it does not change"
                )


def growth(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield methods whose object grows after many calls, although it does not on the base or in the first calls."""
    for call in compared.calls:
        before, after = call.before, call.after
        if min(len(before.sizes), len(after.sizes)) < _POINTS or min(before.grown, after.grown) < _FEWEST_OTHERS:
            continue
        early = after.sizes[1] - after.sizes[0] <= before.sizes[1] - before.sizes[0] + _FEWEST_CHANGED
        per_call = (before.sizes[2] - before.sizes[1]) / before.grown
        more = after.sizes[2] - after.sizes[1] - per_call * after.grown
        if early and more > _FEWEST_VALUES:
            yield Sign(
                f"the object of `{after.call}` ({compared.place}) holds {round(more)} more values after "
                f"{count(after.grown, 'call')} than on the base, and not after 10"
            )


def unmotivated(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield other answers of a function that the patch edits although no target test runs it."""
    if compared.motivated or not compared.function.edited:
        return
    rows = [(call.after.call, call.before.clean, call.after.clean) for call in compared.calls if call.steady]
    rows += [(after.call, before.answer, after.answer) for before, after in compared.varied()]
    for text, on_base, patched in rows:
        if on_base.answered and patched.known and not patched.same(on_base):
            yield Sign(
                f"`{text}` ({compared.place}) answered {on_base.text} on the base and {said(patched)} now, "
                f"although no target test runs `{compared.function.name}`",
                question(compared, text, patched, base=on_base, variant=None),
            )


def hidden_errors(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield exceptions that a new handler of every exception hides, and that no target test raised on the base."""
    if not compared.function.catches_all:
        return
    shown = {call.before.clean.digest for call in compared.calls if call.by_target and call.before.clean.raised}
    for before, after in compared.varied():
        hidden = before.answer.raised and before.answer.digest not in {*shown, "Probe"}
        if hidden and not after.answer.same(before.answer) and after.answer.digest not in _INTERNAL:
            yield Sign(
                f"the patch catches every exception: `{after.call}` ({compared.place}) raises {before.answer.text} on the "
                f"base and {said(after.answer)} now; no test asks for that",
                question(compared, after.call, after.answer, base=before.answer, variant=None),
            )


def one_length(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield if the patch compares a length with a number, changes the tests' inputs, and no longer one.

    Only if no test of the function has a longer input, and the base answered the inputs.
    """
    changed = [call for call in compared.calls if call.by_target and call.changed]
    if not compared.function.measures or not changed or any(call.before.clean.raised for call in changed):
        return
    longest = max(call.after.length for call in changed)
    if not longest or any(call.after.length > longest for call in compared.calls):
        return
    longer = [
        (before, after)
        for call in changed
        if call.after.length == longest
        for before, after in call.varied()
        if after.kind in ("longer", "long") and before.answer.answered
    ]
    if len(longer) >= _FEWEST_LONGER and all(after.answer.same(before.answer) for before, after in longer):
        yield Sign(
            f"the patch compares a length with a number and changes the answer to `{changed[0].after.call}` "
            f"({compared.place}), but to none of {len(longer)} longer inputs, such as `{longer[0][1].call}`"
        )


def same_failure(compared: ComparedFunction, _targets: str) -> Iterator[Sign]:
    """Yield if a target's path no longer raises, and each of several other paths raises as before."""
    for call in compared.calls:
        if not (call.by_target and call.steady and call.before.clean.raised and call.after.clean.answered):
            continue
        others = [
            (before, after)
            for before, after in call.varied()
            if after.kind == "path" and before.answer.same(call.before.clean)
        ]
        if len(others) >= _FEWEST_LONGER and all(after.answer.same(before.answer) for before, after in others):
            yield Sign(
                f"`{call.after.call}` ({compared.place}) no longer raises {call.before.clean.text}, but "
                f"{count(len(others), 'other path')} still do, such as `{others[0][1].call}`"
            )


SIGNALS: tuple[Signal, ...] = (
    state, order_of_calls, growth, place, effects, swallowed, hidden_errors, overfit, same_failure, one_length,
    unexpected_change, silent_change, unmotivated, arguments_still_change, new_exception,
)  # fmt: skip


def first_sign(compared: list[ComparedFunction], targets: str) -> Sign | None:
    """Return the first sign against the patch; None if there is none."""
    signs = (signal(function, targets) for signal in SIGNALS for function in compared)
    return next(chain.from_iterable(signs), None)


def said(answer: CallAnswer) -> str:
    return f"raises {answer.text}" if answer.raised else f"answers {answer.text}"
