"""Which record belongs to a state folder: the file in it or a schema in a database, never both.

A record speaks of branches, snapshots and commits of one checkout, so it belongs to that checkout and moves with it: the
name of its schema is kept in the state folder.
"""

import os
import re
import secrets
from pathlib import Path

from whet.config import STORE_URL
from whet.errors import StateUnusable

FILE_NAME = "whet.sqlite"
ANCHOR = "ledger.head"
NAME = "record"
_FORM = re.compile(r"whet_[0-9a-f]{16}\n")


def refuse_a_second(folder: Path, *, by_url: bool) -> None:
    """A second record would know nothing of what is open, spent or turned down in the first. Where nothing has been
    recorded yet, either place will do."""
    named, begun = os.path.lexists(folder / NAME), os.path.lexists(folder / ANCHOR)
    if begun and by_url and not named:
        raise StateUnusable(
            f"the record of this repository is in {folder.name}/{FILE_NAME}, and {STORE_URL} names a database",
            f"unset {STORE_URL}; or move {folder.name}/ away, to begin a record there",
        )
    if begun and named and not by_url:
        raise StateUnusable(
            f"the record of this repository is in a database, and {STORE_URL} is not set",
            f"set {STORE_URL}; or move {folder.name}/ away, to begin a record here",
        )
    if named and not by_url:
        (folder / NAME).unlink()


def schema_of(folder: Path) -> str:
    """The name of this folder's schema; the first to ask gives it one."""
    path = folder / NAME
    try:
        if not os.path.lexists(path):
            _name(path)
        name = path.read_text(errors="replace")
    except OSError as problem:
        raise StateUnusable(f"{path} cannot be read: {problem.strerror}", "make it readable for you") from problem
    if not _FORM.fullmatch(name):
        raise StateUnusable(f"{path} does not name a record", f"restore {folder.name}/ from a backup")
    return name.strip()


def _name(path: Path) -> None:
    """Whole or not at all, and once: of two processes the second finds the name that the first one gave."""
    fresh = path.with_name(f"{NAME}.{os.getpid()}")
    with fresh.open("w") as out:
        out.write(f"whet_{secrets.token_hex(8)}\n")
        out.flush()
        os.fsync(out.fileno())
    try:
        os.link(fresh, path)
    except FileExistsError:
        return
    finally:
        fresh.unlink()
