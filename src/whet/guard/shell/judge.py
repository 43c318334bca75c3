"""Whether a shell command may be run: everything in it is found first, then the answer is given."""

import re
from dataclasses import dataclass

from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.shell.harm import Danger, FoundCommand, Harm
from whet.guard.shell.marks import HOLE, has_marks, shown
from whet.guard.shell.outputs import FETCHERS
from whet.guard.shell.paths import is_settings_file, is_temporary
from whet.guard.shell.scene import Scene
from whet.guard.shell.starts.builtins import DESTROYS, EVERYDAY
from whet.guard.shell.walk import Walk

LONGEST = 32_768
_SURROGATE = re.compile("[\ud800-\udfff]")
_STANDARD = ("/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/usr/local/sbin/", "/opt/homebrew/bin/")

_WHOLE_SENTENCES = (Harm.UNRESOLVED, Harm.PIPE_TO_SHELL, Harm.ENCODED, Harm.ENVIRONMENT)


@dataclass(frozen=True, slots=True)
class ShellPolicy:
    """With `allow`, only these names may appear, and what cannot be resolved is refused; without, a person is asked."""

    allow: frozenset[str] | None = None
    longest: int = LONGEST


@dataclass(frozen=True, slots=True)
class Inspected:
    commands: tuple[FoundCommand, ...]
    dangers: tuple[Danger, ...]
    answer: GuardAnswer


def inspect(command: str | bytes, policy: ShellPolicy | None = None) -> Inspected:
    """Every simple command in a text, every danger, and the answer. Takes anything, raises nothing."""
    policy = policy or ShellPolicy()
    text = _readable(command, policy)
    if isinstance(text, Refuse):
        return Inspected((), (), text)
    scene = Scene()
    try:
        Walk(scene, text).run()
        for name, function in list(scene.uncalled.items()):
            first = len(scene.found)
            function(None, ("a function that is not called",), None)
            if name in EVERYDAY and any(_takes_away(found, name) for found in scene.found[first:]):
                scene.say(Harm.ENVIRONMENT, f"{name} is made to stand for something else", (0, len(text)))
    except RecursionError:
        scene.give_up("it is nested too deeply to be followed")
    _startup(scene)
    dangers = tuple(sorted(scene.dangers.values(), key=lambda danger: (danger.raises, danger.span, danger.harm)))
    return Inspected(tuple(scene.found), dangers, _answer(scene, dangers, policy))


def _takes_away(found: FoundCommand, name: str) -> bool:
    """Whether a function deletes, ends or sends away whatever it is given, or hands it to a program of anybody's."""
    if is_temporary(found.name):
        return True
    given = any(shown(HOLE) in argument for argument in found.arguments)
    return given and found.name != name and (found.name in DESTROYS or found.name in FETCHERS)


def judge_command(command: str | bytes, policy: ShellPolicy | None = None) -> GuardAnswer:
    return inspect(command, policy).answer


def _readable(command: str | bytes, policy: ShellPolicy) -> str | Refuse:
    if isinstance(command, bytes):
        try:
            command = command.decode()
        except UnicodeDecodeError:
            return Refuse("the command is not UTF-8", "command_unreadable")
    if "\0" in command or (not command.isascii() and _SURROGATE.search(command)):
        return Refuse("the command has characters that no shell can be given", "command_unreadable")
    if has_marks(command):
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


def _startup(scene: Scene) -> None:
    """What is added to a file that every shell reads is a command text itself."""
    for path, span in scene.startup:
        text = scene.files.get(path, "")
        if is_settings_file(path):
            if _STARTS_ANYTHING.search(text):
                scene.say(Harm.PERSISTENCE, f"makes what reads {path} start or trust something else", span)
            continue
        before, first = set(scene.dangers), len(scene.found)
        Walk(scene, text, at=span, via=(f"start-up file {path}",)).run()
        if set(scene.dangers) - before or any(is_temporary(found.name) for found in scene.found[first:]):
            scene.say(Harm.PERSISTENCE, f"writes {path}, which every shell runs", span)


def _answer(scene: Scene, dangers: tuple[Danger, ...], policy: ShellPolicy) -> GuardAnswer:
    if scene.given_up:
        return Refuse(f"the command cannot be judged: {scene.given_up}", "command_too_complex")
    for danger in dangers:
        if not danger.raises:
            return Refuse(_sentence(danger), f"command_{danger.harm}")
    if policy.allow is not None:
        return _listed(scene, dangers, policy.allow)
    if dangers:
        return Raise(_sentence(dangers[0]), f"command_{dangers[0].harm}")
    return Allow()


def _sentence(danger: Danger) -> str:
    return danger.reason if danger.harm in _WHOLE_SENTENCES else f"the command {danger.reason}"


def _listed(scene: Scene, dangers: tuple[Danger, ...], allow: frozenset[str]) -> GuardAnswer:
    for found in scene.found:
        if not _is_listed(found.name, allow) and found.name not in scene.functions:
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
