"""A base run from a cache file: which of its claims are confirmed, and what a forged one achieves."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.integrity.shop import PRICE, RIGHT, WRONG, Shop, open_shop
from whet.app.proofs.prove import prove
from whet.config import Config
from whet.domain.evidence import Evidence
from whet.domain.suite import Outcome, SuiteReport
from whet.domain.verdict import Verdict
from whet.kit import Kit
from whet.phases.validate.unverified_base import confirm_collection, has_unseen_libraries, unconfirmed_outcomes

P, F, E, S = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR, Outcome.SKIPPED
FIX = PRICE.replace(WRONG, RIGHT)
BREAKING = FIX.replace("{price:.2f}", "{price:.1f}")


def report(outcomes: dict[str, Outcome], **fields: object) -> SuiteReport:
    made = SuiteReport(tree="t", outcomes=outcomes, seconds=1.0, complete=True, from_file=True)
    return replace(made, **fields)  # type: ignore[arg-type]


def confirmed(base: dict[str, Outcome], listed: SuiteReport) -> SuiteReport | None:
    suite = SimpleNamespace(list_tests=lambda _: listed)
    return confirm_collection(cast(Kit, SimpleNamespace(policy=Config(), suite=suite)), report(base))


def test_doctests_and_libraries_come_from_collecting_the_base() -> None:
    listed = report({"a::x": P, "a::y": P}, doctests=frozenset({"a::y"}), looks={"json": "1"})
    base = confirmed({"a::x": F, "a::y": P}, listed)
    assert base is not None
    assert (base.outcomes, base.looks) == ({"a::x": F, "a::y": P}, {"json": "1"})
    assert base.doctests == {"a::y"}


@pytest.mark.parametrize(
    ("base", "listed"),
    [
        ({"a::x": P}, report({"a::x": P, "a::y": P})),
        ({"a::x": P, "a::y": P}, report({"a::x": P})),
        ({"a::x": P}, report({"a::x": P}, complete=False)),
        ({"a::x": P, "b": P}, report({"a::x": P, "b": E})),
    ],
    ids=["hides a test", "invents a test", "the base cannot be collected", "hides an error"],
)
def test_a_file_with_other_tests_is_not_used(base: dict[str, Outcome], listed: SuiteReport) -> None:
    assert confirmed(base, listed) is None


def test_every_outcome_that_could_excuse_a_patch_runs_again() -> None:
    base = {"red": F, "skipped": S, "green": P, "broken": P, "gone": P}
    patched = {"red": F, "skipped": S, "green": P, "broken": F}
    assert unconfirmed_outcomes(report(base), report(patched)) == {"red", "skipped", "broken", "gone"}


def test_a_library_that_the_base_did_not_load_cannot_be_compared() -> None:
    assert has_unseen_libraries(report({}, looks={"json": "1"}), report({}, looks={"json": "1", "decimal": "2"}))
    assert not has_unseen_libraries(report({}, looks={"json": "1"}), report({}, looks={"json": "1", "mod.py": "2"}))


def prove_with(shop: Shop, text: str, file: Path) -> Evidence:
    git = shop.repo.git
    patch = git.patch(git.resolve("HEAD"), git.with_files("HEAD", {"price.py": text.encode()}), "patch")
    return prove(shop.project, patch, trust_tests=False, cache=file).evidence


@pytest.mark.slow
@pytest.mark.short_proof  # the file holds the run of the base, which the late safeguards do not use
def test_a_forged_cache_file_does_not_hide_a_regression(tmp_path: Path) -> None:
    """One machine writes the file, a second one uses it, and a third one gets it with a lie."""
    file = tmp_path / "base.json"
    shops = []
    for name in ("first", "second", "third"):
        (tmp_path / name).mkdir()
        shops.append(open_shop(tmp_path / name))
    assert prove_with(shops[0], FIX, file).verdict is Verdict.PASSED

    honest = prove_with(shops[1], FIX, file)
    assert honest.verdict is Verdict.PASSED, honest.reasons
    assert honest.checks[0].details["base"] == "read from a cache file"
    assert "tests/test_price.py::test_discount" in honest.checks[0].reverted

    content = json.loads(file.read_text())
    content["report"]["outcomes"]["tests/test_price.py::test_label"] = "failed"
    file.write_text(json.dumps(content))
    forged = prove_with(shops[2], BREAKING, file)
    assert forged.verdict is Verdict.FAILED, forged.reasons
    assert forged.checks[0].regressed == ("tests/test_price.py::test_label",)
    assert "base" not in forged.checks[0].details
