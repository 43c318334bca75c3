"""Run the host's git so that no setting of repository, user or machine starts a program or changes its output."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from whet.errors import GitFailed
from whet.sandbox.process import Completed, call

_TIMEOUT_SECONDS = 120.0

# Settings of the command line win over those of the repository's own .git/config.
_SETTINGS = {
    # Programs that git would start on the host because a setting names them.
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "diff.external": "",
    "core.pager": "cat",
    # Outside the repository no file may attach filters or diff drivers to paths.
    "core.attributesFile": "/dev/null",
    # A commit needs no key, and so no question for a passphrase.
    "commit.gpgSign": "false",
    # No garbage collection in the background that outlives the call.
    "gc.auto": "0",
    # Settings that change the text of a diff: the digest of a patch must be the same everywhere.
    "diff.noprefix": "false",
    "diff.mnemonicPrefix": "false",
    "diff.suppressBlankEmpty": "false",
    # Paths are printed as their own bytes, without quotes and octal escapes.
    "core.quotePath": "false",
    # A patch is applied as it is: white space is neither repaired nor a reason to refuse.
    "apply.whitespace": "nowarn",
    # With "true", hash-object fails on a file with mixed line endings.
    "core.safecrlf": "false",
    # The repository may belong to another user, as in a container. The settings above keep its programs from running.
    "safe.directory": "*",
}


class GitCommand:
    """Host git in one folder. The parts of `Git` (objects, diffs, refs, worktrees) are built on it."""

    def __init__(self, root: Path) -> None:
        self.root = root

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
        """Run git and return exit code, output and error text; `env` is added to the hardened environment."""
        settings = [argument for key, value in _SETTINGS.items() for argument in ("-c", f"{key}={value}")]
        return call(
            ["git", *settings, *args],
            env={**_environment(), **(env or {})},
            cwd=self.root,
            stdin=stdin,
            timeout_seconds=_TIMEOUT_SECONDS,
        )


def _environment() -> dict[str, str]:
    """Return the whole environment of git: nothing else is inherited."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",  # no settings and no stored credentials of the user
        "LC_ALL": "C.UTF-8",  # messages are the same everywhere
        "GIT_CONFIG_NOSYSTEM": "1",  # no settings of the machine
        "GIT_CONFIG_GLOBAL": "/dev/null",  # no settings of the user
        "GIT_TERMINAL_PROMPT": "0",  # never ask for a password
        "GIT_OPTIONAL_LOCKS": "0",  # reading does not rewrite the user's index
        "GIT_LITERAL_PATHSPECS": "1",  # stars and colons in a path have no special meaning
        "GIT_NO_REPLACE_OBJECTS": "1",  # refs/replace would show another commit under the hash that was proved
    }
