"""`whet doctor --probe` says what was held, what shows nothing here, and what got out."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from whet.app import doctor
from whet.cli.main import app
from whet.sandbox.bubblewrap import Bubblewrap
from whet.target.probing import Probed, ProbeOutcome, probe

SOME = ["network: has a route", "process: traces its own child", "ipc: reaches /run/snapd.socket"]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[Probed]], None]:
    def give(found: list[Probed]) -> None:
        def probe(sandbox: Bubblewrap, *, watch: Callable[[Probed], None] | None) -> list[Probed]:
            for tried in found if watch else []:
                watch and watch(tried)
            return found

        monkeypatch.setattr(doctor, "try_to_get_out", probe)

    return give


def invoke(*arguments: str) -> tuple[int, str]:
    said = CliRunner().invoke(app, ["doctor", "--probe", *arguments], standalone_mode=False)
    return (said.exit_code or int(said.return_value or 0)), said.output


def test_what_was_tried_is_listed_and_counted(answers: Callable[[list[Probed]], None]) -> None:
    answers(probe(Bubblewrap(), SOME))
    code, output = invoke()
    assert code == 0
    assert "held       process: traces its own child" in output
    assert "process:     1 held, 0 not tried, 0 got out" in output
    assert output.strip().endswith("the sandbox holds")


def test_it_can_be_read_by_programs(answers: Callable[[list[Probed]], None]) -> None:
    answers(probe(Bubblewrap(), SOME))
    code, output = invoke("--json")
    found: dict[str, Any] = json.loads(output)
    assert (code, found["ok"], len(found["probes"])) == (0, True, len(SOME))
    assert {"family", "name", "outcome", "said"} <= set(found["probes"][0])


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_a_way_out_is_an_error(arguments: tuple[str, ...], answers: Callable[[list[Probed]], None]) -> None:
    answers([Probed("network", "has a route", ProbeOutcome.GOT_OUT, "True")])
    code, output = invoke(*arguments)
    assert code == 4
    assert "got out" in output
    assert arguments or "do not use whet here" in output
