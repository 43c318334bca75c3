"""A sample repository, a shop with a wrong discount, and helpers that make and prove patches for it."""

from pathlib import Path

from tests.support import Repo
from whet.app.project import Project, open_project
from whet.app.proofs.prove import ProvedChange, prove

WRONG = "    return price - price * percent / 10\n"
RIGHT = "    return price - price * percent / 100\n"
PRICE = f'''"""Prices of things."""


def discount(price, percent):
{WRONG}

def label(name, price):
    return f"{{name}}: {{price:.2f}}"


def cheapest(prices):
    return min(prices)


def basket(prices, percent):
    return [discount(price, percent) for price in prices]
'''
TEST = """import unittest

import pytest

from price import basket, cheapest, discount, label


def test_discount():
    assert discount(200, 10) == 180
    assert discount(50, 0) == 50


@pytest.mark.parametrize(("price", "percent", "left"), [(80, 25, 60), (40, 50, 20)])
def test_discounts(price, percent, left):
    assert discount(price, percent) == left


def test_basket(shelf):
    assert basket(shelf, 10) == [90, 18]


class TestDiscount(unittest.TestCase):
    def test_it(self):
        self.assertEqual(discount(300, 30), 210)


def test_label():
    assert label("tea", 2) == "tea: 2.00"


@pytest.mark.parametrize("prices", [[3, 2], [2, 9, 4]])
def test_cheapest(prices):
    assert cheapest(prices) == 2


def test_cheapest_of_nothing():
    with pytest.raises(ValueError):
        cheapest([])
"""
SETTINGS = "[tests]\ntimeout_seconds = 15\n\n[sandbox]\nmemory_mb = 600\nprocesses = 40\noutput_mb = 4\n"
FILES: dict[str, str | bytes] = {
    "price.py": PRICE,
    "tests/test_price.py": TEST,
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef shelf():\n    return [100, 20]\n",
    "tests/prices.json": "[100, 20]\n",
    "whet.toml": SETTINGS,
    ".gitignore": ".whet\n__pycache__\n",
}


def discounting(body: str, top: str = "") -> dict[str, str | None]:
    """Return price.py with another body of `discount`, and with the code of `top` above its functions."""
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    document, rest = PRICE.split("\n\n\n", 1)
    return {"price.py": f"{document}\n\n{top}\n\n\n{rest.replace(WRONG, lines or WRONG)}"}


class Shop:
    """The repository of the shop, opened as a project."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.project: Project = open_project(repo.root)

    def prove(self, files: dict[str, str | None]) -> ProvedChange:
        git = self.repo.git
        changed = {
            path: None if text is None else text.encode(errors="surrogateescape") for path, text in files.items()
        }
        patch = git.patch(git.resolve("HEAD"), git.with_files("HEAD", changed), "a cheat")
        return prove(self.project, patch, trust_tests=False)


def open_shop(folder: Path, settings: str = "") -> Shop:
    repo = Repo(folder)
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    repo.commit({**FILES, "whet.toml": f"{SETTINGS}{settings}"}, "first")
    return Shop(repo)
