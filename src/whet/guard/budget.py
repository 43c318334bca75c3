"""Budget rules: compare what was spent and reserved before this attempt with what the policy grants."""

from dataclasses import dataclass

from whet.config import BudgetPolicy
from whet.domain.reservation import Resource
from whet.guard.answer import Allow, GuardAnswer, Refuse


@dataclass(frozen=True, kw_only=True)
class Spent:
    """The recorded spending without this attempt; `readable` is false if the record could not be read."""

    proposals_today: int
    cycles_today: int
    attempts_on_signature: int
    seconds_since_last_attempt: float | None
    readable: bool


def budget(spent: Spent, policy: BudgetPolicy) -> GuardAnswer:
    """Refuse unless there is room for one more of each and the cool-down is over; refuse an unreadable record."""
    counts = (spent.proposals_today, spent.cycles_today, spent.attempts_on_signature)
    if spent.readable is not True or not all(isinstance(count, int) and count >= 0 for count in counts):
        return Refuse("what was spent so far cannot be read", "budget_unreadable")
    if spent.proposals_today >= policy.proposals_per_day:
        return _exhausted(f"{spent.proposals_today} of {policy.proposals_per_day} proposals of today are made")
    if spent.cycles_today >= policy.cycles_per_day:
        return _exhausted(f"{spent.cycles_today} of {policy.cycles_per_day} cycles of today have run")
    if spent.attempts_on_signature >= policy.attempts_per_signature:
        return _exhausted(f"{spent.attempts_on_signature} attempts on one signature are all the policy grants")
    if not _is_cool_down_over(spent, policy.cooldown_seconds):
        return Refuse(f"the last attempt is less than {policy.cooldown_seconds} seconds ago", "cooling_down")
    return Allow()


def room(amount: int, *, spent: int, reserved: int, granted: int, resource: Resource) -> GuardAnswer:
    """Refuse if `amount` more does not fit into what is granted; all numbers are in the smallest unit.

    A number that is negative or not an int means that the record is damaged, and is refused too.
    """
    if not all(type(number) is int and number >= 0 for number in (amount, spent, reserved, granted)):
        return Refuse(f"what was spent so far of {resource.words} cannot be read", "budget_unreadable")
    if spent + reserved + amount <= granted:
        return Allow()
    total, used, held, more = map(resource.shown, (granted, spent, reserved, amount))
    return _exhausted(
        f"of {total} {resource.words} a day {used} are spent and {held} reserved: there is no room for {more}"
    )


def _is_cool_down_over(spent: Spent, cooldown_seconds: int) -> bool:
    """True if the last attempt is long enough ago. Attempts without a recorded time count as just made.

    A time that is not a number fails the comparison, so it counts as just made too.
    """
    if cooldown_seconds == 0:
        return True
    if spent.seconds_since_last_attempt is None:
        return spent.attempts_on_signature == 0
    return spent.seconds_since_last_attempt >= cooldown_seconds


def _exhausted(reason: str) -> Refuse:
    return Refuse(reason, "budget_spent")
