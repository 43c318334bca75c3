"""A shadow needs pytest in the target before anything is proved."""

import pytest

from whet.config import DeployPolicy
from whet.errors import EnvironmentProblem
from whet.phases.deploy.live_modules import require_pytest_for_shadow
from whet.target.interpreter import Interpreter

WITHOUT = Interpreter("/project/.venv/bin/python", "3.12", (), has_pytest=False)
WITH = Interpreter("/project/.venv/bin/python", "3.12", (), has_pytest=True)


def test_a_shadow_without_pytest_is_refused_with_a_remedy() -> None:
    with pytest.raises(EnvironmentProblem, match="has no pytest") as refusal:
        require_pytest_for_shadow(DeployPolicy(strategy="shadow"), WITHOUT)
    assert "canary" in refusal.value.remedy


@pytest.mark.parametrize(("strategy", "interpreter"), [("shadow", WITH), ("canary", WITHOUT), ("branch", WITHOUT)])
def test_other_strategies_and_interpreters_are_not_refused(strategy: str, interpreter: Interpreter) -> None:
    require_pytest_for_shadow(DeployPolicy(strategy=strategy), interpreter)
