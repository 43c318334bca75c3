"""Limits of the questions that the service may ask by itself."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from whet.config import ServicePolicy
from whet.guard.answer import Allow, GuardAnswer, Refuse


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The questions that whet has asked so far, from the record.

    `open_files` has the files of every open proposal. `expired_in_a_row` counts the last questions that expired since a
    person answered one or asked for a cycle. `began_at` is the time of the first entry of the record.
    """

    open_files: Mapping[str, Collection[str]]
    expired_in_a_row: int
    began_at: datetime | None
    last_lint_at: datetime | None


def may_ask(asked: Asked, policy: ServicePolicy, now: datetime) -> GuardAnswer:
    """Refuse any new question while the dry run lasts, too many are open, or the last ones expired."""
    ends_at = (asked.began_at or now) + timedelta(days=policy.dry_run_days)
    if now < ends_at:
        return Refuse(
            f"the first {_days(policy.dry_run_days)} are a dry run, until {ends_at:%Y-%m-%d %H:%M} UTC "
            "(service.dry_run_days)",
            "dry_run",
        )
    if asked.expired_in_a_row >= policy.expired_in_a_row:
        return Refuse(
            f"the last {asked.expired_in_a_row} questions expired without an answer, so whet only observes until a "
            "person runs `whet run` or answers one (service.expired_in_a_row)",
            "nobody_answers",
        )
    if len(asked.open_files) >= policy.open_questions:
        return Refuse(
            f"{len(asked.open_files)} proposals are open, and service.open_questions is {policy.open_questions}",
            "too_many_open",
        )
    return Allow()


def may_ask_about_lint(asked: Asked, policy: ServicePolicy, now: datetime) -> GuardAnswer:
    """Refuse a lint proposal if the service made one less than `lint_days` ago."""
    if asked.last_lint_at is None or now >= (due := asked.last_lint_at + timedelta(days=policy.lint_days)):
        return Allow()
    return Refuse(
        f"lint is proposed every {_days(policy.lint_days)}, next on {due:%Y-%m-%d} (service.lint_days)", "lint"
    )


def may_ask_about_files(asked: Asked, files: Collection[str], policy: ServicePolicy) -> GuardAnswer:
    """Refuse a proposal for a file that as many open proposals as allowed are about already."""
    for file in files:
        about = [proposal for proposal, paths in asked.open_files.items() if file in paths]
        if len(about) >= policy.open_per_file:
            return Refuse(f"{about[0]} is open for {file} (service.open_per_file)", "file_has_question")
    return Allow()


def _days(days: float) -> str:
    return "day" if days == 1 else f"{days:g} days"
