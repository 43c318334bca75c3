"""Tests that come with a fix are accepted if they are ordinary, and not if they weaken other tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integrity.shop import PRICE, RIGHT, WRONG, Shop, open_shop
from whet.domain.verdict import Verdict

FIX = {"price.py": PRICE.replace(WRONG, RIGHT)}
FORGIVING = """import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    call.excinfo = None
    yield
"""
WEAKENING = "import price\n\n\ndef test_it():\n    assert price\n\n\nprice.__dict__['label'] = lambda *_: 'tea: 2.00'\n"
HONEST = "from price import discount\n\n\ndef test_half():\n    assert discount(10, 50) == 5\n"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder: Path = tmp_path_factory.mktemp("lanes") / "shop"
    folder.mkdir()
    yield open_shop(folder)


@pytest.mark.parametrize(
    ("path", "text", "accepted"),
    [
        ("conftest.py", FORGIVING, False),
        ("tests/test_more.py", WEAKENING, False),
        ("tests/test_more.py", HONEST, True),
    ],
    ids=["a conftest that passes everything", "a test that weakens others", "a test of its own"],
)
def test_a_fix_is_judged_together_with_the_tests_it_brings(shop: Shop, path: str, text: str, accepted: bool) -> None:
    evidence = shop.prove({**FIX, path: text}).evidence
    assert (evidence.verdict is Verdict.PASSED) is accepted, evidence.reasons
