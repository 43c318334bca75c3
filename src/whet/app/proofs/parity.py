"""Compare the sandbox with a run outside it: tests that fail only inside say something about the sandbox, not the code.

whet runs nothing of the target outside the sandbox. The outcomes outside come from a JUnit file of a run that the user made.
"""

from dataclasses import dataclass
from pathlib import Path

from whet.app.project import Project
from whet.domain.suite import Outcome, SuiteReport
from whet.errors import UsageError
from whet.files import MB, read_file
from whet.target.junit import read_junit

_LARGEST = 200 * MB


@dataclass(frozen=True)
class Difference:
    """A test with another outcome inside the sandbox than outside. `message` is its failure inside, if it failed there."""

    test: str
    inside: str
    outside: str
    message: str


@dataclass(frozen=True)
class Parity:
    """`compared` counts the tests that ran on both sides; `only_inside` and `only_outside` those that ran on one."""

    compared: int
    differences: tuple[Difference, ...]
    only_inside: int
    only_outside: int


def compare_with(project: Project, junit: Path) -> Parity:
    """Run the suite in the sandbox and compare each test with its outcome in a JUnit file of another run."""
    outside = read_outside(junit)
    tree = project.git.tree_of(project.git.resolve(project.ref))
    progress = project.progress
    report = project.kit.suite.run(tree, on_progress=lambda done, total: progress.advance("tests", done, total))
    return compare(report, outside)


def read_outside(junit: Path) -> dict[str, Outcome]:
    """Return the outcomes in a JUnit file, by the names that the file gives the tests; refuse a file without any."""
    remedy = "make it with `python -m pytest --junitxml=FILE`"
    try:
        outside = read_junit(read_file(junit, _LARGEST))
    except OSError as problem:
        raise UsageError(f"{junit} cannot be read: {problem.strerror}", remedy) from problem
    if not outside:
        raise UsageError(f"{junit} names no test case: it is not JUnit XML", remedy)
    return outside


def compare(report: SuiteReport, outside: dict[str, Outcome]) -> Parity:
    """Compare each test of a run in the sandbox with its outcome outside."""
    inside = {_junit_name(test): test for test in report.outcomes}
    both = [name for name in inside if name in outside]
    differences = []
    for name in both:
        test, here, there = inside[name], report.outcomes[inside[name]], outside[name]
        if here.red != there.red:
            failure = report.failures.get(test)
            message = failure.message.splitlines()[0] if failure and failure.message else ""
            differences.append(Difference(test, here.value, there.value, message))
    return Parity(len(both), tuple(differences), len(inside) - len(both), len(outside) - len(both))


def _junit_name(test: str) -> str:
    """Return the name that pytest's JUnit file gives a test id: `tests/test_a.py::T::test_b` is `tests.test_a.T::test_b`."""
    path, _, rest = test.partition("::")
    names, bracket, parameters = rest.partition("[")
    *classes, function = names.split("::")
    return ".".join([path.removesuffix(".py").replace("/", "."), *classes]) + f"::{function}{bracket}{parameters}"
