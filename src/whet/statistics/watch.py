from whet.domain.decision import Decision, State
from whet.domain.plural import count
from whet.statistics.arm import Arm
from whet.statistics.betting import average, proven
from whet.statistics.rate import ceiling, log_e_above, log_e_below
from whet.statistics.terms import Terms


def decide_watch(baseline: Arm, since: Arm, recurrences: int, terms: Terms, *, time_is_up: bool) -> Decision:
    """Compare the calls since a deployment with those before it.

    There is no control arm that runs at the same time, so a difference counts only beyond the margin, and half of alpha
    pays for the uncertainty of the baseline's rates. `since.slow` counts calls above the baseline's limit plus the
    latency margin. A single recurrence of the failure that the change fixed is enough for a rollback, because the fix was
    proven.
    """
    if recurrences:
        return Decision(
            State.ROLLBACK, f"the fixed failure came back, {recurrences} {'time' if recurrences == 1 else 'times'}"
        )
    if not baseline.calls or not since.calls:
        what = f"{count(baseline.calls, 'call')} before and {since.calls} since"
        if time_is_up:
            return Decision(State.ROLLBACK, f"nothing to compare in time: {what}")
        return Decision(State.HOLD, f"nothing to compare yet: {what}")
    errors = min(ceiling(baseline.errors, baseline.calls, terms.alpha / 4) + terms.error_margin, _MOST)
    timed_before, timed = baseline.log_seconds.count, since.log_seconds.count
    slow = min(ceiling(baseline.slow, timed_before, terms.alpha / 4) if timed_before else _MOST, _MOST)
    figures = {
        "more_errors": log_e_above(since.errors, since.calls, errors),
        "more_slow_calls": log_e_above(since.slow, timed, slow),
        "errors_within": log_e_below(since.errors, since.calls, errors),
        "slow_calls_within": log_e_below(since.slow, timed, slow),
    }
    counts = (
        f"{since.errors} errors and {since.slow} slow calls in {since.calls}, "
        f"{baseline.errors} and {baseline.slow} in {baseline.calls} before"
    )
    if proven(average([figures["more_errors"], figures["more_slow_calls"]]), terms.alpha / 2):
        return Decision(State.ROLLBACK, f"worse since the deployment: {counts}", figures)
    if all(proven(figures[name], terms.alpha / 2) for name in ("errors_within", "slow_calls_within")):
        return Decision(State.PROMOTE, f"no worse than before: {counts}", figures)
    if time_is_up:
        return Decision(State.INCONCLUSIVE, f"too few calls to tell: {counts}", figures)
    return Decision(State.HOLD, f"nothing is proven yet: {counts}", figures)


_MOST = 1 - 1e-9
