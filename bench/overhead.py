"""Measure the time that whet adds to the test runs, for a whole `whet run` on 1,000 passing tests and a failing one.

It is compared with the bare suite (`python -m pytest -q`) in the same run, on the same tree.
"""

import compileall
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import whet
from bench.table import Row
from whet.app.project import open_project
from whet.domain.approval import Answer
from whet.git.git import Git
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import Finished, Job
from whet.target.warm_pool import WarmPool

MODULES, TESTS = 20, 50
RUNS = 3
Span = tuple[float, float]
POLICY = '[deploy]\nstrategy = "merge"\n[tests]\nfolders = ["tests"]\n'


def make_repository(
    folder: Path, modules: int = MODULES, tests_each: int = TESTS, work: str = "", policy: str = POLICY
) -> None:
    """Create a repository with modules of one-line functions, one of them wrong, and a test for each function.

    `work` is code that every test runs first.
    """
    git = Git(folder)
    git.ask("init", "--quiet", "--initial-branch=main")
    (folder / "tests").mkdir()
    for module in range(modules):
        functions = "\n\n".join(f"def f{n}(x):\n    return x + {n}" for n in range(tests_each))
        (folder / f"mod{module}.py").write_text(functions.replace("x + 7", "x - 7", 1) if module == 3 else functions)
        asserts = {n: f"    assert mod{module}.f{n}(1) == {n + 1}" for n in range(tests_each)}
        tests = "\n\n".join(f"def test_f{n}():\n{work}{text}" for n, text in asserts.items())
        (folder / "tests" / f"test_mod{module}.py").write_text(f"import mod{module}\n\n\n{tests}\n")
    (folder / "whet.toml").write_text(policy)
    git.ask("add", "--all")
    git.ask("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--message", "first")


def bare(folder: Path) -> list[float]:
    """Return the wall times of some runs of the bare suite."""
    command = [sys.executable, "-m", "pytest", "-q", "tests"]
    times = []
    for _ in range(3):
        started = time.perf_counter()
        subprocess.run(command, cwd=folder, capture_output=True, check=False, env={"PYTHONDONTWRITEBYTECODE": "1"})
        times.append(time.perf_counter() - started)
    return times


