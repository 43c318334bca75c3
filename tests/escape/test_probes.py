"""Ways out of the sandbox: each works outside and fails inside, for whoever runs the tests and for an ordinary user."""

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.escape.ordinary import probed
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.probes import run
from whet.sandbox.probes.probe import FAMILIES, PROBES
from whet.target.probing import Probed, ProbeOutcome, probe

assert run.SECONDS  # its import fills the table
AS = ["whoever runs the tests", "an ordinary user"]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Probed]]:
    """All at once: a start for each of them would take minutes."""
    found = {AS[0]: probe(Bubblewrap())}
    if os.geteuid() == 0:
        folder = _reachable(tmp_path_factory.mktemp("ordinary"))
        try:
            found[AS[1]] = probed(folder)
        finally:
            shutil.rmtree(folder)
    return {who: {one.id: one for one in results} for who, results in found.items()}


def _reachable(folder: Path) -> Path:
    """pytest's own folders are closed to other users."""
    open_to_all = Path("/tmp") / f"whet-ordinary-{os.getpid()}"
    shutil.rmtree(folder)
    open_to_all.mkdir()
    return open_to_all


@pytest.mark.parametrize("who", AS)
@pytest.mark.parametrize("name", PROBES)
def test_the_way_out_is_closed(name: str, who: str, tried: dict[str, dict[str, Probed]]) -> None:
    if who not in tried:
        pytest.skip("the tests do not run as root, so this is the same run")
    one = tried[who][name]
    if one.outcome is ProbeOutcome.NOT_TRIED:
        pytest.skip(f"it does not work here even {one.said}")
    assert one.outcome is ProbeOutcome.HELD, one.said


def test_most_of_them_were_tried(tried: dict[str, dict[str, Probed]]) -> None:
    """A probe that shows nothing here is no evidence, so enough of every family must have shown something."""
    for results in tried.values():
        counts = Counter(one.family for one in results.values() if one.outcome is not ProbeOutcome.NOT_TRIED)
        assert sum(counts.values()) >= 80, counts
        assert all(counts[family] >= 5 for family in FAMILIES), counts
