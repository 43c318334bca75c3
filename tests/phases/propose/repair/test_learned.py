from collections.abc import Iterator
from pathlib import Path

import pytest

from whet.domain.build import Build
from whet.domain.clock import now
from whet.domain.lesson import Ending, Lesson
from whet.domain.place import Place
from whet.ledger.ledger import Ledger
from whet.phases.propose.repair.generate import candidates
from whet.phases.propose.repair.hints import Hints
from whet.phases.propose.repair.prior_from_history import learned
from whet.store.store import open_store


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    store = open_store(tmp_path / ".whet")
    yield Ledger(store, tmp_path / ".whet")
    store.close()


def carried(ledger: Ledger, number: int, ending: Ending, template: str, engine: str = "repair") -> None:
    proposal, digest = f"p-{number}", f"d-{number}"
    built = Build(patch=None, note="", made_by={"another": "constant", digest: template})
    lesson = Lesson(
        proposal=proposal, signature="s", engine=engine, ending=ending, code="", summary="", base="b",
        patch_digest=digest, learned_at=now(),
    )  # fmt: skip
    ledger.append("propose", built, subject=proposal, key=f"{proposal}/built")
    ledger.append("learn", lesson, subject=proposal, key=f"{proposal}/lesson")


def test_kinds_of_edits_that_worked_are_likelier_the_more_often_they_did(ledger: Ledger) -> None:
    carried(ledger, 1, Ending.MERGED, "comparison")
    carried(ledger, 2, Ending.COMPLETED, "comparison+guard")
    carried(ledger, 3, Ending.ROLLED_BACK, "variable")
    carried(ledger, 4, Ending.MERGED, "slice", engine="autofix")
    found = learned(ledger)
    assert set(found) == {"comparison", "guard"}
    assert 1 < found["guard"] < found["comparison"] < 2


def test_what_was_learned_has_a_bound(ledger: Ledger) -> None:
    for number in range(9):
        carried(ledger, number, Ending.MERGED, "guard")
    assert learned(ledger) == {"guard": 2.0}


def test_what_was_learned_is_tried_and_shown_sooner() -> None:
    source = "def f(a, b):\n    return a - b if a < b else 3\n"
    places = [Place(path="m.py", line=2, function="f", suspicion=1.0, why="")]
    ordinary = [one.template for one in candidates("m.py", source, places, Hints())]
    taught = list(candidates("m.py", source, places, Hints(), {"arithmetic": 2.0}))
    assert ordinary[0] != "arithmetic"
    assert taught[0].template == "arithmetic"
    assert max(taught, key=lambda one: one.naturalness).template == "arithmetic"
