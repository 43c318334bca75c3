"""Doctests and test functions are told apart in a whole proof, whatever their names are."""

from pathlib import Path

from tests.integrity.shop import Shop, open_shop
from whet.domain.verdict import Verdict

WRONG = '''"""A shop.

>>> double(2)
4
"""


def double(number):
    return number * 3
'''
RIGHT = WRONG.replace("* 3", "* 2")
TEST = """from shop import double


def test_double():
    assert double(3) == 6
"""


def shop_with_doctests(folder: Path) -> Shop:
    shop = open_shop(folder)
    shop.repo.commit(
        {
            "pytest.ini": "[pytest]\naddopts = --doctest-modules\npythonpath = .\n",
            "price.py": "",
            "tests/test_price.py": "def test_price():\n    pass\n",
            "shop/__init__.py": WRONG,
            "tests/test_double.py": TEST,
        },
        "second",
    )
    return Shop(shop.repo)


def test_a_fix_of_the_file_that_holds_the_doctest_passes(tmp_path: Path) -> None:
    evidence = shop_with_doctests(tmp_path).prove({"shop/__init__.py": RIGHT}).evidence
    assert evidence.verdict is Verdict.PASSED, evidence.reasons
    (check,) = [check for check in evidence.checks if check.check == "tests"]
    assert set(check.red) == {"shop/__init__.py::shop", "tests/test_double.py::test_double"}
    words = {safeguard.name: safeguard.words for safeguard in check.safeguards}
    assert words["assertions reached"] == "the targets reach their assertions"
    assert words["doctests"] == "the doctests of the changed files are unchanged"


def test_a_patch_that_edits_the_doctest_needs_human_review(tmp_path: Path) -> None:
    patch = {"shop/__init__.py": RIGHT.replace(">>> double(2)\n4", ">>> double(1)\n2")}
    evidence = shop_with_doctests(tmp_path).prove({**patch}).evidence
    assert evidence.verdict is Verdict.INCONCLUSIVE
    assert any("changes or removes the doctest `double(2)`" in reason for reason in evidence.reasons)
