"""What was spent and reserved before this attempt, against what the policy grants."""

from dataclasses import dataclass

from whet.config import BudgetPolicy
from whet.domain.reservation import Resource
from whet.guard.answer import Allow, Answer, Refuse


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What is on record, this attempt not counted; `readable` is false when the record could not be asked."""

    proposals_today: int
    cycles_today: int
    attempts_on_signature: int
    seconds_since_last_attempt: float | None
    readable: bool


def budget(spent: Spent, policy: BudgetPolicy) -> Answer:
    """Room for one more of each, and the cool-down over; an unreadable record means stop."""
    counts = (spent.proposals_today, spent.cycles_today, spent.attempts_on_signature)
    if spent.readable is not True or not all(isinstance(count, int) and count >= 0 for count in counts):
        return Refuse("what was spent so far cannot be read", "budget_unreadable")
    if spent.proposals_today >= policy.proposals_per_day:
        return _spent(f"{spent.proposals_today} of {policy.proposals_per_day} proposals of today are made")
    if spent.cycles_today >= policy.cycles_per_day:
        return _spent(f"{spent.cycles_today} of {policy.cycles_per_day} cycles of today have run")
    if spent.attempts_on_signature >= policy.attempts_per_signature:
        return _spent(f"{spent.attempts_on_signature} attempts on one signature are all the policy grants")
    if not _cooled(spent, policy.cooldown_seconds):
        return Refuse(f"the last attempt is less than {policy.cooldown_seconds} seconds ago", "cooling_down")
    return Allow()


def room(wanted: int, *, spent: int, reserved: int, granted: int, resource: Resource) -> Answer:
    """Room for `wanted` more, all in the smallest unit; what is no whole number, or less than none, is unreadable."""
    if not all(type(amount) is int and amount >= 0 for amount in (wanted, spent, reserved, granted)):
        return Refuse(f"what was spent so far of {resource.words} cannot be read", "budget_unreadable")
    if spent + reserved + wanted <= granted:
        return Allow()
    have, gone, held, more = map(resource.shown, (granted, spent, reserved, wanted))
    return _spent(f"of {have} {resource.words} a day {gone} are spent and {held} reserved: there is no room for {more}")


def _cooled(spent: Spent, cooldown_seconds: int) -> bool:
    """Attempts on record without a time are as recent as can be; so is a time that is not a number."""
    since = spent.seconds_since_last_attempt
    if cooldown_seconds == 0:
        return True
    return spent.attempts_on_signature == 0 if since is None else since >= cooldown_seconds


def _spent(reason: str) -> Refuse:
    return Refuse(reason, "budget_spent")
