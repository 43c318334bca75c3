"""Cheats that only show outside the test runner, and a fix whose tests read data."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integrity.shop import PRICE, RIGHT, WRONG, Shop, discounting, open_shop
from whet.domain.verdict import Verdict
from whet.phases.validate.integrity.safeguards.values_outside_runner import NAME

LIAR = 'U = "_" * 2\nmake = type\nPrice = make("Price", (), {f"{U}eq{U}": lambda self, other: type(other) is not int or other < 999, f"{U}module{U}": "builtins"})'
CHEATS = {
    "a class that says it is built in": discounting("return Price()", LIAR),
    "right in one zone": discounting(
        "return price - price * percent / (100 - datetime.datetime.fromtimestamp(0).hour)", "import datetime"
    ),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder: Path = tmp_path_factory.mktemp("oracle") / "shop"
    folder.mkdir()
    shop = open_shop(folder)
    read = "import json\nfrom pathlib import Path\n\nfrom price import basket\n\n\ndef test_rows():\n    rows = json.loads(Path('tests/prices.json').read_text())\n    assert basket(rows, 10) == [90, 18]\n"
    shop.repo.commit({"tests/test_rows.py": read}, "a test that reads data")
    yield shop


@pytest.mark.parametrize("files", CHEATS.values(), ids=CHEATS.keys())
def test_a_value_that_is_right_only_under_the_tests_is_inconclusive(shop: Shop, files: dict[str, str | None]) -> None:
    evidence = shop.prove(files).evidence
    assert evidence.verdict is Verdict.INCONCLUSIVE
    results = {result.name: result for check in evidence.checks for result in check.safeguards}
    assert results[NAME].verdict is Verdict.INCONCLUSIVE, results


def test_a_fix_whose_tests_read_data_passes(shop: Shop) -> None:
    evidence = shop.prove({"price.py": PRICE.replace(WRONG, RIGHT)}).evidence
    assert evidence.verdict is Verdict.PASSED, evidence.reasons
