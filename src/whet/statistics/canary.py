from math import exp, log, log1p

from whet.domain.decision import Decision, State
from whet.domain.plural import count
from whet.statistics import mean, rate
from whet.statistics.alpha_spending import has_too_many
from whet.statistics.arm import Arm
from whet.statistics.betting import average, proven
from whet.statistics.by_key import harm_by_key, is_by_key, without_enough_keys, worst, worth_by_key
from whet.statistics.difference import log_e_within
from whet.statistics.moments import Moments
from whet.statistics.split import broken_split
from whet.statistics.terms import Terms

EARLY = 0.7
"""The part of alpha that is spent on the test of the first errors."""


def decide_canary(control: Arm, canary: Arm, share: float, terms: Terms, *, time_is_up: bool) -> Decision:
    """Decide a canary by two separate questions.

    Roll back if the canary is proven worse in errors, slow calls or duration. Promote if it is proven to stay within the
    margins; not being proven worse is not enough for that. If calls were drawn by routing key, `terms.alpha` must be the
    part of alpha for this look (see `looks.py`).
    """
    if is_by_key(control, canary):
        return _decide_by_key(control, canary, share, terms, time_is_up=time_is_up)
    if not control.calls or not canary.calls:
        return _without_data(control, canary, time_is_up=time_is_up)
    if broken := broken_split(control, canary, share, terms.split_alpha):
        return Decision(State.INCONCLUSIVE, broken)
    figures = {**harm(control, canary, share), **worth(control, canary, share, terms)}
    if is_worse(control, canary, share, terms.alpha):
        failing = _fails_early(control, canary, share, terms.alpha)
        worst = "more_errors" if failing else max(HARMS, key=lambda name: figures[name])
        return Decision(State.ROLLBACK, f"the canary is worse: {HARMS[worst](control, canary)}", figures)
    if all(proven(figures[name], terms.alpha) for name in WORTHS):
        return Decision(State.PROMOTE, _good_enough(terms), figures)
    if time_is_up:
        needs = _calls_needed(control, canary, share, terms)
        return Decision(State.INCONCLUSIVE, f"not shown in time: {_good_enough(terms)}; {needs}", figures)
    return Decision(State.HOLD, "neither harm nor worth is proven yet", figures)


def _decide_by_key(control: Arm, canary: Arm, share: float, terms: Terms, *, time_is_up: bool) -> Decision:
    if few := without_enough_keys(control, canary, share, time_is_up=time_is_up):
        return few
    against, figures = harm_by_key(control, canary, share), worth_by_key(control, canary, share, terms)
    if how := worst(against, terms.alpha):
        why = f"the canary is worse, {how}: {_errors(control, canary)}, {_longer(control, canary)}"
        return Decision(State.ROLLBACK, why, {**against, **figures})
    if all(proven(figures[name], terms.alpha) for name in WORTHS):
        return Decision(State.PROMOTE, _good_enough(terms), {**against, **figures})
    if time_is_up:
        units = len(control.units) + len(canary.units)
        seen = f"{count(control.calls + canary.calls, 'call')} of {count(units, 'group')} of keys"
        why = f"not shown in time: {_good_enough(terms)}; {seen} are too few for that"
        return Decision(State.INCONCLUSIVE, why, {**against, **figures})
    return Decision(State.HOLD, "neither harm nor worth is proven yet", {**against, **figures})


