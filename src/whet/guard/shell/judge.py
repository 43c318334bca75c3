"""The entry of the shell guard: inspect a command text and answer Allow, Raise or Refuse."""

import re
from dataclasses import dataclass

from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.shell.evaluate.traverse import Traversal
from whet.guard.shell.model.harm import Danger, FoundCommand, Harm
from whet.guard.shell.model.paths import is_settings_file, is_temporary
from whet.guard.shell.model.placeholders import UNKNOWN, display, has_placeholders
from whet.guard.shell.model.programs import DESTRUCTIVE_COMMANDS, EVERYDAY_COMMANDS, FETCHERS, STANDARD_FOLDERS
from whet.guard.shell.model.state import UNPARSED, ShellState

MAX_LENGTH = 32_768  # characters
_PROMPT = re.compile(r"\A\s*\$ (?=\S)")  # `$ ls`, copied with the prompt: the rest is judged
_TRAILING_BACKSLASH = re.compile(r"(?<=\s)\\\Z")  # of a text that was cut off
_SURROGATE = re.compile("[\ud800-\udfff]")
# Text in a settings file (.vimrc, .npmrc, ...) that makes its program start a command or trust another server.
_DANGEROUS_SETTING = re.compile(
    r"(/tmp|/var/tmp|/dev/shm)/|\b(?:curl|wget|nc|ncat)\b.*[|]|\b(?:registry|index-url|index_url|proxy"
    r"|url)\b.*http://(?!localhost|127\.)|\bsystem\s*\(|shell-command|\b(?:ProxyCommand|LocalCommand|KnownHostsCommand)[ =]+(?!none\b|ssh )|^\s*[|!]|trusted-host|insteadOf",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class ShellPolicy:
    """The settings of the shell guard.

    With `allow`, only commands of these names may appear, and a command that cannot be resolved is refused. Without
    it, a command that cannot be resolved is raised to a person.
    """

    allow: frozenset[str] | None = None
    longest: int = MAX_LENGTH


@dataclass(frozen=True, slots=True)
class Inspection:
    """The result of inspecting a command text."""

    commands: tuple[FoundCommand, ...]
    dangers: tuple[Danger, ...]
    answer: GuardAnswer


def judge_command(command: str | bytes, policy: ShellPolicy | None = None) -> GuardAnswer:
    return inspect(command, policy).answer


def inspect(command: str | bytes, policy: ShellPolicy | None = None) -> Inspection:
    """Find every simple command and every danger in a text, and answer. Accepts any input and never raises."""
    policy = policy or ShellPolicy()
    text = _readable(command, policy)
    if isinstance(text, Refuse):
        return Inspection((), (), text)
    state = ShellState()
    try:
        Traversal(state, text).run()
        _evaluate_uncalled_functions(state, text)
    except RecursionError:
        state.give_up("it is nested too deeply to be followed")
    _judge_startup_writes(state)
    dangers = tuple(sorted(state.dangers.values(), key=lambda danger: (danger.raises, danger.span, danger.harm)))
    return Inspection(tuple(state.found_commands), dangers, _answer(state, dangers, policy))


def _readable(command: str | bytes, policy: ShellPolicy) -> str | Refuse:
    """Return the command as text, or refuse text that cannot be judged."""
    if isinstance(command, bytes):
        try:
            command = command.decode()
        except UnicodeDecodeError:
            return Refuse("the command is not UTF-8", "command_unreadable")
    if "\0" in command or (not command.isascii() and _SURROGATE.search(command)):
        return Refuse("the command has characters that no shell can be given", "command_unreadable")
    if has_placeholders(command):
        # These characters are the guard's own placeholders; accepting them would let a command forge one.
        return Refuse("the command has invisible characters of Unicode's private use area", "command_unreadable")
    if not command.strip():
        return Refuse("the command is empty", "command_empty")
    if len(command) > policy.longest:
        return Refuse(f"the command is longer than {policy.longest} characters", "command_too_long")
    return _TRAILING_BACKSLASH.sub(" ", _PROMPT.sub(lambda match: " " * len(match[0]), command))


def _evaluate_uncalled_functions(state: ShellState, text: str) -> None:
    """Evaluate the functions that nothing calls: a later command may call them, for example a redefined `ls`."""
    for name, function in list(state.uncalled_functions.items()):
        first = len(state.found_commands)
        function(None, ("a function that is not called",), None)
        body = state.found_commands[first:]
        if name in EVERYDAY_COMMANDS and any(_misuses_arguments(command, name) for command in body):
            state.add_danger(Harm.ENVIRONMENT, f"the command redefines {name} to do something else", (0, len(text)))


def _misuses_arguments(command: FoundCommand, function_name: str) -> bool:
    """True if a command of a function is a temporary program, or deletes, ends or sends the function's arguments."""
    if is_temporary(command.name):
        return True
    takes_arguments = any(display(UNKNOWN) in argument for argument in command.arguments)
    is_harmful = command.name in DESTRUCTIVE_COMMANDS or command.name in FETCHERS
    return takes_arguments and command.name != function_name and is_harmful


def _judge_startup_writes(state: ShellState) -> None:
    """Judge text written to a start-up file as a command text of its own, because every new shell runs it."""
    for path, span in state.startup_writes:
        text = state.files.get(path, "") or _written_from_folder(state, path)
        if is_settings_file(path):
            if _DANGEROUS_SETTING.search(text):
                state.add_danger(Harm.PERSISTENCE, f"makes programs that read {path} run or trust something else", span)
            continue
        dangers_before, first = set(state.dangers), len(state.found_commands)
        state.cwd = ""  # a later shell or git runs the text, in a folder of its own
        Traversal(state, text, at=span, via=(f"start-up file {path}",)).run()
        adds_danger = bool(set(state.dangers) - dangers_before)
        if adds_danger or any(is_temporary(command.name) for command in state.found_commands[first:]):
            state.add_danger(Harm.PERSISTENCE, f"writes {path}, which every shell runs", span)


def _written_from_folder(state: ShellState, path: str) -> str:
    """Return the content of a file that was written under a shorter name, from within its folder (`cd .git/hooks`)."""
    return next((text for name, text in state.files.items() if path.endswith(f"/{name}")), "")


def _answer(state: ShellState, dangers: tuple[Danger, ...], policy: ShellPolicy) -> GuardAnswer:
    """Refuse if a danger refuses or a command is not on the allow list; else raise the first danger, or allow."""
    if state.given_up:
        return Refuse(f"the command cannot be judged: {state.given_up}", "command_too_complex")
    for danger in dangers:
        if not danger.raises:
            return Refuse(_sentence(danger), f"command_{danger.harm}")
    if policy.allow is not None:
        refusal = _refuse_unlisted(state, dangers, policy.allow)
        if refusal is not None:
            return refusal
    if dangers:
        return Raise(_sentence(dangers[0]), f"command_{dangers[0].harm}")
    return Allow()


def _sentence(danger: Danger) -> str:
    """Return the reason as a sentence. A reason is a predicate ("deletes /") or a sentence that begins with "the"."""
    return danger.reason if danger.reason.startswith("the ") else f"the command {danger.reason}"


def _refuse_unlisted(state: ShellState, dangers: tuple[Danger, ...], allow: frozenset[str]) -> Refuse | None:
    """Refuse a command that is not on the allow list, or that cannot be resolved; None if all are on it."""
    for command in state.found_commands:
        if not _is_listed(command.name, allow) and command.name not in state.functions:
            return Refuse(f"{command.name} is not on the list of allowed commands", "command_not_allowed")
    for danger in dangers:
        if danger.harm in (Harm.UNRESOLVED, Harm.CONCEALED):
            return Refuse(_sentence(danger), f"command_{danger.harm}")
    return Refuse(UNPARSED, f"command_{Harm.UNRESOLVED}") if state.is_unparsed else None


def _is_listed(name: str, allow: frozenset[str]) -> bool:
    """True if the allow list has the name, or has its last part and the name is a path in a standard folder."""
    if name in allow:
        return True
    folder, slash, last = name.rpartition("/")
    return bool(slash) and folder + slash in STANDARD_FOLDERS and last in allow
