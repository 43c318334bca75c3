"""Decide a canary or an A/B trial whose calls were drawn by routing key."""

from math import log, log1p

from whet.domain.decision import Decision, State
from whet.domain.plural import count
from whet.domain.version import share_of_units
from whet.statistics.arm import Arm
from whet.statistics.betting import proven
from whet.statistics.clustered import Measure, fewest_units, log_p_less, log_p_more
from whet.statistics.rate import log_e_other
from whet.statistics.terms import Terms

_ERRORS = 0.7
"""The part of alpha for errors, which matter most; the rest is divided between slow calls and durations."""

_CALLS_PER_UNIT = 50
"""Calls for each group that is wanted, after which a trial with fewer groups ends: there will hardly be more."""

_HARMS: tuple[tuple[str, Measure, float], ...] = (
    ("more_errors", "errors", _ERRORS),
    ("more_slow_calls", "slow", (1 - _ERRORS) / 2),
    ("longer", "log_seconds", (1 - _ERRORS) / 2),
)
_SAID = {
    "more_errors": "more of its calls fail",
    "more_slow_calls": "more of its calls are slow",
    "longer": "its calls take longer",
}


def is_by_key(control: Arm, candidate: Arm) -> bool:
    """True if calls were drawn in groups, so that `canary.py` and `ab.py` would count too much."""
    return bool(control.units or candidate.units)


def without_enough_keys(control: Arm, candidate: Arm, share: float, *, time_is_up: bool) -> Decision | None:
    """Return a decision if the keys are too few to tell anything, or are not divided as they should be; else None."""
    units, of_candidate = len(control.units) + len(candidate.units), len(candidate.units)
    calls, wanted = control.calls + candidate.calls, fewest_units(share)
    alone = control.alone.calls + candidate.alone.calls
    if alone < calls / 2 and units < wanted:
        few = f"the {count(calls, 'call')} have {units} different keys, and a trial needs at least {wanted}"
        if time_is_up or calls >= _CALLS_PER_UNIT * wanted:
            return Decision(State.INCONCLUSIVE, f"too few keys to tell: {few}; see deploy.keys")
        return Decision(State.HOLD, few)
    if units and proven(log_e_other(of_candidate, units, share_of_units(share)), Terms().split_alpha):
        return Decision(
            State.INCONCLUSIVE,
            f"the split is broken: the candidate has {of_candidate} of {units} keys where {share:.1%} should be",
        )
    return None


def harm_by_key(control: Arm, candidate: Arm, share: float) -> dict[str, float]:
    """Return the evidence that the candidate is worse, by metric: minus the log of the chance of such a result."""
    return {
        name: -log_p_more(control, candidate, share, measure) if _is_fair(control, candidate, measure) else 0.0
        for name, measure, _ in _HARMS
    }


def benefit_by_key(control: Arm, candidate: Arm, share: float) -> dict[str, float]:
    """Return the evidence that the candidate is better, by metric."""
    return {
        name: -log_p_less(control, candidate, share, measure) if _is_fair(control, candidate, measure) else 0.0
        for name, measure, _ in _HARMS
    }


def _is_fair(control: Arm, candidate: Arm, measure: Measure) -> bool:
    """True unless slow calls are compared while only some calls were timed: then more of one arm's may have been."""
    return measure != "slow" or (control.all_timed and candidate.all_timed)


def worth_by_key(control: Arm, candidate: Arm, share: float, terms: Terms) -> dict[str, float]:
    """Return the evidence that the candidate is worse by less than the margins, by metric."""
    longer = log1p(terms.latency_margin)
    return {
        "errors_within": -log_p_less(control, candidate, share, "errors", terms.error_margin),
        "duration_within": -log_p_less(control, candidate, share, "log_seconds", longer),
    }


def worst(evidence: dict[str, float], alpha: float) -> str:
    """Return what is proven of the metrics together, in words; an empty string if nothing is."""
    shown = [name for name, _, part in _HARMS if proven(evidence[name], alpha * part)]
    return _SAID[max(shown, key=lambda name: evidence[name])] if shown else ""


def combined(evidence: dict[str, float]) -> float:
    """Return one figure for all metrics, to be compared with minus the log of alpha."""
    return max(evidence[name] + log(part) for name, _, part in _HARMS)
