"""The commits that the source `git` has read, so that its next look reads only new ones.

Everything in the file can be read from the repository again, so a damaged file is as good as none.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from whet import state_folder
from whet.domain.canonical import to_plain
from whet.domain.past_commit import PastCommit
from whet.errors import Corrupt
from whet.store.codec import decode

FILE_NAME = "history.json"
_VERSION = 1


class CommitHistory:
    """The remembered commits in one state folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self) -> dict[str, PastCommit]:
        """Return the remembered commits by hash."""
        try:
            stored = json.loads(state_folder.read(self._folder, FILE_NAME))
            if stored["version"] != _VERSION:
                return {}
            commits = decode(tuple[PastCommit, ...], stored["commits"])
        except (OSError, ValueError, TypeError, KeyError, RecursionError, Corrupt):
            return {}
        return {commit.id: commit for commit in commits}

    def keep(self, commits: Iterable[PastCommit]) -> None:
        """Remember these commits instead of those before."""
        content = json.dumps({"version": _VERSION, "commits": to_plain(tuple(commits))}).encode()
        state_folder.make_folder(self._folder)
        with state_folder.locked(self._folder, f"{FILE_NAME}.lock"):
            state_folder.replace(self._folder, FILE_NAME, content, flush=False)
