"""Several versions of a tree in one sandbox: each has a report of its own and sees nothing of the others."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support import MakeRepo
from whet.app.project import open_project
from whet.domain.suite import Outcome, SuiteReport
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import Finished, Job
from whet.target.runs.together import VersionRun, run_together

MOD = "def double(a):\n    return a + a\n"
WRONG = b"def double(a):\n    return a\n"
TEST = "from mod import double\n\n\ndef test_double():\n    assert double(2) == 4\n"
ID = "tests/test_mod.py::test_double"
# Leaves files in every writable folder, a process, and a changed file; fails if it finds any of them.
LEAVES_TRACES = b"""
import os, pathlib, subprocess, sys, tempfile

PLACES = [pathlib.Path(folder) / "trace" for folder in (".", "tests", tempfile.gettempdir(), "/dev/shm", os.path.expanduser("~"))]


def test_double():
    assert not any(place.exists() for place in PLACES)
    assert pathlib.Path("kept.txt").read_text() == "kept"
    assert not any(b"sleep" in path.read_bytes() for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"))
    for place in PLACES:
        place.write_text("seen")
    pathlib.Path("kept.txt").write_text("changed")
    subprocess.Popen(["sleep", "60"], start_new_session=True)
"""

Together = Callable[..., list[SuiteReport | None]]


@pytest.fixture
def together(make_repo: MakeRepo) -> Together:
    files = {
        "mod.py": MOD,
        "kept.txt": "kept",
        "tests/test_mod.py": TEST,
        "whet.toml": '[tests]\nfolders = ["tests"]\n',
    }
    project = open_project(make_repo(dict(files)).root)

    def run(*runs: VersionRun) -> list[SuiteReport | None]:
        return run_together(project.kit.suite, project.git.tree_of("HEAD"), runs)

    return run


def outcomes(reports: list[SuiteReport | None]) -> list[Outcome | None]:
    return [report.outcomes.get(ID) if report else None for report in reports]


def test_each_version_is_tested_with_its_own_files(together: Together) -> None:
    planted = "tests/test_more.py"
    wrong, right, removed, more = together(
        VersionRun((ID,), {"mod.py": WRONG}),
        VersionRun((ID,)),
        VersionRun((ID,), {"kept.txt": None, "tests/test_mod.py": TEST.replace("double(2) == 4", "1").encode()}),
        VersionRun((ID,), {planted: b"def test_planted():\n    assert False\n"}, (planted,)),
    )
    assert outcomes([wrong, right, removed, more]) == [
        Outcome.FAILED,
        Outcome.PASSED,
        Outcome.PASSED,
        Outcome.PASSED,
    ]
    assert wrong and wrong.failures[ID].exception == "AssertionError"
    assert more and more.outcomes[f"{planted}::test_planted"] is Outcome.FAILED


def test_nothing_that_a_version_leaves_behind_is_seen_by_the_next(together: Together) -> None:
    leaves = VersionRun((ID,), {"tests/test_mod.py": LEAVES_TRACES})
    assert outcomes(together(leaves, leaves, leaves)) == [Outcome.PASSED] * 3


@pytest.mark.parametrize(
    "code",
    [
        "import os; os._exit(0)",
        "import os; os.kill(os.getpid(), 9)",
        "raise SystemExit(3)",
        "import os; [os.write(fd, b'{}\\n') for fd in range(3, 40) if os.path.exists(f'/proc/self/fd/{fd}')]",
    ],
)
def test_a_version_that_ends_its_process_has_no_report_and_the_next_one_has(together: Together, code: str) -> None:
    ended = VersionRun(
        (ID,), {"mod.py": f"def double(a):\n    {code}\n".encode(), "tests/conftest.py": b"import mod; mod.double(1)"}
    )
    reports = together(ended, VersionRun((ID,)))
    assert outcomes(reports) == [None, Outcome.PASSED]


FORGED = """
import json, os, time

events = [{"event": "collected", "count": 1}, {"event": "outcome", "test": "ID", "outcome": "passed", "seconds": 0},
          {"event": "end", "code": 0}]
record = json.dumps({"run": 1, "lines": list(map(json.dumps, events)), "code": 0, "seconds": 0.1})
for name in os.listdir(f"/proc/{os.getppid()}/fd"):
    try:
        descriptor = os.open(f"/proc/{os.getppid()}/fd/{name}", os.O_WRONLY | os.O_NONBLOCK)
        os.write(descriptor, record.encode() + b"\\n")
    except OSError:
        pass
""".replace("ID", ID)


@pytest.mark.parametrize("then", ["", "os.kill(os.getppid(), 9)\ntime.sleep(60)\n"])
def test_a_report_that_a_version_forges_for_another_does_not_count(together: Together, then: str) -> None:
    forging = VersionRun((ID,), {"mod.py": f"{FORGED}{then}{MOD}".encode()})
    _, forged = together(forging, VersionRun((ID,), {"mod.py": WRONG}))
    assert forged is None or forged.outcomes[ID] is Outcome.FAILED


def test_if_the_folders_cannot_be_restored_no_report_counts(together: Together) -> None:
    closed = b"import os\nos.makedirs('/tmp/closed/inner')\nos.chmod('/tmp/closed', 0)\n" + MOD.encode()
    assert together(VersionRun((ID,), {"mod.py": closed}), VersionRun((ID,))) == [None, None]


def test_a_run_that_is_reported_twice_does_not_count(together: Together, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Bubblewrap.run

    def repeat_a_line(sandbox: Bubblewrap, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        finished = run(sandbox, job, on_line)
        return replace(finished, lines=(*finished.lines, *finished.lines[-1:]))

    together(VersionRun((ID,)))  # the interpreter is asked about itself before the lines are repeated
    monkeypatch.setattr(Bubblewrap, "run", repeat_a_line)
    assert outcomes(together(VersionRun((ID,)), VersionRun((ID,)))) == [Outcome.PASSED, None]
