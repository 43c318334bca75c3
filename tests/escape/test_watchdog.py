"""Attacks on the watchdog: code that hides what it uses, forges its counts or keeps it from checking."""

import os
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tarfile import TarInfo

import pytest

from tests.escape.inside import inside, interpreter_paths, tree_of
from tests.escape.test_limits import PROMPT_SECONDS, python
from whet.errors import SandboxUnavailable
from whet.sandbox import cgroup
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.proc_files import queued_bytes, sockets_in_use, unnamed_shared_memory
from whet.sandbox.sandbox import MEGABYTE, Finished, Job, JobLimits

SMALL = JobLimits(wall_seconds=60, memory_bytes=150 * MEGABYTE, processes=60, files=200_000)
MAPPED = """
import ctypes, os, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
def mapped(size, access, flags):
    return libc.mmap(None, ctypes.c_size_t(size), access, flags, -1, ctypes.c_long(0))
"""
# Each takes far more than 150 MB in a way that the resident size of a living process does not show.
HIDDEN = {
    "shared memory of which one page stays mapped": """
for _ in range(20):
    start = mapped(30 << 20, 3, 0x21)
    ctypes.memset(start, 120, 30 << 20)
    time.sleep(0.06)
    libc.munmap(start + 4096, (30 << 20) - 4096)
""",
    "processes whose first thread has ended": """
def work():
    time.sleep(0.1)
    kept = bytearray(b"x") * (60 << 20)
    time.sleep(90)
    os._exit(len(kept))
for _ in range(6):
    if os.fork() == 0:
        threading.Thread(target=work).start()
        libc.syscall(60 if os.uname().machine == "x86_64" else 93, 0)
""",
    "a file whose name looks like another line of maps": r"""
import mmap
folder = "/tmp/x\x0bffffffffff-0 rw-s 0 0 1 "
os.mkdir(folder)
with open(folder + "/memfd:x", "w+b") as file:
    file.write(b"x" * 4096)
    file.flush()
    kept = mmap.mmap(file.fileno(), 4096)
time.sleep(0.1)
for _ in range(4):
    if os.fork() == 0:
        x = bytearray(b"x") * (60 << 20)
        time.sleep(90)
""",
    "page tables of memory that was only read": """
start = mapped(120 << 30, 1, 0x4022)
for at in range(0, 120 << 30, 2 << 20):
    ctypes.c_char.from_address(start + at).value
""",
    "folders with long names": """
for number in range(190_000):
    os.mkdir("/tmp/%s%d" % ("n" * 230, number))
""",
    "data that waits in connections": """
import socket
server = socket.create_server(("127.0.0.1", 0))
kept, waiting, data = [], 0, b"x" * (1 << 18)
while waiting < 400 << 20:
    client = socket.create_connection(server.getsockname())
    accepted, _ = server.accept()
    kept += [client, accepted]
    for end in (client, accepted):
        end.setblocking(False)
        try:
            while True:
                waiting += end.send(data)
        except BlockingIOError:
            time.sleep(0.001)
""",
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_hidden_memory_is_counted(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "make", lambda limits: None)
    finished = python(f"{MAPPED}{HIDDEN[kind]}\ntime.sleep(90)\nprint('not stopped')", SMALL)
    assert finished.stopped_by == "memory", finished.output


def test_shared_memory_that_was_released_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "make", lambda limits: None)
    code = "import mmap, time\nfor _ in range(12):\n  with mmap.mmap(-1, 40 << 20) as m: m[0] = 1; time.sleep(0.06)"
    finished = python(code, SMALL)
    assert (finished.stopped_by, finished.exit_code) == ("", 0), finished.output


def test_many_connections_with_little_data_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "make", lambda limits: None)
    code = (
        "import socket, time\nserver = socket.create_server(('127.0.0.1', 0))\nkept = []\n"
        "for _ in range(40):\n  kept += [socket.create_connection(server.getsockname()), server.accept()[0]]\n"
        "  kept[-2].sendall(b'x' * 1000)\ntime.sleep(0.3)"
    )
    finished = python(code, SMALL)
    assert (finished.stopped_by, finished.exit_code) == ("", 0), finished.output


def test_data_in_sockets_is_limited_in_a_control_group_too() -> None:
    if cgroup._home() is None:
        pytest.skip("no control group can be made here")
    code = (
        f"{MAPPED}{HIDDEN['data that waits in connections'].replace('while waiting < 400 << 20', 'for _ in range(60)')}"
        "\nprint('waiting', waiting)"
    )
    finished = python(code, SMALL)
    waiting = int(finished.output.split()[-1]) if "waiting" in finished.output else 0
    assert waiting < 100 * MEGABYTE, finished.output


