from collections.abc import Callable

import pytest

from whet.config import Config, GuardPolicy, parse
from whet.domain.risk import Risk
from whet.guard.answer import Allow, Refuse
from whet.guard.change.risk import risk_allowed
from whet.guard.change.submission import Submission

Submit = Callable[..., Submission]
HIGH_ALLOWED = Config(guard=GuardPolicy(allow_high_risk=True))


@pytest.mark.parametrize("risk", [Risk.LOW, Risk.MEDIUM])
def test_low_and_medium_risk_are_allowed(risk: Risk, submit: Submit) -> None:
    assert risk_allowed(submit(risk=risk)) == Allow()


@pytest.mark.parametrize("risk", [Risk.HIGH, Risk.CRITICAL])
def test_high_and_critical_risk_need_the_setting(risk: Risk, submit: Submit) -> None:
    answer = risk_allowed(submit(risk=risk))
    assert answer == Refuse(f"the risk is {risk}, and the policy does not set allow_high_risk", "risk_not_allowed")
    assert risk_allowed(submit(risk=risk, policy=HIGH_ALLOWED)) == Allow()


@pytest.mark.parametrize("risk", ["severe", "HIGH", "Low", " low", "", "none", None, 0, True])
def test_an_unknown_risk_is_refused_even_with_the_setting(risk: object, submit: Submit) -> None:
    assert isinstance(risk_allowed(submit(risk=risk, policy=HIGH_ALLOWED)), Refuse)


@pytest.mark.parametrize("text", ['"no"', '"false"', "false", "0", '"off"', '"N"'])
def test_no_spelling_of_no_allows_high_risk(text: str, submit: Submit) -> None:
    policy = parse(f"[guard]\nallow_high_risk = {text}\n".encode())
    assert isinstance(risk_allowed(submit(risk=Risk.HIGH, policy=policy)), Refuse)
