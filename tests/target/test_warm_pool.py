"""Real sandboxes: every version has a result of its own, in order, even if another one kills its sandbox."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.support import MakeRepo
from whet.app.project import open_project
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import Job
from whet.sandbox.session import BubblewrapSession
from whet.target.warm_pool import WarmPool

GOOD = "def double(a):\n    return a + a\n"
BAD = "def double(a):\n    return a\n"
DEADLY = "def double(a):\n    import os\n    os.kill(os.getppid(), 9)\n    while True:\n        pass\n"
# Writes to every descriptor, to hit the one that only the script should write to.
FORGING = """
import os
for fd in range(3, 64):
    for place in (f"/proc/{os.getppid()}/fd/{fd}", f"/proc/self/fd/{fd}"):
        try:
            os.write(os.open(place, os.O_WRONLY | os.O_NONBLOCK), b"FORGED\\n")
        except OSError:
            pass
    try:
        os.write(fd, b"FORGED\\n")
    except OSError:
        pass


def double(a):
    return a
"""
TEST = "from mod import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
ID = "tests/test_mod.py::test_double"


@dataclass(frozen=True)
class Tries:
    """Runs versions of mod.py and returns the outcome of the test for each."""

    warm: WarmPool

    def __call__(self, *sources: str, swift: bool = False) -> list[str]:
        versions = iter([{"mod.py": source} for source in sources])
        tried = self.warm.run(versions, [ID], 20.0, stop_early=True, swift=swift)
        return [trial.outcomes.get(ID, "nothing") for trial in tried]


@pytest.fixture
def tries(make_repo: MakeRepo) -> Iterator[Tries]:
    repo = make_repo({"mod.py": BAD, "tests/test_mod.py": TEST, "whet.toml": '[tests]\nfolders = ["tests"]\n'})
    project = open_project(repo.root)
    with WarmPool(project.kit.suite, project.git.tree_of("HEAD"), 2, 120) as warm:
        yield Tries(warm)


def test_results_come_in_the_order_of_the_versions(tries: Tries) -> None:
    sources, answers = [GOOD, BAD, BAD, GOOD] * 5, ["passed", "failed", "failed", "passed"] * 5
    assert tries(*sources) == answers
    assert tries(*sources, swift=True) == answers
    assert tries() == []


def test_a_second_sandbox_starts_only_for_more_work_than_its_start(
    tries: Tries, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Job] = []
    start = Bubblewrap.start

    def count(sandbox: Bubblewrap, job: Job) -> BubblewrapSession:
        started.append(job)
        return start(sandbox, job)

    monkeypatch.setattr(Bubblewrap, "start", count)
    assert tries(GOOD, BAD, GOOD) == ["passed", "failed", "passed"]
    assert len(started) == 1
    slow = f"import time\ntime.sleep(0.2)\n{GOOD}"
    assert tries(*[slow] * 8) == ["passed"] * 8
    assert len(started) == 2


def test_a_version_that_kills_its_sandbox_does_not_affect_the_others(tries: Tries) -> None:
    assert tries(GOOD, BAD) == ["passed", "failed"]
    assert tries(GOOD, DEADLY, GOOD, BAD, DEADLY, GOOD) == [
        "passed",
        "nothing",
        "passed",
        "failed",
        "nothing",
        "passed",
    ]


@pytest.mark.parametrize("line", ["[]", "{", '{"id": 0, "outcomes": 7, "seconds": "x"}', "[" * 5000])
def test_the_search_continues_after_forged_answers(line: str, tries: Tries) -> None:
    forging = FORGING.replace("FORGED", line)
    assert tries(forging, GOOD, BAD, forging, GOOD)[-1] == "passed"


def test_a_version_that_cannot_be_swapped_is_imported(tries: Tries) -> None:
    outside = f"{GOOD}\n\nTWICE = double(1)\n"
    assert tries(GOOD, outside, BAD, swift=True) == ["passed", "passed", "failed"]


def test_each_version_is_observed_with_its_own_function(tries: Tries) -> None:
    versions = [({"mod.py": source}, "mod.py", "double") for source in (GOOD, BAD)]
    good, bad = tries.warm.observe(versions, [ID], 20.0)
    assert (good.values["double(3)"], bad.values["double(3)"]) == ("6", "3")
    assert good.lines == bad.lines == {1, 2}
