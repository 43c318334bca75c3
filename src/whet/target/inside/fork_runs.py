"""Run several requests of run_pytest.py in one sandbox, each in a process forked after pytest was imported.

Importing pytest takes longer than a few tests do. No module of the project is loaded before a fork. Every request has
files of its own, which replace those of the tree. After each fork all its processes are killed, and the tree and the
folders for temporary files are restored. If they cannot be restored, the exit code is 3.
Loaded by its path in the target's interpreter (3.9 or later, Linux); standard library only.
"""

import base64
import ctypes
import importlib.util
import os
import shutil
import stat
import time

PR_SET_CHILD_SUBREAPER = 36
CANNOT_RESTORE = 3
TEMPORARY = ("/tmp", "/dev/shm")


def load(name):
    """Load a module that lies beside this script, without entering it in sys.modules."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("whet_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fork_each(result, runs, timeout_seconds):
    """Return (descriptor, request) in the fork of each run; the parent reports every fork and exits.

    A fork writes its events to `descriptor`, a pipe to the parent. The parent writes one JSON line per run to `result`:

        {"run": 0, "lines": ["{...}", ...], "code": 1, "seconds": 0.05}

    `code` is the exit code of the fork, and null for one that was killed or ran longer than `timeout_seconds`.
    """
    forks, tree = load("forks"), load("tree")
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    root = os.getcwd()
    snapshot, temporary = tree.Tree(root), TemporaryFiles(root)
    for number, run in enumerate(runs):
        started = time.monotonic()
        for path, content in run["files"].items():
            _replace(os.path.join(root, path), content)
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.setsid()
            os.close(reader)
            os.close(result)
            return writer, run["request"]
        os.close(writer)
        lines, code = forks.lines_of(reader, pid, timeout_seconds)
        seconds = round(time.monotonic() - started, 4)
        forks.send(result, {"run": number, "lines": lines, "code": code, "seconds": seconds})
        if not (snapshot.restore() and temporary.restore()):
            os._exit(CANNOT_RESTORE)
    os._exit(0)


def _replace(path, content):
    """Write a file with this content, in base64; None removes the file."""
    if os.path.lexists(path):
        os.unlink(path)
    if content is not None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(content))


class TemporaryFiles:
    """The paths below the folders for temporary files, without the project, which may lie there."""

    def __init__(self, root):
        self.root = root
        self.before = self._paths()

    def restore(self):
        """Remove every path that was not there before; false if one cannot be removed."""
        for path in sorted(self._paths() - self.before):
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            elif os.path.lexists(path):
                os.unlink(path)
        return self._paths() == self.before

    def _paths(self):
        paths = set()
        folders = [folder for folder in TEMPORARY if os.path.isdir(folder)]
        while folders:
            try:
                entries = list(os.scandir(folders.pop()))
            except PermissionError:
                continue  # the sandbox itself is the only one who can close a folder to its own user
            for entry in entries:
                if entry.path == self.root:
                    continue
                paths.add(entry.path)
                if stat.S_ISDIR(entry.stat(follow_symlinks=False).st_mode):
                    folders.append(entry.path)
        return paths
