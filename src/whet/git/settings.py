"""The settings and the environment of every git call: they keep a repository's configuration from starting programs."""

import os
import re
from collections.abc import Sequence

from whet.sandbox.process import search_path

# Settings of the command line win over those of the repository's own .git/config.
OVERRIDES = {
    # Programs that git would start on the host because a setting names them.
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "core.editor": "false",
    "core.askPass": "false",
    "core.sshCommand": "false",
    "core.gitProxy": "false",
    "core.alternateRefsCommand": "false",
    "credential.helper": "",
    "diff.external": "",
    "gpg.program": "false",
    "gpg.openpgp.program": "false",
    "gpg.x509.program": "false",
    "gpg.ssh.program": "false",
    "gpg.ssh.defaultKeyCommand": "false",
    # `git log` would check signatures, and start gpg for it.
    "log.showSignature": "false",
    # A commit needs no key, and so no question for a passphrase.
    "commit.gpgSign": "false",
    # Git would start itself inside a submodule, under the settings of the submodule.
    "submodule.recurse": "false",
    # No garbage collection in the background that outlives the call.
    "gc.auto": "0",
    "maintenance.auto": "false",
    # No transport, not even for objects that a partial clone lacks.
    "protocol.allow": "never",
    # Outside the repository no file may attach filters or diff drivers to paths.
    "core.attributesFile": "/dev/null",
    # Settings that change the text of a diff: the digest of a patch must be the same everywhere.
    "diff.noprefix": "false",
    "diff.orderFile": "/dev/null",
    "diff.mnemonicPrefix": "false",
    "diff.suppressBlankEmpty": "false",
    # Settings that change what whet reads from the output.
    "color.ui": "false",
    "color.grep": "false",
    "color.diff": "false",
    "core.commentChar": "#",
    "grep.column": "false",
    "grep.lineNumber": "false",
    "i18n.logOutputEncoding": "UTF-8",
    "log.follow": "false",
    "merge.conflictStyle": "merge",
    "trailer.separators": ":",
    # Another encoding adds a header to a commit; the same commit, made again, would then have another hash.
    "i18n.commitEncoding": "UTF-8",
    # Paths are printed as their own bytes, without quotes and octal escapes.
    "core.quotePath": "false",
    # A patch is applied as it is: white space is neither repaired nor ignored nor a reason to refuse.
    "apply.whitespace": "nowarn",
    "apply.ignoreWhitespace": "no",
    # With "true", hash-object fails on a file with mixed line endings.
    "core.safecrlf": "false",
}
ARGUMENTS = tuple(argument for key, value in OVERRIDES.items() for argument in ("-c", f"{key}={value}"))

# Subcommands that read no file of the checkout and move no ref: they run neither filters nor hooks, so the names of
# those need not be known. `diff-tree`, `grep` and `log` can compare with files of the checkout.
READING = frozenset({
    "cat-file", "config", "for-each-ref", "ls-files", "ls-tree", "merge-base", "merge-file", "rev-list", "rev-parse",
    "symbolic-ref", "version", "worktree",
})  # fmt: skip
_NAMED_PROGRAM = re.compile(
    r"(filter)\.(.*)\.(?:clean|smudge|process|required)|(hook)\.(.*)\.(?:command|event)", re.DOTALL
)


def environment(root: str) -> dict[str, str]:
    """Return the complete environment for git in the folder `root`. No other variable is inherited, GIT_* included."""
    variables = {
        "PATH": search_path(root),
        "HOME": "/nonexistent",  # no settings and no stored credentials of the user
        "LC_ALL": "C.UTF-8",  # messages are the same everywhere
        "GIT_CONFIG_NOSYSTEM": "1",  # no settings of the machine
        "GIT_CONFIG_GLOBAL": "/dev/null",  # no settings of the user
        "GIT_ATTR_NOSYSTEM": "1",  # no attributes of the machine
        "GIT_TERMINAL_PROMPT": "0",  # never ask for a password
        "GIT_OPTIONAL_LOCKS": "0",  # reading does not rewrite the user's index
        "GIT_LITERAL_PATHSPECS": "1",  # stars and colons in a path have no special meaning
        "GIT_NO_REPLACE_OBJECTS": "1",  # refs/replace would show another commit under the hash that was proved
        "GIT_GRAFT_FILE": "/dev/null",  # .git/info/grafts would give a commit other parents
        "GIT_NO_LAZY_FETCH": "1",  # a partial clone fetches nothing, so no transport program runs
        "GIT_ALLOW_PROTOCOL": "none",  # the same for git before 2.45; wins over protocol.<name>.allow
    }
    if os.geteuid() == 0 and (user := os.environ.get("SUDO_UID")):
        variables["SUDO_UID"] = user  # git lets root read the repositories of the user who called sudo
    return variables


def without_programs(listing: bytes) -> dict[str, str]:
    """Return variables that disable every filter and every hook that the output of `git config --list -z` names.

    They are given as variables because the name of a filter may hold "=", at which `-c` would cut it.
    """
    settings: dict[str, str] = {}
    for row in listing.split(b"\0"):
        match = _NAMED_PROGRAM.fullmatch(row.partition(b"\n")[0].decode(errors="surrogateescape"))
        if match and match[1]:
            settings |= {f"filter.{match[2]}.{key}": "" for key in ("clean", "smudge", "process")}
            settings[f"filter.{match[2]}.required"] = "false"
        elif match:
            settings[f"hook.{match[4]}.enabled"] = "false"
    return _as_variables(list(settings.items()))


def _as_variables(settings: Sequence[tuple[str, str]]) -> dict[str, str]:
    variables = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings):
        variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return variables
