"""Totals of captured calls, as the statistics need them."""

from datetime import UTC, datetime, timedelta

from whet.config import DeployPolicy
from whet.domain.captured import Rollup
from whet.phases.deploy.live_modules import parameters_of
from whet.phases.deploy.traffic import Traffic, terms_of, total


def row(calls: int, errors: int, unit: str = "", failures: dict[str, int] | None = None) -> Rollup:
    return Rollup(
        tool="shop.price", version="v", arm="control", began_at=datetime(2026, 1, 1, tzinfo=UTC), length=timedelta(minutes=1),
        calls=calls, errors=errors, kept=calls, timed=calls, duration_ns=0, log_sum=calls * 18.0, log_squares=calls * 324.1,
        latencies={10: calls}, failures=failures or {}, unit=unit,
    )  # fmt: skip


def test_rows_of_one_group_of_keys_are_one_unit() -> None:
    arm = total([row(10, 1, "7"), row(20, 0, "7"), row(5, 5, "8"), row(3, 0)]).arm(9)
    assert (arm.calls, arm.errors, arm.slow) == (38, 6, 38)
    assert [(unit.calls, unit.errors) for unit in arm.units] == [(30, 1), (5, 5)]
    assert (arm.alone.calls, arm.alone.errors) == (3, 0)
    assert total([row(3, 0)]).arm(None).units == ()


def test_the_failures_that_a_change_mends_are_not_expected_after_it() -> None:
    """The change mends 40 of the 50 captured failures, so 80 of all 100 failures are taken out of the baseline."""
    before = Traffic(calls=1_000, errors=100, failures={"mended": 40, "other": 10})
    assert before.without_failure("mended").errors == 20
    assert before.without_failure("").errors == 100
    assert before.without_failure("unknown").errors == 100
    assert Traffic(calls=10, errors=3).without_failure("mended").errors == 3


def test_the_policy_sets_the_margins_of_trials() -> None:
    terms = terms_of(DeployPolicy(significance=0.9, error_margin=0.02, latency_margin=0.3, mismatch_margin=0.05))
    assert (round(terms.alpha, 9), terms.error_margin, terms.latency_margin, terms.mismatch_margin) == (
        0.1,
        0.02,
        0.3,
        0.05,
    )


SOURCE = b"""
def price(item, *rest, customer=None): ...
class Shop:
    async def total(self, order): ...
def anything(**fields): ...
"""


def test_the_parameters_of_a_tool_are_read_from_its_source() -> None:
    assert parameters_of(SOURCE, "price") == {"item", "customer"}
    assert parameters_of(SOURCE, "Shop.total") == {"self", "order"}
    assert parameters_of(SOURCE, "anything") == frozenset()
    assert parameters_of(SOURCE, "missing") == frozenset()
