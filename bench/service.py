"""Measure one `whet serve` over many repositories: `python -m bench.service [REPOSITORIES] [EVENTS] [SECONDS]`.

Each repository gets its share of EVENTS as stored events of a week. Ten of them are looked at; the others are copies of these after the look. Printed are the
cost of the looks, the CPU share and the memory of the service at rest, over SECONDS, the time from a push to
the proposal that it caused, and, after that fix was approved and merged, the time from its first failing calls to the revert. The full size is 100 repositories and
10,000,000 events (100 10000000 600).
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from bench.layers import commit, git
from whet.app.project import open_project
from whet.app.service.facts import read_facts
from whet.domain.clock import now
from whet.domain.reported_event import EventKind, ReportedEvent
from whet.store.events import Events

POLICY = """environment = "development"
[target]
branch = "main"
[tests]
folders = ["tests"]
[deploy]
strategy = "merge"
[service]
debounce_seconds = 1
debounce_most_seconds = 5
dry_run_days = 0
"""
SHOP = "from whet import tool\n\n\n@tool(side_effects=False)\ndef total(prices):\n    return {expression}\n"
FILES = {
    "shop.py": SHOP.format(expression="sum(prices)"),
    "tests/test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    "tests/conftest.py": "import os, sys\nsys.path.insert(0, os.getcwd())\n",
    "whet.toml": POLICY,
    ".gitignore": ".whet/\n",
}
BROKEN = {"shop.py": SHOP.format(expression="sum(prices) + 1")}
APPLICATION = """import contextlib, sys
sys.path.insert(0, ".")
from shop import total
for _ in range(200):
    with contextlib.suppress(TypeError):
        total(eval(sys.argv[1]))
"""
LIMIT_SECONDS = 5400.0
START_SECONDS = 60.0
MOST_LOOKS = 10


def make(folder: Path, number: int, events: int) -> Path:
    """Make a repository with stored events that no source has reported on yet."""
    root = folder / f"repository-{number:03}"
    root.mkdir()
    git("init", "--quiet", "--initial-branch=main", root=root)
    commit(FILES, root)
    Events(open_project(root).state).take("traces", spans(number, events))
    return root


def spans(number: int, events: int) -> Iterator[ReportedEvent]:
    """Yield the events of a week, evenly, of 40 operations."""
    at = now()
    for index in range(events):
        yield ReportedEvent(
            kind=EventKind.SPAN,
            subject=f"operation-{index % 40}",
            at=at - timedelta(seconds=(index * 600_000 / max(events, 1))),
            identity=f"{number}-{index}",
            seconds=0.01 + index % 7 / 1000,
        )


def wait_until_all_have_looked(roots: Sequence[Path], cycles: int) -> float:
    """Return the seconds until every repository has a finished look, and none has unfinished work."""
    began = time.monotonic()
    waiting = list(roots)
    while waiting:
        if time.monotonic() - began > LIMIT_SECONDS:
            raise SystemExit(f"{len(waiting)} repositories have no finished look after {LIMIT_SECONDS:.0f} s")
        waiting = [root for root in waiting if not has_looked(root, cycles)]
        time.sleep(1.0)
    return time.monotonic() - began


def has_looked(root: Path, cycles: int) -> bool:
    project = open_project(root)
    facts = read_facts(project.ledger)
    triggers = len(project.ledger.entries(kind="Trigger"))
    project.store.close()
    return triggers >= cycles and facts.last is not None and not facts.unfinished


def resources(pid: int) -> tuple[float, float]:
    """Return the CPU seconds of a process with its ended children, and its memory in MB."""
    fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    seconds = sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    [resident] = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS")]
    return seconds, int(resident.split()[1]) / 1024


def main(repositories: int, events: int, seconds: float) -> None:
    folder = Path(tempfile.mkdtemp(prefix="whet-service-"))
    try:
        looked = [make(folder, number, events // repositories) for number in range(min(repositories, MOST_LOOKS))]
        with serving(folder) as service:
            took = wait_until_all_have_looked(looked, 1)
            print(
                f"{len(looked)} repositories: the first looks took {took:.0f} s, {resources(service.pid)[0]:.0f} CPU s",
                flush=True,
            )
        for number in range(len(looked), repositories):
            shutil.copytree(looked[number % len(looked)], folder / f"repository-{number:03}", symlinks=True)
        with serving(folder) as service:
            measure(looked[0], service.pid, seconds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def serving(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a service that looks after all repositories of a folder, and end it."""
    command = [sys.executable, "-P", "-m", "whet", "serve", "--no-open", "--port", "0", "--repository", str(folder)]
    with (folder / "log").open("ab") as log, subprocess.Popen(command, stdout=log, stderr=log, cwd="/") as service:
        try:
            yield service
        finally:
            service.terminate()


def measure(root: Path, pid: int, seconds: float) -> None:
    time.sleep(START_SECONDS)
    before, _ = resources(pid)
    time.sleep(seconds)
    after, memory = resources(pid)
    print(f"at rest: {(after - before) / seconds:.1%} of a core, {memory:.0f} MB", flush=True)
    commit(BROKEN, root)
    ledger = open_project(root).ledger
    took = seconds_until(lambda: read_facts(ledger).waiting, "the push led to no proposal")
    [question] = read_facts(ledger).waiting
    print(f"from a push to a proposal that waits: {took:.0f} s ({question.proposal})", flush=True)
    call(root, "[1]")
    approve = [sys.executable, "-P", "-m", "whet", "approve", question.proposal, "--yes", "--why", "read it"]
    subprocess.run(approve, cwd=root, check=True, capture_output=True)
    seconds_until(lambda: ledger.entries(kind="Verification"), "the approved fix was not deployed")
    call(root, "None")
    took = seconds_until(lambda: ledger.entries(kind="Rollback"), "the failing calls led to no rollback")
    [decision], [revert] = ledger.entries(kind="Following"), ledger.entries(kind="Rollback")
    print(
        f"from failing calls to the revert: {took:.0f} s, {(revert.at - decision.at).total_seconds():.1f} s of it after the decision"
    )


def call(root: Path, prices: str) -> None:
    """Run an application of the shop that makes 200 captured calls with these prices."""
    environment = os.environ | {"WHET_STATE": str(root / ".whet")}
    subprocess.run([sys.executable, "-c", APPLICATION, prices], cwd=root, env=environment, check=True)


def seconds_until(condition: Callable[[], object], otherwise: str) -> float:
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > LIMIT_SECONDS:
            raise SystemExit(otherwise)
        time.sleep(0.5)
    return time.monotonic() - began


if __name__ == "__main__":
    numbers = [float(argument) for argument in sys.argv[1:]]
    values = [*numbers, *(10.0, 100_000.0, 60.0)[len(numbers) :]]
    main(int(values[0]), int(values[1]), values[2])