def test_file_locks_are_limited_although_no_control_group_counts_them() -> None:
    code = (
        "import fcntl, os, struct, time\nfor number in range(60):\n"
        "  fd = os.open(f'/tmp/l{number}', os.O_RDWR | os.O_CREAT)\n  for at in range(1000):\n"
        "    fcntl.fcntl(fd, fcntl.F_SETLK, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, (1000 - at) * 2, 1, 0))\n"
        "time.sleep(90)"
    )
    assert python(code, SMALL).stopped_by == "files"


def test_a_command_whose_first_thread_has_ended_is_still_watched() -> None:
    code = (
        "import ctypes, os, threading, time\ndef work():\n  time.sleep(0.4)\n"
        "  for n in range(2000): os.mkdir(f'/tmp/{n}')\n  time.sleep(90)\n  os._exit(0)\n"
        "threading.Thread(target=work).start()\n"
        "ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)"
    )
    assert python(code, JobLimits(wall_seconds=60, files=1000)).stopped_by == "files"


def test_reading_back_its_own_output_does_not_block_the_watchdog() -> None:
    """Code inside can open its output pipe and read bytes that whet was about to read."""
    code = (
        "import os, random, time\nback = os.open('/proc/self/fd/1', os.O_RDONLY | os.O_NONBLOCK)\n"
        "until = time.monotonic() + 1.5\nwhile time.monotonic() < until:\n  os.write(1, b'x')\n"
        "  wait = time.perf_counter() + random.random() * 0.0003\n"
        "  while time.perf_counter() < wait: pass\n"
        "  try: os.read(back, 65536)\n  except BlockingIOError: pass\ntime.sleep(90)"
    )
    finished = python(code, JobLimits(wall_seconds=2))
    assert finished.stopped_by == "wall"
    assert finished.seconds < PROMPT_SECONDS


