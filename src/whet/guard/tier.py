"""The approval tier that a gate asks for: the highest that any fact demands, with the reasons."""

from collections.abc import Iterator, Sequence

from whet.config import Config
from whet.domain.approval import Gate, Tier
from whet.domain.category import Category
from whet.domain.evidence import GuardFinding
from whet.domain.proposal import ProposalKind
from whet.domain.review import Review, ReviewAnswer
from whet.domain.risk import Risk
from whet.domain.undecided_call import UndecidedCall
from whet.domain.verdict import Verdict
from whet.guard.change.submission import MODEL_TEST

_Demand = tuple[Tier, str]

_BY_RISK = {
    Risk.LOW: Tier.AUTO,
    Risk.MEDIUM: Tier.CONFIRM,
    Risk.HIGH: Tier.APPROVE,
    Risk.CRITICAL: Tier.REQUIRE,
}
_BY_SEVERITY = {"note": Tier.AUTO, "raise": Tier.APPROVE, "require": Tier.REQUIRE}


def tier(
    *,
    gate: Gate,
    risk: Risk,
    kind: ProposalKind,
    category: Category,
    verdict: Verdict | None,
    findings: Sequence[GuardFinding],
    policy: Config,
    undecided: UndecidedCall | None = None,
    review: Review | None = None,
) -> tuple[Tier, tuple[str, ...]]:
    """Return the tier of a gate, never below the policy's floor, and the reasons, the most demanding first.

    The evidence is judged once, at apply. At merge it has been approved already, so only the floor counts, and that a
    patch whose behaviour is undecided never goes out without a person.
    """
    demands = [_floor(gate, policy), *_by_undecided(gate, undecided), *_by_forge(gate, policy)]
    if gate != Gate.MERGE:
        demands.append(_by_risk(gate, risk))
        demands += _by_category(category, policy)
        demands += [(_by_finding(finding), finding.reason) for finding in findings]
    if gate not in (Gate.PLAN, Gate.MERGE):
        demands += [*_by_verdict(verdict), *_by_review(review), *_by_automation(kind, policy)]
    demands.sort(key=lambda demand: -demand[0].rank)
    return demands[0][0], tuple(reason for demanded, reason in demands if demanded is not Tier.AUTO)


def _by_finding(finding: GuardFinding) -> Tier:
    """Return the tier of a finding. What a model's test shows needs a person, however harmless the patch."""
    demanded = _BY_SEVERITY.get(finding.severity, Tier.REQUIRE)
    return max(demanded, Tier.CONFIRM, key=lambda tier: tier.rank) if finding.rule == MODEL_TEST else demanded


def _by_risk(gate: Gate, risk: Risk) -> _Demand:
    """Return the tier of a risk. A plan changes nothing yet, so up to medium risk it needs no person."""
    demanded = _BY_RISK.get(risk, Tier.REQUIRE)
    if gate == Gate.PLAN and demanded is Tier.CONFIRM:
        demanded = Tier.AUTO
    return demanded, f"the risk is {risk}"


def _floor(gate: Gate, policy: Config) -> _Demand:
    floor = policy.approve.floor(gate)
    return floor, f"the policy asks for {floor} at the {gate} gate"


def _by_category(category: Category, policy: Config) -> Iterator[_Demand]:
    if category not in policy.guard.categories:
        yield Tier.REQUIRE, f"the policy does not allow the category {category}"


def _by_verdict(verdict: Verdict | None) -> Iterator[_Demand]:
    if verdict != Verdict.PASSED:
        yield Tier.REQUIRE, f"the verdict is {verdict}" if verdict else "there is no verdict"


def _by_review(review: Review | None) -> Iterator[_Demand]:
    """Demand more for a reviewer's concern, and most for a review that the policy asks for and that is missing."""
    if review and review.sentence:
        yield (Tier.REQUIRE if review.answer is ReviewAnswer.NONE else Tier.APPROVE), review.sentence


def _by_undecided(gate: Gate, undecided: UndecidedCall | None) -> Iterator[_Demand]:
    if undecided:
        yield (Tier.CONFIRM if gate == Gate.MERGE else Tier.REQUIRE), undecided.sentence


def _by_forge(gate: Gate, policy: Config) -> Iterator[_Demand]:
    if gate == Gate.MERGE and policy.deploy.requests and policy.forge.merge == "people":
        yield Tier.CONFIRM, "people merge the pull request"


def _by_automation(kind: ProposalKind, policy: Config) -> Iterator[_Demand]:
    """Demand a person in production, and for kinds that the policy does not list as automatic."""
    if policy.environment != "development":
        yield Tier.CONFIRM, "nothing is applied in production without a person"
    if kind not in policy.approve.auto_kinds:
        yield Tier.CONFIRM, f"{kind} is not in approve.auto_kinds"
