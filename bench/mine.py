"""Find bugs that real projects fixed between two releases, by running the tests of a release on the source before it.

    python -m bench.mine more-itertools boltons > bugs.json   input for `python -m bench.repair real`

A bug is a function that the release changed by a few lines, if this change alone turns some tests green and breaks
none. The suites run without a sandbox: name only packages that you would install.
"""

import ast
import contextlib
import difflib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.environments import environment
from bench.releases import fetch, functions_of, versions, with_function_of
from bench.repair import between_releases, is_test

MOST_LINES, MOST_FUNCTIONS, MOST_IDS, FEWEST_PASSING = 5, 14, 12, 8
RELEASES, SECONDS = 22, 60
_NOT_PROGRAM_FILES = ("setup.py", "conf.py")
_PLUGIN = "bench_outcomes"
_WRITES_OUTCOMES = """\
import json, os

def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        with open(os.environ["BENCH_OUTCOMES"], "a", encoding="utf-8") as file:
            file.write(json.dumps([report.nodeid, report.outcome.upper()]) + "\\n")
"""


def bugs(package: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the bugs between the last releases of a package; releases that cannot be fetched or read are skipped."""
    for base, following in pairwise(versions(package)[-RELEASES:]):
        with contextlib.suppress(OSError, SyntaxError, ValueError, LookupError):
            yield from _between(package, base, following, folder)


def _between(package: str, base: str, following: str, folder: Path) -> Iterator[dict[str, Any]]:
    old, new = (fetch(package, version, folder / "releases") for version in (base, following))
    changed = list(_changed(old, new))
    if not 0 < len(changed) <= MOST_FUNCTIONS:
        return
    root = folder / f"{package}-{base}"
    between_releases({"package": package, "base": base, "next": following}, folder / "releases", root)
    python = environment(package, following, root, folder / "environments")
    before = _outcomes(python, root)
    red = [test for test, outcome in before.items() if outcome != "PASSED"]
    if not red or len(before) - len(red) < FEWEST_PASSING:
        return
    for path, function, removed, added in changed:
        original = (root / path).read_text()
        (root / path).write_text(with_function_of(original, (new / path).read_text(), function))
        after = _outcomes(python, root)
        (root / path).write_text(original)
        green = [test for test in red if after.get(test) == "PASSED"]
        if green and all(after.get(test) == "PASSED" for test in before if test not in red):
            yield {
                "package": package, "base": base, "next": following, "file": path, "function": function,
                "lines_removed": removed, "lines_added": added, "must_turn_green": green[:MOST_IDS],
                "other_ids_red_on_base": [test for test in red if test not in green], "suite_ids": len(before),
            }  # fmt: skip


def _changed(old: Path, new: Path) -> Iterator[tuple[str, str, int, int]]:
    """Yield (path, function, lines removed, lines added) for functions that differ by a few lines."""
    for path in sorted(new.rglob("*.py")):
        place = path.relative_to(new)
        if is_test(place) or place.name in _NOT_PROGRAM_FILES or not (old / place).is_file():
            continue
        before, after = (functions_of((folder / place).read_text(errors="replace")) for folder in (old, new))
        for name in sorted(before.keys() & after.keys()):
            if ast.dump(before[name]) == ast.dump(after[name]):
                continue
            old_lines, new_lines = (ast.unparse(functions[name]).splitlines() for functions in (before, after))
            marks = [line[0] for line in difflib.ndiff(old_lines, new_lines)]
            if max(marks.count("-"), marks.count("+")) <= MOST_LINES:
                yield place.as_posix(), name, marks.count("-"), marks.count("+")


def _outcomes(python: Path, root: Path) -> dict[str, str]:
    """Run the suite and return the outcome of each test; empty if it does not finish in time.

    A file that cannot be collected loses only its own tests. A plug-in writes the ids, because the report cannot be read
    back: an id may hold any character.
    """
    options = ["-q", "--tb=no", "--continue-on-collection-errors", "-p", "no:cacheprovider", "-p", _PLUGIN]
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        (Path(place) / f"{_PLUGIN}.py").write_text(_WRITES_OUTCOMES)
        written = Path(place) / "outcomes"
        written.touch()
        environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": place, "BENCH_OUTCOMES": str(written)}
        command = [str(python), "-m", "pytest", *options, "-o", "addopts="]
        try:
            subprocess.run(command, cwd=root, env=environ, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return {}
        outcomes: dict[str, str] = {}
        for line in written.read_text(encoding="utf-8").splitlines():
            test, outcome = json.loads(line)
            outcomes[test] = outcome if outcomes.get(test) in (None, "PASSED") else outcomes[test]
        return outcomes


def main(packages: Sequence[str]) -> None:
    mined = []
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        for package in packages:
            for bug in bugs(package, Path(place)):
                print(f"{package} {bug['base']} {bug['function']}", file=sys.stderr)
                mined.append(bug)
    print(json.dumps({"bugs": mined}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
