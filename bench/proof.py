"""Measure how long a proof takes compared with one plain run of the suite (pytest outside, one process).

    python -m bench.proof                      the suites of real packages: takes minutes and uses the package index
    python -m bench.proof PACKAGE [...]        only these packages
    python -m bench.proof generated            a generated suite of 5,000 tests

A proof with a cold base also runs the suite on the base; with a warm base it finds that run in the cache. The plain runs are
made before, between and after the two proofs, and the median counts. Compiled files are kept between plain runs, as on a
developer's machine. Two more figures stand beside each ratio: `work`, the time of all sandboxes added up, because a machine
with other work to do hides how much runs at the same time; and the time of the safeguards. `make bench` measures a generated suite of 500 tests of about 4 milliseconds each.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from unittest.mock import patch

from bench.environments import environment
from bench.overhead import make_repository
from bench.releases import fetch
from bench.repair import commit
from bench.table import Row, show
from whet.app.project import open_project
from whet.app.proofs.prove import prove
from whet.domain.verdict import SafeguardResult
from whet.phases.validate import suite_check
from whet.phases.validate.integrity.run import examine
from whet.phases.validate.integrity.subject import Subject
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import Finished, Job

MODULES, LARGE, TESTS = 10, 100, 50
_WORK = "    assert sorted(range(12000), key=lambda x: -x)[0] == 11999\n"


@dataclass(frozen=True)
class BrokenRelease:
    """A source release that ships its tests, and a line of it to break; the patch to prove mends that line."""

    package: str
    version: str
    path: str
    right: str
    wrong: str


RELEASES = (
    BrokenRelease("babel", "2.18.0", "babel/util.py", "if item not in seen:", "if item in seen:"),
    BrokenRelease("sqlparse", "0.6.1", "sqlparse/utils.py", "val = val[1:-1]", "val = val[1:]"),
    BrokenRelease("cachetools", "5.3.0", "src/cachetools/__init__.py", "size - self.__size[key]", "size"),
)


@dataclass
class Stopwatch:
    """Adds up the seconds that sandboxes run, and those that the safeguards take."""

    sandboxes: float = 0.0
    safeguards: float = 0.0

    @contextmanager
    def watching(self) -> Iterator[None]:
        run = Bubblewrap.run

        def timed_run(sandbox: Bubblewrap, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
            finished = run(sandbox, job, on_line)
            self.sandboxes += finished.seconds
            return finished

        def timed_examine(subject: Subject) -> list[SafeguardResult]:
            started = time.perf_counter()
            results = examine(subject)
            self.safeguards += time.perf_counter() - started
            return results

        with patch.object(Bubblewrap, "run", timed_run), patch.object(suite_check, "examine", timed_examine):
            yield


def _seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def compare(name: str, folder: Path, python: Path, path: str, right: str) -> list[Row]:
    """Prove the patch that gives `path` the text `right`, with a cold and with a warm base, beside plain runs."""
    tests: list[int] = []

    def prove_fix() -> None:
        project = open_project(folder)
        git = project.git
        fix = git.patch(git.resolve("HEAD"), git.with_files("HEAD", {path: right.encode()}), "the fix")
        evidence = prove(project, fix, trust_tests=False).evidence
        if evidence.verdict != "passed":
            raise SystemExit(f"{name}: the fix was not proved: {evidence.reasons}")
        tests.append(int(str(evidence.checks[0].details["ids"])))

    def plain_run() -> None:
        quiet = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        subprocess.run([python, "-m", "pytest", "-q"], cwd=folder, capture_output=True, check=False, env=quiet)

    plain_run()  # compiles the files
    plain = [_seconds(plain_run)]
    proofs: list[tuple[str, float, Stopwatch]] = []
    for base in ("cold", "warm"):
        watch = Stopwatch()
        with watch.watching():
            proofs.append((base, _seconds(prove_fix), watch))
        plain.append(_seconds(plain_run))
    one = median(plain)
    return [
        Row(
            "proof",
            f"{name}, {tests[0]} tests, {base} base",
            f"{seconds:.1f} s",
            f"plain {one:.1f} s; work {watch.sandboxes / one:.2f}; safeguards {watch.safeguards:.1f} s",
            seconds / one,
        )
        for base, seconds, watch in proofs
    ]


def measure(modules: int = MODULES) -> list[Row]:
    """Prove a fix in a generated repository."""
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as name:
        folder = Path(name)
        make_repository(folder, modules, TESTS, _WORK)
        (folder / ".gitignore").write_text("__pycache__\n.pytest_cache\n.whet\n")
        right = (folder / "mod3.py").read_text().replace("x - 7", "x + 7")
        return compare("generated", folder, Path(sys.executable), "mod3.py", right)


def measure_release(release: BrokenRelease, folder: Path) -> list[Row]:
    """Break one line of a release and prove the patch that mends it."""
    root = folder / release.package
    shutil.copytree(fetch(release.package, release.version, folder / "releases"), root, symlinks=True)
    python = environment(release.package, release.version, root, folder / "environments")
    right = (root / release.path).read_text()
    if right.count(release.right) != 1:
        raise SystemExit(f"{release.path} of {release.package} does not have the line once")
    (root / release.path).write_text(right.replace(release.right, release.wrong))
    (root / "whet.toml").write_text(f"[target]\ninterpreter = {json.dumps(str(python))}\n")
    (root / ".gitignore").write_text("__pycache__\n.pytest_cache\n.whet\n")
    commit(root)
    return compare(f"{release.package} {release.version}", root, python, release.path, right)


def main(packages: Sequence[str]) -> None:
    if "generated" in packages:
        print(show(measure(LARGE)), flush=True)
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        for release in RELEASES:
            if not packages or release.package in packages:
                print(show(measure_release(release, Path(place))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
