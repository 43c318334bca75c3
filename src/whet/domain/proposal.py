"""A proposal: a change that an engine offers to make."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from whet.domain.canonical import ADDED, digest
from whet.domain.category import Category
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import FindingKind
from whet.domain.layer import Layer
from whet.domain.proved_claim import ProvedClaim
from whet.domain.recommendation import Recommendation
from whet.domain.regression import Regression
from whet.domain.risk import Risk


class ProposalKind(StrEnum):
    CONSTANT_TUNE = "constant_tune"
    FORMULA_CHANGE = "formula_change"
    BEHAVIOR_FIX = "behavior_fix"
    PROTOCOL_UPDATE = "protocol_update"
    SKILL_IMPROVE = "skill_improve"


# The kind that the layer of the likely cause suggests. The guard compares it with the patch.
KIND_OF_LAYER = {
    Layer.CONSTANTS: ProposalKind.CONSTANT_TUNE,
    Layer.PROTOCOL: ProposalKind.PROTOCOL_UPDATE,
    Layer.SKILL: ProposalKind.SKILL_IMPROVE,
    Layer.BEHAVIOR: ProposalKind.BEHAVIOR_FIX,
}


def kind_of_fix(diagnosis: Diagnosis) -> ProposalKind:
    """Return the kind of a repair in Python code: that of a declared formula changes a formula."""
    is_formula = diagnosis.finding.kind == FindingKind.BROKEN_FORMULA
    return ProposalKind.FORMULA_CHANGE if is_formula else ProposalKind.BEHAVIOR_FIX


@dataclass(frozen=True, kw_only=True)
class ValidationPlan:
    """The checks that a patch must pass, and for each check its targets: red on the base, green with the patch.

    Targets of `tests` are test ids; those of `lint` are keys such as `F401 pkg/module.py`. A check without targets only
    has to show that the patch breaks nothing.
    """

    targets: dict[str, tuple[str, ...]]
    recommendation: Recommendation | None = None
    """For a change to a tool: how it can be tested, from what its author declared."""
    stated: ProvedClaim | None = field(default=None, metadata=ADDED)
    """The claim that the proof is asked for, if no test is to turn green."""

    @property
    def checks(self) -> tuple[str, ...]:
        """Return the names of the checks."""
        return tuple(self.targets)


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A change that an engine offers to make. Made by a proposer's `propose`; an incomplete proposal raises ValueError."""

    id: str
    engine: str
    kind: ProposalKind
    category: Category
    target: tuple[str, ...]
    title: str
    rationale: str
    risk: Risk
    expected_gain: float
    plan: ValidationPlan
    diagnosis: Diagnosis
    base: str
    created_at: datetime
    score: float = 0.0
    reasons: tuple[str, ...] = ()
    """The reasons for the score."""
    recipe: dict[str, Any] = field(default_factory=dict)
    """Data that the engine needs to build the proposal; its form is up to the engine."""
    decided: tuple[Regression, ...] = ()
    """Tests that people's answers to disputed calls became. The engine's patch brings them and must pass them."""
    remarks: tuple[str, ...] = field(default=(), metadata=ADDED)
    """A reviewer's remarks on the patch before, for an engine that can use them (`takes_remarks`)."""

    def __post_init__(self) -> None:
        for name in ("id", "engine", "title", "rationale", "base"):
            if not getattr(self, name):
                raise ValueError(f"a proposal without {name} is not complete")
        if not self.target or not self.plan.checks:
            raise ValueError("a proposal names its target and the checks it must pass")
        if not 0.0 < self.expected_gain <= 1.0:
            raise ValueError("expected_gain is a share: above 0, at most 1")

    @property
    def signature(self) -> str:
        return self.diagnosis.finding.signature

    @property
    def digest(self) -> str:
        return digest(self)
