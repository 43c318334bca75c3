"""A planted result of a step, in whet's own format, does not replace the result that the step would have."""

from dataclasses import dataclass
from typing import Any

from tests.durable.test_planted_rows import _ENQUEUED, Backend, backend, tables
from whet.domain.progress import Silent
from whet.durable.engine import Engine
from whet.errors import StateUnusable
from whet.ledger.ledger import Ledger
from whet.store.store import open_store
from whet.workflow.journal import Journal, Step

__all__ = ["backend", "tables"]

OURS: dict[str, Any] = {"serialization": "whet_json"}


@dataclass(frozen=True)
class Result:
    verdict: str


def test_a_step_does_not_take_the_entry_of_another_proposal(backend: Backend) -> None:
    """As if somebody had a proposal's proof replaced by one that passed."""
    store = open_store(backend.folder)
    ledger = Ledger(store, backend.folder)
    ledger.append("validate", Result("passed"), subject="p-1", key="p-1/validate/prove")
    status = {**_ENQUEUED, **OURS, "status": "PENDING", "inputs": '{"args": ["w-9"], "kwargs": {}}'}
    backend.plant("workflow_status", **{**status, "owner_xid": "x", "recovery_attempts": 1})
    result = {
        "function_id": 1,
        "function_name": "validate.prove",
        "output": '"p-1/validate/prove"',
        "retention_timestamp": 1,
    }
    backend.plant("operation_outputs", workflow_uuid="w-9", **result, **OURS)
    engine, taken = Engine(backend.folder, backend.address), []
    journal = Journal(engine, ledger, Silent(), lambda: None)

    def once(identity: str) -> str:
        step = Step("validate", "prove", identity, Result)
        taken.append(journal.step(step, lambda: Result("failed")))
        return identity

    engine.workflow("once", once)
    try:
        engine.launch()
        while engine.halted is None and not engine.ended("w-9"):
            engine.wait()
    finally:
        engine.close()
        store.close()
    assert taken == []
    assert isinstance(engine.halted, StateUnusable)
    assert "the durable engine says that w-9/validate/prove is done" in engine.halted.message
