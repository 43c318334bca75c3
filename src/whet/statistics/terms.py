from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a trial is held to.

    `alpha` is the chance of a wrong rollback over the whole trial, and of a wrong promotion. The margins say what is
    good enough to promote: errors in calls (0.01 is one more in a hundred), latency and mismatches as parts.
    `split_alpha` is small because a broken split is a fault of ours, not the candidate's, and must not be seen wrongly.
    """

    alpha: float = 0.05
    error_margin: float = 0.01
    latency_margin: float = 0.10
    mismatch_margin: float = 0.01
    split_alpha: float = 0.001
