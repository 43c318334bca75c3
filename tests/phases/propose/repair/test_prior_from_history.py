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
from whet.phases.propose.repair.prior_from_history import template_priors
from whet.store.store import open_store


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    store = open_store(tmp_path / ".whet")
    yield Ledger(store, tmp_path / ".whet")
    store.close()


def record_lesson(ledger: Ledger, number: int, ending: Ending, template: str, engine: str = "repair") -> None:
    proposal, digest = f"p-{number}", f"d-{number}"
    built = Build(patch=None, note="", made_by={"another": "constant", digest: template})
    lesson = Lesson(
        proposal=proposal, signature="s", engine=engine, ending=ending, code="", summary="", base="b",
        patch_digest=digest, learned_at=now(),
    )  # fmt: skip
    ledger.append("propose", built, subject=proposal, key=f"{proposal}/built")
    ledger.append("learn", lesson, subject=proposal, key=f"{proposal}/lesson")


def test_a_template_is_likelier_the_more_often_its_fixes_worked(ledger: Ledger) -> None:
    record_lesson(ledger, 1, Ending.MERGED, "comparison")
    record_lesson(ledger, 2, Ending.COMPLETED, "comparison+guard")
    record_lesson(ledger, 3, Ending.ROLLED_BACK, "variable")
    record_lesson(ledger, 4, Ending.MERGED, "slice", engine="autofix")
    priors = template_priors(ledger)
    assert set(priors) == {"comparison", "guard"}
    assert 1 < priors["guard"] < priors["comparison"] < 2


def test_the_prior_of_a_template_is_bounded(ledger: Ledger) -> None:
    for number in range(9):
        record_lesson(ledger, number, Ending.MERGED, "guard")
    assert template_priors(ledger) == {"guard": 2.0}


def test_a_likelier_template_is_tried_and_shown_sooner() -> None:
    source = "def f(a, b):\n    return a - b if a < b else 3\n"
    places = [Place(path="m.py", line=2, function="f", suspicion=1.0, why="")]
    ordinary = [item.template for item in candidates("m.py", source, places, Hints())]
    informed = list(candidates("m.py", source, places, Hints(), {"arithmetic": 2.0}))
    assert ordinary[0] != "arithmetic"
    assert informed[0].template == "arithmetic"
    assert max(informed, key=lambda item: item.naturalness).template == "arithmetic"
