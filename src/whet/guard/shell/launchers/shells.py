"""The shells: a text, a script, standard input, or a person."""

import re

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import DECODED, FROM_NETWORK, PROCESS_FILE, UNKNOWN
from whet.guard.shell.model.programs import SHELLS

_ENCODED = re.compile(r"[-/]e(n(c(odedcommand)?)?|c)?", re.IGNORECASE)
_VALUED = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file", "--rc"})
# Places in which a shell for a person is what one goes there for, and those that say nothing either way.
_WELCOME = frozenset({
    "docker", "podman", "kubectl", "oc", "nerdctl", "docker-compose", "ssh", "poetry", "pipenv", "conda", "mamba", "nix", "nix-shell", "lxc", "uv", "exec", "limactl",
    "vagrant", "mosh", "toolbox", "distrobox", "hatch", "multipass", "direnv", "aws-vault", "op", "doppler", "command", "micromamba", "pdm", "eval", "standard",
    "script-file", "function", "alias", "substitution", "time", "builtin",
}) | SHELLS  # fmt: skip


def shell(call: Call, follower: Follower) -> None:
    words, place, from_stdin = call.args, 0, False
    if call.name.startswith(("pwsh", "powershell")) and any(_ENCODED.fullmatch(word) for word in words):
        follower.add_danger(call, Harm.ENCODED, "runs commands that are encoded")
        return
    while place < len(words):
        word = words[place]
        if word.lower() in ("-c", "--command", "-command") or (
            word[:1] == "-" and word[:2] != "--" and "c" in word and len(word) > 1
        ):
            _text(call, words[place + 1 :], follower)
            return
        if word in _VALUED:
            if word in ("--rcfile", "--init-file"):
                script(call, words[place + 1] if place + 1 < len(words) else "", [], follower)
            place += 1
        elif word == "--":
            place += 1
            break
        elif word == "-" or (word[:1] == "-" and "s" in word and word[:2] != "--"):
            from_stdin = True
        elif word[:1] not in ("-", "+"):
            break
        place += 1
    if place < len(words) and not from_stdin:
        script(call, words[place], words[place + 1 :], follower)
    elif call.stdin is not None:
        read(call, call.stdin, follower)
    elif not call.reads:
        _for_a_person(call, follower)


def _text(call: Call, rest: list[str], follower: Follower) -> None:
    while rest and rest[0][:1] in ("-", "+") and len(rest[0]) > 1:
        rest = rest[2:] if rest[0] in _VALUED else rest[1:]
    if not rest:
        follower.state.add_unresolved(f"{call.name} is given no command text", call.span)
        return
    if len(rest) > 1:
        follower.state.assign("0", rest[1])
    follower.follow_text(rest[0], call, f"{call.name} -c", rest[2:] if len(rest) > 1 else None)


def script(call: Call, path: str, arguments: list[str], follower: Follower) -> None:
    """A file that was written in this very text, or that stands for a substitution, is followed; others are files."""
    text = text_of_file(call, path, follower)
    if text is not None:
        follower.follow_text(text, call, "script-file", arguments)
    elif path in ("/dev/stdin", "-", "/proc/self/fd/0", "/dev/fd/0") and call.stdin is not None:
        read(call, call.stdin, follower)
    elif path == UNKNOWN or path.startswith((FROM_NETWORK, DECODED, f"/tmp/{UNKNOWN}")):
        follower.state.add_unresolved("which script is run is not known", call.span)


def text_of_file(call: Call, path: str, follower: Follower) -> str | None:
    if path.startswith(PROCESS_FILE):
        return follower.state.substitution_output(path)
    for written in (path, path.removeprefix("./"), call.resolve(path)):
        if written in follower.state.files:
            return follower.state.files[written]
    return None


def read(call: Call, text: str, follower: Follower) -> None:
    if text == UNKNOWN and call.via[-1:] == ("substitution",):
        follower.add_danger(call, Harm.PIPE_TO_SHELL, "what is written to a process substitution is run as commands")
    follower.follow_text(text, call, f"standard input of {call.name}")


def _for_a_person(call: Call, follower: Follower) -> None:
    if _WELCOME.issuperset(label.partition(" ")[0] for label in call.via):
        return
    if any(label in ("sudo", "doas", "su", "pkexec", "run0") for label in call.via):
        follower.add_danger(call, Harm.PRIVILEGE, "opens a shell as another user")
    follower.add_danger(call, Harm.SHELL_ESCAPE, f"opens a shell from within {_place(call)}")


def _place(call: Call) -> str:
    return next(label for label in call.via if label.partition(" ")[0] not in _WELCOME)


LAUNCHERS = dict.fromkeys(SHELLS, shell)
