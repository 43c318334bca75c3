"""Progress without a terminal: finished steps, and now and then how far a long step has come."""

from types import SimpleNamespace

import pytest

from whet.cli import progress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that the progress reads: a list of one number, which a test changes."""
    now = [100.0]
    monkeypatch.setattr("whet.cli.progress.time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_a_long_step_prints_a_line_every_ten_seconds(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    shown = progress.Terminal()
    shown.phase("observe", "observe", "")
    for second in range(25):
        clock[0] = 100.0 + second
        shown.advance("tests", second, 30)
    shown.done()
    assert capsys.readouterr().err.splitlines() == [
        "  … observing: tests 10/30, 10 s",
        "  … observing: tests 20/30, 20 s",
        "  ✓ observing 24.0 s",
    ]


def test_a_short_step_prints_only_its_end(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    shown = progress.Terminal()
    shown.phase("validate", "validate", "")
    shown.advance("tests", 1, 2)
    clock[0] += 9.0
    shown.advance("tests", 2, 2)
    shown.done()
    assert capsys.readouterr().err.splitlines() == ["  ✓ proving 9.0 s"]
