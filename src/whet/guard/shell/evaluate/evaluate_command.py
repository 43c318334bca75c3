"""Evaluate one simple command: note it, unwrap it, follow what it starts, and apply the rules."""

from collections.abc import Container, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from whet.guard.shell.evaluate.all_wrappers import WRAPPERS
from whet.guard.shell.evaluate.command_options import (
    COMMAND_READERS,
    TEXT_OPTIONS,
    effects_of_tool_commands,
    texts_in_known_options,
    texts_in_run_options,
)
from whet.guard.shell.evaluate.unknown_programs import raise_commands_in_arguments
from whet.guard.shell.evaluate.wrappers import Unwrapped, unwrap
from whet.guard.shell.launchers import LAUNCHERS, TABLE_LAUNCHERS, shells
from whet.guard.shell.launchers.builtins import SUBSCRIPT_BUILTINS, follow_subscripts
from whet.guard.shell.launchers.consoles import raise_console_verb
from whet.guard.shell.launchers.option_tables.common_options import programs_in_common_options
from whet.guard.shell.launchers.other_user import WRAPPERS_OF_OTHER_USERS, judge_other_user, opens_shell
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import FoundCommand, Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.paths import is_temporary
from whet.guard.shell.model.placeholders import (
    DECODED,
    FROM_NETWORK,
    UNKNOWN,
    display,
    is_known,
    without_placeholders,
)
from whet.guard.shell.model.program_names import OTHER_NAMES, canonical_names
from whet.guard.shell.model.programs import INTERACTIVE_PROGRAMS
from whet.guard.shell.model.queries import is_query
from whet.guard.shell.model.state import UNPARSED, ShellState
from whet.guard.shell.output.predict import predict_output
from whet.guard.shell.rules import RULES, any_command_hits, effects_of_assignment, own_hits

# In text that the grammar cannot parse, keywords become the first word of a command. These are skipped ...
_SKIPPED_KEYWORDS = frozenset(
    {"if", "elif", "while", "until", "{", "}", "!", "then", "do", "else", "fi", "done", "(", ")"}
)
# ... and these mean that the text was not understood.
_MISPARSED_KEYWORDS = frozenset({"function", "for", "case", "select", "in", "esac"})
_SHELL_ESCAPE_PREFIXES = ("!", ":!")  # `!sh` typed into a pager, `:!sh` into an editor
_CONNECTION_FILES = ("/dev/tcp/", "/dev/udp/")
_TABLES: tuple[Container[str], ...] = (RULES, WRAPPERS, LAUNCHERS, TABLE_LAUNCHERS, TEXT_OPTIONS, COMMAND_READERS)
# Options of wrappers that change the working folder of the inner command.
_FOLDER_OPTIONS = {"env": ("-C", "--chdir"), "sudo": ("-D", "--chdir"), "run0": ("-D", "--chdir")}
_MAX_MATCHES = 12  # commands that are tried for a name that is a glob


