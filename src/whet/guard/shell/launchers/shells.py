"""The shells: a text, a script, standard input, or a person."""

import re

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import DECODED, HOLE, NETWORK, SUBSTITUTED
from whet.guard.shell.model.programs import SHELLS

_ENCODED = re.compile(r"[-/]e(n(c(odedcommand)?)?|c)?", re.IGNORECASE)
_VALUED = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file", "--rc"})
# Places in which a shell for a person is what one goes there for, and those that say nothing either way.
_WELCOME = frozenset({
    "docker", "podman", "kubectl", "oc", "nerdctl", "docker-compose", "ssh", "poetry", "pipenv", "conda", "mamba", "nix", "nix-shell", "lxc", "uv", "exec", "limactl",
    "vagrant", "mosh", "toolbox", "distrobox", "hatch", "multipass", "direnv", "aws-vault", "op", "doppler", "command", "micromamba", "pdm", "eval", "standard",
    "script-file", "function", "alias", "substitution", "time", "builtin",
}) | SHELLS  # fmt: skip


def shell(call: Call, follow: Follower) -> None:
    words, place, from_stdin = call.args, 0, False
    if call.name.startswith(("pwsh", "powershell")) and any(_ENCODED.fullmatch(word) for word in words):
        follow.say(call, Harm.ENCODED, "runs commands that are encoded")
        return
    while place < len(words):
        word = words[place]
        if word.lower() in ("-c", "--command", "-command") or (
            word[:1] == "-" and word[:2] != "--" and "c" in word and len(word) > 1
        ):
            _text(call, words[place + 1 :], follow)
            return
        if word in _VALUED:
            if word in ("--rcfile", "--init-file"):
                script(call, words[place + 1] if place + 1 < len(words) else "", [], follow)
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
        script(call, words[place], words[place + 1 :], follow)
    elif call.stdin is not None:
        read(call, call.stdin, follow)
    elif not call.reads:
        _for_a_person(call, follow)


def _text(call: Call, rest: list[str], follow: Follower) -> None:
    while rest and rest[0][:1] in ("-", "+") and len(rest[0]) > 1:
        rest = rest[2:] if rest[0] in _VALUED else rest[1:]
    if not rest:
        follow.scene.unresolved(f"{call.name} is given no command text", call.span)
        return
    if len(rest) > 1:
        follow.scene.assign("0", rest[1])
    follow.text(rest[0], call, f"{call.name} -c", rest[2:] if len(rest) > 1 else None)


def script(call: Call, path: str, arguments: list[str], follow: Follower) -> None:
    """A file that was written in this very text, or that stands for a substitution, is followed; others are files."""
    text = text_of_file(call, path, follow)
    if text is not None:
        follow.text(text, call, "script-file", arguments)
    elif path in ("/dev/stdin", "-", "/proc/self/fd/0", "/dev/fd/0") and call.stdin is not None:
        read(call, call.stdin, follow)
    elif path == HOLE or path.startswith((NETWORK, DECODED, f"/tmp/{HOLE}")):
        follow.scene.unresolved("which script is run is not known", call.span)


def text_of_file(call: Call, path: str, follow: Follower) -> str | None:
    if path.startswith(SUBSTITUTED):
        return follow.scene.substituted(path)
    for written in (path, path.removeprefix("./"), call.here(path)):
        if written in follow.scene.files:
            return follow.scene.files[written]
    return None


def read(call: Call, text: str, follow: Follower) -> None:
    if text == HOLE and call.via[-1:] == ("substitution",):
        follow.say(call, Harm.PIPE_TO_SHELL, "what is written to a process substitution is run as commands")
    follow.text(text, call, f"standard input of {call.name}")


def _for_a_person(call: Call, follow: Follower) -> None:
    if _WELCOME.issuperset(how.partition(" ")[0] for how in call.via):
        return
    if any(how in ("sudo", "doas", "su", "pkexec", "run0") for how in call.via):
        follow.say(call, Harm.PRIVILEGE, "opens a shell as another user")
    follow.say(call, Harm.SHELL_ESCAPE, f"opens a shell from within {_place(call)}")


def _place(call: Call) -> str:
    return next(how for how in call.via if how.partition(" ")[0] not in _WELCOME)


STARTS = dict.fromkeys(SHELLS, shell)
