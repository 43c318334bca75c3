"""Evaluate one simple command: note it, unwrap it, follow what it starts, and apply the rules."""

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
from whet.guard.shell.evaluate.wrapper_table import WRAPPERS
from whet.guard.shell.evaluate.wrappers import Unwrapped, unwrap
from whet.guard.shell.launchers import LAUNCHERS, shells
from whet.guard.shell.launchers.builtins import SUBSCRIPT_BUILTINS, follow_subscripts
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import FoundCommand, Harm
from whet.guard.shell.model.paths import is_temporary
from whet.guard.shell.model.placeholders import (
    DECODED,
    FROM_NETWORK,
    UNKNOWN,
    display,
    is_known,
    without_placeholders,
)
from whet.guard.shell.output.predict import predict_output
from whet.guard.shell.rules import RULES, any_command_hits, effects_of_assignment

# In text that the grammar cannot parse, keywords become the first word of a command. These are skipped ...
_SKIPPED_KEYWORDS = frozenset(
    {"if", "elif", "while", "until", "{", "}", "!", "then", "do", "else", "fi", "done", "(", ")"}
)
# ... and these mean that the text was not understood.
_MISPARSED_KEYWORDS = frozenset({"function", "for", "case", "select", "in", "esac"})
_SHELL_ESCAPE_PREFIXES = ("!", ":!")  # `!sh` typed into a pager, `:!sh` into an editor
_RUN_AS_ANOTHER_USER = frozenset({"sudo", "doas", "pkexec", "run0"})
_CONNECTION_FILES = ("/dev/tcp/", "/dev/udp/")
_MAX_MATCHES = 12  # commands that are tried for a name that is a glob


def evaluate_command(
    call: Call, follower: Follower, assignments: Sequence[tuple[str, str]] = (), *, by_shell: bool = True
) -> str:
    """Evaluate a call and return its output as far as it is known.

    `assignments` are the variables set for this call (`A=b cmd`). With `by_shell`, the name may be a function or an
    alias; a program that starts another program knows neither.
    """
    state = follower.state
    state.commands_left -= 1
    if state.commands_left < 0:
        state.give_up("it has too many commands")
    if state.given_up:
        return UNKNOWN
    for name, value in assignments:
        if name:
            _follow_assignment(name, value, call, follower)
    if call.path in _SKIPPED_KEYWORDS:
        first = next((index for index, word in enumerate(call.args) if word not in _SKIPPED_KEYWORDS), None)
        if first is None:
            return ""
        call = replace(call, path=call.args[first], args=call.args[first + 1 :])
    if call.name in SUBSCRIPT_BUILTINS:
        follow_subscripts(call, follower)
    for harm, reason in any_command_hits(call, state):
        state.add_danger(harm, reason, call.span)
    if not call.path:
        return ""
    if call.path in _MISPARSED_KEYWORDS:
        state.add_unresolved("the text cannot be fully parsed as shell", call.span)
    return _evaluate_named(call, follower, by_shell=by_shell)


def _follow_assignment(name: str, value: str, call: Call, follower: Follower) -> None:
    for effect in effects_of_assignment(name, value):
        follower.follow_effects([effect], call, f"the variable {name}")


def _evaluate_named(call: Call, follower: Follower, *, by_shell: bool) -> str:
    """Note the command, and evaluate the function, alias or program of its name."""
    state = follower.state
    if DECODED in call.path:
        state.add_danger(Harm.ENCODED, "the command decodes the name of another command", call.span)
        call = call.inner([call.path.replace(DECODED, ""), *call.args], "decoded")
    state.found_commands.append(FoundCommand(display(call.path), tuple(map(display, call.args)), call.span, call.via))
    path = call.path
    is_glob = path != "[" and ("*" in path or "?" in path or "[" in path)
    if not is_known(path):
        return _evaluate_unknown_name(call, follower)
    if is_glob:
        return _evaluate_glob(call, follower)
    if path.startswith(_SHELL_ESCAPE_PREFIXES) and len(path) > 2:
        follower.follow_text(" ".join([path.lstrip(":!"), *call.args]), call, "pager or editor")
        return UNKNOWN
    if call.name[:1] == "." and "/" in path and is_temporary(path):
        state.add_danger(Harm.CONCEALED, "runs a hidden program from a temporary folder", call.span)
    if by_shell and path in state.functions:
        return _evaluate_function(call, follower)
    if by_shell and path in state.aliases and path not in state.call_stack:
        words = state.aliases[path].split()
        if words:
            state.call_stack.append(path)
            output = follower.follow_command([*words, *call.args], call, f"alias {path}")
            state.call_stack.pop()
            return output
    return _evaluate_program(call, follower)


