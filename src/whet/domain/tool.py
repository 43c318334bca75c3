"""Tool calls, their callers, and globs over tool names.

In a glob `*` matches any part of one segment, and `**`, alone between dots, matches any number of segments, zero
included.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whet.domain.tool_name import LONGEST_NAME, is_name

SCOPES = ("agent", "team", "model", "provider")
"""The kinds of scope, from the narrowest to the widest."""

_SEGMENT_GLOB = re.compile(r"[A-Za-z0-9_*-]+")


@dataclass(frozen=True, kw_only=True)
class Caller:
    """The caller of a tool. Made where whet starts the caller, never from what a call claims; None means unknown or
    not applicable."""

    agent: str | None = None
    team: str | None = None
    model: str | None = None
    provider: str | None = None


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """One call of a tool, before it is permitted."""

    tool: str
    arguments: Mapping[str, object]


def is_glob(text: object) -> bool:
    return type(text) is str and len(text) <= LONGEST_NAME and all(map(_is_segment_glob, text.split(".")))


def is_scope(text: object) -> bool:
    """True if `text` is `kind:name`. Wildcards are not allowed, so that no caller falls into a scope by accident."""
    if type(text) is not str:
        return False
    kind, colon, name = text.partition(":")
    return kind in SCOPES and bool(colon) and is_name(name)


def catches(glob: str, name: str) -> bool:
    """True if a well-formed glob matches a well-formed name."""
    return _matches(glob.split("."), name.split("."), "**", _segment_matches)


def _is_segment_glob(segment: str) -> bool:
    return segment == "**" or ("**" not in segment and _SEGMENT_GLOB.fullmatch(segment) is not None)


def _segment_matches(glob: str, segment: str) -> bool:
    return _matches(glob, segment, "*", str.__eq__)


def _matches(glob: Sequence[str], items: Sequence[str], star: str, same: Callable[[str, str], Any]) -> bool:
    """True if `glob` matches all `items`.

    A star first takes no item, and one more each time the rest does not match. Only the last star is ever extended,
    so the time is bounded by the product of both lengths.
    """
    at, done, last_star, taken = 0, 0, -1, 0
    while done < len(items):
        if at < len(glob) and glob[at] == star:
            last_star, taken, at = at, done, at + 1
        elif at < len(glob) and same(glob[at], items[done]):
            at, done = at + 1, done + 1
        elif last_star >= 0:
            taken += 1
            at, done = last_star + 1, taken
        else:
            return False
    return all(rest == star for rest in glob[at:])
