"""git commands that change whet's files or references, or settings that protect the repository."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import Options, values_of
from whet.guard.shell.model.protected import Owner, owner_of
from whet.guard.shell.rules.rule import RuleHit

_VALUED_OPTIONS = frozenset({"-c", "-C", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix"})
# Subcommands that change the files they are given. `git add` and `git commit` only take them in.
_CHANGE_FILES = frozenset({
    "am", "apply", "checkout", "checkout-index", "clean", "merge-file", "mergetool", "mv", "restore", "rm",
    "sparse-checkout", "update-index",
})  # fmt: skip
# Subcommands that create a folder.
_CREATE_FOLDERS = frozenset({"clone", "worktree", "init", "submodule"})
_READ_REFERENCES = frozenset({
    "blame", "cat-file", "describe", "diff", "diff-tree", "for-each-ref", "grep", "log", "ls-files", "ls-remote",
    "ls-tree", "merge-base", "name-rev", "range-diff", "reflog", "rev-list", "rev-parse", "shortlog", "show",
    "show-branch", "show-ref", "status", "verify-commit", "whatchanged",
})  # fmt: skip
_WHET_REFERENCE = re.compile(r"(^|[\s:+'\"^])(refs/)?whet/(snapshots|\*)|refs/(heads/|remotes/[\w.-]+/)?whet(/|$|\*)")
# Settings that name files of settings or of trusted keys, or that let git forget commits.
_INCLUDES = re.compile(r"include(if\..*)?\.path|gpg\.ssh\.(allowedsignersfile|revocationfile)|core\.worktree")
_FORGETS = re.compile(
    r"gc\.(.*\.)?(reflogexpire(unreachable)?|pruneexpire)|core\.logallrefupdates|gc\.worktreepruneexpire"
)
_FORGETTING_VALUES = frozenset({"now", "all", "0", "false", "never", "no"})
_PROGRAM_FOLDERS = ("/usr/", "/opt/", "/lib", "/Library/", "/nix/")


def git(call: Call) -> Iterator[RuleHit]:
    words, settings = _without_global_options(call.args)
    yield from _program_folder_hits(call)
    for name, value in (*settings, *_written_setting(words)):
        yield from _setting_hits(name.lower(), value)
    if not words:
        return
    verb, rest = words[0], words[1:]
    options = Options(rest)
    folders = values_of(call.args[: len(call.args) - len(words)], "-C")
    if verb not in _READ_REFERENCES and any(owner_of(call.resolve(folder)) is Owner.WHET for folder in folders):
        yield Harm.WHET, f"changes files of whet (git {verb})"
    if verb in _CHANGE_FILES and any(_is_of_whet(call, word) for word in rest):
        yield Harm.WHET, f"changes files of whet (git {verb})"
    if verb in _CREATE_FOLDERS and any(owner_of(call.resolve(word.rpartition("=")[2])) for word in rest):
        yield Harm.WHET, f"creates a repository in a folder of whet or git (git {verb})"
    if any(owner_of(call.resolve(path)) for option in ("-o", "--directory") for path in values_of(rest, option)):
        yield Harm.WHET, f"writes to a file of whet or git (git {verb})"
    if verb == "branch" and options.has("fdDmM", "force", "delete", "move") and any(map(_is_whet_branch, rest)):
        yield Harm.WHET, "changes references of whet"
    if verb == "config" and any(owner_of(call.resolve(word.rpartition("=")[2])) for word in rest):
        yield Harm.GIT_HISTORY, "changes a protected file with git config"
    if verb not in _READ_REFERENCES and any(map(_WHET_REFERENCE.search, (*rest, call.stdin or ""))):
        yield Harm.WHET, "changes references of whet"
    if verb == "clean" and options.has("i", "interactive") and options.has("xX"):
        yield Harm.GIT_HISTORY, "deletes untracked files"
    if verb == "clean" and ("clean.requireforce", "false") in [(name.lower(), value) for name, value in settings]:
        yield Harm.GIT_HISTORY, "deletes untracked files"
    if verb == "stash" and options.has("a", "all") and options.operands[:1] in ([], ["push"], ["save"]):
        yield Harm.WHET, "moves ignored files away, and with them the state of whet"


def _is_of_whet(call: Call, word: str) -> bool:
    """True if an argument is a path of whet, also as a pathspec (`:/whet.toml`, `:(top)whet.toml`)."""
    path = re.sub(r"^:(\([^)]*\)|[/^!])?", "", word.rpartition("=")[2])
    return owner_of(call.resolve(path)) is Owner.WHET


def _is_whet_branch(word: str) -> bool:
    return word.startswith("whet/")


def _without_global_options(words: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the words from the subcommand on, and the settings of `-c name=value`."""
    settings, index = [], 0
    while index < len(words) and words[index].startswith("-"):
        word = words[index]
        if word == "-c" and index + 1 < len(words):
            name, _, value = words[index + 1].partition("=")
            settings.append((name, value))
        index += 2 if word in _VALUED_OPTIONS else 1
    return words[index:], settings


def _written_setting(words: list[str]) -> list[tuple[str, str]]:
    """Return name and value of `git config name value`; an empty list for other subcommands and for reading."""
    if words[:1] != ["config"]:
        return []
    operands = [word for word in words[1:] if not word.startswith("-") and word not in ("set", "add")]
    return [(operands[0], operands[1])] if len(operands) > 1 else []


def _setting_hits(name: str, value: str) -> Iterator[RuleHit]:
    if _INCLUDES.fullmatch(name):
        yield Harm.PERSISTENCE, f"makes git read other settings or keys ({name})"
    elif _FORGETS.fullmatch(name) and value.lower() in _FORGETTING_VALUES:
        yield Harm.GIT_HISTORY, f"makes git forget commits ({name})"
    elif name == "core.hookspath" and value.startswith(("/", "~", "..")) and value != "/dev/null":
        yield Harm.PERSISTENCE, f"makes git run hooks from {value}"


def _program_folder_hits(call: Call) -> Iterator[RuleHit]:
    for word in call.args:
        name, equals, folder = word.partition("=")
        if name == "--exec-path" and equals and not folder.startswith(_PROGRAM_FOLDERS):
            yield Harm.SHELL_ESCAPE, f"makes git run programs from {folder}"
