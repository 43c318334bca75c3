"""Copyright and licence notices that a change removes."""

import re
from collections import Counter
from collections.abc import Iterator

from whet.guard.content.added import lines_of
from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark

CODE = "notice_removed"
_NOTICE = re.compile(
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


def removed_notices(passage: Passage) -> Iterator[Remark]:
    """Block the removal of a notice. It may move, and its years, spacing and comment marks may change."""
    if not passage.new:
        return
    removed = _notices(passage.path, passage.old, _HEAD)
    removed.subtract(_notices(passage.path, passage.new, len(passage.new)))
    for notice, count in removed.items():
        if count > 0:
            yield Remark(1, "block", CODE, f"removes a copyright or licence notice: {notice[:60]!r}")


def _notices(path: str, text: str, head: int) -> Counter[str]:
    """Count the notices of a text by their words.

    In a licence file every line counts. In code only comments and the first `head` lines do, because a program may
    print or parse the word "copyright"; in data files only comments do.
    """
    is_licence_file = bool(_FILES.fullmatch(path))
    head = 0 if path.casefold().endswith(_DATA) else head
    notices: Counter[str] = Counter()
    for number, line in enumerate(lines_of(text)):
        words = _words(line)
        if words and (is_licence_file or _is_notice(line, number < head)):
            notices[words] += 1
    return notices


def _is_notice(line: str, in_head: bool) -> bool:  # noqa: FBT001 - a fact about the line
    return bool(_NOTICE.search(line)) and (in_head or bool(_COMMENT.match(line)))


def _words(line: str) -> str:
    """Return the words of a line in lower case, without numbers and punctuation."""
    return " ".join(re.findall(r"[^\W\d_]+", line.casefold()))
