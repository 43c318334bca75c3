"""The ledger and the cache of suite runs hold no secret, whatever is appended; the deployed patch is not touched."""

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.domain.secret_samples import SAMPLES
from whet.domain.build import Build
from whet.domain.patch import Patch
from whet.domain.suite import Failure, Outcome, SuiteReport
from whet.domain.trigger import Trigger, TriggerKind
from whet.ledger.ledger import Ledger
from whet.ledger.scratch import ScratchLedger
from whet.store.runs import StoredRuns
from whet.store.store import FILE_NAME, open_store

TOKEN = SAMPLES["GitHub, classic"][1]


@pytest.mark.parametrize("name", SAMPLES)
def test_no_form_of_a_secret_is_appended(ledger: Ledger, name: str) -> None:
    text, secret = SAMPLES[name]
    noun = {"message": text, "deep": [{"trace": f"{text}\nend"}], "names": {text: 1}}
    for kept in (ledger, ScratchLedger(ledger)):
        entry = kept.append("observe", noun, subject="s", key=f"{type(kept).__name__}", kind="Error")
        assert secret not in entry.body
        assert json.dumps(secret)[1:-1] not in entry.body


def test_a_noun_without_secrets_is_read_back_as_it_was(ledger: Ledger) -> None:
    trigger = Trigger(
        id="c-1", kind=TriggerKind.HUMAN, reason="a test is red", actor="ann", at=datetime.now(UTC), top=1
    )
    assert ledger.append("observe", trigger, subject="c-1", key="k").read(Trigger) == trigger


def test_a_patch_keeps_its_tree_and_digest(ledger: Ledger) -> None:
    digest, tree = "3f9a0c5d" * 8, "da39a3ee" * 5
    diff = f"diff --git a/a.py b/a.py\n TOKEN = '{TOKEN}'\n-x = 1\n+x = 2\n"
    patch = Patch(base=tree, tree=tree, diff=diff, digest=digest, changes=(), summary="Use 2")
    recorded = ledger.append("propose", Build(patch=patch, note=""), subject="p-1", key="b").read(Build).patch
    assert recorded is not None
    assert (recorded.base, recorded.tree, recorded.digest) == (tree, tree, digest)
    assert recorded.diff == diff.replace(TOKEN, "[redacted: GitHub token]")


def test_a_cached_run_holds_no_secret(folder: Path) -> None:
    store = open_store(folder)
    failure = Failure(exception="E", message=TOKEN, frames=(), text=f"password='swordfish-1' {TOKEN}")
    outcomes = {f"a::b[{TOKEN}]": Outcome.FAILED}
    StoredRuns(store)["k"] = SuiteReport(
        tree="t", outcomes=outcomes, seconds=1.0, complete=True, failures={f"a::b[{TOKEN}]": failure}
    )
    store.close()
    connection = sqlite3.connect(folder / FILE_NAME)
    (report,) = connection.execute("SELECT report FROM suite_runs").fetchone()
    connection.close()
    assert TOKEN not in report
    assert "swordfish" not in report
