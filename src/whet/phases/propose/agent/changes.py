"""The files that an agent changed, as the script in the sandbox reports them. Every line of the report is untrusted."""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from whet.domain.plural import shorten
from whet.domain.sanitize import one_line

MOST_FILES = 200
MOST_BYTES = 8 * 1024 * 1024
MOST_FILE_BYTES = 2 * 1024 * 1024
_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class AgentChanges:
    """The report on one run. `files` has the new content by path, None for a deleted file; `dropped` has the reasons for
    which changes are not part of the patch, by path."""

    started: str = ""
    """The reason why the agent could not be started; empty if it was."""
    exit_code: int | None = None
    """None if the agent was ended because its time was up."""
    complete: bool = False
    changed: int = 0
    files: dict[str, bytes | None] = field(default_factory=dict)
    dropped: dict[str, str] = field(default_factory=dict)

    def without(self, reason_against: Callable[[str], str]) -> "AgentChanges":
        """Return these changes without the files against which there is a reason."""
        reasons = {path: reason for path in self.files if (reason := reason_against(path))}
        files = {path: content for path, content in self.files.items() if path not in reasons}
        return replace(self, files=files, dropped={**self.dropped, **reasons})

    @property
    def dropped_in_words(self) -> str:
        """Return the dropped changes as the end of a sentence; empty if there are none."""
        if not self.dropped:
            return ""
        shown = [f"{one_line(path)} ({reason})" for path, reason in self.dropped.items()]
        return f"; dropped: {shorten(shown, _SHOWN)}"


def read_changes(lines: Sequence[bytes]) -> AgentChanges:
    """Parse a report. A line of the wrong form is skipped; without its last line the report is not complete."""
    first, *rest = [_object(line) for line in lines] or [{}]
    exit_code, changed = first.get("exit"), first.get("changed")
    changes = AgentChanges(
        started=str(first.get("start", ""))[:200],
        exit_code=exit_code if type(exit_code) is int else None,
        changed=changed if type(changed) is int else 0,
    )
    files: dict[str, bytes | None] = {}
    dropped: dict[str, str] = {}
    for row in rest[: MOST_FILES + 1]:
        path = row.get("path")
        if not isinstance(path, str):
            continue
        if why := _unusable(path, row):
            dropped[path] = why
        else:
            files[path] = _content(row)
    return replace(changes, files=files, dropped=dropped, complete=any(row.get("end") is True for row in rest))


def _unusable(path: str, row: dict[str, Any]) -> str:
    """Return why a reported path cannot be part of a patch; empty if it can."""
    parts = path.split("/")
    if not path or any(part in ("", ".", "..") or part.lower() == ".git" for part in parts):
        return "not a path of the project"
    if one_line(path) != path or len(path) > 4096:
        return "a name that hides characters"
    if "unusable" in row:
        return f"not a regular file of at most {MOST_FILE_BYTES:,} bytes"
    if row.get("gone") == "link":
        return "a deleted link"
    try:
        _content(row)
    except (binascii.Error, ValueError, TypeError):
        return "content that cannot be read"
    return ""


def _content(row: dict[str, Any]) -> bytes | None:
    return None if "gone" in row else base64.b64decode(row.get("content"), validate=True)  # type: ignore[arg-type]  # a TypeError is caught


def _object(line: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}
