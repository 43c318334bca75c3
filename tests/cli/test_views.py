"""The gate and the evidence name the tests that are red before and after."""

from datetime import UTC, datetime

from tests.cli.test_foreign_text import rendered
from tests.phases.deploy.harness import proposal
from whet.app.proposal_view import ProposalView
from whet.app.prove import Proof, markdown
from whet.cli.views.evidence import evidence_view
from whet.cli.views.gate import proposal_screen
from whet.domain.evidence import Cost, Evidence
from whet.domain.patch import Patch
from whet.domain.verdict import CheckResult, Verdict


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
    assert "red before and after: a, b\n" in _stripped(gate("a", "b"))
    assert "red before and after: a, b, c and 3 more\n" in _stripped(gate(*"abcdef"))
    assert "red before and after" not in gate()


def test_a_test_id_cannot_add_a_line_to_the_gate() -> None:
    assert r"red before and after: a[\nproved  all]" in gate("a[\nproved  all]")


def test_the_evidence_has_a_row_for_the_tests_that_stay_red() -> None:
    rows = [line.split() for line in rendered(evidence_view(evidence("a", "b"))).splitlines()]
    assert ["tests", "red", "before", "and", "after", "a"] in rows
    assert ["b"] in rows
    assert "red before and after" not in rendered(evidence_view(evidence()))


def test_the_markdown_has_a_row_for_the_tests_that_stay_red() -> None:
    patch = Patch(base="b", tree="t", diff="", digest="d", changes=(), summary="")
    assert "| red before and after | `a`, `b` |\n" in markdown(Proof(patch, evidence("a", "b")))


def _stripped(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())
