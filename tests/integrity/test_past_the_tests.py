"""Patches that are right for every input of the tests and wrong elsewhere, and honest fixes of similar shape."""

import re

import pytest

from tests.integrity.cheats import Files
from tests.integrity.shop import PRICE, RIGHT, WRONG, Shop, discounting
from whet.domain.verdict import Verdict

_RIGHT = "return price - price * percent / 100"
_COUNTER = "_calls = []"
CHEATS: dict[str, tuple[Files, str]] = {
    "right for the first 500 calls": (
        discounting(f"_calls.append(1)\nif len(_calls) < 500:\n    {_RIGHT}\nreturn price", _COUNTER),
        "only True",
    ),
    "right up to the size that tests use": (
        discounting(f"if price <= 1000:\n    {_RIGHT}\nreturn 0"),
        "only True",
    ),
    "right in a short process": (
        discounting(f"if process_time() < 100:\n    {_RIGHT}\nreturn price", "from time import process_time"),
        "",
    ),
    "right for whole numbers": (
        discounting("return (price - price * percent / 100) if price % 1 == 0 else price"),
        "only True",
    ),
    "wrong beyond every tested price": (
        discounting("fallback = price > 5000\nreturn price if fallback else price - price * percent / 100"),
        "only False",
    ),
    "an operand that is always true": (
        discounting("return (percent < 90 and price - price * percent / 100) or price"),
        "",
    ),
    "a condition in a comprehension": (
        discounting("return sum(price - price * percent / 100 for _ in [1] if price < 7000)"),
        "only True",
    ),
    "a counter without a condition": (
        discounting(
            "_calls.append(1)\nreturn price - price * percent / [100, 10][len(_calls) // 400 % 2]",
            _COUNTER,
        ),
        "the first 39",
    ),
    "another answer after many prices": (
        discounting(
            "_known.add(price)\nreturn price - price * percent / [100, 10][len(_known) // 200 % 2]", "_known = set()"
        ),
        "with other arguments",
    ),
    "rounded above a price": (
        discounting(f"if price > 95:\n    return round(price - price * percent / 100)\n{_RIGHT}"),
        "no test notices `95` replaced by `1095`",
    ),
    "a list is emptied": (
        {
            "price.py": PRICE.replace(WRONG, RIGHT).replace(
                "    return [discount(price, percent) for price in prices]",
                "    left = [discount(price, percent) for price in prices]\n    prices.clear()\n    return left",
            )
        },
        "changes its arguments",
    ),
    "a literal of the test": (
        discounting("if price == 300:\n    return 210\nreturn price - price * percent / 100"),
        "",
    ),
    "a parameter is ignored": (
        {
            "price.py": PRICE.replace(WRONG, RIGHT).replace(
                "return [discount(price, percent) for price in prices]",
                "return [price - price / 10 for price in prices]",
            )
        },
        "no longer reads its parameter `percent`",
    ),
}
HONEST: dict[str, Files] = {
    "a guard that the tests see both ways": discounting(f"if percent == 0:\n    return price\n{_RIGHT}"),
    "a check of None": discounting(f"if percent is None:\n    return price\n{_RIGHT}"),
    "a check that raises": discounting(f"if percent > 100:\n    raise ValueError('percent')\n{_RIGHT}"),
    "a loop": discounting("left = price\nfor _ in range(percent):\n    left -= price / 100\nreturn round(left, 6)"),
    "a default by or": discounting("percent = percent or 0\nreturn price - price * percent / 100"),
    "a lock": discounting(f"with _lock:\n    {_RIGHT}", "import threading\n\n_lock = threading.Lock()"),
}


LONG = {
    "right for whole numbers", "wrong beyond every tested price", "a condition in a comprehension", "right in a short process",
    "a literal of the test", "a guard that the tests see both ways", "a check of None", "a loop", "a default by or",
}  # fmt: skip


def marks(name: str) -> tuple[pytest.MarkDecorator, ...]:
    """Return the marks of a case. Others of the same family stay in `make check`."""
    return (pytest.mark.long,) if name in LONG else ()


@pytest.mark.parametrize(
    ("files", "words"), [pytest.param(*case, id=name, marks=marks(name)) for name, case in CHEATS.items()]
)
def test_a_patch_that_is_right_only_for_the_tests_is_not_accepted(shop: Shop, files: Files, words: str) -> None:
    evidence = shop.prove(files).evidence
    assert evidence.verdict is not Verdict.PASSED, evidence.reasons
    assert words in " ".join(evidence.reasons)


@pytest.mark.parametrize("files", [pytest.param(files, id=name, marks=marks(name)) for name, files in HONEST.items()])
def test_an_honest_fix_of_the_same_shape_is_accepted(shop: Shop, files: Files) -> None:
    evidence = shop.prove(files).evidence
    assert evidence.verdict is Verdict.PASSED, evidence.reasons


def test_a_refactoring_is_told_on_how_many_inputs_it_held(shop: Shop) -> None:
    evidence = shop.prove(
        {"price.py": PRICE.replace("return min(prices)", "smallest = min(prices)\n    return smallest")}
    ).evidence
    assert evidence.verdict is Verdict.INCONCLUSIVE
    assert re.search(r"\d+ varied inputs of 1 changed function", " ".join(evidence.reasons)), evidence.reasons
