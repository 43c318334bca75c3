"""The journal trusts the ledger, not what the durable engine's rows say about it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from whet.domain.progress import Silent
from whet.errors import StateUnusable, WhetError
from whet.ledger.ledger import Ledger
from whet.store.store import open_store
from whet.workflow.journal import Journal, Step

STEP = Step("observe", "base", "c-1", str)


class Replaying:
    """A durable engine that replays a planted row instead of running the step."""

    def __init__(self, row: object) -> None:
        self._row = row

    def run_step(self, options: Mapping[str, str], function: Callable[[], str], /) -> str:
        return self._row  # type: ignore[return-value]

    def parking(self, errors: tuple[type[WhetError], ...]) -> AbstractContextManager[None]:
        return nullcontext()

    def receive(self, topic: str, timeout_seconds: float) -> bool:
        return True

    def start(self, name: str, identity: str) -> None: ...


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    store = open_store(tmp_path / ".whet")
    yield Ledger(store, tmp_path / ".whet")
    store.close()


def journal(ledger: Ledger, row: object) -> Journal:
    return Journal(Replaying(row), ledger, Silent(), lambda: None)


@pytest.mark.parametrize("row", [STEP.key, "c-2/observe/base", "", None, 5, {"a": 1}, ["x"]])
def test_a_step_that_only_the_engine_calls_done_is_refused(ledger: Ledger, row: object) -> None:
    ledger.append("observe", "another", subject="c-2", key="c-2/observe/base", kind="str")
    with pytest.raises(StateUnusable, match="c-1/observe/base is done, and the ledger does not have it") as refusal:
        journal(ledger, row).step(STEP, lambda: "fresh")
    assert "run `whet resume`" in refusal.value.remedy


@pytest.mark.parametrize("row", ["c-2/observe/base", None, 5])
def test_a_row_that_names_another_entry_is_refused(ledger: Ledger, row: object) -> None:
    for cycle in ("c-1", "c-2"):
        ledger.append("observe", cycle, subject=cycle, key=f"{cycle}/observe/base", kind="str")
    with pytest.raises(StateUnusable):
        journal(ledger, row).step(STEP, lambda: "fresh")
    assert journal(ledger, STEP.key).step(STEP, lambda: "fresh") == "c-1"
