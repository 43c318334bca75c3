"""The sandbox: bubblewrap, nothing of the host writable, nothing of it reachable but what is named here.

The tree goes in as a sealed tar over a descriptor onto a sized tmpfs, mounted where the code lives in production;
one capped pipe comes out. Bubblewrap waits for its options on a pipe: by then its control group and its limits are set,
and everything it starts inherits them. What is not contained yet is listed in SECURITY.md.
"""

import contextlib
import fcntl
import itertools
import os
import resource
import shutil
from collections.abc import Callable

from whet.domain.containment import Containment
from whet.errors import SandboxUnavailable, Stopped
from whet.sandbox import cgroup, seccomp, session_keyring
from whet.sandbox.diagnose_failure import refusal
from whet.sandbox.mounts import HOME, INSIDE_AT, etc, mounts, scratch
from whet.sandbox.process import Child, call, end, spawn
from whet.sandbox.sandbox import Finished, Job
from whet.sandbox.session import BubblewrapSession
from whet.sandbox.watchdog import Watchdog

__all__ = ["HOME", "INSIDE_AT", "Bubblewrap", "Handed"]

_UNPACK = """
tree=$1; results=$2; shift 2
tar -xmf - <&"$tree" && exec {tree}<&- && echo >&"$results" && exec -- "$@"
"""  # the empty line says that the tree is there, before anything that is not ours can say so
_NAMESPACES = ("mount", "pid", "net", "ipc", "uts", "cgroup")
_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
_DESCRIPTORS = 4096
_FIRST_UID = 0x20000
_uids = itertools.count()


class Handed:
    """The memory files that bubblewrap is given. They are filled while it starts, before it is told to read them."""

    def __init__(self, job: Job, uid: int, until: contextlib.ExitStack) -> None:
        self._job = job
        self._etc = etc(uid)
        has_files = any(job.tree[:512])
        self.tree = _memory("tree", until) if has_files else None
        self.rules = None if seccomp.program() is None else _memory("seccomp", until)
        self.files = {path: _memory("etc", until) for path in self._etc}
        self.results = self.status = -1

    def descriptors(self) -> list[int]:
        found = (self.tree, self.rules, self.results, self.status, *self.files.values())
        return [descriptor for descriptor in found if descriptor is not None]

    def fill(self, *, memory_is_counted: bool) -> None:
        rules = seccomp.program(memory_is_counted=memory_is_counted)
        if self.rules is not None and rules is not None:
            _seal(self.rules, rules)
        for path, descriptor in self.files.items():
            _seal(descriptor, self._etc[path])
        if self.tree is not None:
            _seal(self.tree, self._job.tree)


