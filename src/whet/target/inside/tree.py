"""Restore the project's files and the temporary folder after every candidate.

inotify reports every file that is created, changed or removed. The files are only scanned if it reports an event, so a
candidate that touches no file costs nothing, however many files there are.
Loaded by its path in the target's interpreter (3.9 or later, Linux); standard library only.
"""

import ctypes
import os
import select
import shutil
import stat

KEPT_BYTES = 64 * 1024 * 1024
# inotify events: modified, attributes changed, closed after writing (the only event of a change through a memory map),
# moved out or in, created, removed, itself removed or moved.
EVENTS = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800
DO_NOT_FOLLOW = 0x02000000
CLOSE_ON_EXEC, NON_BLOCKING = 0o2000000, 0o4000


class Workspace:
    """The project tree and the temporary folder. All processes of a candidate must have ended before `restore`."""

    def __init__(self, root, temporary):
        self.temporary = temporary
        self.tree = Tree(root)
        self.watch = FileWatch()
        self.watch.begin(self._watched())
        self.written = []

    def write(self, path, source, second):
        self.tree.write(path, source, second)
        if path in self.tree.stamps:
            self.written.append(path)
            self.watch.clear()

    def restore(self):
        """Undo every change; false if a file too large to be kept in memory was changed."""
        written, self.written = self.written, []
        if self.watch.has_events():
            shutil.rmtree(self.temporary, ignore_errors=True)
            os.makedirs(self.temporary, exist_ok=True)
            restored = self.tree.restore()
            self.watch.begin(self._watched())
            return restored
        restored = all(self.tree.undo(path) for path in written)
        self.watch.add(written)
        self.watch.clear()
        return restored

    def _watched(self):
        # Files are watched as well as folders: a write through another hard link is no event of the folder.
        return [self.tree.root, self.temporary, *self.tree.stamps]


class FileWatch:
    """An inotify queue. If a path cannot be watched, `has_events` is always true."""

    def __init__(self):
        self.libc = ctypes.CDLL(None)
        self.queue = self.libc.inotify_init1(CLOSE_ON_EXEC | NON_BLOCKING)

    def begin(self, paths):
        self.complete = self.queue >= 0
        self.add(paths)
        self.clear()

    def add(self, paths):
        self.complete = self.complete and all(self._add(path) for path in paths)

    def has_events(self):
        return not self.complete or bool(select.select([self.queue], [], [], 0)[0])

    def clear(self):
        while self.complete and self.has_events():
            os.read(self.queue, 1 << 16)

    def close(self):
        """Close the queue, in a fork: a candidate could read its own events and so remove them."""
        if self.queue >= 0:
            os.close(self.queue)

    def _add(self, path):
        return self.libc.inotify_add_watch(self.queue, os.fsencode(path), EVENTS | DO_NOT_FOLLOW) >= 0


class Tree:
    """A snapshot of the project's files: a stamp of every path, and contents up to KEPT_BYTES in all."""

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
        """Return mode, size, inode and times of every path; a candidate cannot forge the change time (ctime)."""
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
        """Compare all files with the snapshot and undo every difference; false if a content was not kept."""
        now = self.scan()
        for path in sorted(now.keys() - self.stamps.keys(), reverse=True):
            _remove(path, now[path][0])
        changed = [path for path, stamp in self.stamps.items() if now.get(path) != stamp]
        restored = [self._put_back(path, now.get(path)) for path in sorted(changed)]
        return all(restored)

    def undo(self, path):
        """Restore one path that `write` replaced, without scanning the tree."""
        return self._put_back(path, self.stamps[path])

    def write(self, path, source, second):
        """Write a candidate's file, dated in a second of its own so that no compiled file can match it."""
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
