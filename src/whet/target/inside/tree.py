"""The project's files and the temporary folder, put back after every candidate. Stands alone: loaded by its path.

A candidate that touches no file costs nothing here, however many files there are: the kernel is asked to tell of every
file that is made, changed or removed, and only if it tells of one are the files looked through.
"""

import ctypes
import os
import select
import shutil
import stat

KEPT_BYTES = 64 * 1024 * 1024
# Modified, attributes, closed after writing (a file that is mapped into memory is changed without any other event),
# moved out or in, made, removed, itself removed or moved.
EVENTS = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
DO_NOT_FOLLOW = 0x02000000
CLOSE_ON_EXEC, NON_BLOCKING = 0o2000000, 0o4000


class Ground:
    """What a candidate may write to. Nothing of a candidate may run any more when it is restored."""

    def __init__(self, root, scratch):
        self.scratch = scratch
        self.tree = Tree(root)
        self.watch = Watch()
        self.watch.begin(self._watched())
        self.written = []

    def write(self, path, source, second):
        self.tree.write(path, source, second)
        if path in self.tree.stamps:
            self.written.append(path)
            self.watch.forget()

    def restore(self):
        """True when everything is as it was; false when a file too large to be kept was changed."""
        written, self.written = self.written, []
        if self.watch.stirred():
            shutil.rmtree(self.scratch, ignore_errors=True)
            os.makedirs(self.scratch, exist_ok=True)
            restored = self.tree.restore()
            self.watch.begin(self._watched())
            return restored
        restored = all(self.tree.undo(path) for path in written)
        self.watch.add(written)
        self.watch.forget()
        return restored

    def _watched(self):
        """The files one by one, too: a folder does not tell of what is written by another name of a file."""
        return [self.tree.root, self.scratch, *self.tree.stamps]


class Watch:
    """Whether any of some paths was touched since the last look; always so where the kernel cannot tell."""

    def __init__(self):
        self.libc = ctypes.CDLL(None)
        self.queue = self.libc.inotify_init1(CLOSE_ON_EXEC | NON_BLOCKING)

    def begin(self, paths):
        self.complete = self.queue >= 0
        self.add(paths)
        self.forget()

    def add(self, paths):
        self.complete = self.complete and all(self._add(path) for path in paths)

    def stirred(self):
        return not self.complete or bool(select.select([self.queue], [], [], 0)[0])

    def forget(self):
        while self.complete and self.stirred():
            os.read(self.queue, 1 << 16)

    def close(self):
        """In a fork: a candidate must not be able to read away what it did."""
        if self.queue >= 0:
            os.close(self.queue)

    def _add(self, path):
        return self.libc.inotify_add_watch(self.queue, os.fsencode(path), EVENTS | DO_NOT_FOLLOW) >= 0


class Tree:
    """The project's files as they were at the start, to be put back after every candidate."""

    def __init__(self, root):
        self.root = root
        self.kept = {}
        self.stamps = self.scan()
        room = KEPT_BYTES
        for path, stamp in self.stamps.items():
            if stat.S_ISREG(stamp[0]) and stamp[1] <= room:
                with open(path, "rb") as file:
                    self.kept[path] = file.read()
                room -= stamp[1]
            elif stat.S_ISLNK(stamp[0]):
                self.kept[path] = os.readlink(path)

    def scan(self):
        """Mode, size, inode and change time of every path: a candidate cannot forge the change time."""
        stamps = {}
        folders = [self.root]
        while folders:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    info = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(info.st_mode):
                        stamps[entry.path] = (info.st_mode, 0, 0, 0, 0)
                        folders.append(entry.path)
                    else:
                        stamps[entry.path] = _stamp(info)
        return stamps

    def restore(self):
        """True when the tree is as it was; false when a file too large to be kept was changed."""
        now = self.scan()
        for path in sorted(now.keys() - self.stamps.keys(), reverse=True):
            _remove(path, now[path][0])
        changed = [path for path, stamp in self.stamps.items() if now.get(path) != stamp]
        done = [self._put_back(path, now.get(path)) for path in sorted(changed)]
        return all(done)

    def undo(self, path):
        """After a candidate's file was written, and nothing else."""
        return self._put_back(path, self.stamps[path])

    def write(self, path, source, second):
        """A candidate's file, dated in a second of its own so that no compiled file can match it."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(source)
        os.utime(path, (second, second))

    def _put_back(self, path, now):
        mode, _, _, changed, _ = self.stamps[path]
        if stat.S_ISDIR(mode):
            if now is not None and not stat.S_ISDIR(now[0]):
                _remove(path, now[0])
            os.makedirs(path, exist_ok=True)
            os.chmod(path, stat.S_IMODE(mode))
            return True
        if path not in self.kept:
            return False
        if now is not None:
            _remove(path, now[0])
        if stat.S_ISLNK(mode):
            os.symlink(self.kept[path], path)
        else:
            with open(path, "wb") as file:
                file.write(self.kept[path])
            os.chmod(path, stat.S_IMODE(mode))
            os.utime(path, ns=(changed, changed))
        self.stamps[path] = _stamp(os.lstat(path))
        return True


def _stamp(info):
    return (info.st_mode, info.st_size, info.st_ino, info.st_mtime_ns, info.st_ctime_ns)


def _remove(path, mode):
    if stat.S_ISDIR(mode):
        shutil.rmtree(path, ignore_errors=True)
    else:
        os.unlink(path)
