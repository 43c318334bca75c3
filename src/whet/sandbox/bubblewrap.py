"""The sandbox: bubblewrap, nothing of the host writable, nothing of it reachable but what is named here.

The tree goes in as a sealed tar over a descriptor onto a sized tmpfs, mounted where the code lives in production;
one capped pipe comes out. What is not contained yet is listed in SECURITY.md.
"""

import fcntl
import itertools
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from whet.domain.containment import Containment
from whet.errors import SandboxUnavailable, Stopped
from whet.sandbox import seccomp
from whet.sandbox.process import call, spawn
from whet.sandbox.sandbox import Finished, Job
from whet.sandbox.session import BubblewrapSession

INSIDE = Path(__file__).parent / "inside"
INSIDE_AT = "/whet"
HOME = "/home/sandbox"
_INSTALL = "install it with `apt-get install bubblewrap` (or your system's package manager)"
_UNPACK = 'ulimit $3 && tar -xmf - -C "$1" <&"$2" && cd "$1" && shift 3 && exec "$@"'
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/mime.types", "/etc/timezone")
_NAMESPACES = ("mount", "pid", "net", "ipc", "uts", "cgroup")
_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
_SCRATCH_SHARE = 4  # /tmp, /var/tmp, /dev/shm and the home: together as much as the tree, since all of it is memory
_uids = itertools.count()


class Bubblewrap:
    def __init__(self, stopped: Callable[[], bool] = lambda: False) -> None:
        self._stopped = stopped
        self.version = _version()
        self._path = shutil.which("bwrap") or "bwrap"
        self._root = os.geteuid() == 0

    def run(self, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        session = self.start(job)
        if job.given:
            session.send(job.given)
        session.end_input()
        kept = []
        for line in session.lines():
            kept.append(line)
            if on_line:
                on_line(line)
        finished = session.finish(kept)
        if finished.stopped_by == "stopped":
            raise Stopped("the kill switch is on", "`whet start` switches whet on again")
        if finished.exit_code != 0 and finished.output.startswith("bwrap: "):
            raise SandboxUnavailable(
                f"bubblewrap could not build the sandbox: {finished.output.strip()}",
                "`whet doctor` names what this kernel forbids",
            )
        return finished

    def start(self, job: Job) -> BubblewrapSession:
        uid = 0x20000 + (os.getpid() * 64 + next(_uids)) % 0x10000000 if self._root else os.getuid()
        results_in, results_out = os.pipe()
        held = [results_out]
        try:
            tree = _sealed("tree", job.tree, held)
            options = b"".join(os.fsencode(part) + b"\0" for part in self._options(job, uid, held))
            argv = [part.replace("{results}", str(results_out)) for part in job.argv]
            child = spawn(
                [self._path, "--args", str(_sealed("options", options, held)), *self._become(uid),
                 "bash", "-c", _UNPACK, "bash", job.root, str(tree), _limits(job, uid), *argv],
                env={},
                descriptors=held,
            )  # fmt: skip
        except BaseException:
            os.close(results_in)
            raise
        finally:
            for descriptor in held:
                os.close(descriptor)
        return BubblewrapSession(child, results_in, job.limits, self._containment(job, uid), self._stopped)

    def _become(self, uid: int) -> list[str]:
        if not self._root:
            return []
        user = str(uid)
        return ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all",
                "--bounding-set=-all", "--no-new-privs"]  # fmt: skip

    def _options(self, job: Job, uid: int, held: list[int]) -> list[str]:
        options = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup",
                   "--hostname", "sandbox", "--die-with-parent", "--new-session", "--clearenv"]  # fmt: skip
        if self._root:
            options += ["--cap-drop", "ALL"]
            options += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
        else:
            options += ["--unshare-user", "--uid", str(uid), "--gid", str(os.getgid()), "--cap-drop", "ALL"]
        if (rules := seccomp.program()) is not None:
            options += ["--seccomp", str(_sealed("seccomp", rules, held))]
        options += _mounts(job, uid, held)
        for name, value in {**_environment(job), **job.env}.items():
            options += ["--setenv", name, value]
        return options

    def _containment(self, job: Job, uid: int) -> Containment:
        limits = job.limits
        return Containment(
            backend="bubblewrap",
            version=self.version,
            uid=uid,
            namespaces=_NAMESPACES if self._root else ("user", *_NAMESPACES),
            network=False,
            seccomp=seccomp.program() is not None,
            writable=("/tmp", "/var/tmp", "/dev/shm", HOME, "the private copy of the tree"),
            limits={
                "wall_seconds": int(limits.wall_seconds),
                "memory_bytes": limits.memory_bytes,
                "processes": limits.processes,
                "file_bytes": limits.file_bytes,
                "tree_bytes": limits.tree_bytes,
                "output_bytes": limits.output_bytes,
            },
        )


