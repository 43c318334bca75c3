"""Tests that every sandbox backend must pass. A new backend adds a row to `BACKENDS`."""

import inspect
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.escape.inside import tree
from whet.domain.canonical import to_plain
from whet.domain.containment import Containment
from whet.errors import Stopped
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import MEGABYTE, STOPPED_BY, Finished, Job, JobLimits, Sandbox
from whet.store.codec import decode
from whet.target.interpreter import probe

Make = Callable[..., Sandbox]
BACKENDS: dict[str, Make] = {"bubblewrap": Bubblewrap}
FILES = {"code.py": b"x = 1\n", "sub/data.txt": b"\x00\xff data\n"}


@pytest.fixture(params=BACKENDS)
def make(request: pytest.FixtureRequest) -> Make:
    return BACKENDS[request.param]


@pytest.fixture
def sandbox(make: Make) -> Sandbox:
    return make()


def job(*argv: str, stdin: bytes = b"", root: str = "/project", limits: JobLimits | None = None) -> Job:
    return Job(argv=argv, tree=tree(FILES), root=root, limits=limits or JobLimits(wall_seconds=20), stdin=stdin)


def shell(sandbox: Sandbox, script: str, limits: JobLimits | None = None) -> Finished:
    return sandbox.run(job("bash", "-c", script, limits=limits))


def test_the_backend_has_the_methods_of_the_protocol(sandbox: Sandbox) -> None:
    for name in ("start", "run"):
        parameters = list(inspect.signature(getattr(Sandbox, name)).parameters)[1:]
        assert list(inspect.signature(getattr(sandbox, name)).parameters) == parameters


def test_the_tree_is_mounted_at_its_production_path(sandbox: Sandbox, tmp_path: Path) -> None:
    finished = sandbox.run(job("bash", "-c", "pwd; cat sub/data.txt | md5sum; ls", root=str(tmp_path / "here")))
    assert finished.output.splitlines()[0] == str(tmp_path / "here")
    assert finished.output.split()[-2:] == ["code.py", "sub"]


def test_an_empty_tree_is_an_empty_folder(sandbox: Sandbox) -> None:
    empty = Job(argv=("ls", "-A"), tree=bytes(10240), root="/project", limits=JobLimits(wall_seconds=20))
    finished = sandbox.run(empty)
    assert (finished.exit_code, finished.output) == (0, "")


def test_exit_code_and_output_are_returned(sandbox: Sandbox) -> None:
    finished = shell(sandbox, "echo out; echo err >&2; exit 7")
    assert (finished.exit_code, finished.stopped_by) == (7, "")
    assert sorted(finished.output.split()) == ["err", "out"]


def test_input_reaches_the_command_and_results_come_back_by_line(sandbox: Sandbox) -> None:
    lines: list[bytes] = []
    script = 'read line; for i in 1 2 3; do echo "$line $i" >&"$1"; done; printf rest >&"$1"'
    finished = sandbox.run(job("bash", "-c", script, "bash", "{results}", stdin=b"hello"), lines.append)
    assert finished.lines == tuple(lines) == (b"hello 1", b"hello 2", b"hello 3", b"rest")


