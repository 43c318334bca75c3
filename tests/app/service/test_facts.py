"""The facts are read from what was appended since the last time, and are the same as if all were read."""

from pathlib import Path

from tests.ledger.test_invariants import Scenario
from whet.app.service.facts import FactsReader, read_facts
from whet.domain.clock import now
from whet.domain.cycle_request import CycleRequest
from whet.domain.trigger import Trigger, TriggerKind
from whet.ledger.ledger import Ledger
from whet.store.store import open_store


def test_a_reader_that_goes_on_sees_what_a_new_one_sees_after_every_entry(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    ledger = Ledger(store, tmp_path)
    reader = FactsReader(ledger)
    request = CycleRequest(id="q-1", via="cli", reason="now", actor="ann", at=now())
    ledger.append("observe", request, subject=request.id, key="request/q-1")
    assert reader.read().requests == (request,)
    for row in (*Scenario().rows(), *Scenario(cycle="c-2", proposal="p-2").until_applied()):
        ledger.append(row.phase, row.noun, subject=row.subject, key=row.key, kind=row.kind)
        assert reader.read() == read_facts(ledger)
    assert reader.read().requests == (request,)
    trigger = Trigger(id="c-3", kind=TriggerKind.HUMAN, reason="", actor="", at=now(), requests=("q-1",))
    ledger.append("observe", trigger, subject="c-3", key="c-3/trigger")
    facts = reader.read()
    assert facts == read_facts(ledger)
    assert facts.requests == ()
    assert "c-3" in facts.unfinished
    store.close()


def test_a_second_look_reads_nothing_of_the_entries_that_were_there(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    ledger = Ledger(store, tmp_path)
    for number in range(300):
        trigger = Trigger(id=f"c-{number}", kind=TriggerKind.PUSH, reason="", actor="", at=now())
        ledger.append("observe", trigger, subject=trigger.id, key=f"{trigger.id}/trigger")
    reader = FactsReader(ledger)
    first = reader.read()
    assert first.own_cycles_today == 300
    read_before = list[int]()
    entries = ledger.entries

    def counting(**filters: object) -> object:
        rows = entries(**filters)  # type: ignore[arg-type] # the same keywords
        read_before.append(len(rows))
        return rows

    ledger.entries = counting  # type: ignore[method-assign,assignment] # counts the rows of the second look
    assert reader.read() == first
    assert sum(read_before) == 0
    store.close()
