"""The policy in force, the approvers and the budgets. Nothing on this page can be changed in the browser."""

import json
from dataclasses import dataclass
from typing import Any

from whet.app.approvals.approvers_view import ApproversView, view
from whet.app.budget import BudgetStatus, budget_statuses
from whet.app.project import Project
from whet.app.views.policy_change import PolicyChange, policy_change
from whet.domain.redact_noun import redact_noun
from whet.domain.reservation import Resource
from whet.web.pages.figures import plots


@dataclass(frozen=True, kw_only=True)
class PolicyPage:
    """The settings by table, their last change, the approvers, the budgets and their plot. `known` says if the policy is
    on record."""

    digest: str
    known: bool
    tables: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    change: PolicyChange
    approvers: ApproversView
    budgets: tuple[BudgetStatus, ...]
    plot: plots.Plot


def policy_page(project: Project) -> PolicyPage:
    """Return the policy as whet.toml says it now, with every default."""
    statuses = tuple(budget_statuses(project))
    digest = project.policy.digest
    return PolicyPage(
        digest=digest,
        known=project.ledger.find(f"policy/{digest}") is not None,
        tables=tuple(_tables(project.policy.model_dump(mode="json"))),
        change=policy_change(project),
        approvers=view(project),
        budgets=statuses,
        plot=_plot(statuses),
    )


def _tables(policy: dict[str, Any]) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    plain = tuple((name, _shown(value)) for name, value in policy.items() if not isinstance(value, dict))
    tables = [
        (name, tuple((key, _shown(item)) for key, item in value.items()))
        for name, value in policy.items()
        if isinstance(value, dict)
    ]
    return [("", plain), *tables]


def _shown(value: Any) -> str:
    """Return a setting as the page shows it: an address in whet.toml may hold a secret."""
    return json.dumps(redact_noun(value), ensure_ascii=False)


def _plot(statuses: tuple[BudgetStatus, ...]) -> plots.Plot:
    daily = [status for status in statuses if status.budget is not Resource.ATTEMPTS]
    return plots.shares(
        "Budgets of the last 24 hours",
        [
            (
                status.budget.words,
                float(status.spent),
                float(status.reserved),
                float(status.granted),
                f"{float(status.spent):,.10g} of {float(status.granted):,.10g}"
                + (f", {float(status.reserved):,.10g} reserved" if float(status.reserved) else ""),
            )
            for status in daily
        ],
    )
