from collections.abc import Callable

import pytest

from whet.config import Config, GuardPolicy, parse
from whet.domain.risk import Risk
from whet.guard.answer import Allow, Refuse
from whet.guard.change.risk import risk
from whet.guard.change.submission import Submission

Submit = Callable[..., Submission]
HIGH_ALLOWED = Config(guard=GuardPolicy(allow_high_risk=True))


@pytest.mark.parametrize("given", [Risk.LOW, Risk.MEDIUM])
def test_low_and_medium_are_allowed(given: Risk, submit: Submit) -> None:
    assert risk(submit(risk=given)) == Allow()


@pytest.mark.parametrize("given", [Risk.HIGH, Risk.CRITICAL])
def test_high_and_critical_need_the_setting(given: Risk, submit: Submit) -> None:
    answer = risk(submit(risk=given))
    assert answer == Refuse(f"the risk is {given}, and the policy does not set allow_high_risk", "risk_not_allowed")
    assert risk(submit(risk=given, policy=HIGH_ALLOWED)) == Allow()


@pytest.mark.parametrize("given", ["severe", "HIGH", "Low", " low", "", "none", None, 0, True])
def test_a_risk_that_is_not_known_is_refused_even_then(given: object, submit: Submit) -> None:
    assert isinstance(risk(submit(risk=given, policy=HIGH_ALLOWED)), Refuse)


@pytest.mark.parametrize("text", ['"no"', '"false"', "false", "0", '"off"', '"N"'])
def test_no_spelling_of_no_allows_high_risk(text: str, submit: Submit) -> None:
    policy = parse(f"[guard]\nallow_high_risk = {text}\n".encode())
    assert isinstance(risk(submit(risk=Risk.HIGH, policy=policy)), Refuse)
