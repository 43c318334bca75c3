from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from whet.config import ApprovePolicy, Config, GuardPolicy
from whet.domain.approval import Gate, Tier
from whet.domain.category import Category
from whet.domain.evidence import GuardFinding
from whet.domain.proposal import ProposalKind
from whet.domain.risk import Risk
from whet.domain.undecided_call import PossibleAnswer, UndecidedCall
from whet.domain.verdict import Verdict
from whet.guard.change.submission import MODEL_TEST
from whet.guard.tier import tier

FLOORLESS = ApprovePolicy(plan=Tier.AUTO, apply=Tier.AUTO, merge=Tier.AUTO, auto_kinds=(ProposalKind.BEHAVIOR_FIX,))
DEVELOPMENT = Config(environment="development", approve=FLOORLESS)
PRODUCTION = Config(environment="production", approve=FLOORLESS)
MISSPELT = DEVELOPMENT.model_copy(update={"environment": "Development"})
NOWHERE = DEVELOPMENT.model_copy(update={"environment": ""})
NO_CATEGORY = DEVELOPMENT.model_copy(update={"guard": GuardPolicy(categories=())})
NOTIFYING = DEVELOPMENT.model_copy(update={"approve": FLOORLESS.model_copy(update={"apply": Tier.NOTIFY})})
UNDECIDED = UndecidedCall(
    call="f(0)",
    function="f",
    path="m.py",
    answers=(PossibleAnswer(text="1", patches=("a",)), PossibleAnswer(text="2", patches=("b",))),
)


def finding_of(severity: str) -> GuardFinding:
    return GuardFinding(rule="path_sensitive", severity=severity, path="src/auth.py", reason="src/auth.py is sensitive")


def tier_of(**facts: Any) -> tuple[Tier, tuple[str, ...]]:
    defaults: dict[str, Any] = {
        "gate": Gate.APPLY,
        "risk": Risk.LOW,
        "kind": ProposalKind.BEHAVIOR_FIX,
        "category": Category.BUG_FIX,
        "verdict": Verdict.PASSED,
        "findings": (),
        "policy": DEVELOPMENT,
    }
    return tier(**{**defaults, **facts})


NO_PERSON: list[tuple[dict[str, Any], str]] = [
    ({}, "auto"),
    ({"findings": [finding_of("note")]}, "auto"),
    ({"gate": Gate.PLAN}, "auto"),
    ({"gate": Gate.PLAN, "verdict": None}, "auto"),
    ({"gate": Gate.PLAN, "verdict": Verdict.FAILED}, "auto"),
    ({"gate": Gate.PLAN, "kind": ProposalKind.SKILL_IMPROVE}, "auto"),
    ({"gate": Gate.MERGE, "kind": ProposalKind.SKILL_IMPROVE}, "auto"),
    ({"gate": Gate.PLAN, "policy": PRODUCTION}, "auto"),
    ({"gate": Gate.PLAN, "risk": Risk.MEDIUM}, "auto"),
    ({"gate": Gate.MERGE, "risk": Risk.CRITICAL}, "auto"),
    ({"gate": Gate.MERGE, "findings": [finding_of("raise")]}, "auto"),
    ({"gate": Gate.MERGE, "verdict": Verdict.INCONCLUSIVE}, "auto"),
    ({"gate": Gate.MERGE, "policy": PRODUCTION}, "auto"),
    (
        {"policy": DEVELOPMENT.model_copy(update={"approve": FLOORLESS.model_copy(update={"apply": Tier.NOTIFY})})},
        "notify",
    ),
]
A_PERSON: list[tuple[dict[str, Any], str, str]] = [
    ({"risk": Risk.MEDIUM}, "confirm", "the risk is medium"),
    ({"risk": Risk.HIGH}, "approve", "the risk is high"),
    ({"risk": Risk.CRITICAL}, "require", "the risk is critical"),
    ({"risk": "severe"}, "require", "the risk is severe"),
    ({"risk": "LOW"}, "require", "the risk is LOW"),
    ({"gate": Gate.PLAN, "risk": Risk.HIGH}, "approve", "the risk is high"),
    ({"kind": ProposalKind.SKILL_IMPROVE}, "confirm", "skill_improve is not in approve.auto_kinds"),
    ({"kind": "Behavior_Fix"}, "confirm", "Behavior_Fix is not in approve.auto_kinds"),
    ({"policy": PRODUCTION}, "confirm", "nothing is applied in production without a person"),
    ({"policy": MISSPELT}, "confirm", "nothing is applied in production without a person"),
    ({"policy": NOWHERE}, "confirm", "nothing is applied in production without a person"),
    ({"findings": [finding_of("raise")]}, "approve", "src/auth.py is sensitive"),
    ({"findings": [finding_of("note"), finding_of("raise")]}, "approve", "src/auth.py is sensitive"),
    ({"gate": Gate.PLAN, "findings": [finding_of("raise")]}, "approve", "src/auth.py is sensitive"),
    ({"findings": [finding_of("block")]}, "require", "src/auth.py is sensitive"),
    ({"findings": [finding_of("Note")]}, "require", "src/auth.py is sensitive"),
    ({"verdict": Verdict.FAILED}, "require", "the verdict is failed"),
    ({"verdict": Verdict.INCONCLUSIVE}, "require", "the verdict is inconclusive"),
    ({"verdict": None}, "require", "there is no verdict"),
    ({"verdict": "PASSED"}, "require", "the verdict is PASSED"),
    ({"category": "feature"}, "require", "the policy does not allow the category feature"),
    ({"policy": NO_CATEGORY}, "require", "the policy does not allow the category bug_fix"),
    ({"gate": "deploy"}, "require", "the policy asks for require at the deploy gate"),
    ({"undecided": UNDECIDED}, "require", UNDECIDED.sentence),
    ({"undecided": UNDECIDED, "policy": NOTIFYING}, "require", UNDECIDED.sentence),
    ({"undecided": UNDECIDED, "gate": Gate.MERGE}, "confirm", UNDECIDED.sentence),
    ({"policy": Config()}, "confirm", "the policy asks for confirm at the apply gate"),
]


