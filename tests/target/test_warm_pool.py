"""Real sandboxes: every version gets its own answer, in order, whatever another one does to its sandbox."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.support import MakeRepo
from whet.app.project import open_project
from whet.target.warm_pool import WarmPool

GOOD = "def double(a):\n    return a + a\n"
BAD = "def double(a):\n    return a\n"
DEADLY = "def double(a):\n    import os\n    os.kill(os.getppid(), 9)\n    while True:\n        pass\n"
# It writes where only the script should write, whichever descriptor that is.
FORGING = """
import os
for fd in range(3, 64):
    for place in (f"/proc/{os.getppid()}/fd/{fd}", f"/proc/self/fd/{fd}"):
        try:
            os.write(os.open(place, os.O_WRONLY | os.O_NONBLOCK), b"SAID\\n")
        except OSError:
            pass
    try:
        os.write(fd, b"SAID\\n")
    except OSError:
        pass


def double(a):
    return a
"""
TEST = "from mod import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
ID = "tests/test_mod.py::test_double"


@dataclass(frozen=True)
class Tries:
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


def test_answers_come_in_the_order_of_the_versions(tries: Tries) -> None:
    sources, answers = [GOOD, BAD, BAD, GOOD] * 5, ["passed", "failed", "failed", "passed"] * 5
    assert tries(*sources) == answers
    assert tries(*sources, swift=True) == answers
    assert tries() == []


def test_a_version_that_ends_its_sandbox_takes_no_other_with_it(tries: Tries) -> None:
    assert tries(GOOD, BAD) == ["passed", "failed"]
    assert tries(GOOD, DEADLY, GOOD, BAD, DEADLY, GOOD) == [
        "passed",
        "nothing",
        "passed",
        "failed",
        "nothing",
        "passed",
    ]


@pytest.mark.parametrize("said", ["[]", "{", '{"id": 0, "outcomes": 7, "seconds": "x"}', "[" * 5000])
def test_whatever_a_version_says_in_anothers_name_the_search_goes_on(said: str, tries: Tries) -> None:
    forging = FORGING.replace("SAID", said)
    assert tries(forging, GOOD, BAD, forging, GOOD)[-1] == "passed"


def test_what_cannot_be_swapped_is_tried_all_the_same(tries: Tries) -> None:
    outside = f"{GOOD}\n\nTWICE = double(1)\n"
    assert tries(GOOD, outside, BAD, swift=True) == ["passed", "passed", "failed"]


def test_functions_are_observed_each_in_its_own_version(tries: Tries) -> None:
    versions = [({"mod.py": source}, "mod.py", "double") for source in (GOOD, BAD)]
    good, bad = tries.warm.observe(versions, [ID], 20.0)
    assert (good.values["double(3)"], bad.values["double(3)"]) == ("6", "3")
    assert good.lines == bad.lines == {1, 2}
