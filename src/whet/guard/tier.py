"""Which tier a gate asks for: the highest that any fact calls for, with the facts."""

from collections.abc import Iterator, Sequence

from whet.config import Config
from whet.domain.approval import Gate, Tier
from whet.domain.category import Category
from whet.domain.evidence import GuardFinding
from whet.domain.proposal import ProposalKind
from whet.domain.risk import Risk
from whet.domain.verdict import Verdict

Claim = tuple[Tier, str]

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
) -> tuple[Tier, tuple[str, ...]]:
    """Never below the gate's floor. Whether a change may go unseen is asked once, at apply, where its evidence lies
    on the table; at merge the same evidence has been answered for, so the policy's floor is all that is added."""
    claims = [_floor(gate, policy)]
    if gate != Gate.MERGE:
        claims += [
            _by_risk(gate, risk),
            *_by_category(category, policy),
            *((_BY_SEVERITY.get(finding.severity, Tier.REQUIRE), finding.reason) for finding in findings),
        ]
    if gate not in (Gate.PLAN, Gate.MERGE):
        claims += [*_by_verdict(verdict), *_unseen(kind, policy)]
    claims.sort(key=lambda claim: -claim[0].rank)
    return claims[0][0], tuple(reason for asked, reason in claims if asked is not Tier.AUTO)


def _by_risk(gate: Gate, risk: Risk) -> Claim:
    """A plan changes nothing yet: up to medium risk it need not be shown to anyone."""
    asked = _BY_RISK.get(risk, Tier.REQUIRE)
    harmless = gate == Gate.PLAN and asked is Tier.CONFIRM
    return Tier.AUTO if harmless else asked, f"the risk is {risk}"


def _floor(gate: Gate, policy: Config) -> Claim:
    floors = {
        Gate.PLAN: policy.approve.plan,
        Gate.APPLY: policy.approve.apply,
        Gate.MERGE: policy.approve.merge,
    }
    floor = floors.get(gate, Tier.REQUIRE)
    return floor, f"the policy asks for {floor} at the {gate} gate"


def _by_category(category: Category, policy: Config) -> Iterator[Claim]:
    if category not in policy.guard.categories:
        yield Tier.REQUIRE, f"the policy does not allow the category {category}"


def _by_verdict(verdict: Verdict | None) -> Iterator[Claim]:
    if verdict != Verdict.PASSED:
        yield Tier.REQUIRE, f"the verdict is {verdict}" if verdict else "there is no verdict"


def _unseen(kind: ProposalKind, policy: Config) -> Iterator[Claim]:
    if policy.environment != "development":
        yield Tier.CONFIRM, "nothing is applied in production without a person"
    if kind not in policy.approve.auto_kinds:
        yield Tier.CONFIRM, f"{kind} is not in approve.auto_kinds"
