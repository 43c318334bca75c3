"""The steps of a cycle: how long it may take."""

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.phases.deploy.harness import proposal
from tests.support import ForkedCommand, Repo
from whet.app.project import open_project
from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.domain.memory import Memory
from whet.domain.trigger import Trigger, TriggerKind
from whet.errors import PARKING, CycleTooLong
from whet.workflow.cycle_steps import refuse_late_cycle, untried_first


def began(seconds_ago: float) -> Trigger:
    at = now() - timedelta(seconds=seconds_ago)
    return Trigger(id="c-1", kind=TriggerKind.HUMAN, reason="asked", actor="ann", at=at)


def test_a_cycle_within_its_time_goes_on() -> None:
    refuse_late_cycle(began(50), 60)


def test_a_cycle_beyond_its_time_is_refused_with_a_remedy() -> None:
    with pytest.raises(CycleTooLong, match=r"c-1 has taken 61 s, and budget\.cycle_seconds is 60") as refusal:
        refuse_late_cycle(began(61), 60)
    assert "`whet run`" in refusal.value.remedy
    assert not issubclass(CycleTooLong, PARKING), "a parked cycle would be late for ever"


def test_a_finding_that_was_tried_in_vain_stands_behind_those_that_were_not() -> None:
    bare = proposal("0" * 40).diagnosis.finding
    first, second, third = (replace(bare, signature=name) for name in ("s-1", "s-2", "s-3"))
    lessons = tuple(
        Lesson(
            proposal="p-1", signature=signature, engine="repair", ending=Ending.NOT_PROVEN, code="", summary="", base="",
            patch_digest="", learned_at=now(),
        )
        for signature in ("s-1", "s-1", "s-3")
    )  # fmt: skip
    assert untried_first([first, second, third], Memory(lessons)) == [second, third, first]
    assert untried_first([first, second, third], Memory(())) == [first, second, third]


TWO_HOURS_LATER = """
import sys
from datetime import timedelta

from whet.cli.main import main
from whet.domain.clock import now
from whet.workflow import cycle_steps

cycle_steps.now = lambda: now() + timedelta(hours=2)
sys.argv[0] = "whet"
main()
"""


def test_a_late_cycle_ends_at_its_next_step_and_leaves_a_lesson(sample: Repo, tmp_path: Path) -> None:
    script = tmp_path / "two_hours_later.py"
    script.write_text(TWO_HOURS_LATER)
    result = ForkedCommand(["run", "--json"], sample.root, dict(os.environ), script=str(script)).end()
    assert (result.code, result.json["error"]["code"]) == (3, "cycle_too_long"), result.out + result.err
    kinds = [entry.kind for entry in open_project(sample.root).ledger.entries()]
    assert kinds[kinds.index("Base") :] == ["Base", "Error", "Lesson"]
    assert sample.whet("list", "--json").json == []
    assert sample.whet("audit", "--json").code == 0
