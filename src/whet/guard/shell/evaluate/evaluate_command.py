"""One simple command: written down, taken out of what wraps it, followed into what it starts, and judged."""

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from whet.guard.shell.evaluate.command_options import (
    COMMAND_READERS,
    TEXT_OPTIONS,
    effects_of_tool_commands,
    texts_in_known_options,
    texts_in_run_options,
)
from whet.guard.shell.evaluate.wrappers import WRAPPERS, Unwrapped, unwrap
from whet.guard.shell.launchers import LAUNCHERS, shells
from whet.guard.shell.launchers.builtins import SUBSCRIPT_BUILTINS, follow_subscripts
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import FoundCommand, Harm
from whet.guard.shell.model.paths import is_temporary
from whet.guard.shell.model.placeholders import DECODED, FROM_NETWORK, UNKNOWN, display, is_known, without_placeholders
from whet.guard.shell.output.printed import printed
from whet.guard.shell.rules import RULES, any_command_hits, effects_of_assignment

_SYNTAX = frozenset({"if", "elif", "while", "until", "{", "}", "!", "then", "do", "else", "fi", "done", "(", ")"})
_MISREAD = frozenset({"function", "for", "case", "select", "in", "esac"})  # where the grammar takes one for a command
_BY_HAND = ("!", ":!")
_AS_SOMEBODY_ELSE = frozenset({"sudo", "doas", "pkexec", "run0"})


def evaluate_command(
    call: Call, follower: Follower, assigned: Sequence[tuple[str, str]] = (), *, by_shell: bool = True
) -> str:
    """What the command prints, as far as it is known. Only what the shell itself starts may be a function or an alias."""
    state = follower.state
    state.commands_left -= 1
    if state.commands_left < 0:
        state.give_up("it has more commands than are followed")
    if state.given_up:
        return UNKNOWN
    for name, value in assigned:
        if name:
            for found in effects_of_assignment(name, value):
                follower.follow_effects([found], call, f"{name} variable")
    if call.path in _SYNTAX:
        place = next((at for at, word in enumerate(call.args) if word not in _SYNTAX), None)
        if place is None:
            return ""
        call = replace(call, path=call.args[place], args=call.args[place + 1 :])
    if call.name in SUBSCRIPT_BUILTINS:
        follow_subscripts(call, follower)
    for harm, reason, raises in any_command_hits(call, state):
        state.add_danger(harm, reason, call.span, raises=raises)
    if not call.path:
        return ""
    if call.path in _MISREAD:
        state.add_unresolved("part of it cannot be read as shell", call.span)
    return _named(call, follower, by_shell=by_shell)


def _named(call: Call, follower: Follower, *, by_shell: bool) -> str:
    state = follower.state
    if DECODED in call.path:
        state.add_danger(Harm.ENCODED, "decodes the name of a command", call.span)
        call = call.inner([call.path.replace(DECODED, ""), *call.args], "decoded")
    state.found_commands.append(FoundCommand(display(call.path), tuple(map(display, call.args)), call.span, call.via))
    path = call.path
    if not is_known(path) or (path != "[" and ("*" in path or "?" in path or "[" in path)):
        return _guessed(call, follower)
    if call.path.startswith(_BY_HAND) and len(call.path) > 2:
        follower.follow_text(" ".join([call.path.lstrip(":!"), *call.args]), call, "pager or editor")
        return UNKNOWN
    if call.name[:1] == "." and "/" in path and is_temporary(path):
        state.add_danger(Harm.CONCEALED, "runs a program that is hidden in a folder for everybody", call.span)
    if by_shell and path in state.functions:
        return _function(call, follower)
    if by_shell and path in state.aliases and call.path not in state.call_stack and state.aliases[call.path].split():
        state.call_stack.append(call.path)
        inner = state.aliases[call.path].split()
        printed_by_it = follower.follow_command([*inner, *call.args], call, f"alias {call.path}")
        state.call_stack.pop()
        return printed_by_it
    return _started(call, follower)


