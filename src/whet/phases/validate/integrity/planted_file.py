"""A test file with random names that whet adds to the suite. Its tests must fail; see safeguards/planted_tests.py."""

import secrets
from dataclasses import dataclass, replace

from whet.domain.suite import SuiteReport

_TEXT = """import unittest


def test_{first}():
    assert {a} == {b}


class Test{second}(unittest.TestCase):
    def test_{third}(self):
        self.assertEqual({a}, {b})
"""


@dataclass(frozen=True)
class PlantedFile:
    path: str
    text: bytes

    def owns(self, test: str) -> bool:
        return test.partition("::")[0] == self.path


def plant(neighbour: str) -> PlantedFile:
    """Make a test file beside an existing one and named like it, so that the same settings and fixtures apply."""
    folder, slash, file_name = neighbour.rpartition("/")
    first, second, third, name = (_word() for _ in range(4))
    a, b = secrets.randbelow(1000), 1000 + secrets.randbelow(1000)
    text = _TEXT.format(first=first, second=second.capitalize(), third=third, a=a, b=b)
    return PlantedFile(f"{folder}{slash}{_file_stem(file_name, name)}.py", text.encode())


def without_planted(report: SuiteReport, planted: PlantedFile | None) -> SuiteReport:
    """Return the report without the outcomes of the planted tests."""
    if planted is None:
        return report
    outcomes = {test: outcome for test, outcome in report.outcomes.items() if not planted.owns(test)}
    return replace(report, outcomes=outcomes)


def _file_stem(neighbour: str, name: str) -> str:
    """Keep the neighbour's first and last word, because the suite's settings may select test files by either."""
    stem = neighbour.removesuffix(".py")
    first, underscore, _ = stem.partition("_")
    last = stem.rpartition("_")[2]
    return f"{first}_{name}_{last}" if underscore and "test" not in (first, last) else f"test_{name}"


def _word() -> str:
    return "".join(secrets.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(9))
