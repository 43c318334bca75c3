"""A small buggy calculator as a repository of its own, for the demo and the self-checks of `whet doctor`."""

from collections.abc import Collection, Mapping
from pathlib import Path

from whet.git.git import Git

_FILES = {
    "calculator.py": '''"""A calculator with three mistakes in it."""


def add(a, b):
    return a + b


def subtract(a, b):
    return a + b


def mean(values):
    return sum(values) / len(values)


def clamp(value, low, high):
    if value < low:
        return low
    if value > high:
        return low
    return value


def countdown(start):
    return list(range(start, 0, -1))


def factorial(n):
    result = 1
    for factor in range(2, n):
        result *= factor
    return result
''',
    "tests/test_calculator.py": """import pytest

from calculator import add, clamp, countdown, factorial, mean, subtract


@pytest.mark.parametrize("a, b, total", [(1, 2, 3), (0, 0, 0), (-4, 4, 0)])
def test_add(a, b, total):
    assert add(a, b) == total


@pytest.mark.parametrize("a, b, rest", [(5, 3, 2), (0, 7, -7), (4, 4, 0)])
def test_subtract(a, b, rest):
    assert subtract(a, b) == rest


def test_mean():
    assert mean([1, 2, 3]) == 2
    assert mean([10]) == 10


def test_clamp_leaves_what_is_between():
    assert clamp(2, 0, 3) == 2


def test_clamp_cuts_below():
    assert clamp(-1, 0, 3) == 0


def test_clamp_cuts_above():
    assert clamp(5, 0, 3) == 3


def test_countdown():
    assert countdown(3) == [3, 2, 1]


@pytest.mark.parametrize("n, product", [(1, 1), (2, 2), (3, 6), (5, 120)])
def test_factorial(n, product):
    assert factorial(n) == product
""",
    "whet.toml": """environment = "production"

[target]
branch = "main"

[tests]
folders = ["tests"]

[deploy]
strategy = "merge"
smoke = ["python", "-c", "import calculator"]
""",
    "README.md": "# calculator\n\nA demonstration repository made by `whet demo`.\n",
}


_FIXES = {
    "subtract": ("def subtract(a, b):\n    return a + b", "def subtract(a, b):\n    return a - b"),
    "clamp": ("if value > high:\n        return low", "if value > high:\n        return high"),
    "factorial": ("range(2, n)", "range(2, n + 1)"),
}


def make_sample(folder: Path, bugs: Collection[str] = tuple(_FIXES)) -> Git:
    """Write the sample and commit it, with bugs in these functions only."""
    return make_repository(folder, {**_FILES, "calculator.py": without_bugs(_FILES["calculator.py"], but=bugs)})


def make_repository(folder: Path, files: Mapping[str, str]) -> Git:
    git = Git(folder)
    git.ask("init", "--quiet", "--initial-branch=main")
    git.ask("config", "user.name", "demo")
    git.ask("config", "user.email", "demo@localhost")
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git.ask("add", "--all")
    git.ask("commit", "--quiet", "--message", "A calculator")
    return git


def without_bugs(text: str, *, but: Collection[str] = ()) -> str:
    """Return the calculator with its bugs fixed, except those of the functions `but`."""
    for name, (wrong, right) in _FIXES.items():
        if name not in but:
            text = text.replace(wrong, right)
    return text
