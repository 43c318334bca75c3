"""The bubblewrap sandbox: nothing of the host is writable, and only the paths in mounts.py are readable.

The tree goes in as a sealed tar on a descriptor and is unpacked onto a tmpfs of limited size, at the path where the
code lives in production. Results come out through one pipe. Bubblewrap reads its options from a pipe: they are written
after its control group and limits have been set, so that everything it starts inherits them. SECURITY.md lists what is
not contained.
"""

import contextlib
import errno
import itertools
import os
import resource
import shutil
from collections.abc import Callable
from pathlib import Path

from whet.domain.containment import Containment
from whet.errors import SandboxUnavailable, Stopped
from whet.sandbox import cgroup, seccomp, session_keyring
from whet.sandbox.diagnose_failure import refusal
from whet.sandbox.inherited_files import InheritedFiles
from whet.sandbox.leftovers import end_leftovers
from whet.sandbox.mounts import DOOR_AT, HOME, INSIDE_AT, mounts, scratch
from whet.sandbox.process import Child, call, end, search_path, spawn
from whet.sandbox.sandbox import Finished, Job
from whet.sandbox.session import BubblewrapSession
from whet.sandbox.watchdog import Watchdog

__all__ = ["DOOR_AT", "INSIDE_AT", "Bubblewrap"]

_UNPACK = """
tree=$1; results=$2; shift 2
tar -xmf - <&"$tree" && exec {tree}<&- && echo >&"$results" && exec -- "$@"
"""  # the empty line reports that the tree is unpacked; it is written before the command can write anything
_NAMESPACES = ("mount", "pid", "net", "ipc", "uts", "cgroup")
_DESCRIPTORS = 4096
_FIRST_UID = 0x20000  # started by root, each sandbox gets a user id of its own, above those of real users
_uids = itertools.count()


class Bubblewrap:
    """The sandbox backend that runs jobs in bubblewrap. `stopped` returns True while the kill switch is on."""

    def __init__(self, stopped: Callable[[], bool] = lambda: False) -> None:
        self._stopped = stopped
        self._root = os.geteuid() == 0
        self._keys_are_shared = True
        self._path = _installed("bwrap", "bubblewrap")
        self._setpriv = _installed("setpriv", "util-linux") if self._root else ""
        for program in ("bash", "tar"):  # needed inside, to unpack the tree
            _installed(program, program)
        self.version = _version(self._path)
        end_leftovers(self._path)

    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        """Run a job to its end; raise SandboxUnavailable if the sandbox was not built or the tree not unpacked."""
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
            output = finished.output.strip() or f"exit code {finished.exit_code}"
            raise SandboxUnavailable(
                f"the tree could not be unpacked inside ({output[-400:]})",
                "if it is too large, raise `sandbox.tree_size_mb` or `sandbox.file_size_mb` in whet.toml",
            )
        return finished

    def start(self, job: Job) -> BubblewrapSession:
        """Start a job in a control group, or without one if bubblewrap cannot be moved into it."""
        try:
            return self._start(job, cgroup.make(job.limits))
        except cgroup.CannotEnter as problem:
            cgroup.give_up(str(problem))
            return self._start(job, None)

    def _start(self, job: Job, group: cgroup.ControlGroup | None) -> BubblewrapSession:
        """Build a session that starts bubblewrap.

        `passed` holds the descriptors for bubblewrap and is always closed here. `kept` holds those for whet; the session
        closes them, or this function does if the start fails.
        """
        uid = _FIRST_UID + (os.getpid() * 64 + next(_uids)) % 0x10000000 if self._root else os.getuid()
        with contextlib.ExitStack() as passed, contextlib.ExitStack() as kept:
            if group:
                kept.callback(group.remove)
            inside = InheritedFiles(job, uid, passed)
            results, inside.results = _pipe(kept, passed)
            status, inside.status = _pipe(kept, passed)
            options_reader, options_writer = _pipe(passed, passed)
            argv = [self._path, "--args", str(options_reader), "--", *self._command(job, uid, inside)]

            def launch() -> Child:
                child = self._spawn(argv, [options_reader, *inside.descriptors()], group)
                try:
                    _limit(child.pid, job, own_uid=self._root)
                    _prefer_for_oom_kill(child.pid)
                    if self._root:
                        _give_output_to(child, uid)
                    inside.fill(memory_is_counted=group is not None)
                    _write(options_writer, self._options(job, uid, inside))
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

    def _spawn(self, argv: list[str], descriptors: list[int], group: cgroup.ControlGroup | None) -> Child:
        """Start bubblewrap, in its control group if it has one; it waits for its options."""
        # /proc/keys lists the keys that a process may see. With a user id of its own and outside whet's session key
        # ring a sandbox sees none of whet's keys; with whet's user id it would, so /proc/keys is masked.
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

    def _command(self, job: Job, uid: int, inside: InheritedFiles) -> list[str]:
        """Return the command that bubblewrap runs: drop root, unpack the tree, run the job's own command."""
        argv = [part.replace("{results}", str(inside.results)) for part in job.argv]
        if inside.tree is not None:
            argv = ["bash", "-c", _UNPACK, "bash", str(inside.tree), str(inside.results), *argv]
        if not self._root:
            return argv
        user = str(uid)
        return [self._setpriv, "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all",
                "--bounding-set=-all", "--no-new-privs", "--", *argv]  # fmt: skip

    def _options(self, job: Job, uid: int, inside: InheritedFiles) -> list[str]:
        """Return the options of bubblewrap: namespaces, capabilities, seccomp filter, mounts, environment."""
        options = [
            "--unshare-pid",
            "--unshare-net",  # only a loopback of its own
            "--unshare-ipc",
            "--unshare-uts",
            "--unshare-cgroup",
            *("--hostname", "sandbox"),
            "--die-with-parent",  # no sandbox outlives whet
            "--new-session",  # no controlling terminal to type into
            "--clearenv",
            *("--json-status-fd", str(inside.status)),  # reports the first process inside, and the exit code
        ]
        if self._root:
            # setpriv needs these three to become the sandbox's user; it then drops them for good.
            options += ["--cap-drop", "ALL"]
            options += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
        else:
            options += ["--unshare-user", "--uid", str(uid), "--gid", str(os.getgid()), "--cap-drop", "ALL"]
            if _at_least(self.version, 0, 8):
                options += ["--disable-userns"]  # no further user namespaces inside
        if inside.rules is not None:
            options += ["--seccomp", str(inside.rules)]
        options += mounts(job, inside.files, made_by_root=self._root, hide_keys=self._keys_are_shared)
        for name, value in {**_environment(job), **job.env}.items():
            options += ["--setenv", name, value]
        return [*options, "--chdir", job.root]

    def _containment(self, job: Job, uid: int, group: cgroup.ControlGroup | None) -> Containment:
        """Return the protections that are in force for a job, for the record."""
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
    """Return the path of a program, or refuse and name the package that has it."""
    try:
        path = shutil.which(program, path=search_path(Path.cwd()))
    except FileNotFoundError:  # the current folder is gone
        path = shutil.which(program, path=os.defpath)
    if path is None:
        raise SandboxUnavailable(
            f"{program} is not installed, and whet runs nothing without it",
            f"install it with `apt-get install {package}` (or your system's package manager)",
        )
    return path