class Bubblewrap:
    def __init__(self, stopped: Callable[[], bool] = lambda: False) -> None:
        self._stopped = stopped
        self._root = os.geteuid() == 0
        self._keys_are_shared = True
        self._path = _installed("bwrap", "bubblewrap")
        self._become = _installed("setpriv", "util-linux") if self._root else ""
        for program in ("bash", "tar"):  # they unpack the tree, inside
            _installed(program, program)
        self.version = _version(self._path)

    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        session = self.start(job)
        kept = []
        try:
            if job.stdin:
                session.send(job.stdin)
            session.end_input()
            for line in session.lines():
                kept.append(line)
                if on_line:
                    on_line(line)
        except BaseException:
            session.kill("done")
            session.finish()
            raise
        finished = session.finish(kept)
        if finished.stopped_by == "stopped":
            raise Stopped("the kill switch is on", "`whet start` switches whet on again")
        if not session.was_built:
            raise refusal(finished.output.strip())
        if not session.was_unpacked:
            said = finished.output.strip() or f"exit code {finished.exit_code}"
            raise SandboxUnavailable(
                f"the tree could not be unpacked inside ({said[-400:]})",
                "if it is too large, raise `sandbox.tree_size_mb` or `sandbox.file_size_mb` in whet.toml",
            )
        return finished

    def start(self, job: Job) -> BubblewrapSession:
        try:
            return self._start(job, cgroup.make(job.limits))
        except cgroup.CannotEnter as problem:
            cgroup.give_up(str(problem))
            return self._start(job, None)

    def _start(self, job: Job, group: cgroup.Group | None) -> BubblewrapSession:
        """What is handed in is closed here in any case; what is kept is the session's, unless it never began."""
        uid = _FIRST_UID + (os.getpid() * 64 + next(_uids)) % 0x10000000 if self._root else os.getuid()
        with contextlib.ExitStack() as handed, contextlib.ExitStack() as kept:
            if group:
                kept.callback(group.remove)
            inside = Handed(job, uid, handed)
            results, inside.results = _pipe(kept, handed)
            status, inside.status = _pipe(kept, handed)
            told, tell = _pipe(handed, handed)
            argv = [self._path, "--args", str(told), "--", *self._command(job, uid, inside)]

            def launch() -> Child:
                child = self._waiting(argv, [told, *inside.descriptors()], group)
                try:
                    _limit(child.pid, job, alone=self._root)
                    _let_go_first(child.pid)
                    if self._root:
                        _hand_over(child, uid)
                    inside.fill(memory_is_counted=group is not None)
                    _write(tell, self._options(job, uid, inside))
                except BaseException:
                    end(child)
                    raise
                return child

            session = BubblewrapSession(
                launch,
                (results, status),
                job.limits,
                self._containment(job, uid, group),
                Watchdog(job.limits, group, scratch(job)),
                group,
                self._stopped,
                unpacks=inside.tree is not None,
            )
            kept.pop_all()
            return session

    def _waiting(self, argv: list[str], descriptors: list[int], group: cgroup.Group | None) -> Child:
        """Bubblewrap, waiting to be told what to build, in its control group if it has one."""
        # A user id of its own sees no keys once it has no ring of ours; one that we share does, so they are covered.
        self._keys_are_shared = not session_keyring.leave() or not self._root
        if group and group.version == 1:
            with group.entered():
                return spawn(argv, env={}, descriptors=descriptors)
        child = spawn(argv, env={}, descriptors=descriptors)
        try:
            if group:
                group.add(child.pid)
        except cgroup.CannotEnter:
            end(child)
            raise
        return child

    def _command(self, job: Job, uid: int, inside: Handed) -> list[str]:
        argv = [part.replace("{results}", str(inside.results)) for part in job.argv]
        if inside.tree is not None:
            argv = ["bash", "-c", _UNPACK, "bash", str(inside.tree), str(inside.results), *argv]
        if not self._root:
            return argv
        user = str(uid)
        return [self._become, "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all",
                "--bounding-set=-all", "--no-new-privs", "--", *argv]  # fmt: skip

    def _options(self, job: Job, uid: int, inside: Handed) -> list[str]:
        options = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup",
                   "--hostname", "sandbox", "--die-with-parent", "--new-session", "--clearenv",
                   "--json-status-fd", str(inside.status)]  # fmt: skip
        if self._root:
            options += ["--cap-drop", "ALL"]
            options += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
        else:
            options += ["--unshare-user", "--uid", str(uid), "--gid", str(os.getgid()), "--cap-drop", "ALL"]
            options += ["--disable-userns"] if _at_least(self.version, 0, 8) else []
        if inside.rules is not None:
            options += ["--seccomp", str(inside.rules)]
        options += mounts(job, inside.files, made_by_root=self._root, hide_keys=self._keys_are_shared)
        for name, value in {**_environment(job), **job.env}.items():
            options += ["--setenv", name, value]
        return [*options, "--chdir", job.root]

    def _containment(self, job: Job, uid: int, group: cgroup.Group | None) -> Containment:
        limits = job.limits
        totals = f"control group, version {group.version}" if group else "watchdog"
        return Containment(
            backend="bubblewrap",
            version=self.version,
            uid=uid,
            namespaces=_NAMESPACES if self._root else ("user", *_NAMESPACES),
            network=False,
            seccomp=seccomp.program() is not None,
            writable=("/tmp", "/dev/shm", HOME, "the private copy of the tree"),
            limits={
                "wall_seconds": int(limits.wall_seconds),
                "cpu_seconds": int(limits.cpu_total_seconds),
                "memory_bytes": limits.memory_bytes,
                "processes": limits.processes,
                "file_bytes": limits.file_bytes,
                "tree_bytes": limits.tree_bytes,
                "files": limits.files,
                "output_bytes": limits.output_bytes,
            },
            enforced_by={
                "wall_seconds": "watchdog",
                "cpu_seconds": totals,
                "memory_bytes": totals,
                "processes": totals,
                "file_bytes": "limit of each process",
                "tree_bytes": "size of the file systems",
                "files": "watchdog",
                "output_bytes": "whet reads no more",
            },
        )


