"""Shells: they run a text (`-c`), a script, standard input, or the commands that a person types."""

import re

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import DECODED, FROM_NETWORK, PROCESS_FILE, UNKNOWN
from whet.guard.shell.model.programs import SHELLS

_ENCODED_COMMAND = re.compile(r"[-/]e(n(c(odedcommand)?)?|c)?", re.IGNORECASE)
_NEUTRAL = frozenset({"time", "command", "builtin"})
_SAME_MACHINE = frozenset({"ssh localhost", "ssh 127.0.0.1", "ssh ::1"})
_ASKS = frozenset({"--help", "--version", "-help", "-version", "-Version", "-V"})
_TERMINALS = ("/dev/tty", "/dev/pts/", "/dev/console")
_VALUED_OPTIONS = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file", "--rc"})
# Launchers from which a person may open an interactive shell (`docker exec -it c sh`), and neutral ones.
_MAY_OPEN_SHELL = SHELLS | frozenset({
    "docker", "podman", "kubectl", "oc", "nerdctl", "docker-compose", "ssh", "poetry", "pipenv", "conda", "mamba",
    "nix", "nix-shell", "lxc", "uv", "exec", "limactl", "vagrant", "mosh", "toolbox", "distrobox", "hatch", "multipass",
    "direnv", "aws-vault", "op", "doppler", "command", "micromamba", "pdm", "eval", "standard", "script-file",
    "function", "alias", "substitution", "time", "builtin", "faketime", "srun",
})  # fmt: skip


def shell(call: Call, follower: Follower) -> None:
    """Follow the text of `-c`, the script or standard input; report an interactive shell."""
    words, index, from_stdin = call.args, 0, False
    if call.name.startswith(("pwsh", "powershell")) and any(_ENCODED_COMMAND.fullmatch(word) for word in words):
        follower.add_danger(call, Harm.ENCODED, "the command runs commands that are encoded")
        return
    while index < len(words):
        word = words[index]
        is_cluster = word[:1] == "-" and word[:2] != "--"
        if word.lower() in ("-c", "--command", "-command") or (is_cluster and "c" in word):
            _command_text(call, words[index + 1 :], follower)
            return
        if word in _VALUED_OPTIONS:
            if word in ("--rcfile", "--init-file"):
                script(call, words[index + 1] if index + 1 < len(words) else "", [], follower)
            index += 1
        elif word == "--":
            index += 1
            break
        elif word == "-" or (is_cluster and "s" in word):
            from_stdin = True
        elif word[:1] not in ("-", "+"):
            break
        index += 1
    if index < len(words) and not from_stdin:
        script(call, words[index], words[index + 1 :], follower)
    elif call.stdin is not None:
        standard_input(call, call.stdin, follower)
    elif all(path.startswith(_TERMINALS) for path in call.reads):
        _interactive(call, follower)


def _command_text(call: Call, rest: list[str], follower: Follower) -> None:
    """Follow the text after `-c`; further words become $0, $1, ..."""
    while rest and rest[0][:1] in ("-", "+") and len(rest[0]) > 1:
        rest = rest[2:] if rest[0] in _VALUED_OPTIONS else rest[1:]
    if not rest:
        follower.state.add_unresolved(f"the shell {call.name} is given no command text", call.span)
        return
    if len(rest) > 1:
        follower.state.assign("0", rest[1])
    follower.follow_text(rest[0], call, f"{call.name} -c", rest[2:] if len(rest) > 1 else None)


def script(call: Call, path: str, arguments: list[str], follower: Follower) -> None:
    """Follow a script whose content is known: the command text wrote it, or it is a process substitution or standard input."""
    text = text_of_file(call, path, follower)
    if text is not None:
        follower.follow_text(text, call, "script-file", arguments)
    elif path in ("/dev/stdin", "-", "/proc/self/fd/0", "/dev/fd/0") and call.stdin is not None:
        standard_input(call, call.stdin, follower)
    elif path == UNKNOWN or path.startswith((FROM_NETWORK, DECODED, f"/tmp/{UNKNOWN}")):
        follower.state.add_unresolved("the script that is run is not known", call.span)


def text_of_file(call: Call, path: str, follower: Follower) -> str | None:
    """Return the content of a file that the command text wrote, or of a process substitution; None for other files."""
    if path.startswith(PROCESS_FILE):
        return follower.state.substitution_output(path)
    for spelling in (path, path.removeprefix("./"), call.resolve(path)):
        if spelling in follower.state.files:
            return follower.state.files[spelling]
    return None


def standard_input(call: Call, text: str, follower: Follower) -> None:
    if text == UNKNOWN and call.via[-1:] == ("substitution",):
        follower.add_danger(
            call, Harm.PIPE_TO_SHELL, "the command runs the text that is written to a process substitution"
        )
    follower.follow_text(text, call, f"standard input of {call.name}")


def is_started_directly(call: Call) -> bool:
    """True if the text starts the program itself, not through a container, another machine or another program."""
    return _NEUTRAL.issuperset(call.via)


def _interactive(call: Call, follower: Follower) -> None:
    """Report an interactive shell, unless a launcher opens it from which people usually open one (`docker exec`)."""
    unusual = [label for label in call.via if label.partition(" ")[0] not in _MAY_OPEN_SHELL or label in _SAME_MACHINE]
    if not unusual:
        if is_started_directly(call) and not _ASKS.intersection(call.args):
            reason = f"opens the interactive shell {call.name}, and the guard does not see what is typed there"
            follower.add_danger(call, Harm.SHELL_ESCAPE, reason, raises=True)
        return
    if any(label in ("sudo", "doas", "su", "pkexec", "run0") for label in call.via):
        follower.add_danger(call, Harm.PRIVILEGE, "opens a shell as another user")
    follower.add_danger(call, Harm.SHELL_ESCAPE, f"opens a shell from within {unusual[0]}")


LAUNCHERS = dict.fromkeys(SHELLS, shell)
