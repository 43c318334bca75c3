"""Ways out of the sandbox: each works outside and fails inside."""

import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import MEGABYTE, Finished, Job, Limits

PYTHON = "/usr/bin/env python3 -c "


def tree(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as out:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            out.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def inside(script: str, *, root: str = "/project", limits: Limits | None = None) -> Finished:
    job = Job(
        argv=("bash", "-c", script),
        tree=tree({"code.py": b"x = 1\n"}),
        root=root,
        limits=limits or Limits(wall_seconds=20),
    )
    return Bubblewrap().run(job)


def outside(script: str, tmp_path: Path) -> int:
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path), "SECRET_TOKEN": "hunter2"}
    return subprocess.run(["bash", "-c", script], cwd=tmp_path, env=env, capture_output=True, check=False).returncode


# Each script exits 0 when it got through.
WAYS_OUT = {
    "network: sees an interface besides loopback": "ls /sys/class/net 2>/dev/null | grep -qv '^lo$' || "
    "tail -n +3 /proc/net/dev | grep -qv ' lo:'",
    "network: has a route": "[ $(wc -l < /proc/net/route) -gt 1 ]",
    "filesystem: writes to /usr": "touch /usr/whet-probe && rm /usr/whet-probe",
    "filesystem: writes to /etc": "touch /etc/whet-probe && rm /etc/whet-probe",
    "filesystem: writes to the root": "touch /whet-probe && rm /whet-probe",
    "filesystem: sees the root user's home": '[ -n "$(ls -A /root)" ]',
    "filesystem: sees what lies in the host's /var": "[ -d /var/lib/dpkg ]",
    "secrets: reads the host's environment": '[ "$SECRET_TOKEN" = hunter2 ]',
    "secrets: reads password hashes": "cat /etc/shadow",
    "secrets: reads the host's accounts": "grep -q daemon /etc/passwd",
    "process: sees the host's processes": "[ $(ls -d /proc/[0-9]* | wc -l) -gt 8 ]",
    "process: is root": "[ $(id -u) -eq 0 ]",
    "process: has capabilities": "grep -E 'CapEff:.*[1-9a-f]' /proc/self/status",
    "kernel: writes below /proc/sys": "echo probe > /proc/sys/kernel/hostname",
    "kernel: mounts a file system": "mkdir -p /tmp/m && mount -t tmpfs none /tmp/m && umount /tmp/m",
    "kernel: sees block devices": "ls /dev | grep -qE '^(sd|vd|nvme|loop)'",
    "kernel: makes a user namespace": "unshare --user true",
    "kernel: makes a mount namespace": "unshare --mount true",
    "kernel: opens a netlink socket": "python3 -c 'import socket; socket.socket(16, 3, 0)'",
    "kernel: opens a packet socket": "python3 -c 'import socket; socket.socket(17, 3, 0)'",
    "kernel: traces its own child": 'python3 -c "import ctypes, os; p = os.fork(); '
    "p or os._exit(0 if ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0 else 1); "
    'raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(p, 0)[1]))"',
    "kernel: adds a key to a keyring": 'python3 -c "import ctypes; '
    "raise SystemExit(ctypes.CDLL(None).syscall(248, b'user', b'whet', b'x', 1, -3) < 0)\"",
    "kernel: sets up io_uring": 'python3 -c "import ctypes; '
    'raise SystemExit(ctypes.CDLL(None).syscall(425, 4, ctypes.create_string_buffer(256)) < 0)"',
    "ipc: sees the host's name": '[ "$(hostname)" != sandbox ]',
}


def works_here(script: str, tmp_path: Path) -> bool:
    return outside(script, tmp_path) == 0


@pytest.mark.parametrize("name", WAYS_OUT)
def test_the_way_out_is_closed(name: str, tmp_path: Path) -> None:
    if not works_here(WAYS_OUT[name], tmp_path):
        pytest.skip("this machine has nothing to reach that way, so the probe would show nothing")
    assert inside(WAYS_OUT[name]).exit_code != 0


