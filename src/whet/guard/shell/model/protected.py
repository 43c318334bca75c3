"""Classify paths that belong to whet (its state, its policy, the keys of approvers) or to git (`.git`)."""

import re
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import lru_cache

from whet.guard.shell.model.placeholders import DECODED, UNKNOWN, without_placeholders

_WHET_NAMES = (".whet", "whet.toml", "whet.signers", "whet.passkeys")
# The folder in a home that holds the heads of ledgers (`witness_folder` in config/environment.py).
_WITNESS = ["state", "whet"]
_GIT_FOLDER = ".git"
# Files of .git that everyday work writes or deletes. Hooks have rules of their own (`is_startup_file`).
_EVERYDAY_GIT_FILES = re.compile(
    r"(.*/)?[\w.-]+\.lock|info/exclude|description|\w+_(EDITMSG|MSG)|hooks/[^/]+", re.ASCII
)
_GLOB = re.compile(r"[*?\[]")
_BRACKETS = re.compile(r"\[[^\]]*\]")
_QUICK = re.compile(rf"git|whet|[*?\[{UNKNOWN}]", re.IGNORECASE)
# Paths to which the tests of a `find` expression are applied: one of each kind that whet or git owns.
SAMPLES = (
    ".git", ".git/config", ".git/HEAD", ".git/objects/ab/cd12", ".git/refs/heads/main", ".whet", ".whet/whet.db",
    ".whet/ledger.head", "whet.toml", "whet.signers", "whet.passkeys",
)  # fmt: skip


class Owner(StrEnum):
    """The owner of a protected path."""

    WHET = "whet"
    GIT = "git"


def has_glob(path: str) -> bool:
    return _GLOB.search(path) is not None


def may_be_protected(text: str) -> bool:
    """True if a text contains something of a protected name, or a glob or unknown part that may match one."""
    return _QUICK.search(text) is not None


@lru_cache(maxsize=8192)
def owner_of(path: str) -> Owner | None:
    """Return the owner of a path, or of a path that a glob in it may match; None if the path is not protected."""
    if not may_be_protected(path):
        return None
    steps = _steps(path)
    for index, step in enumerate(steps):
        if index == 0 and path[0] not in "/~" and _selects_hidden_files(step):
            return Owner.WHET
        if any(_matches(step, name) for name in _WHET_NAMES) or steps[index : index + 2] == _WITNESS:
            return Owner.WHET
        if _matches(step, _GIT_FOLDER) and not _EVERYDAY_GIT_FILES.fullmatch("/".join(steps[index + 1 :])):
            return Owner.GIT
    return None


def _steps(path: str) -> list[str]:
    """Split a path into its names, with `.`, `x/..` and doubled slashes removed."""
    steps: list[str] = []
    for step in path.replace(DECODED, "").split("/"):
        if step == ".." and steps and steps[-1] != "..":
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return steps


def _selects_hidden_files(step: str) -> bool:
    """True for a glob without letters that selects hidden files of the working folder: `.???`, `.[!.]*`."""
    pattern = step.replace("[^", "[!")
    is_glob = step[0] == "." and step != ".*" and has_glob(step)
    return is_glob and any(fnmatchcase(name, pattern) for name in (".whet", _GIT_FOLDER))


def _matches(step: str, name: str) -> bool:
    """True if a step of a path is the name, or a glob with at least one known letter that matches the name.

    As in bash, a glob matches a leading dot only if it begins with a dot. A glob without letters (`*`) selects
    everything, which the rules for whole folders judge.
    """
    if step.casefold() == name:
        return True
    if name[0] != "." and UNKNOWN in step:
        return False  # `$name.toml` is any file; only `.g$x` is close enough to a protected name
    pattern = step.replace(UNKNOWN, "*")
    if not _GLOB.search(pattern) or (name[0] == "." and pattern[0] != "."):
        return False
    # `[^l]*` selects nearly everything, but `.[g]it` no more than a few names.
    literal = step if name[0] == "." else _BRACKETS.sub("", step)
    has_letters = any(letter.isalnum() for letter in without_placeholders(literal))
    return has_letters and fnmatchcase(name, pattern.replace("[^", "[!"))
