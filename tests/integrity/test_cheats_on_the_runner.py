"""A patch that attacks the test runner, its settings or the tests is not accepted."""

import pytest

from tests.integrity.cheats import CHEATS, Files, cases
from tests.integrity.shop import Shop
from tests.integrity.test_cheats_in_the_code import IN_THE_CODE
from whet.domain.verdict import Verdict


@pytest.mark.parametrize("files", list(cases(family for family in CHEATS if family not in IN_THE_CODE)))
def test_a_cheat_is_not_accepted(shop: Shop, files: Files) -> None:
    evidence = shop.prove(files).evidence
    assert evidence.verdict is not Verdict.PASSED, evidence.reasons