def _evaluate_unknown_name(call: Call, follower: Follower) -> str:
    """Raise a name with unknown parts, and evaluate the known rest if a rule has that name (`${x}rm`)."""
    state = follower.state
    if FROM_NETWORK in call.path:
        state.add_danger(Harm.PIPE_TO_SHELL, "the command runs text from the network", call.span)
    state.add_unresolved("the name of the command is not known", call.span)
    known_part = without_placeholders(call.path)
    if not known_part or known_part.endswith("/") or known_part.rpartition("/")[2] not in RULES:
        return UNKNOWN
    if "/" in call.path.replace(known_part, ""):
        return UNKNOWN
    return _evaluate_program(call.inner([known_part, *call.args], "a name with an unknown part"), follower)


def _evaluate_glob(call: Call, follower: Follower) -> str:
    """Raise a name that is a glob, and evaluate every known command that it matches (`/bin/r?`)."""
    follower.state.add_unresolved("the name of the command is a pattern", call.span)
    matches = [name for name in (*RULES, *WRAPPERS, *LAUNCHERS) if fnmatchcase(name, call.name)]
    for name in dict.fromkeys(matches[:_MAX_MATCHES]):
        _evaluate_program(call.inner([name, *call.args], f"the pattern {call.path}"), follower)
    return UNKNOWN


def _evaluate_function(call: Call, follower: Follower) -> str:
    """Evaluate the body of a function; a call of itself in the background is a fork bomb."""
    state = follower.state
    name = call.path
    state.uncalled_functions.pop(name, None)
    if name in state.call_stack:
        if state.parallel_depth:
            state.add_danger(Harm.EXHAUSTION, f"starts {name} again and again (a fork bomb)", call.span)
        return _evaluate_program(call, follower)
    state.call_stack.append(name)
    output = state.functions[name](call.args, (*call.via, f"function {name}"), call.stdin)
    state.call_stack.pop()
    return output


def _evaluate_program(call: Call, follower: Follower) -> str:
    """Follow everything that a program starts, apply the rules of its name, and return its output."""
    state = follower.state
    name = call.name
    unwrapped = unwrap(name, call.args)
    inner_output = None if unwrapped is None else _evaluate_unwrapped(call, unwrapped, follower)
    launcher = LAUNCHERS.get(name)
    if launcher is not None:
        launcher(call, follower)
    elif "/" in call.path and unwrapped is None:
        shells.script(call, call.path, call.args, follower)
    if name in TEXT_OPTIONS or name in COMMAND_READERS:
        follower.follow_effects((*texts_in_known_options(call), *effects_of_tool_commands(call)), call, name)
    if unwrapped is None and call.args:
        follower.follow_effects(texts_in_run_options(call), call, name)
    for rule in RULES.get(name, ()):
        for harm, reason, *raises in rule(call):
            state.add_danger(harm, reason, call.span, raises=bool(raises))
    if inner_output is not None:
        return inner_output
    # Predicting the output is costly, so it is done only if something may receive it.
    is_used = state.output_used or call.writes or call.reads or call.stdin is not None
    return predict_output(call) if is_used else ""


def _evaluate_unwrapped(call: Call, unwrapped: Unwrapped, follower: Follower) -> str:
    """Evaluate what a wrapper such as `sudo` or `env` starts, and return its output."""
    name = call.name
    if unwrapped.unknown:
        follower.state.add_unresolved(unwrapped.unknown, call.span)
    if name in _RUN_AS_ANOTHER_USER:
        _judge_other_user(call, unwrapped.words, follower)
    for word in unwrapped.assignments:
        variable, _, value = word.partition("=")
        _follow_assignment(variable, value, call, follower)
    label = name if name in WRAPPERS else f"{name} {call.args[0]}"
    for text in unwrapped.texts:
        follower.follow_text(text, call, label)
    if unwrapped.words:
        return follower.follow_command(list(unwrapped.words), call, label)
    if name == "exec" and any(path.startswith(_CONNECTION_FILES) for path in (*call.reads, *call.writes)):
        follower.add_danger(call, Harm.REVERSE_SHELL, "opens a connection from the shell")
    return predict_output(call) if name in ("command", "env") else UNKNOWN


def _judge_other_user(call: Call, words: tuple[str, ...], follower: Follower) -> None:
    opens_shell = call.name == "sudo" and not words and call.options.has("is", "login", "shell")
    if opens_shell or (call.name == "doas" and "s" in call.options.shorts):
        follower.add_danger(call, Harm.PRIVILEGE, "opens a shell as another user")
    elif words:
        follower.add_danger(call, Harm.PRIVILEGE, f"uses {call.name} to run as another user", raises=True)
