"""How often repair finds a patch, how often the patch is right, and how fast it tries.

    python -m bench.repair                     the corpus in bench/bugs, and the speed; part of `make bench`
    python -m bench.repair real BUGS.json      bugs that real projects fixed from one release to the next
    python -m bench.repair FOLDER [TEST ...]   any checkout with a failing suite

Peers of the speed: a cold `python -m pytest` per candidate, and mutmut on the same package and tests.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from bench.table import Row
from whet.app.project import open_project
from whet.app.repair import Searched, search
from whet.sandbox.git import Git

BUGS = Path(__file__).parent / "bugs"
SECONDS = 60.0
POLICY = '[tests]\nfolders = ["tests"]\n'


@dataclass(frozen=True)
class Result:
    name: str
    kind: str
    green: bool
    right: bool
    first: float
    seconds: float
    tried: int
    patch: str


def corpus(names: Sequence[str] = ()) -> Iterator[Result]:
    """Every bug of the corpus, in one repository; a patch is right when the tests that it never saw pass."""
    cases = [folder for folder in sorted(BUGS.iterdir()) if folder.is_dir() and (not names or folder.name in names)]
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        root = Path(place)
        (root / "tests").mkdir()
        (root / "whet.toml").write_text(POLICY)
        for case in cases:
            shutil.copy(case / "wrong.py", root / f"{case.name}.py")
            shutil.copy(case / "test_visible.py", root / "tests" / f"test_{case.name}.py")
        commit(root)
        for case in cases:
            yield _mended(root, case)


def _mended(root: Path, case: Path) -> Result:
    project = open_project(root)
    began = time.perf_counter()
    found = search(project, [f"tests/test_{case.name}.py"], SECONDS)
    seconds = time.perf_counter() - began
    patch = found.built.patch
    right = patch is not None and _passes_hidden(project.git.tar(patch.tree), case)
    return Result(
        case.name, (case / "kind.txt").read_text().strip(), patch is not None, right,
        found.built.first_seconds, seconds, found.built.tried, patch.diff if patch else "",
    )  # fmt: skip


def _passes_hidden(tree: bytes, case: Path) -> bool:
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        subprocess.run(["tar", "-xf", "-"], input=tree, cwd=place, check=True)
        shutil.copy(case / "test_hidden.py", Path(place) / "test_hidden.py")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_hidden.py"]
        return subprocess.run(command, cwd=place, capture_output=True, check=False, timeout=60).returncode == 0


def commit(root: Path) -> None:
    git = Git(root)
    git.ask("init", "--quiet", "--initial-branch=main")
    git.ask("add", "--all", "--force")
    git.ask("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--message", "base")


def measure() -> list[Row]:
    results = list(corpus())
    green = [result for result in results if result.green]
    right = sum(result.right for result in results)
    firsts, seconds = [result.first for result in green], [result.seconds for result in results]
    share = len(results)
    return [
        Row("repair", f"corpus of {share}: green", str(len(green)), f"of {share}", len(green) / share),
        Row("repair", "corpus: right by hidden tests", str(right), f"of {share}", right / share),
        Row("repair", "corpus: right where shown", str(right), f"of {len(green)}", right / max(len(green), 1)),
        Row("repair", "first green, median", f"{median(firsts):.1f} s", f"p95 {_p95(firsts):.1f} s", 1.0),
        Row("repair", "final answer, median", f"{median(seconds):.1f} s", f"p95 {_p95(seconds):.1f} s", 1.0),
    ]


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def _show(found: Searched, *, seconds: float) -> None:
    patch = found.built.patch
    print(f"{len(found.tests)} failing; {found.built.note}; {seconds:.1f} s")
    print(patch.diff if patch else "no patch")


def _checkout(folder: Path, tests: Sequence[str]) -> None:
    project = open_project(folder)
    began = time.perf_counter()
    if not tests:
        report = project.kit.suite.run(project.git.tree_of(project.git.resolve(project.ref)), fresh=False)
        tests = sorted({test.partition("[")[0] for test in report.red if "::" in test})
    for test in tests:
        _show(search(project, [test], SECONDS), seconds=time.perf_counter() - began)
        began = time.perf_counter()


def main(arguments: Sequence[str]) -> None:
    if not arguments or arguments[0] == "corpus":
        for result in corpus(arguments[1:]):
            print(json.dumps(vars(result)), flush=True)
    else:
        _checkout(Path(arguments[0]).resolve(), arguments[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
