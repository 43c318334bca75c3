"""Rivals are other fixes of the functions that a patch edits; one that the tests accept can raise a question."""

import ast
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.phases.validate.integrity.mutate.test_patch_mutants import answer, compared
from whet.phases.propose.repair.generate import likely_edits
from whet.phases.validate.integrity.mutate.patch_mutant import RIVAL, PatchMutant
from whet.phases.validate.integrity.mutate.rivals import rivals, with_function_of
from whet.phases.validate.integrity.neighbours.changed_functions import changed_functions
from whet.phases.validate.integrity.neighbours.comparison import ComparedFunction
from whet.phases.validate.integrity.safeguards.rival_fixes import disagreements
from whet.target.varied.calls import VariedCall

BASE = """\
class Account:
    def interest(self, rate):
        return self.balance * rate // 10

    def other(self):
        return 1
"""
PATCH = BASE.replace("rate // 10", "rate * rate // 500").replace("return 1", "return 2")


def test_rivals_edit_the_function_of_the_base_and_leave_the_rest_of_the_patch() -> None:
    interest = next(item for item in changed_functions({"a.py": (BASE, PATCH)}) if item.name == "Account.interest")
    as_before, *others = rivals(interest, BASE, PATCH, likely_edits)
    assert "rate // 10\n" in as_before.source
    assert all("return 2" in rival.source and "* rate // 500" not in rival.source for rival in (as_before, *others))
    assert any("self.balance * rate // 100\n" in rival.source for rival in others)


@pytest.mark.parametrize("name", ["missing", "Account"])
def test_a_function_that_one_text_lacks_has_no_rivals(name: str) -> None:
    assert with_function_of(PATCH, BASE, name) is None
    assert with_function_of("def broken(", BASE, name) is None


def test_a_function_is_taken_with_its_decorators() -> None:
    old, new = "@old\ndef f():\n    return 1\n", "x = 1\n\n\n@new\ndef f():\n    return 2\n\n\ny = 2\n"
    assert with_function_of(new, old, "f") == "x = 1\n\n\n@old\ndef f():\n    return 1\n\n\ny = 2\n"


def test_expressions_over_several_lines_are_edited() -> None:
    source = (
        "def f(a, b):\n    return a * (\n        int(b)\n            + int(a)\n            + (1 if a else 0)\n    )\n"
    )
    for _, changed in likely_edits("a.py", source, "f", range(1, 7)):
        assert ast.parse(changed)


def with_another(function: ComparedFunction, before: str, after: str) -> ComparedFunction:
    """Return the function with a second near input that gets these two answers."""
    [call] = function.calls
    sides = (
        replace(side, varied={**side.varied, 1: VariedCall("number", "f(2)", answer(text))})
        for side, text in ((call.before, before), (call.after, after))
    )
    old, new = sides
    return replace(function, calls=(replace(call, before=old, after=new),))


@pytest.mark.parametrize(
    ("kind", "base", "patch", "rival", "signs"),
    [
        ("number", "120", "14", "12", 1),
        ("far number", "120", "14", "12", 0),
        ("number", "120", "14", "14", 0),
        ("number", "120", "14", "120", 0),  # the rival does not reach the input
        ("number", "120", "120", "12", 0),  # the patch leaves the input alone
        ("number", "TypeError", "14", "12", 0),
        ("number", "120", "14", "TypeError", 0),
    ],
)
def test_patch_and_rival_must_answer_a_near_input_differently(
    kind: str, base: str, patch: str, rival: str, signs: int
) -> None:
    version = PatchMutant("a.py", 3, "Use 100 instead of 10", "", RIVAL)
    found: Iterator[object] = disagreements(version, compared(base, patch, kind), compared(patch, rival, kind))
    assert len(list(found)) == signs


def test_a_rival_that_changes_what_the_patch_keeps_is_no_likely_fix() -> None:
    version = PatchMutant("a.py", 3, "Use min instead of max", "", RIVAL)
    by_base = with_another(compared("120", "14", "number"), "5", "5")
    assert not list(disagreements(version, by_base, with_another(compared("14", "12", "number"), "5", "6")))
    [sign] = disagreements(version, by_base, with_another(compared("14", "12", "number"), "5", "5"))
    assert "Use min instead of max. But `f(0)` answers 14 with the patch and answers 12 then" in sign.words
    assert sign.question is not None
