from math import exp

import pytest

from tests.statistics.drawn import given, real, whole
from whet.statistics.arm import Arm
from whet.statistics.betting import proven
from whet.statistics.difference import log_e_within

counts = whole(0, 5_000)


@given(counts, counts, counts, real(0.02, 0.98), real(0.001, 0.2), real(0, 0.7))
def test_the_expected_capital_does_not_grow_if_the_canary_is_worse_by_the_margin(
    quiet: int, mine: int, theirs: int, share: float, margin: float, base: float
) -> None:
    """Average over the next call: it goes to the canary with its share and fails with its rate."""
    control, canary = Arm(quiet + theirs, theirs), Arm(mine, mine)
    now = log_e_within(control, canary, share, margin)
    after = {
        "canary fails": (share * (base + margin), control, Arm(mine + 1, mine + 1)),
        "control fails": ((1 - share) * base, Arm(quiet + theirs + 1, theirs + 1), canary),
        "neither": (1 - share * (base + margin) - (1 - share) * base, Arm(quiet + theirs + 1, theirs), canary),
    }
    step = sum(chance * exp(log_e_within(a, b, share, margin) - now) for chance, a, b in after.values())
    assert step == pytest.approx(1, rel=1e-6)


MUST_ACT = [
    (Arm(5_000, 100), Arm(5_000, 100), 0.5),
    (Arm(700, 0), Arm(700, 0), 0.5),
    (Arm(9_000, 180), Arm(1_000, 8), 0.1),
    (Arm(2_000, 100), Arm(2_000, 40), 0.5),
]
MUST_NOT_ACT = [
    (Arm(), Arm(), 0.5),
    (Arm(100, 0), Arm(100, 0), 0.5),
    (Arm(5_000, 100), Arm(5_000, 150), 0.5),
    (Arm(500, 10), Arm(500, 10), 0.5),
    (Arm(900, 0), Arm(100, 0), 0.1),
]


@pytest.mark.parametrize(("control", "canary", "share"), MUST_ACT)
def test_the_margin_is_proven_kept(control: Arm, canary: Arm, share: float) -> None:
    assert proven(log_e_within(control, canary, share, 0.01), 0.05)


@pytest.mark.parametrize(("control", "canary", "share"), MUST_NOT_ACT)
def test_the_margin_is_not_proven_kept(control: Arm, canary: Arm, share: float) -> None:
    assert not proven(log_e_within(control, canary, share, 0.01), 0.05)
