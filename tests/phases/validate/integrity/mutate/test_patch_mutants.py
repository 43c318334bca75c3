"""Mutants of a patch change one expression of an added line; messages, texts and old lines stay."""

import ast
from dataclasses import replace

import pytest

from whet.domain.undecided_call import PATCH, VARIANT
from whet.domain.verdict import Verdict
from whet.phases.validate.integrity.mutate.patch_mutant import (
    FORCED,
    KEEPING,
    LIMIT,
    LOSSY,
    OTHER,
    PARAMETER,
    REDUCED,
    SIBLING,
    TRUTH,
    PatchMutant,
)
from whet.phases.validate.integrity.mutate.patch_mutants import lines_to_run, patch_mutants
from whet.phases.validate.integrity.neighbours.changed_functions import ChangedFunction
from whet.phases.validate.integrity.neighbours.comparison import ComparedCall, ComparedFunction
from whet.phases.validate.integrity.neighbours.sign import Sign
from whet.phases.validate.integrity.neighbours.witnesses import doubts
from whet.phases.validate.integrity.safeguards.patch_mutants import MutantFindings, judge_mutants
from whet.target.varied.calls import AskedCall, CallAnswer, VariedCall, WatchedFunction

OLD = "def f(a, b):\n    return a\n"


def mutants(new: str, most: int = 20) -> list[str]:
    """Return the changed lines of every mutant."""
    made = patch_mutants("a.py", OLD, new, most)
    for mutant in made:
        ast.parse(mutant.source)
    old_lines = new.splitlines()
    return [
        line.strip() for mutant in made for line, old in zip(mutant.source.splitlines(), old_lines, strict=True) if line != old
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return a + b", ["return (a - b)"]),
        ("return a < b", ["return (a <= b)"]),
        (
            "return a and b",
            ["return (a is not None) and b", "return (True) and b", "return (False) and b", "return (a or b)"],
        ),
        ("return not a", ["return (a)"]),
        ("return a * 3", ["return a * (4)", "return (a / 3)"]),
        ("return a.lstrip(b)", ["return (a.rstrip(b))", "return (a.strip(b))"]),
        ("return True", ["return (False)"]),
        ("return 'text'", []),
        ("raise ValueError(a + 1)", []),
        ("log.warning('a', 1)", []),
        ("return f'{a + 1}'", []),
    ],
)
def test_operators_and_constants_of_added_lines_are_changed(line: str, expected: list[str]) -> None:
    assert mutants(f"def f(a, b):\n    {line}\n") == expected


def test_new_conditions_are_forced_first() -> None:
    new = "def f(a, b):\n    if a > b:\n        return b + 1\n    return a\n"
    assert mutants(new, most=2) == ["if (True):", "if (False):"]
    made = patch_mutants("a.py", OLD, new, 20)
    assert made[0].words == "`a > b` replaced by `True`"
    assert [mutant.kind for mutant in made] == [FORCED, FORCED, OTHER, OTHER, OTHER]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return a[:3]", ["return a[:(1003)]"]),
        ("return min(a, 10)", ["return min(a, (1010))"]),
        ("return a > 5", ["return a > (1005)", "return a > (6)"]),
        ("return a < 2", ["return a < (1002)"]),
        ("return (a + b) % 1000", ["return (a + b) % (1001000)"]),
        ("return a % 7", []),
        ("return a[:1]", []),
        ("return a == 7", []),
    ],
)
def test_a_number_that_bounds_something_becomes_a_larger_one(line: str, expected: list[str]) -> None:
    new = f"def f(a, b):\n    {line}\n"
    limits = [mutant for mutant in patch_mutants("a.py", OLD, new, 20) if mutant.kind == LIMIT]
    assert [mutant.source.splitlines()[1].strip() for mutant in limits] == expected


def test_a_number_that_the_old_text_mentions_is_no_new_limit() -> None:
    old = 'def f(a, b):\n    """Return at most 3."""\n    return a\n'
    made = patch_mutants("a.py", old, old.replace("return a", "return a[:3]"), 20)
    assert LIMIT not in [mutant.kind for mutant in made]


def test_a_default_for_every_false_value_becomes_one_for_none() -> None:
    new = "def f(a, b):\n    return str(a or b.name or 1)\n"

    def defaults(old: str) -> list[str]:
        made = [mutant for mutant in patch_mutants("a.py", old, new, 20) if mutant.kind == TRUTH]
        return [line for mutant in made if " else " in (line := mutant.source.splitlines()[1].strip())]

    assert defaults(OLD) == ["return str((a if a is not None else b.name or 1))"]
    assert not defaults(f"# a or b.name or 1\n{OLD}")


