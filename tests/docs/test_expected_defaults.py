"""Every threshold that was asked for is a setting with that default, or a fixed value, or the settings page says why not."""

from pathlib import Path

import pytest

from whet.config import Config, parse
from whet.domain.approval import Tier
from whet.domain.execution import MOST_SHARE
from whet.domain.pattern import CONFIDENT_AFTER
from whet.domain.risk import Risk
from whet.domain.version import Mode
from whet.errors import BadConfig
from whet.guard import tier
from whet.guard.change.self_change import CYCLES_A_DAY
from whet.ledger.invariants.alerting import ROLLBACK_SECONDS

PAGE = Path(__file__).parents[2] / "docs/reference/settings.md"
HOUR, DAY = 3_600, 86_400
UNSEEN_RISKS = [risk for risk in Risk if not tier._BY_RISK[risk].needs_person]

# What was asked for, its value, and the setting here that has it.
SETTINGS = [
    ("triggers.pattern_threshold", 3, "sources.pattern"),
    ("triggers.pattern_threshold", 3, "service.failures"),
    ("triggers.drift_threshold", 0.05, "sources.drift"),
    ("triggers.correlation_threshold", 0.7, "sources.correlation"),
    ("observation.window_default", 24, "sources.window_hours"),
    ("validation.shadow_duration", HOUR, "deploy.shadow_seconds"),
    ("validation.canary_duration", 4 * HOUR, "deploy.canary_seconds"),
    ("validation.canary_percentage", 0.10, "deploy.canary_share"),
    ("validation.ab_duration", DAY, "deploy.ab_seconds"),
    ("validation.significance_threshold", 0.95, "deploy.significance"),
    ("deployment.monitor_duration", 24, "deploy.monitor_hours"),
    ("deployment.degradation_threshold", 0.1, "deploy.latency_margin"),
    ("approval.approval_timeout", 7 * 24, "approve.timeout_hours"),
    ("learning.similarity_threshold", 0.8, "propose.similarity_threshold"),
]
FIXED = [
    ("observation.overhead_limit", 0.05, MOST_SHARE, "overhead of capturing"),
    ("deployment.rollback_timeout", 300, ROLLBACK_SECONDS, "time from a decision to its rollback"),
    ("learning.min_fixes_for_confidence", 3, CONFIDENT_AFTER, "fixes until a pattern is trusted"),
    ("meta.max_cycles_per_day", 1, CYCLES_A_DAY, "cycles on whet itself"),
    ("approval.auto_tier_max_risk", [Risk.LOW], UNSEEN_RISKS, "risk of changes without a person"),
]
DIFFERENT = [
    ("approval.auto_tier_types", ("constant_tune",), "approve.auto_kinds"),
    ("approval.require_tier_types", Tier.REQUIRE, "approve.apply"),
    ("deployment.degradation_threshold", 0.1, "deploy.error_margin"),
]


def setting(name: str) -> object:
    value: object = Config()
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize(("asked", "value", "name"), SETTINGS)
def test_a_threshold_is_a_setting_with_the_default_that_was_asked_for(asked: str, value: float, name: str) -> None:
    assert setting(name) == value, asked
    assert f"`{name}`" in PAGE.read_text()


@pytest.mark.parametrize(("asked", "value", "here", "row"), FIXED)
def test_a_threshold_that_is_no_setting_has_the_value_and_a_reason(
    asked: str, value: object, here: object, row: str
) -> None:
    assert here == value, asked
    assert f"| {row} | " in PAGE.read_text()


@pytest.mark.parametrize(("asked", "value", "name"), DIFFERENT)
def test_a_default_that_differs_has_its_reason_on_the_page(asked: str, value: object, name: str) -> None:
    assert setting(name) != value, f"{asked} has the asked-for value here: move the row to SETTINGS"
    [row] = [
        line
        for line in PAGE.read_text().splitlines()
        if line.startswith(f"| default of `{name}` | ") and line.count("|") > 4
    ]
    assert len(row.split("|")[4].strip()) > 20


def test_the_window_is_a_week_at_most() -> None:
    with pytest.raises(BadConfig):
        parse(b"[sources]\nwindow_hours = 169\n")


@pytest.mark.parametrize("mode", Mode)
def test_each_kind_of_trial_has_its_own_duration_unless_one_is_set_for_all(mode: Mode) -> None:
    assert parse(f'[deploy]\nstrategy = "{mode}"\n'.encode()).deploy.trial_limit_seconds in (HOUR, 4 * HOUR, DAY)
    assert parse(f'[deploy]\nstrategy = "{mode}"\ntrial_seconds = 60\n'.encode()).deploy.trial_limit_seconds == 60


def test_a_trial_is_not_longer_than_its_calls_are_counted() -> None:
    with pytest.raises(BadConfig, match=r"retention\.minutes_days"):
        parse(b'[deploy]\nstrategy = "ab"\n[retention]\nminutes_days = 1\n')
