"""Write the registry of module versions: add, publish, try and end trials.

Every change replaces a manifest by a rename, so a reader sees the old or the new manifest and never a part of one. A
source is on disk before a manifest names it. Every operation may be repeated after a crash.
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
    """The reason for a change of version, recorded in the manifest."""

    why: str
    deployment: str
    at: datetime

    @property
    def fields(self) -> dict[str, str]:
        """Return the fields that `Published` and `Rollout` share."""
        return {"why": self.why, "deployment": self.deployment, "at": self.at.isoformat()}


@dataclass(frozen=True)
class RunningProcess:
    """The report of one application process: for each module its version, its candidate, and refused versions with
    reasons."""

    process: ProcessIdentity
    modules: dict[str, Any]


class Versions:
    """The registry in one state folder."""

    def __init__(self, state: Path) -> None:
        self._root = state / FOLDER

    def manifest(self, module: str) -> Manifest | None:
        """Return the manifest of a module; None if it has none."""
        try:
            return read_manifest(self._manifest_path(module).read_bytes())
        except FileNotFoundError:
            return None

    def modules(self) -> list[str]:
        """Return the names of all modules that have a manifest."""
        return sorted(path.stem for path in (self._root / MODULES).glob("*.json"))

    def source(self, digest: str) -> bytes:
        """Return the source of a version. Raise Corrupt if it does not match its digest."""
        data = (self._root / SOURCES / f"{digest}.py").read_bytes()
        if digest_of(data) != digest:
            raise Corrupt(f"the source {digest[:16]} in the registry was changed: it does not match its digest")
        return data

    def add(self, source: bytes) -> str:
        """Store a source and return its digest. A damaged file with that name is replaced."""
        digest = digest_of(source)
        path = self._root / SOURCES / f"{digest}.py"
        if not path.exists() or path.read_bytes() != source:
            _replace(path, source)
        return digest

    def publish(self, module: str, path: str, before: bytes, after: bytes, cause: Cause) -> Manifest:
        """Make `after` the current version and end a running trial.

        `before` is the source in the repository. At the first publication it becomes the oldest version, so that there
        is a version to roll back to.
        """
        with self._lock():
            self.remove_stale_reports()
            manifest = self.manifest(module) or self._first(module, path, before, cause)
            return self._make_current(replace(manifest, path=path), self.add(after), cause)

    def start_trial(self, module: str, path: str, before: bytes, after: bytes, split: Split, cause: Cause) -> Manifest:
        """Make `after` the candidate beside the current version, which does not change."""
        with self._lock():
            self.remove_stale_reports()
            manifest = self.manifest(module) or self._first(module, path, before, cause)
            candidate = Rollout(digest=self.add(after), split=split, **cause.fields)
            return self._write(replace(manifest, candidate=candidate))

    def end_trial(self, module: str, deployment: str) -> Manifest | None:
        """End the trial of this deployment. The trial of another deployment continues."""
        with self._lock():
            manifest = self.manifest(module)
            if manifest is None or manifest.candidate is None or manifest.candidate.deployment != deployment:
                return manifest
            return self._write(_without_trial(manifest))

    def running(self) -> list[RunningProcess]:
        """Return the reports of processes that still run. Unreadable reports are skipped."""
        reports = []
        for path in self._report_paths():
            report = _read_report(path)
            if report is not None and not _is_stale(path, report):
                reports.append(report)
        return reports

    def remove_stale_reports(self) -> None:
        """Delete unreadable reports and those of ended processes, so that their refusals do not count for new versions."""
        for path in self._report_paths():
            report = _read_report(path)
            if report is None or _is_stale(path, report):
                path.unlink(missing_ok=True)

    def _report_paths(self) -> list[Path]:
        return sorted((self._root / REPORTS).glob("*.json"))

    def _make_current(self, manifest: Manifest, digest: str, cause: Cause) -> Manifest:
        if manifest.current.digest == digest and manifest.candidate is None:
            return manifest
        if manifest.current.digest != digest:
            published = Published(digest=digest, **cause.fields)
            manifest = replace(manifest, current=published, previous=(*manifest.previous, manifest.current))
        return self._write(_without_trial(manifest))

    def _first(self, module: str, path: str, before: bytes, cause: Cause) -> Manifest:
        base = Published(digest=self.add(before), at=cause.at.isoformat(), why="was in the repository")
        return Manifest(module=module, path=path, current=base)

    def _write(self, manifest: Manifest) -> Manifest:
        _replace(self._manifest_path(manifest.module), write_manifest(manifest))
        return manifest

    def _manifest_path(self, module: str) -> Path:
        if not is_module(module):
            raise UsageError(f"{module!r} is not a module name")
        return self._root / MODULES / f"{module}.json"

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Hold the registry's file lock, and remove temporary files that a crashed writer left."""
        self._root.mkdir(parents=True, exist_ok=True)
        with (self._root / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for folder in (MODULES, SOURCES):
                for abandoned in (self._root / folder).glob(f"*{_UNFINISHED}"):
                    abandoned.unlink()
            yield


def _without_trial(manifest: Manifest) -> Manifest:
    if manifest.candidate is None:
        return manifest
    return replace(manifest, candidate=None, trial_ended=now().isoformat())


def _read_report(path: Path) -> RunningProcess | None:
    try:
        fields = json.loads(path.read_bytes())
        process = parse(fields["process"])
        return None if process is None else RunningProcess(process, dict(fields["modules"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _is_stale(path: Path, report: RunningProcess) -> bool:
    """True if the process has visibly ended, or has not updated its report for `STALE_SECONDS`."""
    try:
        age_seconds = time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return True
    return age_seconds > STALE_SECONDS or report.process.is_gone(this_process())


def _replace(path: Path, data: bytes) -> None:
    """Write `data` to `path` atomically and flush the file and its folder to disk."""
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
