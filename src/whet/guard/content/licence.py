"""Notices of copyright and licence that a change takes out."""

import re
from collections import Counter
from collections.abc import Iterator

from whet.guard.content.added import lines_of
from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark

CODE = "notice_removed"
_MARK = re.compile(
    r"copyright|\(c\)\s*\d{4}|©|spdx-license-identifier|all rights reserved|licen[sc]ed (under|to)|under the terms of"
    r"|permission is hereby granted|redistribution and use|without warrant|(apache|mit|bsd|mozilla|general public) licen[sc]e",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"^\s*(#|//|/?\*|;|--|<!--|\.\.|%|\"{3}|'{3}|__(copyright|licen[sc]e)__)")
_FILES = re.compile(
    r"(.*/)?(licen[sc]es?|copying|notice|copyright|patents)(-[\w-]+)?(\.(txt|md|rst|lesser|mit|apache|bsd))?",
    re.IGNORECASE,
)
_DATA = (".json", ".toml", ".cfg", ".ini", ".yml", ".yaml")
_HEAD = 60


def licence(passage: Passage) -> Iterator[Remark]:
    """A notice may move, and its years, names' spacing and comment marks may change; it may not become less."""
    if not passage.new:
        return
    gone = _notices(passage.path, passage.old, _HEAD)
    gone.subtract(_notices(passage.path, passage.new, len(passage.new)))
    for notice, count in gone.items():
        if count > 0:
            yield Remark(1, "block", CODE, f"loses a notice of copyright or licence ({notice[:60]!r})")


def _notices(path: str, text: str, head: int) -> Counter[str]:
    """In code only comments and the first `head` lines count: a program may speak about licences."""
    whole = bool(_FILES.fullmatch(path))
    head = 0 if path.casefold().endswith(_DATA) else head
    told = (_told(line) for number, line in enumerate(lines_of(text)) if whole or _is_notice(line, number < head))
    return Counter(filter(None, told))


def _is_notice(line: str, in_head: bool) -> bool:  # noqa: FBT001 - a fact about the line
    return bool(_MARK.search(line)) and (in_head or bool(_COMMENT.match(line)))


def _told(line: str) -> str:
    """What a notice says, without years and signs."""
    return " ".join(re.findall(r"[^\W\d_]+", line.casefold()))
