from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The error probabilities and margins of a trial.

    `alpha` bounds the chance of a wrong rollback over the whole trial, and that of a wrong promotion. A candidate within
    the margins may be promoted: `error_margin` is the additional share of failing calls (0.01 is one more in a hundred),
    `latency_margin` the relative increase of the duration, `mismatch_margin` the share of different answers.
    `split_alpha` is small because a broken split is whet's fault, not the candidate's, and must not be reported wrongly.
    """

    alpha: float = 0.05
    error_margin: float = 0.01
    latency_margin: float = 0.10
    mismatch_margin: float = 0.01
    split_alpha: float = 0.001
