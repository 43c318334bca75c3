"""Builtins of the shell that run text or change what later words mean."""

import re

from whet.guard.shell.launchers import shells
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import is_temporary
from whet.guard.shell.model.placeholders import HOLE, NETWORK, is_known, origins
from whet.guard.shell.model.programs import DESTROYS, EVERYDAY
from whet.guard.shell.model.state import MOST_VALUES
from whet.guard.shell.output.printed import printed
from whet.guard.shell.rules import from_assignment

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_SUBSCRIPT = re.compile(r"\[[^\]]*?(?:\$\((.*)\)|`(.*)`)[^\]]*\]", re.DOTALL)
# Builtins that take a name with a subscript, or a number: a substitution inside is run although it was quoted.
EVALUATES_SUBSCRIPTS = frozenset(
    {
        "test",
        "[",
        "[[",
        "let",
        "declare",
        "local",
        "typeset",
        "readonly",
        "export",
        "printf",
        "read",
        "unset",
        "mapfile",
        "readarray",
        "wait",
    }
)


def subscripts(call: Call, follow: Follower) -> None:
    for word in call.args:
        if "[" in word and ("$(" in word or "`" in word) and (found := _SUBSCRIPT.search(word)):
            follow.text(found[1] or found[2] or "", call, "subscript")


def evaluate(call: Call, follow: Follower) -> None:
    words = call.args[1:] if call.args[:1] == ["--"] else call.args
    text = " ".join(words)
    follow.text(text, call, "eval")
    if not is_known(text) and NETWORK not in text and text.strip() != HOLE:
        follow.scene.unresolved("part of what eval runs is not known", call.span)


def source(call: Call, follow: Follower) -> None:
    words = [word for word in call.args if word != "--"]
    if not words:
        return
    if words[0].startswith(("/dev/tcp/", "/dev/udp/")):
        follow.say(call, Harm.PIPE_TO_SHELL, "runs what a connection sends")
        return
    shells.script(call, words[0], words[1:], follow)


def trap(call: Call, follow: Follower) -> None:
    words = [word for word in call.args if word not in ("--", "-l", "-p")]
    if len(words) > 1 and words[0] not in ("-", ""):
        follow.text(words[0], call, "trap")


def alias(call: Call, follow: Follower) -> None:
    for word in call.args:
        name, equals, text = word.partition("=")
        if equals:
            follow.scene.aliases[name] = text
            follow.text(text, call, f"alias {name}")
            stands_for = text.split()[0].rpartition("/")[2] if text.strip() else name
            if name in EVERYDAY and (is_temporary(text) or (name != stands_for and stands_for in DESTROYS)):
                follow.say(call, Harm.ENVIRONMENT, f"makes {name} stand for {stands_for}")


def change_folder(call: Call, follow: Follower) -> None:
    where = [word for word in call.args if not word.startswith("-") or word == "-"]
    target = where[-1] if where else "~"
    follow.scene.cwd = call.here(target) if target not in ("-",) else HOLE


def read(call: Call, follow: Follower) -> None:
    """What is read is known where what is fed is; with several names only that it is something."""
    names = [word for word in call.args if _NAME.fullmatch(word)]
    fed = call.stdin
    scene = follow.scene
    for name in names or ["REPLY"]:
        if fed is None or not is_known(fed) or len(names) > 1:
            _set_each(follow, name, [(origins(fed) if fed else "") + HOLE])
        else:
            lines = fed.split("\n")[: MOST_VALUES - 1]
            _set_each(follow, name, [line for line in lines if line] or [""])
            follow.code(from_assignment(name, lines[0]), call, f"{name} variable")
    if len(names) > 1 and fed is not None and is_known(fed) and "\n" not in fed.strip("\n"):
        pieces = fed.split(None, len(names) - 1)
        for name, piece in zip(names, pieces, strict=False):
            scene.assign(name, piece.strip())


def _set_each(follow: Follower, name: str, values: list[str]) -> None:
    before = follow.scene.variables.get(name, []) if follow.scene.maybe else []
    follow.scene.variables[name] = [*before, *(value for value in values if value not in before)][:MOST_VALUES]


def set_positional(call: Call, follow: Follower) -> None:
    if "--" in call.args:
        follow.scene.positional = call.args[call.args.index("--") + 1 :]
    elif call.args and call.args[0][:1] not in ("-", "+"):
        follow.scene.positional = list(call.args)


def printf(call: Call, follow: Follower) -> None:
    if call.args[:1] == ["-v"] and len(call.args) > 2:
        value = printed(call.inner(["printf", *call.args[2:]], "printf"))
        follow.scene.assign(call.args[1], value)
        follow.code(from_assignment(call.args[1], value), call, f"{call.args[1]} variable")


def declare(call: Call, follow: Follower) -> None:
    for word in call.args:
        name, equals, value = word.partition("=")
        if equals and _NAME.fullmatch(name):
            follow.scene.assign(name, value)


def map_file(call: Call, follow: Follower) -> None:
    names = [word for word in call.args if _NAME.fullmatch(word)]
    if names:
        fed = call.stdin
        known = fed is not None and is_known(fed)
        follow.scene.arrays[names[-1]] = fed.splitlines() if fed is not None and known else [HOLE]


def command_hook(call: Call, follow: Follower) -> None:
    """`complete -C cmd`, `bind -x '"k": cmd'`, `enable -f lib`."""
    for place, word in enumerate(call.args[:-1]):
        if (call.name, word) in (("complete", "-C"), ("bind", "-x"), ("compgen", "-C")):
            follow.text(call.args[place + 1].partition(":")[2] or call.args[place + 1], call, f"{call.name} {word}")
        elif (call.name, word) == ("enable", "-f"):
            follow.say(call, Harm.ENVIRONMENT, "loads a library into the shell")
        elif (call.name, word) == ("hash", "-p"):
            follow.say(call, Harm.ENVIRONMENT, "makes a name stand for another program")


STARTS = {
    "eval": evaluate, "source": source, ".": source, "trap": trap, "alias": alias, "cd": change_folder, "pushd": change_folder,
    "read": read, "set": set_positional, "printf": printf, "mapfile": map_file, "readarray": map_file, "complete": command_hook,
    "bind": command_hook, "enable": command_hook, "hash": command_hook, "compgen": command_hook, "declare": declare, "local": declare, "typeset": declare,
    "export": declare, "readonly": declare,
}  # fmt: skip
