"""The views of a proof: the deciding facts first, the tests that stay red, what was not looked at."""

from dataclasses import replace
from datetime import UTC, datetime

from tests.cli.repositories.test_foreign_text import rendered
from tests.phases.deploy.harness import proposal
from whet.app.proofs.prove import ProvedChange
from whet.app.views.proposal_view import ProposalView
from whet.cli.formats.markdown import render as markdown
from whet.cli.views.evidence import evidence_view
from whet.cli.views.gate import proposal_screen
from whet.domain.evidence import Cost, Evidence
from whet.domain.patch import Patch
from whet.domain.verdict import CheckResult, SafeguardResult, Verdict
from whet.phases.validate.step import conclude
from whet.phases.validate.suite_run import with_safeguards

PATCH = Patch(base="b", tree="t", diff="", digest="d", changes=(), summary="")


def evidence(*still_red: str) -> Evidence:
    check = CheckResult(check="tests", verdict=Verdict.PASSED, reason="1 red, green", still_red=still_red)
    return Evidence(
        proposal="p-1", signature="", base="b" * 40, tree="t" * 40, patch_digest="p" * 64, policy_digest="q" * 64,
        verdict=Verdict.PASSED, reasons=(), checks=(check,), guard=(), containment=None,
        cost=Cost(seconds=1.0, suite_runs=1), made_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def gate(*still_red: str) -> str:
    return rendered(proposal_screen(ProposalView(proposal("b" * 40), evidence=evidence(*still_red))))


def test_the_gate_names_the_tests_that_stay_red() -> None:
    assert "2 tests that stay red (a, b);" in gate("a", "b")
    assert "6 tests that stay red (a, b, c and 3 more);" in gate(*"abcdef")
    assert "stay red" not in gate()


def test_a_test_id_cannot_add_a_line_to_the_gate() -> None:
    assert r"(a[\nproved  all])" in gate("a[\nproved  all]")
    assert r"(a[\nproved  all])" in rendered(evidence_view(evidence("a[\nproved  all]")))


def test_the_evidence_has_a_row_for_the_tests_that_stay_red() -> None:
    rows = [line.split() for line in rendered(evidence_view(evidence("a", "b"))).splitlines()]
    assert ["tests", "red", "before", "and", "after", "a"] in rows
    assert ["b"] in rows
    assert "red before and after" not in rendered(evidence_view(evidence()))


def test_the_markdown_has_a_row_for_the_tests_that_stay_red() -> None:
    assert "| red before and after | `a`, `b` |\n" in markdown(ProvedChange(PATCH, evidence("a", "b")))


def test_every_view_says_what_a_passed_proof_did_not_look_at() -> None:
    for text in (rendered(evidence_view(evidence())), gate(), markdown(ProvedChange(PATCH, evidence()))):
        assert "ot looked at" in text
        assert "inputs that no test uses" in text


def test_a_clause_that_quotes_a_test_is_code_in_markdown() -> None:
    text = markdown(ProvedChange(PATCH, evidence("a[@team]")))
    assert "Not looked at: `1 test that stays red (a[@team])`; speed; inputs that no test uses." in text


def test_the_deciding_safeguard_stands_first() -> None:
    bundle = doubted()
    rows = rendered(evidence_view(bundle)).splitlines()
    assert rows[1].strip() == "tests: cheat: seen"
    assert rows[2].split() == ["tests", "cheat", "seen"]
    text = markdown(ProvedChange(PATCH, bundle))
    assert "Proved" not in text
    assert text.index("`tests: cheat: seen`") < text.index("| red without it |")
    assert text.index("| cheat |") < text.index("| quiet |")


def doubted() -> Evidence:
    tests = CheckResult(check="tests", verdict=Verdict.PASSED, reason="fine", red=("t",), green=("t",), reverted=("t",))
    quiet, idle = SafeguardResult("quiet", Verdict.PASSED, "fine"), SafeguardResult("idle", None, "nothing to ask")
    check = with_safeguards(tests, [idle, quiet, SafeguardResult("cheat", Verdict.INCONCLUSIVE, "seen")])
    assert [safeguard.name for safeguard in check.safeguards] == ["cheat", "quiet", "idle"]
    verdict, reasons = conclude([check])
    return replace(evidence(), verdict=verdict, reasons=reasons, checks=(check,))