def test_unchanged_lines_have_no_mutants() -> None:
    assert mutants(OLD) == []
    assert mutants("def f(a, b:") == []


def test_statements_of_functions_can_be_run() -> None:
    new = 'import x\n\nRATE = 3\n\n\ndef f(a, b):\n    """Text."""\n    import y\n    if a:\n        b = (\n            1)\n    return a\n'
    assert lines_to_run(OLD, new) == [9, 10]


def mutant(line: int) -> PatchMutant:
    return PatchMutant("a.py", line, "`a + b` replaced by `a - b`", "")


def test_survivors_and_lines_that_no_test_runs_are_notes() -> None:
    result = judge_mutants(MutantFindings(tried=6, tests=3, survivors=(mutant(4),), not_run=(("a.py", 9),), near=5))
    assert (result.verdict, result.words) == (Verdict.PASSED, "5 of 6 mutants noticed by 3 tests")
    assert result.notes == (
        "a.py, line 9: none of 5 tests near it runs it",
        "a.py, line 4: no test notices `a + b` replaced by `a - b`",
    )


def test_many_notes_are_counted() -> None:
    result = judge_mutants(MutantFindings(tried=9, tests=1, survivors=tuple(map(mutant, range(9))), near=1))
    assert len(result.notes) == 5
    assert result.notes[-1] == "and 5 more of these"


def test_a_condition_that_no_test_needs_decides_if_an_input_shows_it() -> None:
    result = judge_mutants(MutantFindings(tried=2, tests=1, witness=Sign("no test notices ...")))
    assert (result.verdict, result.words) == (Verdict.INCONCLUSIVE, "no test notices ...")


def answer(text: str) -> CallAnswer:
    """Return an answer, or an exception if the text is the name of an error."""
    return CallAnswer("raised" if text.endswith("Error") else "answer", text, text)


def compared(before: str, after: str, kind: str) -> ComparedFunction:
    """Return a function that answers `f(0)`, a variation of this kind, with these two texts."""
    watched = WatchedFunction("a.py", "f", 1, method=False)
    texts = [answer(text) for text in (before, after)]
    old, new = (AskedCall(0, "t", "k", "f(1)", text, text, {0: VariedCall(kind, "f(0)", text)}) for text in texts)
    return ComparedFunction(ChangedFunction("a.py", "f", watched, watched), (ComparedCall(old, new, by_target=True),))


@pytest.mark.parametrize(
    ("kind", "variation", "base", "is_doubt"),
    [
        (FORCED, "number", "base", True),
        (FORCED, "far number", "base", False),
        (FORCED, "attribute number", "base", False),
        (LIMIT, "inner longer", "base", True),
        (TRUTH, "far number", "mutant", True),
        (TRUTH, "far number", "base", False),
        (OTHER, "number", "mutant", False),
        (SIBLING, "number", "mutant", True),
        (SIBLING, "number", "base", False),
        (SIBLING, "far number", "mutant", False),
        (PARAMETER, "number", "base", True),
        (PARAMETER, "far number", "mutant", False),
        (LOSSY, "alike", "base", True),
        (LOSSY, "text of the patch", "base", True),
        (LOSSY, "text in other case", "base", True),
        (LOSSY, "far number", "base", False),
        (REDUCED, "far number", "mutant", True),
        (REDUCED, "number", "base", False),
        (REDUCED, "number", "patch", False),  # the part may do what the base does in another form
        (REDUCED, "none", "patch", False),
    ],
)
def test_an_input_on_which_a_surviving_mutant_decides_is_a_doubt(
    kind: str, variation: str, base: str, is_doubt: bool
) -> None:
    changed = replace(mutant(4), kind=kind)
    rows = compared(base, "patch", variation), compared("patch", "mutant", variation)
    assert bool(list(doubts(changed, *rows))) is is_doubt
    assert not list(doubts(changed, compared(base, "patch", variation), compared("patch", "patch", variation)))


@pytest.mark.parametrize(("raises", "is_doubt"), [(frozenset({"ValueError"}), True), (frozenset(), False)])
def test_a_check_of_the_base_that_the_patch_drops_is_a_doubt(*, raises: frozenset[str], is_doubt: bool) -> None:
    by_base = compared("ValueError", "1", "far number")
    by_base = replace(by_base, function=replace(by_base.function, raises=raises))
    rows = by_base, compared("1", "ValueError", "far number")
    assert bool(list(doubts(replace(mutant(4), kind=REDUCED), *rows))) is is_doubt


