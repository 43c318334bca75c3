"""git and hg: commands in their settings, aliases and options."""

import re
from collections.abc import Iterator
from itertools import pairwise

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.hosts import FORGES
from whet.guard.shell.model.options import values_of

# Settings whose value is a command or a program.
_COMMAND_SETTINGS = re.compile(
    r"core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|pager\.\w+|sequence\.editor|"
    r"diff\.external|(diff|merge|filter)\..*\.(command|textconv|driver|clean|smudge|process)|gpg\.(\w+\.)?program|"
    r"(difftool|mergetool|browser|man|guitool)\..*\.(cmd|path)|interactive\.difffilter|uploadpack\.packobjectshook|"
    r"credential\.(.*\.)?helper|sendemail\.\w*(smtpserver|cmd)|remote\..*\.(uploadpack|receivepack|vcs)|ssh\.variant"
    r"|web\.browser|"
    r"hook\..*\.command|trailer\..*\.(command|cmd)|help\.browser|instaweb\.\w+|imap\.tunnel|submodule\..*\.update",
    re.IGNORECASE,
)
# Values of those settings that name no command.
_HARMLESS_VALUES = re.compile(
    r"true|false|\d*|always|never|auto|simple|ssh|store|cache.*|osxkeychain|manager.*|libsecret|wincred"
    r"|!?gh auth git-credential|glab auth git-credential|rebase|merge|checkout|none"
)
# Programs of clouds and forges that document themselves as credential helpers of git.
_FOREIGN_HELPER = re.compile(r"!(?:.*/)?(?:aws|gcloud(?:\.cmd)?|gh|glab|az|doctl|tea|heroku|git-credential-[\w-]+)\b")
_URL_SETTING = re.compile(r"url\.(?:https?|git)://(?:[^@/]*@)?([^/:]+)", re.IGNORECASE)
_VALUED_OPTIONS = frozenset({
    "-c", "-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix",
    "--attr-source",
})  # fmt: skip
# Options that name a helper program, and the subcommands that have them (None for all).
_PROGRAM_OPTIONS: dict[str, tuple[str, ...] | None] = {
    "--upload-pack": None,
    "-u": ("clone", "fetch", "ls-remote"),
    "--receive-pack": None,
    "--exec": ("push", "archive"),
    "--extcmd": None,
    "-x": ("difftool",),
    "--open-files-in-pager": ("grep",),
    "-O": ("grep",),
}


def git(call: Call, follower: Follower) -> None:
    words = _follow_global_settings(call, follower)
    if not words:
        return
    verb, rest = words[0], words[1:]
    for text in _command_texts(verb, rest):
        follower.follow_text(text, call, f"git {verb}")
    for text in _programs(verb, rest):
        follower.follow_program(text, call, f"git {verb}")
    if verb == "config":
        operands = [word for word in rest if not word.startswith("-") and word not in ("set", "add")]
        if len(operands) > 1:
            _setting(operands[0], operands[1], call, follower)
    if verb in ("clone", "init"):
        _follow_clone_settings(call, rest, follower)
    if verb == "bisect" and rest[:1] == ["run"] and rest[1:]:
        follower.follow_command(rest[1:], call, "git bisect run")
    remote_command = next((word for word in words if word.startswith("ext::")), None)
    if remote_command is not None:
        follower.add_danger(call, Harm.SHELL_ESCAPE, "takes a repository from a command")
        follower.follow_text(re.sub(r"%(.)", r" ", remote_command[5:]), call, "git ext::")


def _follow_global_settings(call: Call, follower: Follower) -> list[str]:
    """Follow the settings of `git -c name=value`, and return the words from the subcommand on."""
    words, index = call.args, 0
    while index < len(words) and words[index].startswith("-"):
        word = words[index]
        if word.startswith("--config-env"):
            _setting_from_variable(word.partition("=")[2] or "".join(words[index + 1 : index + 2]), call, follower)
        if word in _VALUED_OPTIONS:
            if word == "-c" and index + 1 < len(words):
                name, _, value = words[index + 1].partition("=")
                _setting(name, value, call, follower)
            index += 1
        elif word.startswith("-c") and "=" in word:
            name, _, value = word[2:].partition("=")
            _setting(name, value, call, follower)
        index += 1
    return words[index:]


