"""The builds of a search and of a model for one proposal, as one build."""

from dataclasses import replace

import pytest

from whet.domain.build import Build
from whet.domain.change import Change, ChangeStatus
from whet.domain.patch import Patch
from whet.domain.undecided_call import PossibleAnswer, UndecidedCall
from whet.phases.propose.compete import joined


def patch(name: str, lines: int) -> Patch:
    mode, blob = "100644", "0" * 40
    change = Change(
        status=ChangeStatus.MODIFIED, path="shop.py", old_mode=mode, new_mode=mode, old_blob=blob, new_blob=blob,
        added_lines=lines, removed_lines=0,
    )  # fmt: skip
    return Patch(
        base="b", tree=name, diff=f"diff of {name}", digest=name, changes=(change,), summary=f"Change by {name}"
    )


FOUND = Build(patch=patch("search", 2), rivals=(patch("search2", 2),), note="9 edits tried", tried=9, seconds=1.0)
WRITTEN = Build(
    foreign=True, patch=patch("model", 1), rivals=(patch("model2", 7),), note="1 answer", tried=1, seconds=2.0
)


def order(build: Build) -> list[str]:
    return [each.digest for each in build.patches]


@pytest.mark.parametrize(
    ("lines", "digests"),
    [
        (1, ["model", "search", "search2", "model2"]),
        (2, ["search", "model", "search2", "model2"]),
        (5, ["search", "model", "search2", "model2"]),
    ],
)
def test_the_smaller_patch_is_offered_first_and_the_other_is_shown(lines: int, digests: list[str]) -> None:
    build = joined(FOUND, replace(WRITTEN, patch=patch("model", lines)), "openai:m")
    assert order(build) == digests
    assert "'Change by search' with 2 changed lines, 'Change by model' with" in build.difference
    assert "`whet diff --rival 1`" in build.difference
    assert (build.tried, build.seconds) == (10, 3.0)
    assert build.note == "9 edits tried; openai:m: 1 answer"
    assert build.foreign and not FOUND.foreign


def test_two_engines_that_agree_leave_one_patch() -> None:
    build = joined(FOUND, replace(WRITTEN, patch=patch("search", 2), rivals=()), "openai:m")
    assert order(build) == order(FOUND)
    assert (build.difference, build.note) == ("", "9 edits tried; openai:m wrote a patch that the search found too")


def test_a_patch_for_all_targets_is_taken_before_one_for_a_part() -> None:
    build = joined(replace(FOUND, left_red=("t",)), WRITTEN, "openai:m")
    assert order(build) == ["model", "model2"]
    assert build.left_red == ()


def test_patches_that_a_person_must_choose_between_stay_in_front() -> None:
    answers = (PossibleAnswer(text="1", patches=("search",)), PossibleAnswer(text="2", patches=("search2",)))
    call = UndecidedCall(call="f(0)", function="f", path="shop.py", answers=answers)
    build = joined(replace(FOUND, disputed=(call,)), WRITTEN, "openai:m")
    assert order(build) == ["search", "search2", "model", "model2"]
    assert build.undecided is not None
    assert "`whet diff --rival 2`" in build.difference


def test_a_model_without_a_patch_changes_nothing_but_the_note() -> None:
    build = joined(FOUND, Build(patch=None, note="3 answers, 0 passed"), "openai:m")
    assert build == replace(FOUND, note="9 edits tried; openai:m: 3 answers, 0 passed")
