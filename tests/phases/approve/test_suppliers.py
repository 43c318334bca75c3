"""The supplier of a suggestion is known to the gate that asks about the change made from it."""

from typing import Any

import pytest

from whet.domain.category import Category
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.layer import Layer
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.domain.signal import Signal
from whet.domain.suggestion import Suggestion
from whet.phases.approve.person import suppliers


def proposal(kind: str, signal: Signal) -> Proposal:
    finding = Finding(
        id="f-1", kind=kind, signature="s-1", title="t", category=Category.BUG_FIX, subjects=(), paths=("a.py",),
        signals=(signal,), score=1.0, reasons=(),
        minimum_signals=1,
    )  # fmt: skip
    diagnosis = Diagnosis(finding=finding, layer=Layer.BEHAVIOR, places=(), evidence=(), confidence=1.0)
    return Proposal(
        id="p-1", engine="supplied_patch", kind=ProposalKind.BEHAVIOR_FIX, category=Category.BUG_FIX, target=("a.py",),
        title="t", rationale="r", risk=Risk.LOW, expected_gain=0.5, plan=ValidationPlan(targets={"tests": ()}),
        diagnosis=diagnosis, base="b" * 40, created_at=now(),
    )  # fmt: skip


@pytest.mark.parametrize(("more", "known"), [({"email": "Ada@Example.com"}, {"ada", "ada@example.com"}), ({}, {"ada"})])
def test_the_author_of_a_suggestion_is_its_supplier(more: dict[str, Any], known: set[str]) -> None:
    suggestion = Suggestion(id="s-1", text="better", where="a.py", by="ada", at=now(), **more)
    signal = Signal.of("suggestions", suggestion.id, suggestion, now())
    assert suppliers(proposal(FindingKind.SUGGESTED, signal)) == known


def test_a_failing_test_has_no_supplier() -> None:
    signal = Signal(source="tests", subject="t::a", kind="test", at=now())
    assert suppliers(proposal(FindingKind.FAILING_TEST, signal)) == frozenset()
    assert suppliers(None) == frozenset()