def _guessed(call: Call, follower: Follower) -> str:
    """A name that is a pattern is every command it fits; one with unknown parts may be what is left without them."""
    state = follower.state
    if FROM_NETWORK in call.path:
        state.add_danger(Harm.PIPE_TO_SHELL, "what the network sends is run as a command", call.span)
    if not is_known(call.path):
        state.add_unresolved("the name of the command is not known", call.span)
        left = without_placeholders(call.path)
        if (
            left
            and not left.endswith("/")
            and left.rpartition("/")[2] in RULES
            and "/" not in call.path.replace(left, "")
        ):
            return _started(call.inner([left, *call.args], "a name with an unknown part"), follower)
        return UNKNOWN
    pattern = call.name
    matches = [name for name in (*RULES, *WRAPPERS, *LAUNCHERS) if fnmatchcase(name, pattern)]
    state.add_unresolved("the name of the command is a pattern", call.span)
    for name in dict.fromkeys(matches[:12]):
        _started(call.inner([name, *call.args], f"the pattern {call.path}"), follower)
    return UNKNOWN


def _function(call: Call, follower: Follower) -> str:
    state = follower.state
    name = call.path
    state.uncalled_functions.pop(name, None)
    if name in state.call_stack:
        if state.parallel_depth:
            state.add_danger(Harm.EXHAUSTION, f"{name} starts itself again and again", call.span)
        return _started(call, follower)
    state.call_stack.append(name)
    printed_by_it = state.functions[name](call.args, (*call.via, f"function {name}"), call.stdin)
    state.call_stack.pop()
    return printed_by_it


def _started(call: Call, follower: Follower) -> str:
    state = follower.state
    name = call.name
    inside = unwrap(name, call.args)
    result: str | None = None
    if inside is not None:
        result = _unwrapped(call, inside, follower)
    start = LAUNCHERS.get(name)
    if start is not None:
        start(call, follower)
    elif "/" in call.path and inside is None:
        shells.script(call, call.path, call.args, follower)
    if name in TEXT_OPTIONS or name in COMMAND_READERS:
        follower.follow_effects((*texts_in_known_options(call), *effects_of_tool_commands(call)), call, name)
    if inside is None and call.args:
        follower.follow_effects(texts_in_run_options(call), call, name)
    for rule in RULES.get(name, ()):
        for harm, reason, *raises in rule(call):
            state.add_danger(harm, reason, call.span, raises=bool(raises))
    if result is not None:
        return result
    heard = state.output_used or call.writes or call.reads or call.stdin is not None
    return printed(call) if heard else ""


def _unwrapped(call: Call, inside: Unwrapped, follower: Follower) -> str:
    state, name = follower.state, call.name
    if inside.unknown:
        state.add_unresolved(inside.unknown, call.span)
    if name in _AS_SOMEBODY_ELSE:
        _elevated(call, inside.words, follower)
    for word in inside.assigned:
        variable, _, value = word.partition("=")
        for found in effects_of_assignment(variable, value):
            follower.follow_effects([found], call, f"{variable} variable")
    label = name if name in WRAPPERS else f"{name} {call.args[0]}"
    for text in inside.texts:
        follower.follow_text(text, call, label)
    if inside.words:
        return follower.follow_command(list(inside.words), call, label)
    if call.name == "exec" and any(path.startswith(("/dev/tcp/", "/dev/udp/")) for path in (*call.reads, *call.writes)):
        follower.add_danger(call, Harm.REVERSE_SHELL, "opens a connection from the shell")
    return printed(call) if name in ("command", "env") else UNKNOWN


def _elevated(call: Call, words: tuple[str, ...], follower: Follower) -> None:
    asks_for_shell = call.name == "sudo" and not words and call.options.has("is", "login", "shell")
    if asks_for_shell or (call.name == "doas" and "s" in call.options.shorts):
        follower.add_danger(call, Harm.PRIVILEGE, "opens a shell as another user")
    elif words:
        follower.add_danger(
            call, Harm.PRIVILEGE, f"{call.name} runs a command with the rights of another user", raises=True
        )
