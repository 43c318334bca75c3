"""One simple command: written down, taken out of what wraps it, followed into what it starts, and judged."""

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from whet.guard.shell.evaluate.command_options import TALKING, TEXT_OPTIONS, named_texts, option_texts, spoken_lines
from whet.guard.shell.evaluate.wrappers import WRAPPERS, Unwrapped, unwrap
from whet.guard.shell.launchers import STARTS, shells
from whet.guard.shell.launchers.builtins import EVALUATES_SUBSCRIPTS, subscripts
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import FoundCommand, Harm
from whet.guard.shell.model.paths import is_temporary
from whet.guard.shell.model.placeholders import DECODED, HOLE, NETWORK, bare, is_known, shown
from whet.guard.shell.output.printed import printed
from whet.guard.shell.rules import RULES, every_call, from_assignment

_SYNTAX = frozenset({"if", "elif", "while", "until", "{", "}", "!", "then", "do", "else", "fi", "done", "(", ")"})
_MISREAD = frozenset({"function", "for", "case", "select", "in", "esac"})  # where the grammar takes one for a command
_BY_HAND = ("!", ":!")
_AS_SOMEBODY_ELSE = frozenset({"sudo", "doas", "pkexec", "run0"})


def meet(call: Call, follow: Follower, assigned: Sequence[tuple[str, str]] = (), *, by_shell: bool = True) -> str:
    """What the command prints, as far as it is known. Only what the shell itself starts may be a function or an alias."""
    scene = follow.scene
    scene.commands -= 1
    if scene.commands < 0:
        scene.give_up("it has more commands than are followed")
    if scene.given_up:
        return HOLE
    for name, value in assigned:
        if name:
            for found in from_assignment(name, value):
                follow.code([found], call, f"{name} variable")
    if call.path in _SYNTAX:
        place = next((at for at, word in enumerate(call.args) if word not in _SYNTAX), None)
        if place is None:
            return ""
        call = replace(call, path=call.args[place], args=call.args[place + 1 :])
    if call.name in EVALUATES_SUBSCRIPTS:
        subscripts(call, follow)
    for harm, reason, raises in every_call(call, scene):
        scene.say(harm, reason, call.span, raises=raises)
    if not call.path:
        return ""
    if call.path in _MISREAD:
        scene.unresolved("part of it cannot be read as shell", call.span)
    return _named(call, follow, by_shell=by_shell)


def _named(call: Call, follow: Follower, *, by_shell: bool) -> str:
    scene = follow.scene
    if DECODED in call.path:
        scene.say(Harm.ENCODED, "decodes the name of a command", call.span)
        call = call.inner([call.path.replace(DECODED, ""), *call.args], "decoded")
    scene.found.append(FoundCommand(shown(call.path), tuple(map(shown, call.args)), call.span, call.via))
    path = call.path
    if not is_known(path) or (path != "[" and ("*" in path or "?" in path or "[" in path)):
        return _guessed(call, follow)
    if call.path.startswith(_BY_HAND) and len(call.path) > 2:
        follow.text(" ".join([call.path.lstrip(":!"), *call.args]), call, "pager or editor")
        return HOLE
    if call.name[:1] == "." and "/" in path and is_temporary(path):
        scene.say(Harm.CONCEALED, "runs a program that is hidden in a folder for everybody", call.span)
    if by_shell and path in scene.functions:
        return _function(call, follow)
    if by_shell and path in scene.aliases and call.path not in scene.calling and scene.aliases[call.path].split():
        scene.calling.append(call.path)
        inner = scene.aliases[call.path].split()
        printed_by_it = follow.command([*inner, *call.args], call, f"alias {call.path}")
        scene.calling.pop()
        return printed_by_it
    return _started(call, follow)


def _guessed(call: Call, follow: Follower) -> str:
    """A name that is a pattern is every command it fits; one with unknown parts may be what is left without them."""
    scene = follow.scene
    if NETWORK in call.path:
        scene.say(Harm.PIPE_TO_SHELL, "what the network sends is run as a command", call.span)
    if not is_known(call.path):
        scene.unresolved("the name of the command is not known", call.span)
        left = bare(call.path)
        if (
            left
            and not left.endswith("/")
            and left.rpartition("/")[2] in RULES
            and "/" not in call.path.replace(left, "")
        ):
            return _started(call.inner([left, *call.args], "a name with an unknown part"), follow)
        return HOLE
    pattern = call.name
    matches = [name for name in (*RULES, *WRAPPERS, *STARTS) if fnmatchcase(name, pattern)]
    scene.unresolved("the name of the command is a pattern", call.span)
    for name in dict.fromkeys(matches[:12]):
        _started(call.inner([name, *call.args], f"the pattern {call.path}"), follow)
    return HOLE


def _function(call: Call, follow: Follower) -> str:
    scene = follow.scene
    name = call.path
    scene.uncalled.pop(name, None)
    if name in scene.calling:
        if scene.parallel:
            scene.say(Harm.EXHAUSTION, f"{name} starts itself again and again", call.span)
        return _started(call, follow)
    scene.calling.append(name)
    printed_by_it = scene.functions[name](call.args, (*call.via, f"function {name}"), call.stdin)
    scene.calling.pop()
    return printed_by_it


def _started(call: Call, follow: Follower) -> str:
    scene = follow.scene
    name = call.name
    inside = unwrap(name, call.args)
    result: str | None = None
    if inside is not None:
        result = _unwrapped(call, inside, follow)
    start = STARTS.get(name)
    if start is not None:
        start(call, follow)
    elif "/" in call.path and inside is None:
        shells.script(call, call.path, call.args, follow)
    if name in TEXT_OPTIONS or name in TALKING:
        follow.code((*option_texts(call), *spoken_lines(call)), call, name)
    if inside is None and call.args:
        follow.code(named_texts(call), call, name)
    for rule in RULES.get(name, ()):
        for harm, reason, *raises in rule(call):
            scene.say(harm, reason, call.span, raises=bool(raises))
    if result is not None:
        return result
    heard = scene.piped or call.writes or call.reads or call.stdin is not None
    return printed(call) if heard else ""


def _unwrapped(call: Call, inside: Unwrapped, follow: Follower) -> str:
    scene, name = follow.scene, call.name
    if inside.unknown:
        scene.unresolved(inside.unknown, call.span)
    if name in _AS_SOMEBODY_ELSE:
        _elevated(call, inside.words, follow)
    for word in inside.assigned:
        variable, _, value = word.partition("=")
        for found in from_assignment(variable, value):
            follow.code([found], call, f"{variable} variable")
    how = name if name in WRAPPERS else f"{name} {call.args[0]}"
    for text in inside.texts:
        follow.text(text, call, how)
    if inside.words:
        return follow.command(list(inside.words), call, how)
    if call.name == "exec" and any(path.startswith(("/dev/tcp/", "/dev/udp/")) for path in (*call.reads, *call.writes)):
        follow.say(call, Harm.REVERSE_SHELL, "opens a connection from the shell")
    return printed(call) if name in ("command", "env") else HOLE


def _elevated(call: Call, words: tuple[str, ...], follow: Follower) -> None:
    asks_for_shell = call.name == "sudo" and not words and call.options.has("is", "login", "shell")
    if asks_for_shell or (call.name == "doas" and "s" in call.options.shorts):
        follow.say(call, Harm.PRIVILEGE, "opens a shell as another user")
    elif words:
        follow.say(call, Harm.PRIVILEGE, f"{call.name} runs a command with the rights of another user", raises=True)
