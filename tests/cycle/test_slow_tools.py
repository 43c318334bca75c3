"""A tool that captured calls show to be slow is made faster without a declared benchmark: its captured calls are one."""

import json
from datetime import timedelta

import pytest

from tests.support import MakeRepo
from whet.domain.clock import now
from whet.domain.execution import bucket
from whet.runtime.capture.batch import Batch
from whet.runtime.capture.writer import Writer

SHOP = '''"""A shop."""

from whet import tool


@tool(idempotent=True, side_effects=False)
def common(left, right):
    """Return what both lists have."""
    both = []
    for item in left:
        if item in right:  # slow for long lists
            both.append(item)
    return both
'''
TESTS = "from shop import common\n\n\ndef test_common():\n    assert common([1, 2, 3], [3, 1]) == [1, 3]\n    assert common([], [1]) == []\n"
SLOW_NS, HOURS, CALLS = 2_000_000_000, 4, 40


def capture_slow_hours(state: str, declared: dict[str, object]) -> None:
    """Write what the capturer writes for a tool that took two seconds a call in each of some hours."""
    writer = Writer(state)
    key = ("shop.common", "0123456789abcdef")
    for hour in range(HOURS):
        at = now() - timedelta(hours=hour + 1)
        batch = Batch()
        batch.tools = {key: ("shop", "common", "shop.py", "plain", json.dumps(declared), 1)}
        sums = batch.totals_of(key, "current", int(at.timestamp()) // 60 * 60)
        sums.calls = sums.kept = sums.timed = CALLS
        sums.duration, sums.buckets = CALLS * SLOW_NS, {bucket(SLOW_NS): CALLS}
        left, right = list(range(hour, 4000, 2)), list(range(4000))
        inputs, output = json.dumps([[left, right], {}]), json.dumps(left)
        batch.rows = [
            (key, "current", int(at.timestamp() * 1e6), SLOW_NS - hour, False, True, inputs, output, None, None)
        ]
        writer.write(batch)
    writer.close()


@pytest.mark.long
@pytest.mark.whets_python
def test_a_slow_tool_is_made_faster_and_measured_by_its_captured_calls(make_repo: MakeRepo) -> None:
    repo = make_repo({"whet.toml": "[tests]\nfolders = ['tests']\n", "shop.py": SHOP, "tests/test_shop.py": TESTS})
    repo.whet("scan")  # makes the state folder
    capture_slow_hours(str(repo.root / ".whet"), {"idempotent": True, "side_effects": False})
    [finding] = repo.whet("scan", "--json").json["findings"]
    assert (finding["finding"]["kind"], finding["engines"]) == ("slow_tool", ["speed"])
    assert repo.whet("run", "--json").code == 5
    [proposal] = repo.whet("list", "--json").json
    assert (proposal["engine"], proposal["verdict"]) == ("speed", "passed")
    shown = repo.whet("show", proposal["proposal"], "--all").out
    assert "performance" in shown
    assert "captured calls of shop.common better by" in " ".join(shown.split())
    assert "+    right_set = set(right)" in repo.whet("diff", proposal["proposal"]).out


@pytest.mark.long
@pytest.mark.whets_python
def test_the_calls_of_a_slow_tool_that_is_not_idempotent_are_not_repeated(make_repo: MakeRepo) -> None:
    repo = make_repo({"whet.toml": "[tests]\nrunner = 'none'\n", "shop.py": SHOP})
    repo.whet("scan")
    capture_slow_hours(str(repo.root / ".whet"), {"side_effects": False})
    [finding] = repo.whet("scan", "--json").json["findings"]
    assert finding["engines"] == []
    assert "not declared idempotent" in json.dumps(finding)
