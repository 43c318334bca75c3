"""The built-in lists of paths that the guard treats specially.

Each list is a file `NAME.tsv` in this folder: one pattern per line, with the reason and a public page about it.
"""

import hashlib
import pkgutil
from dataclasses import dataclass
from functools import cache, lru_cache

# Refused by default, in this order: the first pattern that covers a path gives the reason, and `.*` comes last.
PROTECTED = ("coding_agents", "protected")
ACCESS_CONTROL = "access_control"
NEVER_OPENED = "secret_files"
NAMES = (*PROTECTED, ACCESS_CONTROL, NEVER_OPENED)


@dataclass(frozen=True)
class PathRow:
    """One line of a list: a pattern, why the paths that it covers are special, and where that is documented."""

    pattern: str
    reason: str
    source: str


@cache
def rows(*names: str) -> tuple[PathRow, ...]:
    """Return the rows of the named lists. Raise ValueError for a row without a pattern, a reason or a source."""
    return tuple(_row(line) for name in names for line in _text(name).splitlines() if not line.startswith("#"))


@cache
def lines(*names: str) -> tuple[str, ...]:
    """Return the patterns of the named lists."""
    return tuple(row.pattern for row in rows(*names))


def row_of(pattern: str, *names: str) -> PathRow | None:
    """Return the row of a pattern in the named lists; None if it is in none of them."""
    return next((row for row in rows(*names) if row.pattern == pattern), None)


@lru_cache(maxsize=1)
def digest() -> str:
    """Return the digest of all lists, for the digest of the policy."""
    return hashlib.sha256("\0".join(map(_text, NAMES)).encode()).hexdigest()


def _row(line: str) -> PathRow:
    columns = line.split("\t")
    if len(columns) != 3 or not all(columns):
        raise ValueError(f"a row of a path list needs a pattern, a reason and a source: {line!r}")
    return PathRow(*columns)


def _text(name: str) -> str:
    content = pkgutil.get_data(__name__, f"{name}.tsv")
    if content is None:
        raise FileNotFoundError(f"the path list {name}.tsv is not installed with whet")
    return content.decode()
