"""The versions of a module that is replaced while an application runs it.

whet writes one manifest per module (`whet.store.versions`) and applications follow it (`whet.runtime`); neither
imports the other.

    <state>/registry/sources/<sha256>.py    the source of each version, named by its digest, never changed
    <state>/registry/modules/<module>.json  the manifest, replaced by a rename
    <state>/registry/reports/<process>.json the versions that one process runs, written by that process
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any

from whet.errors import Corrupt

FOLDER, SOURCES, MODULES, REPORTS = "registry", "sources", "modules", "reports"
FORMAT = 1

CURRENT, CONTROL, CANDIDATE, FALLBACK, NESTED = "current", "control", "candidate", "fallback", "nested"
"""The arms under which executions are captured. During a trial the old version's calls are `control`. Two kinds of calls
count for neither side: `fallback`, which the old version answered because the candidate had failed, and `nested`, which a
tool made while it answered a call of the trial; such calls run on the version of the outer call and were not drawn."""

UNITS = 100
"""The number of groups that routing keys are divided into. A group is drawn for one version as a whole, so the trial's
statistics count groups; fewer keys than groups are nearly all alone in theirs."""

_UNIT = "#"

_DIGEST = re.compile(r"[0-9a-f]{64}")
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")

STALE_SECONDS = 120.0
"""A report that was not updated for this long belongs to a process that has ended, on whatever machine it ran."""


class Mode(StrEnum):
    """The kind of a trial."""

    CANARY = "canary"  # the candidate gets a share of the calls; the old version repeats a failed call if that is safe
    AB = "ab"  # the calls are divided; a failed call is not repeated
    SHADOW = "shadow"  # the old version answers every call; the candidate gets the captured inputs in the sandbox


@dataclass(frozen=True, kw_only=True)
class Published:
    """A version that was made current at `at` (UTC, ISO format). `deployment` is empty for the version that was in the
    repository before the first deployment."""

    digest: str
    at: str
    why: str
    deployment: str = ""

    @property
    def short(self) -> str:
        """Return the short digest that executions are captured with."""
        return self.digest[:16]


@dataclass(frozen=True, kw_only=True)
class Split:
    """The rule that decides which calls a candidate gets.

    A tool without a routing key has each call drawn by itself. For a tool with a key, the hash of `salt` and the key's
    value decides. `keys` names the argument that is the key, by tool; it takes precedence over the key that the tool
    declares. A new salt makes a new random choice. After `until` (seconds since 1970; 0 means no end) the candidate gets
    no calls, in case the process that started the trial died.
    """

    mode: Mode
    share: float
    salt: str
    keys: Mapping[str, str] = field(default_factory=dict)
    until: float = 0.0

    @property
    def share_of_units(self) -> float:
        return share_of_units(self.share)


@dataclass(frozen=True, kw_only=True)
class Rollout:
    """A candidate that runs beside the current version."""

    digest: str
    split: Split
    at: str
    why: str
    deployment: str = ""


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """The versions of one module.

    `path` is the module's file in the repository; `previous` is oldest first. `trial_ended` is the end of the last
    trial: its control calls are captured under the same arm as those of the next trial.
    """

    module: str
    path: str
    current: Published
    previous: tuple[Published, ...] = ()
    candidate: Rollout | None = None
    trial_ended: str = ""

    def knows(self, short: str) -> bool:
        """True if the version with this short digest is or was current."""
        return any(version.short == short for version in (self.current, *self.previous))


def share_of_units(share: float) -> float:
    """Return the candidate's share of the groups of keys: a whole number of groups, at least one."""
    return max(1, round(share * UNITS)) / UNITS if share else 0.0


def arm_of_unit(arm: str, unit: int) -> str:
    """Return the arm under which the calls of one group of routing keys are captured."""
    return f"{arm}{_UNIT}{unit}"


def arm_and_unit(captured: str) -> tuple[str, str]:
    """Return the arm of a captured call and its group of routing keys; the group is empty if the call was drawn by itself."""
    arm, _, unit = captured.partition(_UNIT)
    return arm, unit


def digest_of(source: bytes) -> str:
    return sha256(source).hexdigest()


def report_name(pid: int, process: str) -> str:
    """Return the file name of a process's report. The pid alone is not unique: containers may share a state folder."""
    return f"{pid}-{sha256(process.encode()).hexdigest()[:8]}.json"


def is_module(name: str) -> bool:
    """True if `name` is a valid dotted module name, and therefore safe as a file name in the registry."""
    return _MODULE.fullmatch(name) is not None


def write_manifest(manifest: Manifest) -> bytes:
    return json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1).encode()


def read_manifest(data: bytes) -> Manifest:
    """Parse a manifest. Raise Corrupt for anything unexpected: applications run code on the word of this file alone."""
    try:
        fields = json.loads(data)
        if fields.pop("format") != FORMAT:
            raise Corrupt("the manifest has another format than this whet reads")
        candidate = fields.pop("candidate")
        return Manifest(
            module=_matching(_MODULE, fields.pop("module")),
            path=_text(fields.pop("path")),
            current=_published(fields.pop("current")),
            previous=tuple(map(_published, fields.pop("previous"))),
            candidate=None if candidate is None else _rollout(candidate),
            trial_ended=_text(fields.pop("trial_ended", "")),
            **fields,
        )
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        raise Corrupt(f"a manifest of the registry cannot be read: {problem!r}") from problem


def _published(fields: dict[str, Any]) -> Published:
    return Published(digest=_matching(_DIGEST, fields.pop("digest")), **_texts(fields))


def _rollout(fields: dict[str, Any]) -> Rollout:
    digest, split = _matching(_DIGEST, fields.pop("digest")), _split(fields.pop("split"))
    return Rollout(digest=digest, split=split, **_texts(fields))


def _split(fields: dict[str, Any]) -> Split:
    mode, share, until = Mode(fields.pop("mode")), fields.pop("share"), fields.pop("until")
    keys = _texts(dict(fields.pop("keys", {})))
    fields.pop("key", None)  # written before tools had keys of their own; it was always empty
    if type(share) not in (int, float) or not 0 <= share <= 1:
        raise ValueError(f"{share!r} is not a share")
    if type(until) not in (int, float) or not until >= 0:
        raise ValueError(f"{until!r} is not a time")
    return Split(mode=mode, share=float(share), keys=keys, until=float(until), **_texts(fields))


def _texts(fields: dict[str, Any]) -> dict[str, str]:
    return {name: _text(value) for name, value in fields.items()}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not text")
    return value


def _matching(pattern: re.Pattern[str], value: object) -> str:
    if pattern.fullmatch(_text(value)) is None:
        raise ValueError(f"{value!r} has the wrong form")
    return _text(value)
