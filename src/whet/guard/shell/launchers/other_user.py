"""Judge commands that run as another user (`sudo`, `doas`, `su -c`).

The inner command is judged like every other one. It is raised if the guard does not see what it does with its rights:
a program of the project, a script, an editor, an interpreter, or a deletion outside of the project.
"""

from collections.abc import Sequence

from whet.guard.shell.launchers.interpreters import INTERPRETERS, without_version
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import FoundCommand, Harm
from whet.guard.shell.model.programs import BUILDERS, DESTRUCTIVE_COMMANDS, EDITORS, SHELLS, STANDARD_FOLDERS

WRAPPERS_OF_OTHER_USERS = frozenset({"sudo", "doas", "pkexec", "run0", "dzdo", "pfexec", "please"})
_CODE_OPTIONS = ("-c", "-e", "-E", "-r", "--eval", "--command")


def judge_other_user(call: Call, commands: Sequence[FoundCommand], follower: Follower, *, is_dangerous: bool) -> None:
    """Ask a person about a call that runs `commands` as another user, if one of them is dangerous or cannot be resolved."""
    if is_dangerous or any(_is_opaque(command) for command in commands):
        follower.add_danger(call, Harm.PRIVILEGE, f"uses {call.name} to run as another user", raises=True)


def opens_shell(call: Call, words: Sequence[str]) -> bool:
    """True if `sudo -i`, `sudo -s` or `doas -s` opens a shell instead of running a command."""
    if call.name == "doas":
        return "s" in call.options.shorts
    return call.name == "sudo" and not words and call.options.has("is", "login", "shell")


def _is_opaque(command: FoundCommand) -> bool:
    """True if the effect of a command depends on files or keystrokes that the guard does not see."""
    folder, slash, name = command.name.rpartition("/")
    if slash and folder + slash not in STANDARD_FOLDERS:
        return True
    if name in EDITORS or name in BUILDERS:
        return True
    if name in SHELLS or without_version(name) in INTERPRETERS:
        return not any(word.startswith(_CODE_OPTIONS) for word in command.arguments)
    return name in DESTRUCTIVE_COMMANDS and any(word.startswith(("/", "~")) for word in command.arguments)
