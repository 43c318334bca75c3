"""Files that become programs: scripts that this text writes and makes executable, and copies of a shell.

The name under which such a file is started later may be out of sight (a helper's option, a folder of programs), so the
file is judged when it becomes a program.
"""

import re

from whet.guard.shell.launchers.interpreters import INTERPRETERS, effects
from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import RunsCommand
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import FROM_NETWORK, without_placeholders
from whet.guard.shell.model.programs import SHELLS

_EXECUTABLE_MODE = re.compile(r"[ugoa]*[+=][rwst]*x[rwxst]*|0?[0-7]?[1357][0-7]{2}")
_SHEBANG = re.compile(r"#!\s*(?:\S*/env\s+(?:-S\s+)?)?(?:\S*/)?([\w.-]+)")
_PROGRAM_FOLDERS = ("/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/")


def make_executable(call: Call, follower: Follower) -> None:
    """Judge the content of a file that the command text wrote, when `chmod` makes it executable."""
    mode, *paths = [word for word in call.args if not word.startswith("--")] or [""]
    if not _EXECUTABLE_MODE.fullmatch(mode):
        return
    for path in paths:
        text = text_of_file(call, path, follower)
        if text and FROM_NETWORK not in text and without_placeholders(text).strip():
            _judge_program(text, call, follower)


def _judge_program(text: str, call: Call, follower: Follower) -> None:
    shebang = _SHEBANG.match(text)
    interpreter = re.sub(r"[\d.]+$", "", shebang[1]) if shebang else "sh"
    if interpreter in SHELLS:
        follower.follow_effects([RunsCommand(text)], call, "a new executable")
    elif interpreter in INTERPRETERS:
        language = INTERPRETERS[interpreter].language
        follower.follow_effects(effects(text.partition("\n")[2], language), call, f"{language} code")
    else:
        follower.follow_text(text.partition("\n")[0].removeprefix("#!"), call, "a new executable")


def install_program(call: Call, follower: Follower) -> None:
    """Judge the content that `install` makes executable: a file that the command text wrote, a process substitution or
    standard input."""
    copy_of_shell(call, follower)
    for source in call.options.operands[:-1]:
        text = call.stdin if source in ("/dev/stdin", "/dev/fd/0") else text_of_file(call, source, follower)
        if text and FROM_NETWORK not in text and without_placeholders(text).strip():
            _judge_program(text, call, follower)


def copy_of_shell(call: Call, follower: Follower) -> None:
    """Ask a person about a copy of a shell, or a link to one, under another name or in another folder."""
    operands = call.options.operands
    sources = operands[:-1] if len(operands) > 1 else operands
    target = operands[-1] if operands else ""
    for source in sources:
        folder, _, name = source.rpartition("/")
        if f"{folder}/" in _PROGRAM_FOLDERS and name in SHELLS and not target.startswith(_PROGRAM_FOLDERS):
            follower.add_danger(call, Harm.SHELL_ESCAPE, f"makes another program out of the shell {name}", raises=True)


LAUNCHERS = {"chmod": make_executable, **dict.fromkeys(("cp", "ln", "mv"), copy_of_shell), "install": install_program}
