"""On a terminal whet asks at the prompt, with the diff and the evidence on the screen."""

import contextlib
import fcntl
import os
import pty
import re
import select
import subprocess
import termios
import time

import pytest

from tests.cli.conftest import CopyRepo
from tests.cycle.test_undecided_calls import CALL, files
from tests.support import MakeRepo, Repo, configured_whet

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A command on a pseudo-terminal, read and typed to as a person would."""

    def __init__(self, repo: Repo, *command: str) -> None:
        self._side, other = pty.openpty()
        env = {**os.environ, "COLUMNS": "160", "LINES": "60", "TERM": "xterm-256color"}
        self._child = subprocess.Popen(
            [*configured_whet(), *command], cwd=repo.root, stdin=other, stdout=other, stderr=other, env=env,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(other, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(other)
        self.text = ""

    def read_until(self, words: str, seconds: float = 120.0) -> str:
        deadline = time.monotonic() + seconds
        while words not in self.plain:
            assert time.monotonic() < deadline, self.plain[-2000:]
            if not self._read():
                break
        assert words in self.plain, self.plain[-2000:]
        return self.plain

    def _read(self) -> bool:
        ready, _, _ = select.select([self._side], [], [], 1.0)
        try:
            chunk = os.read(self._side, 65536) if ready else b" "
        except OSError:
            return False
        self.text += chunk.decode(errors="replace") if ready else ""
        return bool(chunk)

    @property
    def plain(self) -> str:
        return _COLOURS.sub("", self.text)

    def interrupt(self, words: str) -> None:
        """Press Ctrl-C until these words appear: Python misses a signal between a prompt and the read that follows."""
        for _ in range(10):
            os.write(self._side, b"\x03")
            with contextlib.suppress(AssertionError):
                self.read_until(words, 12.0)
                return
        self.read_until(words, 0.0)

    def type(self, words: str) -> None:
        os.write(self._side, words.encode() + b"\n")

    def end(self) -> int:
        while self._read() and self._child.poll() is None:
            pass
        while self._read():
            pass
        os.close(self._side)
        return self._child.wait(timeout=60)


def test_yes_at_the_prompt_deploys_the_shown_patch(sample: Repo) -> None:
    terminal = Terminal(sample, "run")
    shown = terminal.read_until("Apply? [y]es  [n]o  [d]etails  [l]ater")
    assert "red without the patch, green with it and red again on revert" in " ".join(shown.split())
    assert "PASSED" in shown
    assert "+    for factor in range(2, n + 1):" in shown
    terminal.type("y")
    terminal.read_until("to roll it back: whet rollback")
    assert terminal.end() == 0
    assert "range(2, n + 1)" in (sample.root / "calculator.py").read_text()


def test_later_leaves_the_gate_open_and_no_asks_for_a_reason(waiting_copy: CopyRepo) -> None:
    sample = waiting_copy()
    before = sample.head
    terminal = Terminal(sample, "resume")
    terminal.read_until("Apply? [y]es  [n]o  [d]etails  [l]ater")
    terminal.type("l")
    terminal.read_until("waits at the apply gate")
    assert terminal.end() == 5
    again = Terminal(sample, "resume")
    again.read_until("Apply? [y]es  [n]o  [d]etails  [l]ater")
    again.type("n")
    again.read_until("Why not")
    again.type("the loop is right")
    again.read_until("rejected: the loop is right")
    assert again.end() == 1
    assert sample.head == before


@pytest.mark.long
def test_an_undecided_call_is_asked_about_before_the_gate(make_repo: MakeRepo) -> None:
    repo = make_repo(files())
    terminal = Terminal(repo, "run")
    shown = terminal.read_until("Answer? 1-")
    assert shown.index(f"{CALL} should be:") < shown.index("something else") < shown.index("Answer? 1-")
    assert "'none' (this patch)" in shown
    terminal.type("l")
    terminal.read_until("waits at the apply gate")
    assert terminal.end() == 5
    again = Terminal(repo, "approve", repo.whet("list", "--json").json[0]["proposal"])
    numbers = {text: number for number, text in re.findall(r"(\d) (\w+)", again.read_until("Answer? 1-"))}
    again.type(numbers["something"])
    again.read_until("It should be (a Python literal, or raise NAME)")
    again.type("raise Nothing")
    again.read_until("'Nothing' is not an exception")
    again.type(numbers["None"])
    again.read_until("Apply? [y]es  [n]o  [d]etails  [l]ater")
    assert f"{CALL} should be None, by " in again.plain
    again.type("l")
    again.read_until("waits at the apply gate")
    assert again.end() == 5


def test_d_shows_the_details_and_asks_again(waiting_copy: CopyRepo) -> None:
    terminal = Terminal(waiting_copy(), "resume")
    first = terminal.read_until("Apply? [y]es  [n]o  [d]etails  [l]ater")
    assert "sandbox:" not in first
    assert len(first[first.index("PASSED") :].splitlines()) < 40, "the gate fits one screen"
    terminal.type("d")
    terminal.read_until("sandbox: bubblewrap")
    terminal.type("l")
    terminal.read_until("waits at the apply gate")
    assert terminal.end() == 5


def test_ctrl_c_reports_the_interrupt_and_how_to_resume(sample: Repo) -> None:
    terminal = Terminal(sample, "run")
    terminal.read_until("building the patch")
    terminal.interrupt("interrupted; nothing is lost")
    terminal.read_until("whet resume")
    assert terminal.end() == 130
    assert sample.whet("resume", "--json").code == 5


def test_ctrl_c_at_the_prompt_leaves_the_gate_open(waiting_copy: CopyRepo) -> None:
    sample = waiting_copy()
    terminal = Terminal(sample, "resume")
    terminal.read_until("Apply? [y]es  [n]o  [d]etails  [l]ater")
    terminal.interrupt("interrupted; nothing is lost")
    assert terminal.end() == 130
    assert sample.whet("list", "--json").json[0]["status"] == "waiting_apply"
