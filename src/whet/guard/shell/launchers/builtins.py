"""Builtins of the shell that run text, set variables or change the working folder."""

import re
from itertools import pairwise

from whet.guard.shell.launchers import shells
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import Options
from whet.guard.shell.model.paths import is_temporary
from whet.guard.shell.model.placeholders import FROM_NETWORK, UNKNOWN, is_known, origins
from whet.guard.shell.model.programs import DESTRUCTIVE_COMMANDS, EVERYDAY_COMMANDS
from whet.guard.shell.model.state import MAX_VALUES
from whet.guard.shell.output.predict import predict_output
from whet.guard.shell.rules import effects_of_assignment

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SUBSCRIPT = re.compile(r"\[[^\]]*?(?:\$\((.*)\)|`(.*)`)[^\]]*\]", re.DOTALL)
# Builtins that evaluate arithmetic or array subscripts: a substitution in a subscript runs even if it is quoted.
SUBSCRIPT_BUILTINS = frozenset({
    "test", "[", "[[", "let", "declare", "local", "typeset", "readonly", "export", "printf", "read", "unset",
    "mapfile", "readarray", "wait",
})  # fmt: skip


def follow_subscripts(call: Call, follower: Follower) -> None:
    """Follow substitutions in quoted subscripts: `test -v 'a[$(cmd)]'` runs cmd."""
    for word in call.args:
        if "[" in word and ("$(" in word or "`" in word):
            match = _SUBSCRIPT.search(word)
            if match is not None:
                follower.follow_text(match[1] or match[2] or "", call, "subscript")


def evaluate(call: Call, follower: Follower) -> None:
    words = call.args[1:] if call.args[:1] == ["--"] else call.args
    text = " ".join(words)
    follower.follow_text(text, call, "eval")
    if not is_known(text) and FROM_NETWORK not in text and text.strip() != UNKNOWN:
        follower.state.add_unresolved("the text that eval runs is only partly known", call.span)


def source(call: Call, follower: Follower) -> None:
    words = [word for word in call.args if word != "--"]
    if not words:
        return
    if words[0].startswith(("/dev/tcp/", "/dev/udp/")):
        follower.add_danger(call, Harm.PIPE_TO_SHELL, "the command runs text from a network connection")
        return
    shells.script(call, words[0], words[1:], follower)


def trap(call: Call, follower: Follower) -> None:
    words = [word for word in call.args if word not in ("--", "-l", "-p")]
    if len(words) > 1 and words[0] not in ("-", ""):
        follower.follow_text(words[0], call, "trap")


def alias(call: Call, follower: Follower) -> None:
    for word in call.args:
        name, equals, text = word.partition("=")
        if equals:
            follower.state.aliases[name] = text
            if name in EVERYDAY_COMMANDS or is_known(text.split(" ")[0]):
                follower.follow_text(text, call, f"alias {name}")
            target = text.split()[0].rpartition("/")[2] if text.strip() else name
            is_harmful = is_temporary(text) or (name != target and target in DESTRUCTIVE_COMMANDS)
            if name in EVERYDAY_COMMANDS and is_harmful:
                follower.add_danger(call, Harm.ENVIRONMENT, f"the command makes {name} an alias of {target}")


def change_folder(call: Call, follower: Follower) -> None:
    folders = [word for word in call.args if not word.startswith("-") or word == "-"]
    target = folders[-1] if folders else "~"
    follower.state.cwd = UNKNOWN if target == "-" else call.resolve(target)


def read(call: Call, follower: Follower) -> None:
    """Assign standard input. One name gets each line as a possible value, several names the pieces of a single line."""
    names = [word for word in call.args if _NAME.fullmatch(word)]
    stdin = call.stdin
    for name in names or ["REPLY"]:
        if stdin is None or not is_known(stdin) or len(names) > 1:
            _add_values(follower, name, [(origins(stdin) if stdin else "") + UNKNOWN])
        else:
            lines = stdin.split("\n")[: MAX_VALUES - 1]
            _add_values(follower, name, [line for line in lines if line] or [""])
            follower.follow_effects(effects_of_assignment(name, lines[0]), call, f"the variable {name}")
    if len(names) > 1 and stdin is not None and is_known(stdin) and "\n" not in stdin.strip("\n"):
        pieces = stdin.split(None, len(names) - 1)
        for name, piece in zip(names, pieces, strict=False):
            follower.state.assign(name, piece.strip())


def _add_values(follower: Follower, name: str, values: list[str]) -> None:
    before = follower.state.variables.get(name, []) if follower.state.conditional_depth else []
    follower.state.variables[name] = [*before, *(value for value in values if value not in before)][:MAX_VALUES]


def set_positional(call: Call, follower: Follower) -> None:
    if "--" in call.args:
        follower.state.positional = call.args[call.args.index("--") + 1 :]
    elif call.args and call.args[0][:1] not in ("-", "+"):
        follower.state.positional = list(call.args)


def printf(call: Call, follower: Follower) -> None:
    if call.args[:1] == ["-v"] and len(call.args) > 2:
        value = predict_output(call.inner(["printf", *call.args[2:]], "printf"))
        follower.state.assign(call.args[1], value)
        follower.follow_effects(effects_of_assignment(call.args[1], value), call, f"the variable {call.args[1]}")


def declare(call: Call, follower: Follower) -> None:
    for word in call.args:
        name, equals, value = word.partition("=")
        if equals and _NAME.fullmatch(name):
            follower.state.assign(name, value)


def map_file(call: Call, follower: Follower) -> None:
    """Assign the lines of standard input to an array, and follow the text that `-C` runs for them."""
    for text in Options(call.args, "dnOsuCc").value("C"):
        follower.follow_text(f"{text} {UNKNOWN}", call, f"{call.name} -C")
    names = [word for word in call.args if _NAME.fullmatch(word)]
    if names:
        stdin = call.stdin
        is_readable = stdin is not None and is_known(stdin)
        follower.state.arrays[names[-1]] = stdin.splitlines() if stdin is not None and is_readable else [UNKNOWN]


def command_hook(call: Call, follower: Follower) -> None:
    """Follow `complete -C cmd` and `bind -x '"k": cmd'`; report `enable -f lib` and `hash -p program name`."""
    for word, value in pairwise(call.args):
        if (call.name, word) in (("complete", "-C"), ("bind", "-x"), ("compgen", "-C")):
            follower.follow_text(value.partition(":")[2] or value, call, f"{call.name} {word}")
        elif (call.name, word) == ("enable", "-f"):
            follower.add_danger(call, Harm.ENVIRONMENT, "the command loads a library into the shell")
        elif (call.name, word) == ("hash", "-p"):
            follower.add_danger(call, Harm.ENVIRONMENT, "the command makes a name run another program")


LAUNCHERS = {
    "eval": evaluate,
    "source": source,
    ".": source,
    "trap": trap,
    "alias": alias,
    "cd": change_folder,
    "pushd": change_folder,
    "read": read,
    "set": set_positional,
    "printf": printf,
    "mapfile": map_file,
    "readarray": map_file,
    "complete": command_hook,
    "bind": command_hook,
    "enable": command_hook,
    "hash": command_hook,
    "compgen": command_hook,
    "declare": declare,
    "local": declare,
    "typeset": declare,
    "export": declare,
    "readonly": declare,
}  # fmt: skip