def evaluate_command(
    call: Call, follower: Follower, assignments: Sequence[tuple[str, str]] = (), *, by_shell: bool = True
) -> str:
    """Evaluate a call and return its output as far as it is known.

    `assignments` are the variables set for this call (`A=b cmd`). `by_shell` is false if another program starts the
    command: then its name cannot be a shell function or an alias.
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
        state.add_unresolved(UNPARSED, call.span)
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
    if len(path) == 1 and not call.args and _follows_interactive_program(state):
        state.add_unresolved(f"the text types {path} into a program that it opens", call.span)
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


def _follows_interactive_program(state: ShellState) -> bool:
    """True if the command before the current one is a pager, an editor or a file manager."""
    return len(state.found_commands) > 1 and state.found_commands[-2].name.rpartition("/")[2] in INTERACTIVE_PROGRAMS


def _evaluate_unknown_name(call: Call, follower: Follower) -> str:
    """Ask for review of a command whose name has unknown parts. If a rule has the known rest as its name (`${x}rm`), evaluate
    the command as that one too."""
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
    """Ask a person about a command name that is a glob, and evaluate every known command that it matches (`/bin/r?`)."""
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
    call = _under_known_name(call)
    name = call.name
    unwrapped = unwrap(name, call.args)
    inner_output = None if unwrapped is None else _evaluate_unwrapped(call, unwrapped, follower)
    launcher = LAUNCHERS.get(name)
    if launcher is not None:
        launcher(call, follower)
    elif "/" in call.path and unwrapped is None:
        shells.script(call, call.path, call.args, follower)
    for table_launcher in TABLE_LAUNCHERS.get(name, ()):
        table_launcher(call, follower)
    if name in TEXT_OPTIONS or name in COMMAND_READERS:
        follower.follow_effects((*texts_in_known_options(call), *effects_of_tool_commands(call)), call, name)
    if unwrapped is None and call.args:
        follower.follow_effects((*texts_in_run_options(call), *programs_in_common_options(call)), call, name)
    if call.args and not any(name in table for table in _TABLES):
        raise_commands_in_arguments(call, follower)
        raise_console_verb(call, follower)
    for rule in RULES.get(name, ()) if not is_query(call) else ():
        for harm, reason, *raises in rule(call):
            state.add_danger(harm, reason, call.span, raises=bool(raises))
    for harm, reason, *raises in own_hits(call, is_wrapper=unwrapped is not None, is_launcher=launcher is not None):
        state.add_danger(harm, reason, call.span, raises=bool(raises))
    if inner_output is not None:
        return inner_output
    # Predicting the output is costly, so it is done only if something may receive it.
    is_used = state.output_used or call.writes or call.reads or call.stdin is not None
    return predict_output(call) if is_used else ""


def _under_known_name(call: Call) -> Call:
    """Return the call with the name that the tables know: `gcc` for `gcc-12`."""
    if call.name not in OTHER_NAMES and any(call.name in table for table in _TABLES):
        return call
    for name in canonical_names(call.name):
        if any(name in table for table in _TABLES):
            return replace(call, path=f"{call.path.removesuffix(call.name)}{name}")
    return call


def _evaluate_unwrapped(call: Call, unwrapped: Unwrapped, follower: Follower) -> str:
    """Evaluate what a wrapper such as `sudo` or `env` starts, and return its output."""
    if call.name not in WRAPPERS_OF_OTHER_USERS:
        return _evaluate_inner(call, unwrapped, follower)
    state = follower.state
    dangers, commands = len(state.dangers), len(state.found_commands)
    if opens_shell(call, unwrapped.words):
        follower.add_danger(call, Harm.PRIVILEGE, "opens a shell as another user")
    output = _evaluate_inner(call, unwrapped, follower)
    is_dangerous = len(state.dangers) > dangers
    judge_other_user(call, state.found_commands[commands:], follower, is_dangerous=is_dangerous)
    return output


def _evaluate_inner(call: Call, unwrapped: Unwrapped, follower: Follower) -> str:
    """Evaluate the command, the texts and the variables of a wrapper, and return the output."""
    name = call.name
    if unwrapped.unknown:
        follower.state.add_unresolved(unwrapped.unknown, call.span)
    for word in unwrapped.assignments:
        variable, _, value = word.partition("=")
        _follow_assignment(variable, value, call, follower)
    folders = [value for option in _FOLDER_OPTIONS.get(name, ()) for value in values_of(call.args, option)]
    if folders:
        call = replace(call, cwd=call.resolve(folders[-1]))
    label = name if name in WRAPPERS else f"{name} {call.args[0]}"
    for text in unwrapped.texts:
        follower.follow_text(text, call, label)
    if unwrapped.words:
        return follower.follow_command(list(unwrapped.words), call, label)
    if name == "exec" and any(path.startswith(_CONNECTION_FILES) for path in (*call.reads, *call.writes)):
        follower.add_danger(call, Harm.REVERSE_SHELL, "opens a connection from the shell")
    return predict_output(call) if name in ("command", "env", "ssh-agent") else UNKNOWN
