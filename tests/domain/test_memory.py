"""Lessons decide which proposals and patches are tried again."""

from dataclasses import replace

import pytest

from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.domain.memory import Memory


def lesson(
    ending: Ending, *, patch: str = "", base: str = "b1", signature: str = "s1", engine: str = "repair"
) -> Lesson:
    return Lesson(
        proposal="p-1", signature=signature, engine=engine, ending=ending, code=ending.value, summary="", base=base,
        patch_digest=patch, learned_at=now(),
    )  # fmt: skip


NOT_AGAIN = [
    lesson(Ending.REJECTED),
    lesson(Ending.NOT_BUILT),
    lesson(Ending.NOT_PROVEN, patch="d1"),
    lesson(Ending.REFUSED, patch="d1"),
]
AGAIN = [
    lesson(Ending.REJECTED, patch="d1"),
    lesson(Ending.NOT_BUILT, base="b0"),
    lesson(Ending.NOT_PROVEN, base="b0", patch="d1"),
    lesson(Ending.MERGED, patch="d1"),
    lesson(Ending.EXPIRED, patch="d1"),
    lesson(Ending.FAILED),
    lesson(Ending.NOT_BUILT, signature="s2"),
    lesson(Ending.NOT_BUILT, engine="autofix"),
]


@pytest.mark.parametrize("lesson_learned", NOT_AGAIN, ids=lambda lesson_learned: lesson_learned.ending.value)
def test_a_hopeless_proposal_is_not_repeated(lesson_learned: Lesson) -> None:
    assert Memory((lesson_learned,)).why_not("s1", "repair", "b1")


@pytest.mark.parametrize("lesson_learned", AGAIN)
def test_a_proposal_that_may_help_is_repeated(lesson_learned: Lesson) -> None:
    assert Memory((lesson_learned,)).why_not("s1", "repair", "b1") == ""


def test_rejected_and_rolled_back_patches_are_avoided() -> None:
    endings = {"d1": Ending.REJECTED, "d2": Ending.ROLLED_BACK, "d3": Ending.MERGED, "d4": Ending.NOT_PROVEN}
    memory = Memory(tuple(lesson(ending, patch=patch) for patch, ending in endings.items()))
    assert memory.avoid("s1") == {"d1", "d2", "d4"}
    assert memory.avoid("s2") == {"d1", "d2"}, "the same cause may come back under the signature of another red test"


def test_only_failed_attempts_are_counted() -> None:
    memory = Memory((lesson(Ending.MERGED), lesson(Ending.NOT_BUILT), lesson(Ending.REJECTED)))
    assert memory.attempts("s1") == 2


def test_an_attempt_for_which_no_model_could_be_asked_does_not_count() -> None:
    unavailable = replace(lesson(Ending.FAILED), code="model_unavailable")
    assert Memory((unavailable, lesson(Ending.FAILED))).attempts("s1") == 1
    assert Memory((unavailable,)).why_not("s1", "repair", "b1") == ""
