"""`whet ledger`: the record by phase and kind."""

import json
import subprocess

from tests.support import WHET, Repo


def test_entries_are_found_by_phase_kind_and_subject(sample: Repo) -> None:
    for text in ("mean of nothing is 0", "clamp should refuse low > high"):
        assert sample.whet("suggest", text, "--where", "calculator.py").code == 0
    lines = [json.loads(line) for line in sample.whet("ledger", "--kind", "Suggestion", "--json").out.splitlines()]
    assert [line["body"]["text"] for line in lines] == ["mean of nothing is 0", "clamp should refuse low > high"]
    latest = sample.whet("ledger", "--phase", "observe", "--kind", "Suggestion", "--latest").out
    assert "clamp should refuse" in latest
    assert "mean of nothing" not in latest
    of_first = sample.whet("ledger", "--subject", lines[0]["subject"], "--json").out.splitlines()
    assert [json.loads(line)["seq"] for line in of_first] == [lines[0]["seq"]]


def test_a_kind_that_is_not_there_is_named_so(sample: Repo) -> None:
    result = sample.whet("ledger", "--kind", "Evidence", "--latest")
    assert result.code == 2
    assert "no such entry" in result.err


def test_a_follower_prints_what_another_process_records(sample: Repo) -> None:
    assert sample.whet("suggest", "mean of nothing is 0", "--where", "calculator.py").code == 0
    command = [*WHET, "ledger", "--kind", "Suggestion", "--follow", "--json"]
    with subprocess.Popen(command, cwd=sample.root, stdout=subprocess.PIPE, text=True) as follower:
        assert follower.stdout
        assert json.loads(follower.stdout.readline())["body"]["text"] == "mean of nothing is 0"
        assert sample.whet("suggest", "clamp is wrong", "--where", "calculator.py").code == 0
        assert json.loads(follower.stdout.readline())["body"]["text"] == "clamp is wrong"
        follower.terminate()