def _mounts(job: Job, uid: int, held: list[int]) -> list[str]:
    made: set[str] = set()
    mounts = [option for path in _SYSTEM for option in _system(path)]
    for path in _SYSTEM_FILES:
        mounts += [*_parents(path, made), "--ro-bind-try", path, path]
    for path, text in _etc(uid).items():
        mounts += _parents(path, made)
        mounts += ["--perms", "0444", "--ro-bind-data", str(_sealed("etc", text.encode(), held)), path]
    mounts += ["--proc", "/proc", "--dev", "/dev"]
    for path in ("/tmp", "/var/tmp", "/dev/shm", HOME):
        mounts += _parents(path, made)
        mounts += ["--size", str(job.limits.tree_bytes // _SCRATCH_SHARE), "--perms", "1777", "--tmpfs", path]
    mounts += _parents(job.root, made)
    mounts += ["--size", str(job.limits.tree_bytes), "--perms", "0777", "--tmpfs", job.root]
    mounts += ["--ro-bind", str(INSIDE), INSIDE_AT]
    for path in job.readable:
        mounts += _parents(path, made)
        mounts += ["--ro-bind", path, path]
        for private in (".git", ".whet"):
            if (Path(path) / private).is_dir():
                mounts += ["--perms", "0000", "--tmpfs", f"{path}/{private}"]
    return [*mounts, "--remount-ro", "/proc", "--remount-ro", "/"]


def _version() -> str:
    path = shutil.which("bwrap")
    if path is None:
        raise SandboxUnavailable("bubblewrap is not installed, and whet runs nothing without it", _INSTALL)
    done = call([path, "--version"], env={}, timeout_seconds=10)
    return done.out.decode(errors="replace").strip().removeprefix("bubblewrap ")


def _limits(job: Job, uid: int) -> str:
    """Limits per process, for bash's `ulimit`; the totals over the whole tree are the session watchdog's work."""
    limits = job.limits
    per_user = f" -u {limits.processes}" if uid >= 0x20000 else ""  # another's processes would count for a shared uid
    cpu = int(limits.wall_seconds) * 2 + 1
    return f"-c 0 -d {limits.memory_bytes // 1024} -f {limits.file_bytes // 1024} -n 4096 -t {cpu}{per_user}"


def _environment(job: Job) -> dict[str, str]:
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": HOME,
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "USER": "sandbox",
        "LOGNAME": "sandbox",
        "PWD": job.root,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
    }


def _etc(uid: int) -> dict[str, str]:
    user = f"sandbox:x:{uid}:{uid}:sandbox:{HOME}:/bin/sh\n"
    return {
        "/etc/passwd": "root:x:0:0:root:/root:/bin/sh\n" + user,
        "/etc/group": f"root:x:0:\nsandbox:x:{uid}:\n",
        "/etc/hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
        "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }


def _system(path: str) -> Sequence[str]:
    if not os.path.lexists(path):
        return ()
    if os.path.islink(path):
        return ("--symlink", os.readlink(path), path)
    return ("--ro-bind", path, path)


def _parents(path: str, made: set[str]) -> list[str]:
    """Folders above a mount point, open to read: bubblewrap would make them for root alone."""
    options = []
    for parent in reversed(Path(path).parents):
        name = str(parent)
        if name != "/" and name not in made:
            made.add(name)
            options += ["--perms", "0755", "--dir", name]
    return options


def _sealed(name: str, content: bytes, held: list[int]) -> int:
    """A memory file nobody can change any more, ready to be read from its start; the caller closes what it holds."""
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    held.append(descriptor)
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    return descriptor