def test_neither_git_nor_the_state_folder_is_inside(tmp_path: Path) -> None:
    for name in (".git", ".whet"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "secret").write_text("x")
    said = inside("ls -A .", root=str(tmp_path))
    assert said.output.split() == ["code.py"]


def test_what_is_written_inside_stays_inside(tmp_path: Path) -> None:
    said = inside("echo changed > code.py && echo more > new.py && cat code.py", root=str(tmp_path))
    assert "changed" in said.output
    assert list(tmp_path.iterdir()) == []


LIMITS = {
    "wall": ("sleep 60", Limits(wall_seconds=1)),
    "memory": (
        "x=$(head -c 400M /dev/zero | tr '\\0' a); sleep 5",
        Limits(wall_seconds=30, memory_bytes=150 * MEGABYTE),
    ),
    "processes": ("for i in $(seq 60); do sleep 30 & done; wait", Limits(wall_seconds=20, processes=20)),
    "output": ("yes", Limits(wall_seconds=20, output_bytes=2 * MEGABYTE)),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_ends_the_whole_tree(name: str) -> None:
    script, limits = LIMITS[name]
    finished = inside(script, limits=limits)
    bounded_by_kernel = name == "processes" and finished.exit_code != 0
    bounded_by_kernel |= name == "memory" and "allocate" in finished.output
    assert finished.stopped_by == name or bounded_by_kernel, finished
    assert finished.seconds < 15


def test_a_file_cannot_grow_beyond_its_limit() -> None:
    small = Limits(wall_seconds=20, file_bytes=MEGABYTE)
    assert inside("head -c 5M /dev/zero > big", limits=small).exit_code != 0


def test_the_tree_cannot_grow_beyond_its_limit() -> None:
    small = Limits(wall_seconds=20, tree_bytes=8 * MEGABYTE)
    assert inside("for i in 1 2 3 4 5; do head -c 4M /dev/zero > f$i || exit 1; done", limits=small).exit_code != 0


def test_a_daemon_does_not_outlive_the_run() -> None:
    mark = "whet-probe-daemon"
    inside(f"(setsid bash -c 'exec -a {mark} sleep 300' &) ; sleep 0.2")
    listed = subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True).stdout
    assert mark not in listed


STILL_WORKS = {
    "threads": "import threading; t = threading.Thread(target=print); t.start(); t.join()",
    "processes": "import multiprocessing as m; p = m.Process(target=print); p.start(); p.join(); assert p.exitcode == 0",
    "pools": "import multiprocessing.pool as m, os; assert m.Pool(2).map(abs, [-1, 2]) == [1, 2]",
    "asyncio": "import asyncio; asyncio.run(asyncio.sleep(0))",
    "loopback": "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname())",
    "unix sockets": "import socket; socket.socketpair()",
    "sqlite": "import sqlite3; c = sqlite3.connect('/tmp/x.db'); c.execute('pragma journal_mode=wal'); c.execute('create table t(a)')",
    "subprocesses": "import subprocess; assert subprocess.check_output(['echo', 'hi']) == b'hi\\n'",
    "pseudo-terminals": "import pty, os; os.close(pty.openpty()[0])",
    "home": "import pathlib; (pathlib.Path.home() / 'x').write_text('x')",
    "temporary files": "import tempfile; tempfile.NamedTemporaryFile().write(b'x')",
    "own user": "import pwd, os; assert pwd.getpwuid(os.getuid()).pw_name == 'sandbox'",
    "shared memory": "from multiprocessing import shared_memory as s; m = s.SharedMemory(create=True, size=10); m.unlink()",
    "time zones": "import time; time.tzset()",
}


@pytest.mark.parametrize("name", STILL_WORKS)
def test_what_honest_tests_need_still_works(name: str) -> None:
    finished = inside(f'python3 -c "{STILL_WORKS[name]}"')
    assert finished.exit_code == 0, finished.output


def test_what_was_in_force_is_on_record() -> None:
    contained = inside("true").containment
    assert contained.network is False
    assert contained.seccomp is True
    assert contained.uid != 0
    assert {"mount", "pid", "net", "ipc", "uts", "cgroup"} <= set(contained.namespaces)
    assert contained.limits["wall_seconds"] == 20