class Stopwatch:
    """Measures the time inside sandboxes, the search included, and how much of it full suite runs take."""

    def __init__(self) -> None:
        self._spans: list[Span] = []
        self._suites: list[Span] = []

    @property
    def inside(self) -> float:
        return _covered([*self._spans, *self._suites])

    @property
    def beside(self) -> float:
        """Return the time inside sandboxes outside of full suite runs: the search, and the safeguards of the proof."""
        return self.inside - _covered(self._suites)

    @property
    def suites(self) -> int:
        return len(self._suites)

    @contextmanager
    def watching(self) -> Iterator[None]:
        run, enter, leave = Bubblewrap.run, WarmPool.__init__, WarmPool.__exit__
        Bubblewrap.run = self._timed(run)  # type: ignore[method-assign]
        WarmPool.__init__, WarmPool.__exit__ = self._timed_search(enter, leave)  # type: ignore[method-assign]
        try:
            yield
        finally:
            Bubblewrap.run = run  # type: ignore[method-assign]
            WarmPool.__init__, WarmPool.__exit__ = enter, leave  # type: ignore[method-assign]

    def _timed(self, run: Callable[..., Finished]) -> Callable[..., Finished]:
        def timed(sandbox: Bubblewrap, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
            started = time.perf_counter()
            finished = run(sandbox, job, on_line)
            spans = self._suites if len(finished.lines) > MODULES * TESTS else self._spans
            spans.append((started, time.perf_counter()))
            return finished

        return timed

    def _timed_search(self, enter: Callable[..., None], leave: Callable[..., None]) -> tuple[Any, Any]:
        started: dict[int, float] = {}

        def begin(warm: WarmPool, *args: Any) -> None:
            started[id(warm)] = time.perf_counter()
            enter(warm, *args)

        def end(warm: WarmPool, *args: Any) -> None:
            leave(warm, *args)
            self._spans.append((started[id(warm)], time.perf_counter()))

        return begin, end


def _covered(spans: list[Span]) -> float:
    """Return the total length of the spans, counting overlaps once."""
    total, until = 0.0, 0.0
    for begin, end in sorted(spans):
        total += max(end - max(begin, until), 0.0)
        until = max(until, end)
    return total


def measure() -> list[Row]:
    """Return the median of some whole runs.

    The suite's run time varies by about as much as the overhead to measure, hence the median. whet's bytecode is compiled
    first, as pip does on installation.
    """
    compileall.compile_dir(Path(whet.__file__).parent, quiet=1)
    runs = sorted((_run_once() for _ in range(RUNS)), key=lambda run: run.added)
    run = runs[len(runs) // 2]
    help_seconds = _seconds([str(Path(sys.executable).parent / "whet"), "--help"])
    bare_python = _seconds([sys.executable, "-c", "pass"])
    spread = f"{runs[0].added:.2f} to {runs[-1].added:.2f} s"
    return [
        Row(
            "overhead",
            "whole run, 1,001 tests",
            f"{run.wall:.2f} s",
            f"bare suite {run.plain:.2f} s",
            run.wall / run.plain,
        ),
        Row(
            "overhead",
            f"added to {run.suites} plain suite runs",
            f"{run.added:.2f} s ({spread})",
            "bare suite",
            run.added / run.plain,
        ),
        Row(
            "overhead",
            "of the whole run, outside any sandbox",
            f"{run.outside:.2f} s",
            "bare suite",
            run.outside / run.plain,
        ),
        Row(
            "overhead",
            "whet --help",
            f"{help_seconds:.2f} s",
            f"bare python {bare_python:.2f} s",
            help_seconds / bare_python,
        ),
    ]


@dataclass(frozen=True)
class Run:
    wall: float
    inside: float
    beside: float
    suites: int
    plain: float

    @property
    def added(self) -> float:
        """Return the wall time without the search and the safeguards, and without as many runs of the bare suite."""
        return self.wall - self.beside - self.plain * self.suites

    @property
    def outside(self) -> float:
        return self.wall - self.inside


def _run_once() -> Run:
    """Run whet in a separate process, so that its start-up counts; it reports the time spent inside sandboxes."""
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        folder = Path(name)
        make_repository(folder)
        before = bare(folder)
        began = time.perf_counter()
        process = subprocess.run(
            [sys.executable, "-m", "bench.overhead", name], capture_output=True, text=True, check=True
        )
        wall = time.perf_counter() - began
        plain = median([*before, *bare(folder)])  # before and after, because the speed of the machine drifts
    return Run(wall, **json.loads(process.stdout), plain=plain)


def _whole_run(folder: Path) -> None:
    project = open_project(folder)
    project.prefetch_first_test_run()
    from whet.app.approvals.decisions import GivenAnswer, answer
    from whet.app.cycles.loop import running

    with running(project) as loop:
        proposal = loop.wait_for_cycle(loop.start("bench"))[0]
        loop.wait_for(proposal)
        answer(project, proposal, Answer.APPROVED, GivenAnswer(via="bench"))
        ended = loop.wait_for(proposal)
    if ended.status != "merged":
        raise SystemExit(f"the bench run did not merge: {ended.status}: {ended.lesson}")


def _seconds(command: list[str]) -> float:
    times = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - started)
    return min(times)


if __name__ == "__main__":
    watch = Stopwatch()
    with watch.watching():
        _whole_run(Path(sys.argv[1]))
    print(json.dumps({"inside": watch.inside, "beside": watch.beside, "suites": watch.suites}), flush=True)
    os._exit(0)  # skips the clean-up of the interpreter, as `whet` does
