"""Helpers for a process that forks once per candidate: read the fork's messages, end it, describe the process.

Loaded by its path in the target's interpreter (3.9 or later, Linux); standard library only.
"""

import json
import os
import select
import signal
import sys
import time

FOREIGN = {"site-packages", "dist-packages", ".venv", "venv", ".tox", ".nox", "node_modules"}
END = b'{"end": true}\n'
TOP = os.getcwd()  # the suite of a package leaves this folder


def send(fd, message):
    """Write one JSON line."""
    data = (json.dumps(message) + "\n").encode()
    while data:
        data = data[os.write(fd, data) :]


def messages_of(reader, pid, timeout_seconds):
    """Return (messages, timed out) of a fork, and end the fork with all its descendants."""
    try:
        received, timed_out = _receive(reader, pid, timeout_seconds)
    finally:
        os.close(reader)
        _end_all(pid)
    messages = []
    for line in received.splitlines():
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict):
            messages.append(message)
    return messages, timed_out


def lines_of(reader, pid, timeout_seconds):
    """Return (lines, exit code) of a fork that ends by itself, and end its descendants.

    The code is None if a signal or the timeout ended the fork.
    """
    deadline = time.monotonic() + timeout_seconds
    try:
        received, _ = _receive(reader, pid, timeout_seconds)
        code = _exit_code(pid, deadline - time.monotonic())
    finally:
        os.close(reader)
        _end_all(pid)
    return received.decode("utf-8", "replace").splitlines(), code


def _exit_code(pid, timeout_seconds):
    """Wait for a child and return its exit code, but leave it to be reaped; None if it did not exit by itself."""
    exited = os.pidfd_open(pid)
    try:
        if not select.select([exited], [], [], max(0, timeout_seconds))[0]:
            return None
    finally:
        os.close(exited)
    ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    return ended.si_status if ended.si_code == os.CLD_EXITED else None


def _receive(reader, pid, timeout_seconds):
    """Read from the fork until it sends its end line, exits, or has used up its time."""
    deadline = time.monotonic() + timeout_seconds
    exited = os.pidfd_open(pid)
    received = bytearray()
    try:
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return received, True
            ready, _, _ = select.select([reader, exited], [], [], left)
            if reader in ready:
                data = os.read(reader, 65536)
                received += data
                if not data or received.endswith(END):
                    return received, False
            elif exited in ready:
                return received, False
    finally:
        os.close(exited)


def _end_all(pid):
    """Kill the fork, its process group and every descendant; orphans are re-parented to this process (subreaper)."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    while True:
        for child in children():
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            reaped, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not reaped:
            time.sleep(0.001)


def children():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(child) for child in file.read().split()]


def exits_cleanly(pid):
    """Wait for a child; true if its exit code is 0."""
    _, status = os.waitpid(pid, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def loaded_modules():
    """Return the imported library modules by name and the imported project files by path.

    Threads do not survive a fork. So if there are any, installed packages are left out: one of them may have started it.
    """
    root = TOP + os.sep
    threads = len(os.listdir("/proc/self/task"))
    project, modules = [], []
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None) or ""
        if name == "__main__" or not path.startswith("/"):
            continue
        if path.startswith(root) and not FOREIGN.intersection(path.split(os.sep)):
            project.append(path)
        elif threads == 1 or not FOREIGN.intersection(path.split(os.sep)):
            modules.append(name)
    return {"modules": modules, "project": [path for path in project if path.endswith(".py")]}


def inherited_state():
    """Return the state that forks share or lose: descriptors, working folder, timers, threads, child processes."""
    descriptors = {}
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            descriptors[descriptor] = os.readlink("/proc/self/fd/" + descriptor)
        except FileNotFoundError:
            continue
    timers = [signal.getitimer(which) for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)]
    return descriptors, os.getcwd(), timers, len(os.listdir("/proc/self/task")), children()