def _setting_from_variable(setting: str, call: Call, follower: Follower) -> None:
    """Follow `--config-env=name=VARIABLE`; a command in a variable that is not known is raised."""
    name, _, variable = setting.partition("=")
    value = follower.state.value(variable)
    if value is not None:
        _setting(name, value, call, follower)
    elif _COMMAND_SETTINGS.fullmatch(name):
        follower.state.add_unresolved(f"the command in the variable {variable} is not known", call.span)


def _follow_clone_settings(call: Call, words: list[str], follower: Follower) -> None:
    for option in ("-c", "--config"):
        for setting in values_of(words, option):
            name, _, value = setting.partition("=")
            _setting(name, value, call, follower)
    for folder in values_of(words, "--template"):
        _setting("init.templateDir", folder, call, follower)


def mercurial(call: Call, follower: Follower) -> None:
    for setting in values_of(call.args, "--config"):
        name, _, value = setting.partition("=")
        if value.startswith("!"):
            follower.follow_program(value[1:], call, f"hg {name}")
        elif name.startswith(("hooks.", "ui.ssh", "ui.editor", "pager.pager", "extdiff.cmd", "merge-tools.")):
            follower.follow_program(value, call, f"hg {name}")


def _command_texts(verb: str, rest: list[str]) -> Iterator[str]:
    """Yield the command texts that a subcommand hands to a shell."""
    if verb == "submodule" and "foreach" in rest:
        yield " ".join(word for word in rest[rest.index("foreach") + 1 :] if word != "--recursive")
    if verb == "rebase":
        for option in ("-x", "--exec"):
            yield from values_of(rest, option)
    if verb == "filter-branch":
        for option, text in pairwise(rest):
            if option.endswith("-filter"):
                yield text


def _programs(verb: str, rest: list[str]) -> Iterator[str]:
    """Yield the helper programs that a subcommand is told to start."""
    for option, verbs in _PROGRAM_OPTIONS.items():
        if verbs is None or verb in verbs:
            yield from (value for value in values_of(rest, option) if value and not value.startswith("-"))


def _setting(name: str, value: str, call: Call, follower: Follower) -> None:
    """Follow or report the value of one git setting."""
    key = name.lower()
    if key.startswith("alias."):
        if value.startswith("!"):
            follower.follow_text(value[1:], call, f"git {name}")
        elif value:
            follower.follow_command(["git", *value.split()], call, f"git {name}")
    elif _COMMAND_SETTINGS.fullmatch(name) and not _HARMLESS_VALUES.fullmatch(value):
        if key.startswith("credential.") and value.startswith("!") and not _FOREIGN_HELPER.match(value):
            reason = "gives the passwords of git to a command that the setting contains"
            follower.add_danger(call, Harm.SECRETS, reason)
        follower.follow_program(value.removeprefix("!"), call, f"git {name}")
    elif key in ("core.hookspath", "core.worktree", "init.templatedir"):
        if value.startswith(("/tmp", "/dev/shm", "/var/tmp")):
            follower.add_danger(call, Harm.PERSISTENCE, f"makes git run hooks from {value}")
    elif key.startswith("http.") and key.endswith("sslverify"):
        if value.lower() in ("false", "0", "no"):
            follower.add_danger(call, Harm.PACKAGES, "takes code from hosts without checking their identity")
    elif key.startswith("url."):
        host = _URL_SETTING.match(name)
        if host and not FORGES.fullmatch(host[1]):
            follower.add_danger(call, Harm.PERSISTENCE, f"makes git take repositories from {host[1]}")
    elif key == "protocol.ext.allow":
        follower.add_danger(call, Harm.SHELL_ESCAPE, "lets git take repositories from commands")


LAUNCHERS = {"git": git, "hg": mercurial}
