"""Run the host's git so that no setting of repository, user or machine starts a program or changes its output."""

import errno
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path

from whet.errors import ForeignRepository, GitFailed
from whet.files import user_name
from whet.git.settings import ARGUMENTS, READING, environment, without_programs
from whet.sandbox.process import Completed, call, search_path

_TIMEOUT_SECONDS = 120.0
_FOREIGN = ("dubious ownership", "is owned by someone else")  # messages of git 2.36 and later, and of earlier versions
_FULL = os.strerror(errno.ENOSPC)
_REMEDY = "git config --global --add safe.directory "


class GitCommand:
    """Host git in one folder. The parts of `Git` (objects, diffs, refs, worktrees) are built on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._trusted: tuple[str, ...] = ()  # settings that name the folders of other users which this user trusts

    def ask(self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        """Run git and return its output; raise GitFailed with git's own message if it fails."""
        done = self.run(args, stdin, env)
        if done.code != 0:
            raise GitFailed(f"git {args[0]} failed: {done.err.strip() or f'exit code {done.code}'}")
        return done.out

    def try_ask(self, *args: str) -> bytes | None:
        """Run git and return its output, or None if it fails."""
        done = self.run(args)
        return done.out if done.code == 0 else None

    def text(self, *args: str) -> str:
        """Run git and return its output as text, without white space around it."""
        return self.ask(*args).decode(errors="surrogateescape").strip()

    def run(self, args: Sequence[str], stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Completed:
        """Run git and return exit code, output and error text; `env` is added to the hardened environment.

        A repository of another user is refused, unless the user's own settings name it as safe. A full disk raises
        GitFailed, so that no caller takes it for an answer such as "the patch does not apply".
        """
        done = self._call(args, stdin, env)
        if _is_full(done):
            raise GitFailed(
                f"git {args[0]} failed: {done.err.strip()}", "free some disk space and try again; nothing is lost"
            )
        if done.code == 0 or not _is_foreign(done):
            return done
        if not self._trusted and (folders := trusted_folders(search_path(self.root))):
            self._trusted = tuple(argument for folder in folders for argument in ("-c", f"safe.directory={folder}"))
            self.__dict__.pop("_no_programs", None)  # git did not read the settings of a folder that it did not trust
            done = self._call(args, stdin, env)
        if _is_foreign(done):
            raise _foreign(done, self.root)
        return done

    def _call(self, args: Sequence[str], stdin: bytes, env: Mapping[str, str] | None) -> Completed:
        variables = {} if args[0] in READING else self._no_programs
        return call(
            ["git", *ARGUMENTS, *self._trusted, *args],
            env={**environment(str(self.root)), **variables, **(env or {})},
            cwd=self.root,
            stdin=stdin,
            timeout_seconds=_TIMEOUT_SECONDS,
        )

    @cached_property
    def _no_programs(self) -> dict[str, str]:
        """Variables that disable every filter and hook which the repository's settings name."""
        return without_programs(self.ask("config", "--list", "-z", "--includes"))


@cache
def trusted_folders(path: str) -> tuple[str, ...]:
    """Return the values of safe.directory in the settings of user and machine, which whet otherwise ignores.

    `path` is the PATH on which git is found. GIT_DIR names no repository, so that no settings of a repository are read.
    """
    names = ("HOME", "XDG_CONFIG_HOME")
    variables = {name: os.environ[name] for name in names if name in os.environ}
    done = call(
        ["git", "config", "-z", "--type=path", "--get-all", "safe.directory"],
        env={**variables, "PATH": path, "GIT_DIR": "/dev/null"},
        cwd=Path("/"),
        timeout_seconds=_TIMEOUT_SECONDS,
    )
    return tuple(os.fsdecode(row) for row in done.out.split(b"\0")[:-1])


def _is_full(done: Completed) -> bool:
    """True if git failed because the disk is full. The words must end a line: elsewhere they may be the name of a file."""
    return done.code != 0 and any(line.endswith(f": {_FULL}") for line in done.err.splitlines())


def _is_foreign(done: Completed) -> bool:
    return done.code != 0 and any(words in done.err for words in _FOREIGN)


def _foreign(done: Completed, root: Path) -> ForeignRepository:
    """Return the refusal of another user's repository, with git's own reason and the folder that git names."""
    lines = [line.strip() for line in done.err.splitlines()]
    reason = next(line for line in lines if any(words in line for words in _FOREIGN)).removeprefix("fatal: ")
    command = next((line for line in lines if line.startswith(_REMEDY)), f"{_REMEDY}{root}")
    folder = Path(command.removeprefix(_REMEDY).strip("'"))
    return ForeignRepository(
        f"git refuses this repository: {reason}{_foreign_owner(folder)}",
        f"run whet as the user who owns it; or, if you trust everyone who can write there: {command}",
    )


def _foreign_owner(folder: Path) -> str:
    """Return a clause that names the owner of the folder or of its .git, if that is another user; else empty."""
    for path, name in ((folder, "it"), (folder / ".git", "its .git")):
        with suppress(OSError):
            owner = path.lstat().st_uid
            if owner != os.geteuid():
                return f"; {name} belongs to {user_name(owner)}, and whet runs as {user_name(os.geteuid())}"
    return ""
