"""The paths that a patch text changes."""

import re
from collections.abc import Iterator

# The format of the tool apply_patch, and unified diffs. A header may be indented or quoted, as in a heredoc.
_FILE = re.compile(
    r"^\s*\*\*\* (?:Add File|Update File|Delete File|Move to|Rename to)\s*:[ \t]*(.+?)[ \t\r]*$", re.M | re.I
)
_DIFF = re.compile(r"^(?:---|\+\+\+|rename (?:from|to)|copy to) (?:[ab]/)?([^\t\n\r]+?)[ \t\r]*(?:\t.*)?$", re.M)
_NULL = "/dev/null"


def is_patch(text: str) -> bool:
    """True if a text is, or holds, a patch in the format of the tool apply_patch."""
    return "*** Begin Patch" in text or _FILE.search(text) is not None


def patched_paths(text: str) -> Iterator[str]:
    """Yield the paths that a patch adds, changes, deletes or moves."""
    for match in _FILE.finditer(text):
        yield match[1]
    if not is_patch(text):
        yield from (match[1] for match in _DIFF.finditer(text) if match[1] != _NULL)