def _version(path: str) -> str:
    done = call([path, "--version"], env={}, timeout_seconds=10)
    output = done.out.decode(errors="replace").strip()
    if done.code != 0 or not output.startswith("bubblewrap "):
        cause = (done.err.strip() or output or f"exit code {done.code}").splitlines()[0]
        raise SandboxUnavailable(
            f"{path} is broken: {cause}", "install it again: `apt-get install --reinstall bubblewrap`"
        )
    return output.removeprefix("bubblewrap ")


def _at_least(version: str, *minimum: int) -> bool:
    numbers = [int(part) for part in version.split(".") if part.isdigit()]
    return tuple(numbers[: len(minimum)]) >= minimum


def _limit(pid: int, job: Job, *, own_uid: bool) -> None:
    """Set the limits per process on bubblewrap, before it has read its options; its children inherit them.

    The totals are enforced by the control group or the watchdog. The number of processes is limited here only if the
    sandbox has a user id of its own: otherwise the kernel would count the user's processes on the host too.
    """
    limits = job.limits
    values = {
        # With 0 the kernel would still start the host's crash handler, if core_pattern names one; with 1 it does not.
        resource.RLIMIT_CORE: 1,
        resource.RLIMIT_NICE: 0,
        resource.RLIMIT_RTPRIO: 0,
        resource.RLIMIT_DATA: limits.memory_bytes,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_NOFILE: _DESCRIPTORS,
        resource.RLIMIT_CPU: int(limits.cpu_total_seconds) + 1,
    }
    if own_uid:
        values[resource.RLIMIT_NPROC] = limits.processes + 1
    try:
        for which, value in values.items():
            hard = resource.prlimit(pid, which)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.prlimit(pid, which, (value, value))
    except PermissionError as problem:
        raise SandboxUnavailable(
            "this bubblewrap cannot be limited, because it is installed setuid",
            "`chmod u-s` it, and allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`",
        ) from problem


def _prefer_for_oom_kill(pid: int) -> None:
    """Make the kernel kill the sandbox rather than whet if the machine runs out of memory.

    No limit depends on it, so failing is ignored: in some containers /proc is read-only.
    """
    with contextlib.suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def _give_output_to(child: Child, uid: int) -> None:
    """Make the sandbox's user the owner of the output pipe, so that code inside can open /dev/stdout."""
    assert child.stdout is not None  # noqa: S101 - spawn always gives a pipe
    try:
        os.fchown(child.stdout.fileno(), uid, uid)
    except OSError as problem:
        if problem.errno != errno.EINVAL:
            raise
        raise SandboxUnavailable(
            "root of this container, most likely a rootless one, has no other user ids to give to a sandbox",
            "run whet as an ordinary user of the container, or outside of it",
        ) from problem


def _environment(job: Job) -> dict[str, str]:
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": HOME,
        "TMPDIR": "/tmp",
        "LC_CTYPE": "C.UTF-8",  # the other categories are those of C by default; loading them slows the start
        "USER": "sandbox",
        "LOGNAME": "sandbox",
        "PWD": job.root,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "WHET_STATE": "",  # tools under test do not capture their calls
    }


def _pipe(reader_until: contextlib.ExitStack, writer_until: contextlib.ExitStack) -> tuple[int, int]:
    """Return the two ends of a pipe; each is closed with its own stack."""
    reader, writer = os.pipe()
    reader_until.callback(os.close, reader)
    writer_until.callback(os.close, writer)
    return reader, writer


def _write(pipe: int, options: list[str]) -> None:
    """Write options for `--args`: each ends with a zero byte, so an option that contains one is refused."""
    if any("\0" in option for option in options):
        raise ValueError("a zero byte in an option of the sandbox")
    view = memoryview(os.fsencode("\0".join([*options, ""])))
    with contextlib.suppress(BrokenPipeError):  # bubblewrap ended early; its output tells why
        while view:
            view = view[os.write(pipe, view) :]
