"""The writing side of the registry: versions are added, made current, tried and taken back, each by one rename.

Whoever reads finds the manifest from before or from after, never half of one, and the source that it names was on disk
before it was named. Every step can be done again: it finds what it already did.
"""

import fcntl
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from whet.domain.clock import now
from whet.domain.version import (
    FOLDER,
    MODULES,
    REPORTS,
    SOURCES,
    STALE_SECONDS,
    Manifest,
    Published,
    Rollout,
    Split,
    digest_of,
    is_module,
    read_manifest,
    write_manifest,
)
from whet.errors import Corrupt, UsageError
from whet.store.process_identity import ProcessIdentity, parse, this_process

_UNFINISHED = ".new"


@dataclass(frozen=True, kw_only=True)
class Cause:
    """Why a version changes: a sentence, the deployment, and when."""

    why: str
    deployment: str
    at: datetime

    @property
    def fields(self) -> dict[str, str]:
        return {"why": self.why, "deployment": self.deployment, "at": self.at.isoformat()}


@dataclass(frozen=True)
class ProcessReport:
    """What one process said it runs: for each module its version, its candidate, and what it refused and why."""

    process: ProcessIdentity
    modules: dict[str, Any]


class Versions:
    def __init__(self, state: Path) -> None:
        self._root = state / FOLDER

    def manifest(self, module: str) -> Manifest | None:
        try:
            return read_manifest(self._manifest_path(module).read_bytes())
        except FileNotFoundError:
            return None

    def modules(self) -> list[str]:
        return sorted(path.stem for path in (self._root / MODULES).glob("*.json"))

    def source(self, digest: str) -> bytes:
        data = (self._root / SOURCES / f"{digest}.py").read_bytes()
        if digest_of(data) != digest:
            raise Corrupt(f"the source {digest[:16]} in the registry is not what was put there")
        return data

    def add(self, source: bytes) -> str:
        """Stores a source and returns its digest; one that is there and was damaged is replaced."""
        digest = digest_of(source)
        path = self._root / SOURCES / f"{digest}.py"
        if not path.exists() or path.read_bytes() != source:
            _replace(path, source)
        return digest

    def publish(self, module: str, path: str, before: bytes, after: bytes, cause: Cause) -> Manifest:
        """Makes `after` current. `before` is what the repository has: with the first publication it becomes the oldest
        version, so that there is something to go back to. A trial that was running ends."""
        with self._lock():
            self.forget_the_dead()
            known = self.manifest(module) or self._first(module, path, before, cause)
            return self._make_current(replace(known, path=path), self.add(after), cause)

    def start_trial(self, module: str, path: str, before: bytes, after: bytes, split: Split, cause: Cause) -> Manifest:
        """Puts `after` beside the current version, which stays what it is."""
        with self._lock():
            self.forget_the_dead()
            known = self.manifest(module) or self._first(module, path, before, cause)
            return self._write(replace(known, candidate=Rollout(digest=self.add(after), split=split, **cause.fields)))

    def end_trial(self, module: str, deployment: str) -> Manifest | None:
        """Ends the trial of this deployment; one that another has begun since goes on."""
        with self._lock():
            known = self.manifest(module)
            if known is None or known.candidate is None or known.candidate.deployment != deployment:
                return known
            return self._write(_without_trial(known))

    def running(self) -> list[ProcessReport]:
        """What the processes that are still there say. A report that cannot be read is left out: it is theirs, not ours."""
        return [report for path in self._reports() if (report := _report(path)) and not _is_over(path, report)]

    def forget_the_dead(self) -> None:
        """Removes the reports of processes that ended without removing their own: what they died of is judged anew."""
        for path in self._reports():
            report = _report(path)
            if report is None or _is_over(path, report):
                path.unlink(missing_ok=True)

    def _reports(self) -> list[Path]:
        return sorted((self._root / REPORTS).glob("*.json"))

    def _make_current(self, known: Manifest, digest: str, cause: Cause) -> Manifest:
        if known.current.digest == digest and known.candidate is None:
            return known
        if known.current.digest != digest:
            published = Published(digest=digest, **cause.fields)
            known = replace(known, current=published, previous=(*known.previous, known.current))
        return self._write(_without_trial(known))

    def _first(self, module: str, path: str, before: bytes, cause: Cause) -> Manifest:
        base = Published(digest=self.add(before), at=cause.at.isoformat(), why="was in the repository")
        return Manifest(module=module, path=path, current=base)

    def _write(self, manifest: Manifest) -> Manifest:
        _replace(self._manifest_path(manifest.module), write_manifest(manifest))
        return manifest

    def _manifest_path(self, module: str) -> Path:
        if not is_module(module):
            raise UsageError(f"{module!r} is no name of a module")
        return self._root / MODULES / f"{module}.json"

    @contextmanager
    def _lock(self) -> Iterator[None]:
        self._root.mkdir(parents=True, exist_ok=True)
        with (self._root / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for folder in (MODULES, SOURCES):
                for abandoned in (self._root / folder).glob(f"*{_UNFINISHED}"):
                    abandoned.unlink()
            yield


def _without_trial(known: Manifest) -> Manifest:
    return replace(known, candidate=None, trial_ended=now().isoformat()) if known.candidate else known


def _report(path: Path) -> ProcessReport | None:
    try:
        fields = json.loads(path.read_bytes())
        process = parse(fields["process"])
        return None if process is None else ProcessReport(process, dict(fields["modules"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _is_over(path: Path, report: ProcessReport) -> bool:
    """Of a process that has ended as far as can be seen from here, or that has said nothing for long."""
    try:
        silent_seconds = time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return True
    return silent_seconds > STALE_SECONDS or report.process.is_gone(this_process())


def _replace(path: Path, data: bytes) -> None:
    """All of it under that name, on disk, or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=_UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