def test_only_the_jobs_own_variables_are_in_the_environment(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_SECRET", "hunter2")
    environment = Job(
        argv=("env",), tree=tree(FILES), root="/project", limits=JobLimits(wall_seconds=20), env={"OF_THE_JOB": "yes"}
    )
    output = sandbox.run(environment).output
    assert "hunter2" not in output
    assert "OF_THE_JOB=yes" in output


def test_readable_folders_can_be_read_but_not_written(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "file").write_text("readable")
    argv = ("bash", "-c", f"cat {tmp_path}/library/file; touch {tmp_path}/library/new")
    readable = (str(tmp_path / "library"),)
    finished = sandbox.run(
        Job(argv=argv, tree=tree(FILES), root="/project", limits=JobLimits(wall_seconds=20), readable=readable)
    )
    assert "readable" in finished.output
    assert finished.exit_code != 0
    assert not (tmp_path / "library" / "new").exists()


def test_the_scripts_of_a_job_are_mounted_if_the_command_names_them(sandbox: Sandbox, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "script.sh").write_text("echo from the script; touch /whet/new\n")
    named = Job(
        argv=("bash", "/whet/script.sh"),
        tree=tree(FILES),
        root="/project",
        limits=JobLimits(wall_seconds=20),
        scripts=str(tmp_path),
    )
    finished = sandbox.run(named)
    assert "from the script" in finished.output
    assert finished.exit_code != 0
    assert not (tmp_path / "new").exists()
    assert sandbox.run(replace(named, argv=("ls", "/"))).output.split().count("whet") == 0


def test_git_and_state_folders_are_masked_in_readable_folders(sandbox: Sandbox, tmp_path: Path) -> None:
    for name in (".git", ".whet"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "secret").write_text("hunter2")
    argv = ("bash", "-c", f"cat {tmp_path}/.git/secret {tmp_path}/.whet/secret")
    readable = (str(tmp_path),)
    finished = sandbox.run(
        Job(argv=argv, tree=tree(FILES), root="/project", limits=JobLimits(wall_seconds=20), readable=readable)
    )
    assert "hunter2" not in finished.output


LIMITS = {
    "wall": ("sleep 90", JobLimits(wall_seconds=1)),
    "cpu": ("while :; do :; done", JobLimits(wall_seconds=60, cpu_seconds=0.5)),
    "memory": (
        'python3 -c \'import os, time; [os.fork() for _ in "123"]; x = b"x" * 40_000_000; time.sleep(90)\'',
        JobLimits(wall_seconds=60, memory_bytes=150 * MEGABYTE),
    ),
    "processes": ("for i in {1..60}; do sleep 90 & done; sleep 90", JobLimits(wall_seconds=60, processes=20)),
    "files": ("for i in {1..900}; do : > f$i; done; sleep 90", JobLimits(wall_seconds=60, files=300)),
    "output": ("yes", JobLimits(wall_seconds=60, output_bytes=2 * MEGABYTE)),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_that_is_hit_ends_the_run_and_is_named(name: str, sandbox: Sandbox) -> None:
    script, limits = LIMITS[name]
    finished = shell(sandbox, script, limits)
    assert finished.stopped_by == name, finished.output
    assert finished.problem.startswith(STOPPED_BY[name].partition(" {")[0])
    assert finished.seconds < 45  # on a busy machine too; the script would go on for 90 s


def test_a_session_answers_line_by_line(sandbox: Sandbox) -> None:
    session = sandbox.start(job("bash", "-c", 'while read line; do echo "<$line>" >&"$1"; done', "bash", "{results}"))
    lines = session.lines()
    for word in (b"one", b"two"):
        session.send(word)
        assert next(lines) == b"<" + word + b">"
    finished = session.finish()
    assert (finished.exit_code, finished.stopped_by) == (0, "")


def test_a_session_can_be_killed_with_a_reason(sandbox: Sandbox) -> None:
    session = sandbox.start(job("sleep", "60"))
    session.kill("done")
    assert list(session.lines()) == []
    session.send(b"nobody listens")
    assert session.finish().stopped_by == "done"


def test_the_kill_switch_ends_a_running_job(make: Make) -> None:
    pressed = threading.Event()
    threading.Timer(0.3, pressed.set).start()
    with pytest.raises(Stopped):
        make(stopped=pressed.is_set).run(job("sleep", "60"))


def test_a_reader_that_fails_leaves_nothing_running(sandbox: Sandbox) -> None:
    mark = f"whet-reader-{os.getpid()}"

    def fail(line: bytes) -> None:
        raise ValueError(line)

    with pytest.raises(ValueError, match="ready"):
        sandbox.run(job("bash", "-c", f'echo ready >&"$1"; exec -a {mark} sleep 60', "bash", "{results}"), fail)
    assert mark not in subprocess.run(["ps", "axo", "args"], capture_output=True, text=True, check=True).stdout


def test_concurrent_jobs_do_not_see_each_other(sandbox: Sandbox) -> None:
    results: dict[int, Finished] = {}

    def go(number: int) -> None:
        results[number] = shell(sandbox, f"echo {number} > /tmp/mine; sleep 0.1; cat /tmp/mine")

    threads = [threading.Thread(target=go, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: finished.output.strip() for number, finished in results.items()} == {n: str(n) for n in range(6)}


def test_no_descriptor_is_left_open(sandbox: Sandbox) -> None:
    shell(sandbox, "true")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        shell(sandbox, "true")
        shell(sandbox, "sleep 9", JobLimits(wall_seconds=0.2))
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_the_containment_comes_with_the_result(sandbox: Sandbox) -> None:
    containment = shell(sandbox, "true").containment
    assert containment.network is False
    assert containment.uid != 0
    assert containment.limits["wall_seconds"] == 20
    assert set(containment.limits) == set(containment.enforced_by)
    assert decode(Containment, to_plain(containment)) == containment


def test_a_job_ends_with_its_command(sandbox: Sandbox) -> None:
    began = time.monotonic()
    shell(sandbox, "(setsid sleep 90 &) ; true")
    assert time.monotonic() - began < 45


STILL_WORKS = {
    "threads": "import threading; t = threading.Thread(target=print); t.start(); t.join()",
    "processes": "import multiprocessing as m; p = m.Process(target=print); p.start(); p.join(); assert p.exitcode == 0",
    "pools": "import multiprocessing.pool as m, os; assert m.Pool(2).map(abs, [-1, 2]) == [1, 2]",
    "executors": "import concurrent.futures as c; assert list(c.ProcessPoolExecutor(2).map(abs, [-1])) == [1]",
    "shared values": "import multiprocessing as m; v = m.Value('i', 3); a = m.Array('d', 1000); assert v.value == 3",
    "managers": "import multiprocessing as m; d = m.Manager().dict(); d['x'] = 1; assert d['x'] == 1",
    "asyncio": "import asyncio; asyncio.run(asyncio.sleep(0))",
    "asyncio subprocesses": "import asyncio; asyncio.run(asyncio.create_subprocess_exec('true'))",
    "loopback": "import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname())",
    "unix sockets": "import socket; socket.socketpair()",
    "sqlite": "import sqlite3; c = sqlite3.connect('/tmp/x.db'); c.execute('pragma journal_mode=wal'); c.execute('create table t(a)')",
    "subprocesses": "import subprocess; assert subprocess.check_output(['echo', 'hi']) == b'hi\\n'",
    "pseudo-terminals": "import pty, os; os.close(pty.openpty()[0])",
    "home": "import pathlib; (pathlib.Path.home() / 'x').write_text('x')",
    "temporary files": "import tempfile; tempfile.NamedTemporaryFile().write(b'x')",
    "own user": "import pwd, os; assert pwd.getpwuid(os.getuid()).pw_name == 'sandbox'",
    "shared memory": "from multiprocessing import shared_memory as s; m = s.SharedMemory(create=True, size=10); m.unlink()",
    "mapped memory": "import mmap; m = mmap.mmap(-1, 1 << 20); m.write(b'x')",
    "foreign functions": "import ctypes; ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 3)()",
    "watching files": "import ctypes; c = ctypes.CDLL(None); assert c.inotify_add_watch(c.inotify_init(), b'/tmp', 2) > 0",
    "time zones": "import time; time.tzset()",
    "guessing types": "import mimetypes; assert mimetypes.guess_type('a.json')[0] == 'application/json'",
    "its own name": "import socket; assert socket.gethostbyname(socket.gethostname()) == '127.0.0.1'",
}


@pytest.mark.parametrize("name", STILL_WORKS)
def test_features_that_ordinary_tests_need_work(name: str, sandbox: Sandbox) -> None:
    finished = shell(sandbox, f'python3 -c "{STILL_WORKS[name]}"')
    assert finished.exit_code == 0, finished.output


def run_python(sandbox: Sandbox, interpreter: Path, root: Path, code: str) -> Finished:
    """Run code as the suite does, with the paths readable that the interpreter needs."""
    probed = probe(sandbox, interpreter, root)
    return sandbox.run(
        Job(
            argv=(probed.path, "-c", code),
            tree=tree(FILES),
            root=str(root),
            limits=JobLimits(wall_seconds=30),
            readable=probed.readable,
        )
    )


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a virtual environment in a home folder closed to other users, with an editable install of a project."""
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o700)
    project = home / "work" / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "editable_thing.py").write_text("WORD = 'editable'\n")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home / "venv")], check=True)
    (site,) = (home / "venv").glob("lib/python*/site-packages")
    (site / "__editable__.thing.pth").write_text(f"{project / 'src'}\n")
    return home


def test_the_systems_interpreter_runs(sandbox: Sandbox, tmp_path: Path) -> None:
    finished = run_python(sandbox, Path("/usr/bin/python3"), tmp_path, "import json, ssl, sqlite3; print('ok')")
    assert finished.output.strip() == "ok", finished.output


def test_the_interpreter_of_these_tests_runs_with_its_extensions(sandbox: Sandbox, tmp_path: Path) -> None:
    """Load extensions in C and Rust, and whet itself, which may be an editable install."""
    code = "import greenlet, pydantic_core, whet, pytest; print(greenlet.getcurrent() is not None)"
    finished = run_python(sandbox, Path(sys.executable), tmp_path, code)
    assert finished.output.strip() == "True", finished.output


def test_a_virtual_environment_in_a_home_folder_runs(sandbox: Sandbox, environment: Path, tmp_path: Path) -> None:
    code = "import sys, editable_thing; print(editable_thing.WORD, sys.prefix)"
    finished = run_python(sandbox, environment / "venv/bin/python", tmp_path, code)
    assert finished.output.split() == ["editable", str(environment / "venv")], finished.output


def test_an_editable_install_of_the_project_loads_the_tree_under_test(sandbox: Sandbox, environment: Path) -> None:
    """The install points at a folder on the host; inside, the tree under test is mounted there instead."""
    root = environment / "work" / "project"
    files = tree({"src/editable_thing.py": b"WORD = 'inside'\n"})
    probed = probe(sandbox, environment / "venv/bin/python", root)
    argv = (probed.path, "-c", "import editable_thing; print(editable_thing.WORD)")
    finished = sandbox.run(
        Job(argv=argv, tree=files, root=str(root), limits=JobLimits(wall_seconds=30), readable=probed.readable)
    )
    assert finished.output.strip() == "inside", finished.output


def test_an_interpreter_reached_through_links_runs(sandbox: Sandbox, environment: Path, tmp_path: Path) -> None:
    """pyenv keeps versions below the home folder and links to them."""
    versions = environment / ".pyenv" / "versions"
    versions.mkdir(parents=True)
    (versions / "3.x").symlink_to(environment / "venv")
    finished = run_python(sandbox, versions / "3.x/bin/python", tmp_path, "import json; print(json.dumps([1]))")
    assert json.loads(finished.output) == [1], finished.output
