"""The location of a checkout's record: the file in its state folder or a schema in a database, never both.

A record names branches, snapshots and commits of one checkout, so it belongs to that checkout. The name of its schema is
therefore stored in the state folder.
"""

import os
import re
import secrets
from pathlib import Path

from whet import state_folder
from whet.config import STORE_URL
from whet.errors import StateUnusable

FILE_NAME = "whet.sqlite"
ANCHOR = "ledger.head"
NAME = "record"
_FORM = re.compile(r"whet_[0-9a-f]{16}\n")


def refuse_a_second(folder: Path, *, by_url: bool) -> None:
    """Raise StateUnusable if a second record would begin beside an existing one.

    The second record would not know the open proposals, spent budgets and rejections of the first. As long as nothing
    is recorded, either place may be chosen.
    """
    named, begun = os.path.lexists(folder / NAME), os.path.lexists(folder / ANCHOR)
    if begun and by_url and not named:
        raise StateUnusable(
            f"the record of this repository is in {folder.name}/{FILE_NAME}, but {STORE_URL} names a database",
            f"unset {STORE_URL}, or move {folder.name}/ away to begin a new record in the database",
        )
    if begun and named and not by_url:
        raise StateUnusable(
            f"the record of this repository is in a database, but {STORE_URL} is not set",
            f"set {STORE_URL}, or move {folder.name}/ away to begin a new record here",
        )
    if named and not by_url:
        state_folder.remove(folder, NAME)


def schema_of(folder: Path) -> str:
    """Return the schema name of a state folder. The first call creates a random name."""
    path = folder / NAME
    try:
        with state_folder.locked(folder):
            if not os.path.lexists(path):
                state_folder.replace(folder, NAME, f"whet_{secrets.token_hex(8)}\n".encode())
        name = state_folder.read(folder, NAME).decode(errors="replace")
    except OSError as problem:
        raise StateUnusable(f"{path} cannot be read: {problem.strerror}", "make it readable for your user") from problem
    if not _FORM.fullmatch(name):
        raise StateUnusable(f"{path} does not name a record", f"restore {folder.name}/ from a backup")
    return name.strip()
