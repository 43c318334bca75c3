"""`whet scan` shows failing tests with one cause as one finding, and recognises it in a later run."""

import pytest

from tests.support import MakeRepo

SOURCE = """def plural(number, word):
    return word


def total(prices):
    return sum(prices) + 1


def first(items):
    return items[1]
"""
TESTS = """from shop import first, plural, total


def test_one_cat():
    assert plural(1, "cat") == "cat"


def test_cats():
    assert plural(2, "cat") == "cats"


def test_dogs_by_name():
    assert plural(2, "dog").endswith("s")


def test_numbers():
    assert [plural(number, "pen") for number in (1, 2)] == ["pen", "pens"]


def test_sum():
    assert total([1, 2]) == 3


def test_first():
    assert first([7]) == 7
"""
FILES: dict[str, str | bytes] = {"shop.py": SOURCE, "tests/test_shop.py": TESTS, "whet.toml": ""}


@pytest.mark.slow
def test_failing_tests_with_one_cause_are_one_finding_with_the_same_id_in_every_run(make_repo: MakeRepo) -> None:
    repo = make_repo(FILES)
    rows = [row["finding"] for row in repo.whet("scan", "--json").json["findings"]]
    assert sorted(len(row["subjects"]) for row in rows) == [1, 1, 3]
    joint = next(row for row in rows if len(row["subjects"]) == 3)
    assert joint["reasons"][0] == "3 failing tests: reproducible at will"
    assert joint["reasons"][1] == "they share the most suspicious code: plural in shop.py"
    again = [row["finding"] for row in repo.whet("scan", "--json").json["findings"]]
    assert [row["id"] for row in again] == [row["id"] for row in rows]