def _installed(program: str, package: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise SandboxUnavailable(
            f"{program} is not installed, and whet runs nothing without it",
            f"install it with `apt-get install {package}` (or your system's package manager)",
        )
    return path


def _version(path: str) -> str:
    done = call([path, "--version"], env={}, timeout_seconds=10)
    said = done.out.decode(errors="replace").strip()
    if done.code != 0 or not said.startswith("bubblewrap "):
        said = (done.err.strip() or said or f"exit code {done.code}").splitlines()[0]
        raise SandboxUnavailable(
            f"{path} is broken: {said}", "install it again: `apt-get install --reinstall bubblewrap`"
        )
    return said.removeprefix("bubblewrap ")


def _at_least(version: str, *wanted: int) -> bool:
    numbers = [int(part) for part in version.split(".") if part.isdigit()]
    return tuple(numbers[: len(wanted)]) >= wanted


def _limit(pid: int, job: Job, *, alone: bool) -> None:
    """Limits of each process, on bubblewrap before it has read its options; the totals are held elsewhere.

    A user id of its own can be limited in processes too; a shared one cannot, for the host's would count.
    """
    limits = job.limits
    wanted = {
        resource.RLIMIT_CORE: 1,  # 0 would still hand a crash to the host's own handler, where there is one
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_RTPRIO: 0,
        resource.RLIMIT_DATA: limits.memory_bytes,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_NOFILE: _DESCRIPTORS,
        resource.RLIMIT_CPU: int(limits.cpu_total_seconds) + 1,
    }
    if alone:
        wanted[resource.RLIMIT_NPROC] = limits.processes + 1
    try:
        for which, value in wanted.items():
            hard = resource.prlimit(pid, which)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.prlimit(pid, which, (value, value))
    except PermissionError as problem:
        raise SandboxUnavailable(
            "this bubblewrap cannot be limited, because it is installed setuid",
            "`chmod u-s` it, and allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`",
        ) from problem


def _let_go_first(pid: int) -> None:
    """Where the machine runs out of memory after all, this is what the kernel ends, and not whet.

    No limit depends on it, so a machine that does not let it be said (a container's read-only /proc) is no obstacle.
    """
    with contextlib.suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def _hand_over(child: Child, uid: int) -> None:
    """Its output belongs to whoever runs inside, who may open it again (`/dev/stdout`)."""
    assert child.stdout is not None  # noqa: S101 - spawn always gives a pipe
    os.fchown(child.stdout.fileno(), uid, uid)


def _environment(job: Job) -> dict[str, str]:
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": HOME,
        "TMPDIR": "/tmp",
        "LC_CTYPE": "C.UTF-8",  # the other categories are those of C anyway, and a start that loads them takes longer
        "USER": "sandbox",
        "LOGNAME": "sandbox",
        "PWD": job.root,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "WHET_STATE": "",  # a tool under test records nothing
    }


def _pipe(reader_until: contextlib.ExitStack, writer_until: contextlib.ExitStack) -> tuple[int, int]:
    reader, writer = os.pipe()
    reader_until.callback(os.close, reader)
    writer_until.callback(os.close, writer)
    return reader, writer


def _write(pipe: int, options: list[str]) -> None:
    """Each ends with a zero byte, so that none may have one inside."""
    if any("\0" in option for option in options):
        raise ValueError("a zero byte in an option of the sandbox")
    view = memoryview(os.fsencode("\0".join([*options, ""])))
    with contextlib.suppress(BrokenPipeError):  # it ended early, and its output says why
        while view:
            view = view[os.write(pipe, view) :]


def _memory(name: str, until: contextlib.ExitStack) -> int:
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    until.callback(os.close, descriptor)
    return descriptor


def _seal(descriptor: int, content: bytes) -> None:
    """Nobody can change it any more, and it is read from its start."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
