"""The descriptors that bubblewrap inherits from whet: sealed files in memory, and pipes."""

import contextlib
import fcntl
import os

from whet.sandbox import seccomp
from whet.sandbox.mounts import etc
from whet.sandbox.sandbox import Job

_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


class InheritedFiles:
    """The descriptors that bubblewrap inherits: files in memory (tree, seccomp filter, /etc) and two pipes.

    The files are filled while bubblewrap starts, before it gets the options that name them.
    """

    def __init__(self, job: Job, uid: int, until: contextlib.ExitStack) -> None:
        self._job = job
        self._etc = etc(uid)
        has_files = any(job.tree[:512])  # an empty tar begins with a block of zeros
        self.tree = _memory("tree", until) if has_files else None
        self.rules = None if seccomp.program() is None else _memory("seccomp", until)
        self.files = {path: _memory("etc", until) for path in self._etc}
        self.results = self.status = -1

    def descriptors(self) -> list[int]:
        descriptors = (self.tree, self.rules, self.results, self.status, *self.files.values())
        return [descriptor for descriptor in descriptors if descriptor is not None]

    def fill(self, *, memory_is_counted: bool) -> None:
        """Write and seal the files; `memory_is_counted` is True if a control group counts memory."""
        rules = seccomp.program(memory_is_counted=memory_is_counted)
        if self.rules is not None and rules is not None:
            _seal(self.rules, rules)
        for path, descriptor in self.files.items():
            _seal(descriptor, self._etc[path])
        if self.tree is not None:
            _seal(self.tree, self._job.tree)


def _memory(name: str, until: contextlib.ExitStack) -> int:
    """Return the descriptor of a new, empty file in memory."""
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    until.callback(os.close, descriptor)
    return descriptor


def _seal(descriptor: int, content: bytes) -> None:
    """Write the content, go back to the start, and forbid any further change."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