def calls_needed(control: Arm, canary: Arm, share: float, terms: Terms) -> int:
    """Return how many calls, those so far included, a canary as good as the old version needs for a promotion.

    It is right for four of five such canaries, at the error rate and with the durations seen so far.
    """
    both, timed = control.calls + canary.calls, control.log_seconds.count + canary.log_seconds.count
    if not both or not timed:
        return 0
    rate = (control.errors + canary.errors) / both
    spread = (control.log_seconds.deviations + canary.log_seconds.deviations) / timed

    def is_enough(calls: int) -> bool:
        old, new = (_expected(calls * part, rate, spread, timed / both) for part in (1 - share, share))
        return all(figure >= _FOUR_OF_FIVE - log(terms.alpha) for figure in worth(old, new, share, terms).values())

    low, high = 0, 64
    while not is_enough(high) and high < _MOST_CALLS:
        low, high = high, 2 * high
    while high - low > max(high // 64, 1):
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


_FOUR_OF_FIVE = 2.0
"""The capital, as a logarithm, that is aimed at above the boundary; found by simulation (`bench/canary.py`)."""

_MOST_CALLS = 1 << 30


def _expected(calls: float, rate: float, spread: float, timed: float) -> Arm:
    """Return the arm that is expected after so many calls, with the given error rate and variance of the durations."""
    return Arm(round(calls), round(calls * rate), 0, Moments(round(calls * timed), 0.0, calls * timed * spread))


def _calls_needed(control: Arm, canary: Arm, share: float, terms: Terms) -> str:
    wanted, calls = calls_needed(control, canary, share, terms), control.calls + canary.calls
    if not wanted:
        return "no call was timed"
    if wanted <= calls:
        return f"a canary as good as the old version mostly shows it within {_rounded(wanted):,} calls"
    return f"a canary as good as the old version needs about {_rounded(wanted):,} calls, and there were {calls:,}"


def _rounded(number: int) -> int:
    """Return the number with two digits that count."""
    unit = int(10 ** max(len(str(number)) - 2, 0))
    return -(-number // unit) * unit


def is_worse(control: Arm, canary: Arm, share: float, alpha: float) -> bool:
    """True if the canary is proven worse.

    Errors matter most and are rare, so most of alpha is spent on the first errors, and the rest on all metrics at all
    times.
    """
    early = _fails_early(control, canary, share, alpha)
    return early or proven(average(list(harm(control, canary, share).values())), (1 - EARLY) * alpha)


def _fails_early(control: Arm, canary: Arm, share: float, alpha: float) -> bool:
    return has_too_many(canary.errors, control.errors + canary.errors, share, EARLY * alpha)


def harm(control: Arm, canary: Arm, share: float) -> dict[str, float]:
    """Return the evidence that the canary is worse, by metric: the log-capital of a bet on it (see `betting.py`)."""
    return {
        "more_errors": rate.log_e_above(canary.errors, control.errors + canary.errors, share),
        "more_slow_calls": _more_slow(control, canary, share),
        "longer": mean.log_e_above(control.log_seconds, canary.log_seconds),
    }


def _more_slow(control: Arm, canary: Arm, share: float) -> float:
    """Bet that more of the canary's calls are slow; only if every call was timed.

    If the arms were timed at different rates, slow calls would not be split between them as calls are.
    """
    if not (control.all_timed and canary.all_timed):
        return 0.0
    return rate.log_e_above(canary.slow, control.slow + canary.slow, share)


def worth(control: Arm, canary: Arm, share: float, terms: Terms) -> dict[str, float]:
    """Return, by metric, the log-capital of the bet that the canary is worse by less than the margin."""
    return {
        "errors_within": log_e_within(control, canary, share, terms.error_margin),
        "duration_within": mean.log_e_below(control.log_seconds, canary.log_seconds, log1p(terms.latency_margin)),
    }


def _errors(control: Arm, canary: Arm) -> str:
    return f"{canary.errors} of {canary.calls} calls failed, {control.errors} of {control.calls} of the old version"


def _slow(control: Arm, canary: Arm) -> str:
    return f"{canary.slow} of {canary.calls} calls were slow, {control.slow} of {control.calls} of the old version"


def _longer(control: Arm, canary: Arm) -> str:
    ratio = exp(canary.log_seconds.mean - control.log_seconds.mean)
    return f"calls take {ratio:.2f} times as long"


HARMS = {"more_errors": _errors, "more_slow_calls": _slow, "longer": _longer}
WORTHS = ("errors_within", "duration_within")


def _good_enough(terms: Terms) -> str:
    return f"fewer than {terms.error_margin:.1%} more errors and at most {terms.latency_margin:.0%} longer"


def _without_data(control: Arm, canary: Arm, *, time_is_up: bool) -> Decision:
    what = f"{count(canary.calls, 'call')} of the candidate and {control.calls} of the old version"
    if time_is_up:
        return Decision(State.ROLLBACK, f"nothing to compare in time: {what}")
    return Decision(State.HOLD, f"nothing to compare yet: {what}")
