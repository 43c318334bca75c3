"""Options that name a helper program in many tools: `--editor`, `--pager`, `--rsh`."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import RunsCommand
from whet.guard.shell.model.placeholders import is_known

_HELPER_OPTION = re.compile(
    r"--(?:editor|pager|browser|rsh|askpass|viewer"
    r"|(?:editor|pager|diff|merge|ssh|browser|password|sendmail)-(?:cmd|command|program))(?:=(.*))?$",
    re.DOTALL,
)
_DBUS_PROGRAM = re.compile(r"unixexec:path=([^,;]+)")  # an address of D-Bus: the program that answers


def programs_in_common_options(call: Call) -> Iterator[RunsCommand]:
    """Yield the helper programs in options of any tool. A tool may use the same name for something else."""
    for index, word in enumerate(call.args):
        if "unixexec:" in word:
            yield from (RunsCommand(program, slot=True) for program in _DBUS_PROGRAM.findall(word))
        option = _HELPER_OPTION.match(word) if word.startswith("--") else None
        if option is None:
            continue
        value = option[1]
        if value is None:
            value = call.args[index + 1] if index + 1 < len(call.args) else ""
        if value.strip() and not value.startswith("-") and is_known(value):
            is_of_project = "/" in value and value[0] not in "/~"
            yield RunsCommand(value, slot=not is_of_project)
