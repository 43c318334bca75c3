"""A patch that attacks the test runner, its settings or the tests is not accepted."""

import pytest

from tests.integrity.cheats import CHEATS, Files, by_name
from tests.integrity.shop import Shop
from tests.integrity.test_cheats_in_the_code import IN_THE_CODE
from whet.domain.verdict import Verdict

EVERY = by_name(family for family in CHEATS if family not in IN_THE_CODE)


@pytest.mark.parametrize("files", EVERY.values(), ids=EVERY.keys())
def test_a_cheat_is_not_accepted(shop: Shop, files: Files) -> None:
    evidence = shop.prove(files).evidence
    assert evidence.verdict is not Verdict.PASSED, evidence.reasons
