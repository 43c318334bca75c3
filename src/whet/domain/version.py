"""The versions of a module that whet replaces while it is in use: one manifest per module, shared by whet, which writes
it (`whet.store.versions`), and by the applications that follow it (`whet.runtime`). Neither imports the other.

    <state>/registry/sources/<sha256>.py    every version's source, under its own digest, never changed
    <state>/registry/modules/<module>.json  the manifest, replaced by a rename
    <state>/registry/reports/<process>.json what one process runs, written by that process
"""

import json
import re
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from whet.errors import Corrupt

FOLDER, SOURCES, MODULES, REPORTS = "registry", "sources", "modules", "reports"
FORMAT = 1

CURRENT, CONTROL, CANDIDATE, FALLBACK = "current", "control", "candidate", "fallback"
"""The arms that executions are recorded under. While a trial runs, the old version's calls are `control`; a call that it
answered because the candidate had failed is `fallback` and belongs to neither side."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")

STALE_SECONDS = 120.0
"""A report that was not touched for so long is of a process that is no more, wherever it was."""


class Mode(StrEnum):
    """`canary`: a share of the calls, the old version answering where it fails and may be repeated. `ab`: a split, nothing
    in between. `shadow`: the caller always gets the old answer; the recorded inputs are run elsewhere."""

    CANARY = "canary"
    AB = "ab"
    SHADOW = "shadow"


@dataclass(frozen=True, kw_only=True)
class Published:
    """One version that was made current: since when (UTC), why, and by which deployment; empty for the one that was in
    the repository before the first."""

    digest: str
    at: str
    why: str
    deployment: str = ""

    @property
    def short(self) -> str:
        """How executions name it."""
        return self.digest[:16]


@dataclass(frozen=True, kw_only=True)
class Split:
    """Which calls a candidate gets: those for which the hash of `salt` and key falls into `share`. `key` names an argument,
    empty means all of them. A new salt draws anew. After `until` (seconds since 1970, 0 is never) it gets none: whoever
    started the trial may be gone, and nobody would be looking."""

    mode: Mode
    share: float
    salt: str
    key: str = ""
    until: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Rollout:
    """A candidate beside the current version."""

    digest: str
    split: Split
    at: str
    why: str
    deployment: str = ""


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """`path` is the module's file in the repository; `previous` is oldest first. `trial_ended` is when the last trial
    did: the old version's calls in it are on record under the same arm as those of the next."""

    module: str
    path: str
    current: Published
    previous: tuple[Published, ...] = ()
    candidate: Rollout | None = None
    trial_ended: str = ""

    def knows(self, short: str) -> bool:
        return any(one.short == short for one in (self.current, *self.previous))


def digest_of(source: bytes) -> str:
    return sha256(source).hexdigest()


def report_name(pid: int, process: str) -> str:
    """In containers that share a state folder every process has the same number."""
    return f"{pid}-{sha256(process.encode()).hexdigest()[:8]}.json"


def is_module(name: str) -> bool:
    """Whether it can be a module's name, and so a file's in the registry."""
    return _MODULE.fullmatch(name) is not None


def write_manifest(manifest: Manifest) -> bytes:
    return json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1).encode()


def read_manifest(data: bytes) -> Manifest:
    """Anything unexpected is Corrupt: a version is followed on the word of this file alone."""
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
    if type(share) not in (int, float) or not 0 <= share <= 1:
        raise ValueError(f"{share!r} is no share")
    if type(until) not in (int, float) or not until >= 0:
        raise ValueError(f"{until!r} is no moment")
    return Split(mode=mode, share=float(share), until=float(until), **_texts(fields))


def _texts(fields: dict[str, Any]) -> dict[str, str]:
    return {name: _text(value) for name, value in fields.items()}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _matching(pattern: re.Pattern[str], value: object) -> str:
    if pattern.fullmatch(_text(value)) is None:
        raise ValueError(f"{value!r} does not belong there")
    return _text(value)
