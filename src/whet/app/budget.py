"""The state of every budget, as `whet budget` shows it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from whet.app.project import Project
from whet.domain.clock import now
from whet.domain.reservation import A_DAY, Resource
from whet.workflow.budgets import Budgets, Rows


@dataclass(frozen=True, kw_only=True)
class BudgetStatus:
    """The state of one budget. Amounts are exact decimal texts in whole units. `left` is never negative, even after
    overspending.
    """

    budget: Resource
    signature: str
    granted: str
    reserved: str
    spent: str
    left: str
    renews_at: datetime | None
    cools_until: datetime | None


def budget_statuses(project: Project) -> list[BudgetStatus]:
    """Return each daily budget, and the attempts on each signature with a failed attempt.

    A daily budget covers the last 24 hours: at `renews_at` the oldest use stops counting.
    """
    budgets = project.budgets
    return list(_statuses(budgets, budgets.counted()))


def _statuses(budgets: Budgets, rows: Rows) -> Iterator[BudgetStatus]:
    for resource in Resource:
        if resource is not Resource.ATTEMPTS:
            yield _status(budgets, rows, resource)
    for signature in budgets.signatures():
        yield _status(budgets, rows, Resource.ATTEMPTS, signature)


def _status(budgets: Budgets, rows: Rows, resource: Resource, signature: str = "") -> BudgetStatus:
    use, granted = budgets.use(rows, resource, signature), budgets.granted(resource)
    renews = resource is not Resource.ATTEMPTS and bool(use.taken_at)
    return BudgetStatus(
        budget=resource,
        signature=signature,
        granted=resource.shown(granted),
        reserved=resource.shown(use.reserved),
        spent=resource.shown(use.spent),
        left=resource.shown(max(0, granted - use.total)),
        renews_at=min(use.taken_at) + A_DAY if renews else None,
        cools_until=_cools_until(budgets, signature) if signature else None,
    )


def _cools_until(budgets: Budgets, signature: str) -> datetime | None:
    last = budgets.last_attempt_at(signature)
    until = last + timedelta(seconds=budgets.policy.cooldown_seconds) if last else None
    return until if until and until > now() else None
