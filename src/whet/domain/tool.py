"""A call of a tool, who makes it, and which tools a glob stands for.

In a glob `*` stands for any part of one segment and `**`, alone between dots, for any number of segments,
none included.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whet.domain.tool_name import LONGEST_NAME, is_name

SCOPES = ("agent", "team", "model", "provider")
"""From the narrowest to the widest."""

_SEGMENT_GLOB = re.compile(r"[A-Za-z0-9_*-]+")


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Who calls, as whet started it. Made where the caller is started, never from what a call says; None where the
    caller has no such thing."""

    agent: str | None = None
    team: str | None = None
    model: str | None = None
    provider: str | None = None


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    tool: str
    arguments: Mapping[str, object]


def is_glob(text: object) -> bool:
    return type(text) is str and len(text) <= LONGEST_NAME and all(map(_is_segment_glob, text.split(".")))


def is_scope(text: object) -> bool:
    """`kind:name`, the name in full: a scope has no wildcard, so that nobody is in one by accident."""
    if type(text) is not str:
        return False
    kind, colon, name = text.partition(":")
    return kind in SCOPES and bool(colon) and is_name(name)


def catches(glob: str, name: str) -> bool:
    """Whether a well-formed glob stands for a well-formed name."""
    return _stands_for(glob.split("."), name.split("."), "**", _segment)


def _is_segment_glob(segment: str) -> bool:
    return segment == "**" or ("**" not in segment and _SEGMENT_GLOB.fullmatch(segment) is not None)


def _segment(glob: str, segment: str) -> bool:
    return _stands_for(glob, segment, "*", str.__eq__)


def _stands_for(glob: Sequence[str], items: Sequence[str], star: str, same: Callable[[str, str], Any]) -> bool:
    """`star` takes as few items as it can, and one more each time what follows does not fit. Only the last star is ever
    gone back to, so the time is bounded by the product of both lengths."""
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
