"""`whet doctor --probe` reports which probes were held, not tried, or got out."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.escape.inside import interpreter_paths
from whet.app.setup import doctor
from whet.cli.main import app
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.escape_check import ProbeOutcome, ProbeResult, check_escapes

SOME = ["network: has a route", "process: traces its own child", "ipc: reaches /run/snapd.socket"]

SetResults = Callable[[list[ProbeResult]], None]


@pytest.fixture
def set_results(monkeypatch: pytest.MonkeyPatch) -> SetResults:
    """Make `whet doctor --probe` report these results."""

    def replace(results: list[ProbeResult]) -> None:
        def check_escapes(
            sandbox: Bubblewrap, readable: Sequence[str], *, on_result: Callable[[ProbeResult], None] | None
        ) -> list[ProbeResult]:
            if on_result:
                for result in results:
                    on_result(result)
            return results

        monkeypatch.setattr(doctor, "check_escapes", check_escapes)

    return replace


def invoke(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["doctor", "--probe", *arguments], standalone_mode=False)
    return (result.exit_code or int(result.return_value or 0)), result.output


def test_results_are_listed_and_counted(set_results: SetResults) -> None:
    set_results(check_escapes(Bubblewrap(), interpreter_paths(), SOME))
    code, output = invoke()
    assert code == 0
    assert "held       process: traces its own child" in output
    assert "process:     1 held, 0 not tried, 0 got out" in output
    assert output.strip().endswith("the sandbox holds")


def test_results_are_printed_as_json(set_results: SetResults) -> None:
    set_results(check_escapes(Bubblewrap(), interpreter_paths(), SOME))
    code, output = invoke("--json")
    report: dict[str, Any] = json.loads(output)
    assert (code, report["ok"], len(report["probes"])) == (0, True, len(SOME))
    assert {"family", "name", "outcome", "detail"} <= set(report["probes"][0])


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_a_probe_that_got_out_is_an_error(arguments: tuple[str, ...], set_results: SetResults) -> None:
    set_results([ProbeResult("network", "has a route", ProbeOutcome.GOT_OUT, "True")])
    code, output = invoke(*arguments)
    assert code == 4
    assert "got out" in output
    assert arguments or "do not use whet here" in output
