"""Progress without a terminal: finished steps, and now and then how far a long step has come."""

import threading
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
    shown = progress.Terminal(repeats=False)
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
    shown = progress.Terminal(repeats=False)
    shown.phase("validate", "validate", "")
    shown.advance("tests", 1, 2)
    clock[0] += 9.0
    shown.advance("tests", 2, 2)
    shown.done()
    assert capsys.readouterr().err.splitlines() == ["  ✓ proving 9.0 s"]


def test_a_step_that_reports_nothing_prints_its_line_again(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    shown = progress.Terminal(repeats=False)
    shown.phase("observe", "observe", "")
    shown.advance("tests", 1, 30)
    for _ in range(3):
        clock[0] += 9.0
        shown.print_if_quiet()
    shown.done()
    clock[0] += 60.0
    shown.print_if_quiet()
    assert capsys.readouterr().err.splitlines() == ["  … observing: tests 1/30, 18 s", "  ✓ observing 27.0 s"]


def test_the_thread_that_repeats_ends_before_whet_exits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_QUIET_SECONDS", 0.0)
    monkeypatch.setattr(progress, "_LOOK_SECONDS", 0.01)
    printed = threading.Event()

    class Watched(progress.Terminal):
        def print_if_quiet(self) -> None:
            super().print_if_quiet()
            if threading.current_thread().name == "progress":
                printed.set()

    shown = Watched()
    shown.phase("observe", "observe", "")
    assert printed.wait(10)
    progress.stop_spinning()
    assert "progress" not in [thread.name for thread in threading.enumerate()]
    assert "observing" in capsys.readouterr().err
