"""Whether a shell command may be run: everything in it is found first, then the answer is given."""

import re
from dataclasses import dataclass

from whet.guard.answer import Allow, Answer, Raise, Refuse
from whet.guard.shell.evaluate.traverse import Traversal
from whet.guard.shell.model.harm import Danger, FoundCommand, Harm
from whet.guard.shell.model.paths import is_settings_file, is_temporary
from whet.guard.shell.model.placeholders import UNKNOWN, display, has_placeholders
from whet.guard.shell.model.programs import DESTRUCTIVE_COMMANDS, EVERYDAY_COMMANDS, FETCHERS
from whet.guard.shell.model.state import ShellState

MAX_LENGTH = 32_768
_SURROGATE = re.compile("[\ud800-\udfff]")
_STANDARD = ("/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/usr/local/sbin/", "/opt/homebrew/bin/")

_WHOLE_SENTENCES = (Harm.UNRESOLVED, Harm.PIPE_TO_SHELL, Harm.ENCODED, Harm.ENVIRONMENT)


@dataclass(frozen=True, slots=True)
class ShellPolicy:
    """With `allow`, only these names may appear, and what cannot be resolved is refused; without, a person is asked."""

    allow: frozenset[str] | None = None
    longest: int = MAX_LENGTH


@dataclass(frozen=True, slots=True)
class Inspection:
    commands: tuple[FoundCommand, ...]
    dangers: tuple[Danger, ...]
    answer: Answer


def inspect(command: str | bytes, policy: ShellPolicy | None = None) -> Inspection:
    """Every simple command in a text, every danger, and the answer. Takes anything, raises nothing."""
    policy = policy or ShellPolicy()
    text = _readable(command, policy)
    if isinstance(text, Refuse):
        return Inspection((), (), text)
    state = ShellState()
    try:
        Traversal(state, text).run()
        for name, function in list(state.uncalled_functions.items()):
            first = len(state.found_commands)
            function(None, ("a function that is not called",), None)
            if name in EVERYDAY_COMMANDS and any(_takes_away(found, name) for found in state.found_commands[first:]):
                state.add_danger(Harm.ENVIRONMENT, f"{name} is made to stand for something else", (0, len(text)))
    except RecursionError:
        state.give_up("it is nested too deeply to be followed")
    _startup(state)
    dangers = tuple(sorted(state.dangers.values(), key=lambda danger: (danger.raises, danger.span, danger.harm)))
    return Inspection(tuple(state.found_commands), dangers, _answer(state, dangers, policy))


def _takes_away(found: FoundCommand, name: str) -> bool:
    """Whether a function deletes, ends or sends away whatever it is given, or hands it to a program of anybody's."""
    if is_temporary(found.name):
        return True
    given = any(display(UNKNOWN) in argument for argument in found.arguments)
    return given and found.name != name and (found.name in DESTRUCTIVE_COMMANDS or found.name in FETCHERS)


def judge_command(command: str | bytes, policy: ShellPolicy | None = None) -> Answer:
    return inspect(command, policy).answer


def _readable(command: str | bytes, policy: ShellPolicy) -> str | Refuse:
    if isinstance(command, bytes):
        try:
            command = command.decode()
        except UnicodeDecodeError:
            return Refuse("the command is not UTF-8", "command_unreadable")
    if "\0" in command or (not command.isascii() and _SURROGATE.search(command)):
        return Refuse("the command has characters that no shell can be given", "command_unreadable")
    if has_placeholders(command):
        return Refuse("the command has characters of the private area, which show nothing", "command_unreadable")
    if not command.strip():
        return Refuse("the command is empty", "command_empty")
    if len(command) > policy.longest:
        return Refuse(f"the command is longer than {policy.longest} characters", "command_too_long")
    return command


_STARTS_ANYTHING = re.compile(
    r"(/tmp|/var/tmp|/dev/shm)/|\b(?:curl|wget|nc|ncat)\b.*[|]|\b(?:registry|index-url|index_url|proxy|url)\b.*http://(?!localhost|127\.)|\bsystem\s*\(|shell-command|^\s*[|!]|trusted-host|insteadOf",
    re.MULTILINE,
)


def _startup(state: ShellState) -> None:
    """What is added to a file that every shell reads is a command text itself."""
    for path, span in state.startup_writes:
        text = state.files.get(path, "")
        if is_settings_file(path):
            if _STARTS_ANYTHING.search(text):
                state.add_danger(Harm.PERSISTENCE, f"makes what reads {path} start or trust something else", span)
            continue
        before, first = set(state.dangers), len(state.found_commands)
        Traversal(state, text, at=span, via=(f"start-up file {path}",)).run()
        if set(state.dangers) - before or any(is_temporary(found.name) for found in state.found_commands[first:]):
            state.add_danger(Harm.PERSISTENCE, f"writes {path}, which every shell runs", span)


def _answer(state: ShellState, dangers: tuple[Danger, ...], policy: ShellPolicy) -> Answer:
    if state.given_up:
        return Refuse(f"the command cannot be judged: {state.given_up}", "command_too_complex")
    for danger in dangers:
        if not danger.raises:
            return Refuse(_sentence(danger), f"command_{danger.harm}")
    if policy.allow is not None:
        return _listed(state, dangers, policy.allow)
    if dangers:
        return Raise(_sentence(dangers[0]), f"command_{dangers[0].harm}")
    return Allow()


def _sentence(danger: Danger) -> str:
    return danger.reason if danger.harm in _WHOLE_SENTENCES else f"the command {danger.reason}"


def _listed(state: ShellState, dangers: tuple[Danger, ...], allow: frozenset[str]) -> Answer:
    for found in state.found_commands:
        if not _is_listed(found.name, allow) and found.name not in state.functions:
            return Refuse(f"{found.name} is not among the commands that are allowed", "command_not_allowed")
    unresolved = next((danger for danger in dangers if danger.harm in (Harm.UNRESOLVED, Harm.CONCEALED)), None)
    if unresolved is not None:
        return Refuse(_sentence(unresolved), f"command_{unresolved.harm}")
    if dangers:
        return Raise(_sentence(dangers[0]), f"command_{dangers[0].harm}")
    return Allow()


def _is_listed(name: str, allow: frozenset[str]) -> bool:
    if name in allow:
        return True
    folder, slash, last = name.rpartition("/")
    return bool(slash) and folder + slash in _STANDARD and last in allow
