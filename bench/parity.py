"""Compare the outcomes of real test suites in whet's sandbox and under plain pytest, test by test.

    python -m bench.parity                     every package of the list: takes minutes and uses the package index
    python -m bench.parity PACKAGE [...]       only these packages

A suite runs as released, once by pytest in its checkout and once as the base run of a proof; each id with different
outcomes is printed with both. Outside, the suites run without a sandbox, as the user that starts the benchmark.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.environments import environment
from bench.releases import fetch
from bench.repair import commit
from bench.table import Row, show
from whet.app.project import open_project
from whet.domain.suite import SuiteReport

SECONDS = 900
ABSENT = "absent"
LOG = "pytest-reportlog"


@dataclass(frozen=True)
class Release:
    """A source release that ships its tests; `paths` are passed to pytest if it would not find them by itself."""

    package: str
    version: str
    covers: str
    paths: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


RELEASES = (
    Release("inflection", "0.5.1", "one module with its tests beside it, hundreds of parameters"),
    Release("xmltodict", "1.0.4", "flat layout, unittest classes"),
    Release("tomlkit", "0.15.2", "fixtures in conftest.py, data files"),
    Release("humanize", "4.16.0", "src layout, freezegun, translations read from data files"),
    Release("natsort", "8.4.0", "hypothesis, pytest-mock, the locale"),
    Release("attrs", "26.1.0", "hypothesis, classes made while tests run", needs=("cloudpickle",)),
    Release("aiofiles", "25.1.0", "pytest-asyncio, temporary files, sockets on this machine"),
    Release("click", "8.5.1", "terminals, pipes, odd characters in ids, folders without permission"),
    Release("jinja2", "3.1.6", "templates from folders, packages and archives, async"),
    Release(
        "werkzeug",
        "3.1.9",
        "forms, files and streams; tests of its development server are left out",
        args=("--ignore=tests/test_serving.py", "--ignore=tests/middleware/test_http_proxy.py"),
    ),
    Release("tinydb", "4.9.0", "files that are written"),
    Release("arrow", "1.4.0", "pytest-mock, the local time zone"),
    Release("freezegun", "1.5.5", "the clock, asyncio, warnings"),
    Release("funcy", "2.1", "time and threads"),
    Release("sqlparse", "0.6.1", "data files in several encodings, a command line"),
    Release("more-itertools", "11.2.1", "a large unittest suite"),
    Release("semver", "3.1.1", "settings in a hidden file, doctests in the documentation"),
    Release("zope.interface", "8.7", "namespace package, tests beside code, unittest", paths=("src/zope/interface",)),
    Release(
        "jaraco.text", "4.3.0", "namespace package, doctests in every module and in the README", needs=("inflect",)
    ),
    Release("voluptuous", "0.16.0", "tests in the package", paths=("voluptuous/tests/tests.py",)),
)


@dataclass(frozen=True)
class SuiteComparison:
    """The outcomes of one release on both sides, by test id."""

    release: Release
    outside: Mapping[str, str]
    inside: SuiteReport

    @property
    def differing(self) -> dict[str, tuple[str, str]]:
        """Outcomes outside and inside of each test for which they differ; "absent" if one side does not have the id."""
        ids = sorted({*self.outside, *self.inside.outcomes})
        both = {test: (self.outside.get(test, ABSENT), str(self.inside.outcomes.get(test, ABSENT))) for test in ids}
        return {test: pair for test, pair in both.items() if pair[0] != pair[1]}

    @property
    def not_collected(self) -> int:
        return sum("::" not in test for test in self.inside.outcomes)

    def row(self) -> Row:
        ids = len({*self.outside, *self.inside.outcomes})
        same = ids - len(self.differing)
        peer = f"of {ids}, {self.not_collected} not collected"
        return Row("parity", f"{self.release.package} {self.release.version}", str(same), peer, same / max(ids, 1))


def compare(release: Release, folder: Path) -> SuiteComparison:
    """Make the release a repository below `folder`, and run its suite on both sides."""
    root = folder / release.package
    shutil.copytree(fetch(release.package, release.version, folder / "releases"), root, symlinks=True)
    python = environment(release.package, release.version, root, folder / "environments", (*release.needs, LOG))
    (root / "whet.toml").write_text(_policy(python, release))
    commit(root)
    outside = _outside(python, root, release, folder / f"{release.package}.jsonl")
    project = open_project(root)
    return SuiteComparison(release, outside, project.kit.suite.run(project.git.tree_of("HEAD")))


def _policy(python: Path, release: Release) -> str:
    paths, args = json.dumps(release.paths), json.dumps(release.args)
    return f'[target]\ninterpreter = "{python}"\n[tests]\nfolders = {paths}\nargs = {args}\n'


def _outside(python: Path, root: Path, release: Release, log: Path) -> dict[str, str]:
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    command += [f"--report-log={log}", *release.args, *release.paths]
    quiet = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    quiet["PYTHONDONTWRITEBYTECODE"] = "1"
    process = subprocess.run(command, cwd=root, env=quiet, capture_output=True, text=True, timeout=SECONDS, check=False)
    if not log.exists():
        raise SystemExit(f"pytest does not run the suite of {release.package}: {process.stderr[-500:]}")
    return outcomes(json.loads(line) for line in log.read_text().splitlines())


def outcomes(reports: Iterator[dict[str, Any]]) -> dict[str, str]:
    """Return one outcome per test id from the reports of its phases; a failed or error outcome is never replaced."""
    results: dict[str, str] = {}
    for report in reports:
        test = report.get("nodeid")
        outcome = _outcome(report) if test else None  # the session's own reports name no test
        if test and outcome and results.get(test) not in ("failed", "error"):
            results[test] = outcome
    return results


def _outcome(report: Mapping[str, Any]) -> str | None:
    """Return the outcome in the report of a test's phase or of a collector; None for a setup or teardown that passed."""
    if report["outcome"] == "failed":
        return "failed" if report.get("when") == "call" else "error"
    if "when" not in report:
        return None
    if report["outcome"] == "skipped":
        return "xfailed" if "wasxfail" in report else "skipped"
    if report["when"] == "call":
        return "xpassed" if "wasxfail" in report else "passed"
    return None


def _show(comparison: SuiteComparison) -> None:
    if comparison.inside.problem:
        print(f"{comparison.release.package}: inside the suite {comparison.inside.problem}")
    for test, (outside, inside) in comparison.differing.items():
        print(f"{comparison.release.package}: {test}: {outside} outside, {inside} inside")
    sys.stdout.flush()


def main(packages: Sequence[str]) -> None:
    rows = []
    with tempfile.TemporaryDirectory(prefix="whet-bench-") as place:
        for release in RELEASES:
            if not packages or release.package in packages:
                comparison = compare(release, Path(place))
                _show(comparison)
                rows.append(comparison.row())
    print(show(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
