from datetime import UTC, datetime

import pytest

from whet.domain.version import Manifest, Mode, Published, Rollout, Split
from whet.phases.deploy.trial import counted_from

ROLLOUT = Rollout(
    digest="b" * 64,
    split=Split(mode=Mode.CANARY, share=0.5, salt="s"),
    at="2026-01-02T03:04:30+00:00",
    why="p",
    deployment="d",
)
AT = datetime(2026, 1, 2, 3, 4, 30, tzinfo=UTC)
NEXT = datetime(2026, 1, 2, 3, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ended", "since"),
    [
        ("", AT),
        ("2026-01-02T03:03:10+00:00", AT),
        ("2026-01-02T03:04:10+00:00", NEXT),
        ("2026-01-02T03:03:58+00:00", NEXT),  # its last calls came after it had ended
    ],
)
def test_calls_of_an_earlier_trial_are_not_counted_for_this_one(ended: str, since: datetime) -> None:
    current = Published(digest="a" * 64, at="2026-01-01T00:00:00+00:00", why="was in the repository")
    known = Manifest(module="m", path="m.py", current=current, candidate=ROLLOUT, trial_ended=ended)
    assert counted_from(known, ROLLOUT) == since