@pytest.mark.parametrize(("facts", "expected"), NO_PERSON)
def test_harmless_facts_need_no_person(facts: dict[str, Any], expected: str) -> None:
    assert tier_of(**facts)[0] == expected


@pytest.mark.parametrize(("facts", "expected", "reason"), A_PERSON)
def test_each_fact_raises_the_tier_and_gives_its_reason(facts: dict[str, Any], expected: str, reason: str) -> None:
    answer, reasons = tier_of(**facts)
    assert answer == expected
    assert reason in reasons


def test_the_lowest_tier_has_no_reasons() -> None:
    assert tier_of() == (Tier.AUTO, ())


def test_the_reason_for_the_highest_tier_comes_first() -> None:
    _, reasons = tier_of(risk=Risk.MEDIUM, verdict=Verdict.FAILED, findings=[finding_of("raise")])
    assert reasons[:3] == ("the verdict is failed", "src/auth.py is sensitive", "the risk is medium")


def test_no_fact_lowers_the_tier_that_another_demands() -> None:
    """Every combination: the floor holds, each fact holds, and only one combination is applied without a person."""
    for gate, floor, risk, kind, verdict, environment, severity in product(
        Gate, Tier, Risk, ProposalKind, [*Verdict, None], ["development", "production"], ["note", "raise"]
    ):
        approve = FLOORLESS.model_copy(update={gate.value: floor})
        policy = Config.model_construct(environment=environment, approve=approve, guard=DEVELOPMENT.guard)
        answer, reasons = tier_of(
            gate=gate, risk=risk, kind=kind, verdict=verdict, policy=policy, findings=[finding_of(severity)]
        )
        assert answer.rank >= floor.rank
        assert bool(reasons) is (answer is not Tier.AUTO)
        if gate is Gate.MERGE:
            assert answer is floor
            continue
        assert answer.rank >= Tier.APPROVE.rank or severity == "note"
        assert answer is Tier.REQUIRE or gate is Gate.PLAN or verdict is Verdict.PASSED
        if not answer.needs_person:
            assert risk in (Risk.LOW, Risk.MEDIUM)
            is_automatic = risk is Risk.LOW and kind in FLOORLESS.auto_kinds and environment == "development"
            assert gate is not Gate.APPLY or is_automatic


def test_a_test_that_a_model_wrote_needs_a_person_and_lowers_nothing() -> None:
    written = GuardFinding(rule=MODEL_TEST, severity="note", path="tests/test_a.py", reason="a language model wrote it")
    assert tier_of(findings=[written]) == (Tier.CONFIRM, ("a language model wrote it",))
    assert tier_of(findings=[written, finding_of("raise")])[0] is Tier.APPROVE
    assert tier_of(findings=[replace(written, severity="require")])[0] is Tier.REQUIRE
