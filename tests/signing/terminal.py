"""Python code on a pseudo-terminal, with a person's answers typed in; and the same code without any terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Finished:
    """The end of a process: its standard output, and the text on its screen."""

    out: str
    screen: str


def on_terminal(
    code: str, *arguments: str, answers: Sequence[tuple[str, str]] = (), env: Mapping[str, str] | None = None
) -> Finished:
    """Run the code with a controlling terminal. `answers` are (end of the prompt, text that the person types)."""
    side, other = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdin=other, stdout=subprocess.PIPE, stderr=other,
        env={**os.environ, **(env or {})}, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(other, termios.TIOCSCTTY, 0),
    )  # fmt: skip
    os.close(other)
    screen = ""
    try:
        for prompt, answer in answers:
            screen = _read_until(side, screen, prompt)
            while child.poll() is None and termios.tcgetattr(side)[3] & termios.ECHO:
                time.sleep(0.001)  # the program switches the echo off and drops earlier input
            os.write(side, f"{answer}\n".encode())
        out, _ = child.communicate(timeout=60)
        return Finished(out.decode(), screen + _rest(side))
    finally:
        child.kill()
        child.communicate()
        os.close(side)


def without_terminal(code: str, *arguments: str, env: Mapping[str, str] | None = None) -> Finished:
    """Run the code in a session without a terminal, as a program in the background has it."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
        env={**os.environ, **(env or {})}, start_new_session=True, timeout=60, check=False,
    )  # fmt: skip
    return Finished(done.stdout.decode(), done.stderr.decode())


def _read_until(side: int, screen: str, prompt: str) -> str:
    read = ""
    while prompt not in read:
        ready, _, _ = select.select([side], [], [], 30.0)
        assert ready, f"{prompt!r} did not appear after {screen + read!r}"
        read += os.read(side, 65536).decode()
    return screen + read


def _rest(side: int) -> str:
    try:
        return os.read(side, 65536).decode()
    except OSError:  # the other side is closed and nothing is left to read
        return ""
