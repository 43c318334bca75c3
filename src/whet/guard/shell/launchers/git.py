"""git runs commands that its settings name."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.rules.network import FORGES

_RUNS = re.compile(
    r"core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|pager\.\w+|sequence\.editor|"
    r"diff\.external|(diff|merge|filter)\..*\.(command|textconv|driver|clean|smudge|process)|gpg\.(\w+\.)?program|"
    r"(difftool|mergetool|browser|man|guitool)\..*\.(cmd|path)|interactive\.difffilter|uploadpack\.packobjectshook|"
    r"credential\.(.*\.)?helper|sendemail\.\w*(smtpserver|cmd)|remote\..*\.(uploadpack|receivepack|vcs)|ssh\.variant|web\.browser|"
    r"hook\..*\.command|trailer\..*\.(command|cmd)|help\.browser|instaweb\.\w+|imap\.tunnel|submodule\..*\.update",
    re.IGNORECASE,
)
_WORDS_ONLY = re.compile(
    r"true|false|\d*|always|never|auto|simple|ssh|store|cache.*|osxkeychain|manager.*|libsecret|wincred|!?gh auth git-credential|glab auth git-credential|rebase|merge|checkout|none"
)
_ELSEWHERE = re.compile(r"url\.(?:https?|git)://(?:[^@/]*@)?([^/:]+)", re.IGNORECASE)
_VALUED = frozenset(
    {
        "-c",
        "-C",
        "--git-dir",
        "--work-tree",
        "--namespace",
        "--exec-path",
        "--config-env",
        "--super-prefix",
        "--attr-source",
    }
)


def git(call: Call, follower: Follower) -> None:
    words, place = call.args, 0
    while place < len(words) and words[place].startswith("-"):
        if words[place] in _VALUED:
            if words[place] == "-c" and place + 1 < len(words):
                name, _, value = words[place + 1].partition("=")
                _setting(name, value, call, follower)
            place += 1
        elif words[place].startswith("-c") and "=" in words[place]:
            name, _, value = words[place][2:].partition("=")
            _setting(name, value, call, follower)
        place += 1
    rest = words[place:]
    if not rest:
        return
    for text in _texts(rest):
        follower.follow_text(text, call, f"git {rest[0]}")
    for text in _programs(rest):
        follower.follow_program(text, call, f"git {rest[0]}")
    if rest[0] == "config":
        operands = [word for word in rest[1:] if not word.startswith("-") and word not in ("set", "add")]
        if len(operands) > 1:
            _setting(operands[0], operands[1], call, follower)
    if rest[0] in ("clone", "init"):
        _cloned(call, rest[1:], follower)
    if rest[0] == "bisect" and rest[1:2] == ["run"] and rest[2:]:
        follower.follow_command(rest[2:], call, "git bisect run")
    if any(word.startswith("ext::") for word in rest):
        text = next(word for word in rest if word.startswith("ext::"))[5:]
        follower.add_danger(call, Harm.SHELL_ESCAPE, "takes a repository from a command")
        follower.follow_text(re.sub(r"%(.)", r" ", text), call, "git ext::")


def _cloned(call: Call, words: list[str], follower: Follower) -> None:
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


def _texts(words: list[str]) -> Iterator[str]:
    verb, rest = words[0], words[1:]
    if verb == "submodule" and "foreach" in rest:
        yield " ".join(word for word in rest[rest.index("foreach") + 1 :] if word != "--recursive")
    if verb == "rebase":
        for option in ("-x", "--exec"):
            yield from values_of(rest, option)
    if verb == "filter-branch":
        for place, word in enumerate(rest[:-1]):
            if word.endswith("-filter"):
                yield rest[place + 1]


def _programs(words: list[str]) -> Iterator[str]:
    verb, rest = words[0], words[1:]
    for option, verbs in (("--upload-pack", None), ("-u", ("clone", "fetch", "ls-remote")), ("--receive-pack", None), ("--exec", ("push", "archive")),
                          ("--extcmd", None), ("-x", ("difftool",)), ("--open-files-in-pager", ("grep",)), ("-O", ("grep",))):  # fmt: skip
        if verbs is None or verb in verbs:
            yield from (value for value in values_of(rest, option) if value and not value.startswith("-"))


def _setting(name: str, value: str, call: Call, follower: Follower) -> None:
    if name.lower().startswith("alias."):
        if value.startswith("!"):
            follower.follow_text(value[1:], call, f"git {name}")
        elif value:
            follower.follow_command(["git", *value.split()], call, f"git {name}")
    elif _RUNS.fullmatch(name) and not _WORDS_ONLY.fullmatch(value):
        follower.follow_program(value.removeprefix("!"), call, f"git {name}")
    elif name.lower() in ("core.hookspath", "core.worktree", "init.templatedir") and value.startswith(
        ("/tmp", "/dev/shm", "/var/tmp")
    ):
        follower.add_danger(call, Harm.PERSISTENCE, f"makes git run hooks from {value}")
    elif (
        name.lower().startswith("http.")
        and name.lower().endswith("sslverify")
        and value.lower() in ("false", "0", "no")
    ):
        follower.add_danger(call, Harm.PACKAGES, "takes code from hosts that nobody checks")
    elif name.lower().startswith("url.") and (host := _ELSEWHERE.match(name)) and not FORGES.fullmatch(host[1]):
        follower.add_danger(call, Harm.PERSISTENCE, f"makes git take repositories from {host[1]}")
    elif name.lower() == "protocol.ext.allow":
        follower.add_danger(call, Harm.SHELL_ESCAPE, "lets git take repositories from commands")


LAUNCHERS = {"git": git, "hg": mercurial}
