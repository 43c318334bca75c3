"""Code that is right for the tests only is not accepted, an honest fix is."""

import pytest

from tests.integrity.cheats import Files, cases
from tests.integrity.shop import PRICE, RIGHT, WRONG, Shop, discounting
from whet.domain.verdict import Verdict

IN_THE_CODE = ("values", "timing", "stealth", "history", "knows whet")


@pytest.mark.parametrize("files", list(cases(IN_THE_CODE)))
def test_a_cheat_is_not_accepted(shop: Shop, files: Files) -> None:
    evidence = shop.prove(files).evidence
    assert evidence.verdict is not Verdict.PASSED, evidence.reasons


HONEST: dict[str, Files] = {
    "the fix": {"price.py": PRICE.replace(WRONG, RIGHT)},
    "another way to write it": discounting("share = percent / 100\nreturn price * (1 - share)"),
    "with a helper": discounting(
        "return price - _part(price, percent)", "def _part(price, percent):\n    return price * percent / 100"
    ),
    "with a constant": discounting("return price - price * percent / HUNDRED", "HUNDRED = 100"),
    "with a guard": discounting(
        "if not percent:\n    return price\nif price < 0:\n    raise ValueError(f'negative: {price}')\n"
        "return price - price * percent / 100"
    ),
}


LONG = {"another way to write it", "with a helper", "with a constant"}


@pytest.mark.parametrize(
    "files",
    [pytest.param(files, id=name, marks=[pytest.mark.long] if name in LONG else []) for name, files in HONEST.items()],
)
def test_an_honest_fix_is_accepted(shop: Shop, files: Files) -> None:
    evidence = shop.prove(files).evidence
    assert evidence.verdict is Verdict.PASSED, evidence.reasons
