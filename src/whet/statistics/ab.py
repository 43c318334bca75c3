from whet.domain.decision import Decision, State
from whet.statistics.arm import Arm
from whet.statistics.betting import average, proven
from whet.statistics.by_key import (
    benefit_by_key,
    combined,
    harm_by_key,
    is_by_key,
    without_enough_keys,
    worst,
)
from whet.statistics.canary import harm
from whet.statistics.split import broken_split
from whet.statistics.terms import Terms


def decide_ab(control: Arm, candidate: Arm, share: float, terms: Terms, *, time_is_up: bool) -> Decision:
    """Decide which version is better in errors, slow calls and duration together.

    Alpha is halved because either version may win. Unlike a canary, the candidate must be better, not merely no worse. A
    candidate that is better in one metric and worse in another counts as worse, since the metrics cannot be traded off.
    """
    if is_by_key(control, candidate):
        return _decide_by_key(control, candidate, share, terms, time_is_up=time_is_up)
    if not control.calls or not candidate.calls:
        if time_is_up:
            return Decision(State.ROLLBACK, "one of the two was never called in time")
        return Decision(State.HOLD, "one of the two was not called yet")
    if broken := broken_split(control, candidate, share, terms.split_alpha):
        return Decision(State.INCONCLUSIVE, broken)
    figures = {
        "worse": average(list(harm(control, candidate, share).values())),
        "better": average(list(harm(candidate, control, 1 - share).values())),
    }
    if proven(figures["worse"], terms.alpha / 2):
        return Decision(State.ROLLBACK, f"the candidate is worse: {_rates(control, candidate)}", figures)
    if proven(figures["better"], terms.alpha / 2):
        return Decision(State.PROMOTE, f"the candidate is better: {_rates(control, candidate)}", figures)
    if time_is_up:
        return Decision(State.INCONCLUSIVE, f"no difference was proven in time: {_rates(control, candidate)}", figures)
    return Decision(State.HOLD, "no difference is proven yet", figures)


def _decide_by_key(control: Arm, candidate: Arm, share: float, terms: Terms, *, time_is_up: bool) -> Decision:
    if few := without_enough_keys(control, candidate, share, time_is_up=time_is_up):
        return few
    against, in_favour = harm_by_key(control, candidate, share), benefit_by_key(control, candidate, share)
    figures = {"worse": combined(against), "better": combined(in_favour)}
    if worst(against, terms.alpha / 2):
        return Decision(State.ROLLBACK, f"the candidate is worse: {_rates(control, candidate)}", figures)
    if worst(in_favour, terms.alpha / 2):
        return Decision(State.PROMOTE, f"the candidate is better: {_rates(control, candidate)}", figures)
    if time_is_up:
        return Decision(State.INCONCLUSIVE, f"no difference was proven in time: {_rates(control, candidate)}", figures)
    return Decision(State.HOLD, "no difference is proven yet", figures)


def _rates(control: Arm, candidate: Arm) -> str:
    return (
        f"{candidate.errors} errors and {candidate.slow} slow calls in {candidate.calls}, "
        f"{control.errors} and {control.slow} in {control.calls} of the old version"
    )
