"""Real repositories, and whet started as a command."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whet.git.git import Git

WHET = [str(Path(sys.executable).parent / "whet")]


@dataclass(frozen=True)
class CommandResult:
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Repo:
    """A repository on disk, with methods that run whet and git in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git = Git(root)

    def whet(self, *args: str, stdin: str = "", env: dict[str, str] | None = None) -> CommandResult:
        """Run whet with `stdin` as its input. Fail on a traceback."""
        process = subprocess.run(
            [*WHET, *args],
            cwd=self.root,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
            env={**os.environ, "COLUMNS": "200", **(env or {})},
        )
        assert "Traceback" not in process.stderr, process.stderr
        return CommandResult(process.returncode, process.stdout, process.stderr)

    def sh(self, *args: str) -> str:
        """Run a command that must succeed, and return its output."""
        process = subprocess.run(
            args, cwd=self.root, capture_output=True, text=True, errors="surrogateescape", timeout=60, check=True
        )
        return process.stdout.strip()

    def write(self, files: dict[str, str | bytes]) -> None:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)

    def commit(self, files: dict[str, str | bytes], message: str = "change") -> str:
        self.write(files)
        self.sh("git", "add", "--all")
        self.sh("git", "commit", "--quiet", "--message", message)
        return self.head

    @property
    def head(self) -> str:
        return self.sh("git", "rev-parse", "HEAD")

    def dirt(self) -> str:
        """Return the uncommitted changes, as `git status` prints them."""
        return self.sh("git", "status", "--porcelain")


MakeRepo = Callable[[dict[str, str | bytes]], Repo]