def test_a_slow_check_does_not_delay_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "make", lambda limits: None)
    code = (
        f"{MAPPED}start = mapped(60000 * 4096, 0, 0x4022)\n"
        "libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]\n"
        "for n in range(0, 60000, 2): libc.mprotect(start + n * 4096, 4096, 1)\n"
        "for _ in range(100):\n  if os.fork() == 0: time.sleep(90)\ntime.sleep(90)"
    )
    finished = python(code, JobLimits(wall_seconds=3))
    assert finished.stopped_by in ("wall", "watchdog")
    assert finished.seconds < PROMPT_SECONDS


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_a_mount_by_the_host_ends_the_run(tmp_path: Path) -> None:
    shared, source = tmp_path / "shared", tmp_path / "source"
    for folder in (shared, source):
        folder.mkdir(mode=0o755)
    mount = ["mount", "-t", "tmpfs", "none", str(shared)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        subprocess.run(["mount", "--make-shared", str(shared)], check=True)
        (shared / "library" / "new").mkdir(parents=True)
        finished = _run_during(shared / "library", ["mount", "--bind", str(source), f"{shared}/library/new"])
    finally:
        subprocess.run(["umount", "--recursive", str(shared)], check=True)
    assert finished.stopped_by == "watchdog"
    assert "the host has mounted something" in finished.output


def _run_during(readable: Path, command: list[str]) -> Finished:
    """Run `sleep` inside and, while it sleeps, this command on the host."""
    later = threading.Timer(0.5, subprocess.run, [command], {"check": True})
    later.start()
    job = Job(argv=("sleep", "20"), tree=bytes(10240), root="/project", limits=JobLimits(wall_seconds=10),
              readable=(str(readable),))  # fmt: skip
    finished = Bubblewrap().run(job)
    later.join()
    return finished


def test_sockets_and_pipes_in_readable_folders_are_masked(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    (folder / "deep").mkdir(parents=True)
    os.mkfifo(folder / "deep" / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "agent"))
        server.listen()
        for path in (folder / "agent", folder / "deep" / "pipe"):
            path.chmod(0o666)
        code = (
            "import os, socket, stat, sys\n"
            f"print(stat.S_ISFIFO(os.stat('{folder}/deep/pipe').st_mode))\n"
            f"socket.socket(socket.AF_UNIX).connect('{folder}/agent')"
        )
        finished = _run_with_readable(code, folder)
    assert finished.output.startswith("False\n")
    assert "Connection refused" in finished.output


def test_a_masked_path_that_was_deleted_is_skipped(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    assert _run_with_readable("print('with it')", folder).output == "with it\n"
    (folder / "pipe").unlink()
    assert _run_with_readable("print('without it')", folder).output == "without it\n"


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_git_folder_deep_in_a_readable_folder_is_masked(kind: str, tmp_path: Path) -> None:
    git = tmp_path / "library" / "src" / "package" / ".git"
    git.parent.mkdir(parents=True)
    if kind == "folder":
        git.mkdir()
        (git / "config").write_text("token")
    else:
        git.write_text("token")
    code = (
        "import os, sys\n"
        f"print([f for f in ('{git}', '{git}/config') if os.path.isfile(f) and os.access(f, 4) and open(f).read()])"
    )
    assert _run_with_readable(code, tmp_path / "library").output == "[]\n"


def _run_with_readable(code: str, folder: Path) -> Finished:
    """Run code inside, with this folder readable too."""
    for parent in (folder, *folder.rglob("*")):
        if parent.is_dir():
            parent.chmod(0o755)
    readable = (*interpreter_paths(), str(folder))
    argv = (sys.executable, "-c", code)
    limits = JobLimits(wall_seconds=10)
    return Bubblewrap().run(Job(argv=argv, tree=bytes(10240), root="/project", limits=limits, readable=readable))


def test_a_tree_that_cannot_be_unpacked_is_an_error() -> None:
    big = TarInfo("big")
    big.size = 20 * MEGABYTE
    for limits in (
        JobLimits(wall_seconds=9, tree_bytes=8 * MEGABYTE),
        JobLimits(wall_seconds=9, file_bytes=8 * MEGABYTE),
    ):
        with pytest.raises(SandboxUnavailable, match="could not be unpacked") as refused:
            inside("echo ran", files=tree_of(big), limits=limits)
        assert "sandbox.tree_size_mb" in str(refused.value.remedy)


def test_nothing_in_a_job_becomes_an_option_of_bubblewrap() -> None:
    limits = JobLimits(wall_seconds=9)
    options = Job(argv=("--bind", "/tmp", "/tmp", "true"), tree=bytes(10240), root="/project", limits=limits)
    try:
        assert Bubblewrap().run(options).exit_code != 0
    except SandboxUnavailable as problem:
        assert "--bind" in problem.message
    hidden = Job(argv=("true",), tree=bytes(10240), root="/project", limits=limits, env={"A": "1\0--bind\0/tmp\0/tmp"})
    with pytest.raises(ValueError, match="zero byte"):
        Bubblewrap().run(hidden)


def test_the_hosts_crash_handler_is_not_started_and_priorities_cannot_be_raised() -> None:
    """With a core limit of 1 the kernel does not start the program that a core pattern names."""
    code = (
        "import resource\nfor name in ('CORE', 'NICE', 'RTPRIO'): print(resource.getrlimit(getattr(resource, "
        "'RLIMIT_' + name)))\nprint(open('/proc/self/oom_score_adj').read())"
    )
    assert python(code, JobLimits(wall_seconds=9)).output.split("\n")[:4] == ["(1, 1)", "(0, 0)", "(0, 0)", "1000"]


def test_a_root_with_unusual_white_space_is_watched() -> None:
    for root in ("/pro\u00a0ject", "/pro\u3000ject", "/pro\x0bject", "/pro ject"):
        assert inside("sleep 0.1; pwd", root=root).output == f"{root}\n"


def test_the_kernels_tables_are_parsed() -> None:
    maps = (
        "7f00-7f10 rw-s 00001000 00:01 42 /dev/zero (deleted)\n"
        "7f20-7f30 r--p 00000000 00:01 43 /usr/lib/x\x0b1-9 rw-s 0 0 7 /memfd:x\n"
    )
    assert dict(unnamed_shared_memory(maps)) == {"42": 0x1010}
    assert sockets_in_use("sockets: used 9\nTCP: inuse 3 orphan 0\nUDP: inuse 2 mem 1\nUDPLITE: inuse 7\n") == 5
    table = "  sl  local rem st tx_queue:rx_queue\n   0: 0100007F:1 0100007F:2 01 00000010:00000020 00:0 0 0 0\n"
    assert queued_bytes(table) == 2 * 0x30


def test_the_kill_switch_is_checked_while_output_floods_in() -> None:
    checks: list[float] = []

    def stopped() -> bool:
        checks.append(time.monotonic())
        return len(checks) > 5

    job = Job(argv=("bash", "-c", "while :; do echo x; done"), tree=bytes(10240), root="/project",
              limits=JobLimits(wall_seconds=20, output_bytes=1 << 40))  # fmt: skip
    session = Bubblewrap(stopped).start(job)
    assert session.finish().stopped_by == "stopped"


@pytest.mark.parametrize("group", ["with a control group", "without one"])
def test_a_sandbox_that_ends_during_a_check_ends_normally(group: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if group == "without one":
        monkeypatch.setattr(cgroup, "make", lambda limits: None)
    sandbox = Bubblewrap()
    with ThreadPoolExecutor(4) as pool:
        runs = pool.map(lambda number: inside(f"sleep 0.{number:03}", sandbox=sandbox), range(15, 75))
        assert [(run.stopped_by, run.exit_code, run.output) for run in runs] == [("", 0, "")] * 60
