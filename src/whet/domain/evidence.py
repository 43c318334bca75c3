"""The evidence bundle: the record of a proof, which is approved and deployed by its digest."""

from dataclasses import dataclass, field
from datetime import datetime

from whet.domain.canonical import ADDED, digest
from whet.domain.containment import Containment
from whet.domain.proof_scope import ProofScope, not_affected_words, scope_of
from whet.domain.proved_claim import ProvedClaim
from whet.domain.undecided_call import UndecidedCall
from whet.domain.verdict import CheckResult, Verdict

SCHEMA = "whet.evidence/1"
MEASURED = ("benchmarks", "evaluations", "formulas")
"""Checks whose targets are measures that get better, and not tests that turn green."""


@dataclass(frozen=True, kw_only=True)
class GuardFinding:
    """A guard rule's remark on a patch. `severity` is `block`, `raise` (a higher tier), `require` (the highest
    tier) or `note`."""

    rule: str
    severity: str
    path: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The cost of a proof."""

    seconds: float
    suite_runs: int


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The result of `phases/validate`. An approval names its digest, and a change to any field changes the digest.

    Its form in JSON is public: `docs/evidence.md` describes it, and within one `schema` fields are only added. `schema`
    and `made_by` (name and version of the program) are empty in evidence that is older than the first schema.
    """

    proposal: str
    signature: str
    base: str
    tree: str
    patch_digest: str
    policy_digest: str
    verdict: Verdict
    reasons: tuple[str, ...]
    checks: tuple[CheckResult, ...]
    guard: tuple[GuardFinding, ...]
    containment: Containment | None
    cost: Cost
    made_at: datetime
    undecided: UndecidedCall | None = field(default=None, metadata=ADDED)
    """A call whose right answer no test decides; the verdict does not pass until a person has decided it."""
    made_by: str = field(default="", metadata=ADDED)
    schema: str = field(default="", metadata=ADDED)
    not_affected: tuple[str, ...] = field(default=(), metadata=ADDED)
    """The packages of the repository that the change does not affect, so that their tests did not run."""

    @property
    def digest(self) -> str:
        return digest(self)

    @property
    def failed(self) -> bool:
        return self.verdict is Verdict.FAILED

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the target tests that failed on the base."""
        return tuple(target for check in self.checks for target in check.red)

    @property
    def claim(self) -> ProvedClaim | None:
        """Return the claim about the change that a check shows; None if none does."""
        shown = [
            check.claim or ProvedClaim.FIX
            for check in self.checks
            if check.shows_claim and (check.claim or check.check not in MEASURED)
        ]
        return shown[0] if shown else None

    @property
    def claim_words(self) -> str:
        """Return the claim in words, with whether it is proved; empty if nothing is shown."""
        gains = [check for check in self.checks if check.shows_claim and check.check in MEASURED]
        words = self.claim.words if self.claim else "a gain, by a measure that the policy declares" if gains else ""
        return f"{'proved' if self.verdict is Verdict.PASSED else 'shown, but not proved'}: {words}" if words else ""

    @property
    def scope(self) -> ProofScope:
        """Return what the proof showed and what it did not look at."""
        questions = [self.undecided.sentence] if self.undecided else []
        if self.not_affected:
            questions.append(not_affected_words(self.not_affected))
        return scope_of(self.verdict, self.checks, questions)
