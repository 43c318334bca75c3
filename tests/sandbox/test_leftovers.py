"""A sandbox whose outer process was killed while its inner one waited: the next whet ends the inner one."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from whet.sandbox.leftovers import end_leftovers

BUBBLEWRAP = shutil.which("bwrap") or ""


@contextmanager
def waiting_sandbox() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start bubblewrap as whet does, with an inner process that waits for a pipe; yield the outer one and the inner's id."""
    (options, give_options), (waits_for, keeps_waiting) = os.pipe(), os.pipe()
    words = ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--block-fd", str(waits_for)]
    os.write(give_options, "".join(f"{word}\0" for word in words).encode())
    os.close(give_options)
    argv = [BUBBLEWRAP, "--args", str(options), "--", "true"]
    outer = subprocess.Popen(argv, pass_fds=(options, waits_for))
    os.close(options)
    os.close(waits_for)
    try:
        yield outer, inner_of(outer.pid)
    finally:
        os.close(keeps_waiting)
        outer.kill()
        outer.wait()


def inner_of(outer: int) -> int:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        children = Path(f"/proc/{outer}/task/{outer}/children").read_text().split()
        if children:
            return int(children[0])
        time.sleep(0.01)
    raise AssertionError("bubblewrap started no inner process")


def is_alive(pid: int) -> bool:
    """True if a process exists and has not ended; it may be a zombie if nobody waits for it."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def test_the_inner_process_that_was_left_behind_is_ended() -> None:
    with waiting_sandbox() as (outer, inner):
        end_leftovers.cache_clear()
        assert inner not in end_leftovers(BUBBLEWRAP), "its outer process lives"
        assert is_alive(inner)
        outer.kill()
        outer.wait()
        assert is_alive(inner), "nothing else ends it"
        end_leftovers.cache_clear()
        assert inner in end_leftovers(BUBBLEWRAP)
        until = time.monotonic() + 30
        while is_alive(inner) and time.monotonic() < until:
            time.sleep(0.01)
        assert not is_alive(inner)