@pytest.mark.parametrize(
    ("kind", "base", "patch", "without", "is_doubt"),
    [
        (LIMIT, "1", "ValueError", "1", True),  # a limit that nobody tests refuses an input that the base answers
        (LIMIT, "0", "ValueError", "1", False),  # the base answered otherwise: a fix that also checks its input
        (FORCED, "1", "ValueError", "1", False),
        (LOSSY, "KeyError", "1", "ValueError", True),  # only the loss lets the input pass
        (REDUCED, "KeyError", "1", "KeyError", False),  # a fix may answer more than the tests show
        (REDUCED, "1", "ValueError", "1", False),
    ],
)
def test_exceptions_decide_only_if_the_base_agrees(
    kind: str, base: str, patch: str, without: str, is_doubt: bool
) -> None:
    rows = compared(base, patch, "number"), compared(patch, without, "number")
    assert bool(list(doubts(replace(mutant(4), kind=kind), *rows))) is is_doubt


def test_a_step_that_leaves_the_object_in_another_state_is_a_doubt_if_the_base_has_the_attribute() -> None:
    def left(**state: str) -> CallAnswer:
        return CallAnswer("answer", "1", "1", state={name: (text, text) for name, text in state.items()})

    def row(before: CallAnswer, after: CallAnswer) -> ComparedFunction:
        made = compared("1", "1", "number")
        [call] = made.calls
        sides = (replace(call.before, clean=before, again=before), replace(call.after, clean=after, again=after))
        return replace(made, calls=(replace(call, before=sides[0], after=sides[1]),))

    base, patched = left(counts="[1]"), left(counts="[]", cache="{}")
    reduced = replace(mutant(4), kind=REDUCED)
    [sign] = doubts(reduced, row(base, patched), row(patched, left(counts="[1]", cache="{}")))
    assert "`f(1)` leaves `counts` as [] with the patch and [1] then, as on the base" in sign.words
    assert not list(
        doubts(reduced, row(base, left(counts="[1]", cache="{}")), row(left(counts="[1]", cache="{}"), base))
    )


def test_a_loss_in_a_collection_of_the_object_is_a_doubt_even_if_the_fix_changed_the_collection() -> None:
    def left(history: str) -> CallAnswer:
        return CallAnswer("answer", "1", "1", state={"history": (history, history)})

    def row(before: CallAnswer, after: CallAnswer, kind: str) -> ComparedFunction:
        made = compared("1", "1", kind)
        [call] = made.calls
        varied = [
            replace(side, clean=state, again=state, varied={0: VariedCall(kind, "f(0)", state)})
            for side, state in zip((call.before, call.after), (before, after), strict=True)
        ]
        return replace(made, calls=(replace(call, before=varied[0], after=varied[1]),))

    def found(kind: str, variation: str) -> list[Sign]:
        rows = row(left("[5, 1]"), left("[-1]"), variation), row(left("[-1]"), left("[5, -1]"), variation)
        return list(doubts(replace(mutant(4), kind=kind), *rows))

    [sign] = found(LOSSY, "attribute longer")
    assert sign.words.endswith("leaves `history` as [-1] with the patch and [5, -1] then; no test asks for the change")
    assert not found(REDUCED, "attribute longer")
    assert not found(LOSSY, "attribute none")


def test_a_look_up_that_needlessly_changes_its_dictionary_is_a_doubt() -> None:
    def row(*sides: CallAnswer) -> ComparedFunction:
        made = compared("1", "1", "number")
        [call] = made.calls
        before, after = (
            replace(side, clean=answer, again=answer)
            for side, answer in zip((call.before, call.after), sides, strict=True)
        )
        return replace(made, calls=(replace(call, before=before, after=after),))

    silent, changing = answer("1"), CallAnswer("answer", "1", "1", effects=frozenset({"changes its arguments"}))
    keeping = replace(mutant(4), kind=KEEPING)
    [sign] = doubts(keeping, row(answer("KeyError"), changing), row(changing, silent))
    assert "`f(1)` (a.py, line 1) changes its arguments; on the base no call does" in sign.words
    assert not list(doubts(keeping, row(changing, changing), row(changing, silent)))
    assert not list(doubts(keeping, row(silent, changing), row(changing, changing)))


def test_a_doubt_has_a_question_with_the_answers_of_the_base_the_patch_and_the_version() -> None:
    rows = compared("base", "patch", "number"), compared("patch", "mutant", "number")
    [sign] = doubts(replace(mutant(4), kind=FORCED), *rows)
    assert sign.question is not None
    asked = sign.question.renamed({PATCH: "d1", VARIANT: VARIANT})
    assert [(answer.text, asked.given_by(answer, "d1")) for answer in asked.answers] == [
        ("patch", "with the patch"),
        ("mutant", "with a version that no test notices"),
        ("base", "without the patch"),
    ]
    assert (
        "no test says what f(0) should be, and a version of the patch that no test notices disagrees" in asked.sentence
    )
