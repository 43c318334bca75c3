"""Write the registry of module versions: add, publish, try and end trials.

Every change replaces a manifest by a rename, so a reader sees the old or the new manifest and never a part of one. A
source is on disk before a manifest names it. Every operation may be repeated after a crash.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from whet import state_folder
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
from whet.errors import Corrupt, StateUnusable, UsageError
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
        self._state = state

    def manifest(self, module: str) -> Manifest | None:
        """Return the manifest of a module; None if it has none."""
        try:
            return read_manifest(state_folder.read(self._state, _manifest_name(module)))
        except FileNotFoundError:
            return None

    def modules(self) -> list[str]:
        """Return the names of all modules that have a manifest."""
        names = state_folder.names(self._state, f"{FOLDER}/{MODULES}")
        return [name.removesuffix(".json") for name in names if name.endswith(".json")]

    def source(self, digest: str) -> bytes:
        """Return the source of a version. Raise Corrupt if it does not match its digest."""
        data = state_folder.read(self._state, f"{FOLDER}/{SOURCES}/{digest}.py")
        if digest_of(data) != digest:
            raise Corrupt(f"the source {digest[:16]} in the registry was changed: it does not match its digest")
        return data

    def add(self, source: bytes) -> str:
        """Store a source and return its digest. A damaged file with that name is replaced."""
        digest = digest_of(source)
        if self._stored(digest) != source:
            state_folder.replace(self._state, f"{FOLDER}/{SOURCES}/{digest}.py", source, flush_folder=True)
        return digest

    def _stored(self, digest: str) -> bytes | None:
        try:
            return state_folder.read(self._state, f"{FOLDER}/{SOURCES}/{digest}.py")
        except FileNotFoundError:
            return None

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

    def end_trials(self, deployment: str) -> None:
        """End the trial of this deployment in every module."""
        for module in self.modules():
            self.end_trial(module, deployment)

    def running(self) -> list[RunningProcess]:
        """Return the reports of processes that still run. Unreadable reports are skipped."""
        reports = []
        for name in self._report_names():
            report = self._read_report(name)
            if report is not None and not self._is_stale(name, report):
                reports.append(report)
        return reports

    def remove_stale_reports(self) -> None:
        """Delete unreadable reports and those of ended processes, so that their refusals do not count for new versions."""
        for name in self._report_names():
            report = self._read_report(name)
            if report is None or self._is_stale(name, report):
                self._remove(name)

    def _report_names(self) -> list[str]:
        names = state_folder.names(self._state, f"{FOLDER}/{REPORTS}")
        return [f"{FOLDER}/{REPORTS}/{name}" for name in names if name.endswith(".json")]

    def _remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            state_folder.remove(self._state, name)

    def _read_report(self, name: str) -> RunningProcess | None:
        try:
            fields = json.loads(state_folder.read(self._state, name))
            process = parse(fields["process"])
            return None if process is None else RunningProcess(process, dict(fields["modules"]))
        except (OSError, StateUnusable, ValueError, TypeError, KeyError, AttributeError):
            return None

    def _is_stale(self, name: str, report: RunningProcess) -> bool:
        """True if the process has visibly ended, or has not updated its report for `STALE_SECONDS`."""
        try:
            age_seconds = time.time() - state_folder.status(self._state, name).st_mtime
        except FileNotFoundError:
            return True
        return age_seconds > STALE_SECONDS or report.process.is_gone(this_process())

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
        state_folder.replace(self._state, _manifest_name(manifest.module), write_manifest(manifest), flush_folder=True)
        return manifest

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Hold the registry's file lock, and remove temporary files that a crashed writer left."""
        state_folder.make_folder(self._state)
        with state_folder.locked(self._state, f"{FOLDER}/lock"):
            for folder in (f"{FOLDER}/{MODULES}", f"{FOLDER}/{SOURCES}"):
                for name in state_folder.names(self._state, folder):
                    if name.endswith(_UNFINISHED):
                        self._remove(f"{folder}/{name}")
            yield


def _without_trial(manifest: Manifest) -> Manifest:
    if manifest.candidate is None:
        return manifest
    return replace(manifest, candidate=None, trial_ended=now().isoformat())


def _manifest_name(module: str) -> str:
    if not is_module(module):
        raise UsageError(f"{module!r} is not a module name")
    return f"{FOLDER}/{MODULES}/{module}.json"
