"""High and critical risk, which the policy must allow explicitly."""

from whet.domain.risk import Risk
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.submission import Submission


def risk_allowed(submission: Submission) -> GuardAnswer:
    code = "risk_not_allowed"
    if submission.risk in (Risk.LOW, Risk.MEDIUM):
        return Allow()
    if submission.risk not in (Risk.HIGH, Risk.CRITICAL):
        return Refuse(f"{submission.risk!r} is not a known risk", code)
    if submission.policy.guard.allow_high_risk is True:
        return Allow()
    return Refuse(f"the risk is {submission.risk}, and the policy does not set allow_high_risk", code)
