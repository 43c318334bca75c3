"""Tests with random names that must fail. A patch that makes every test pass makes these pass too."""

import secrets
from dataclasses import dataclass

_TEXT = """import unittest


def test_{first}():
    assert {a} == {b}


class Test{second}(unittest.TestCase):
    def test_{third}(self):
        self.assertEqual({a}, {b})
"""


@dataclass(frozen=True)
class Canary:
    path: str
    text: bytes

    def owns(self, test: str) -> bool:
        return test.partition("::")[0] == self.path


def plant(beside: str) -> Canary:
    """A file beside this test file and named like it, so that the same settings and fixtures hold for it."""
    folder, slash, neighbour = beside.rpartition("/")
    first, second, third, name = (_word() for _ in range(4))
    a, b = secrets.randbelow(1000), 1000 + secrets.randbelow(1000)
    text = _TEXT.format(first=first, second=second.capitalize(), third=third, a=a, b=b)
    return Canary(f"{folder}{slash}{_like(neighbour, name)}.py", text.encode())


def _like(neighbour: str, name: str) -> str:
    """Settings may know test files by how their names begin or end."""
    first, line, _ = neighbour.removesuffix(".py").partition("_")
    last = neighbour.removesuffix(".py").rpartition("_")[2]
    return f"{first}_{name}_{last}" if line and "test" not in (first, last) else f"test_{name}"


def _word() -> str:
    return "".join(secrets.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(9))
