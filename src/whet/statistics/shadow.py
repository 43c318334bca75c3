from whet.domain.decision import Decision, State
from whet.statistics.arm import Pairs
from whet.statistics.betting import average, proven
from whet.statistics.rate import log_e_above, log_e_below
from whet.statistics.terms import Terms


def decide_shadow(pairs: Pairs, terms: Terms, *, time_is_up: bool) -> Decision:
    """Decide a shadow. Both versions ran the same inputs, so each pair is its own control.

    Roll back if the candidate is proven to fail in more than half of the pairs in which one version failed, or to answer
    differently more often than the margin. Promote if failing or answering differently is proven rarer than the margin.
    """
    if not pairs.calls:
        if time_is_up:
            return Decision(State.ROLLBACK, "no input that the old version answers was shadowed in time")
        return Decision(State.HOLD, "no input that the old version answers was shadowed yet")
    counts = f"of {pairs.calls} inputs {pairs.worse} failed only now, {pairs.different} were answered otherwise"
    figures = {
        "fails_more": log_e_above(pairs.worse, pairs.worse + pairs.better, 0.5),
        "differs_more": log_e_above(pairs.mismatches, pairs.calls, terms.mismatch_margin),
        "agrees": log_e_below(pairs.mismatches, pairs.calls, terms.mismatch_margin),
    }
    if proven(average([figures["fails_more"], figures["differs_more"]]), terms.alpha):
        return Decision(State.ROLLBACK, f"the candidate is worse: {counts}", figures)
    if proven(figures["agrees"], terms.alpha):
        return Decision(State.PROMOTE, f"mismatches are rarer than {terms.mismatch_margin:.1%}: {counts}", figures)
    if time_is_up:
        return Decision(State.INCONCLUSIVE, f"too few inputs to tell: {counts}", figures)
    return Decision(State.HOLD, f"nothing is proven yet: {counts}", figures)
