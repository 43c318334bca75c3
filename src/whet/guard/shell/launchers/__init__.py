"""Functions that find the commands which a command starts, by the name of the command.

A launcher hands each nested command back to the evaluator (`model/follower.py`).
"""

from collections.abc import Callable

from whet.guard.shell.launchers import (
    build_tools,
    builtins,
    consoles,
    containers,
    executables,
    git,
    interpreter_arguments,
    interpreters,
    named_files,
    named_options,
    per_file,
    rare_interpreters,
    read_files,
    shells,
    tools,
    transfers,
    written_files,
)
from whet.guard.shell.launchers.option_tables import follow as option_tables
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower

LAUNCHERS: dict[str, Callable[[Call, Follower], None]] = {
    **shells.LAUNCHERS,
    **builtins.LAUNCHERS,
    **per_file.LAUNCHERS,
    **interpreters.LAUNCHERS,
    **containers.LAUNCHERS,
    **git.LAUNCHERS,
    **tools.LAUNCHERS,
    **build_tools.LAUNCHERS,
    **written_files.LAUNCHERS,
    **named_options.LAUNCHERS,
}

_TABLES = (
    option_tables.LAUNCHERS,
    rare_interpreters.LAUNCHERS,
    interpreter_arguments.LAUNCHERS,
    read_files.LAUNCHERS,
    executables.LAUNCHERS,
    transfers.LAUNCHERS,
    named_files.LAUNCHERS,
    named_files.WRITERS,
    consoles.LAUNCHERS,
)
# Launchers that read tables. A program may have one of these beside its own launcher.
TABLE_LAUNCHERS: dict[str, tuple[Callable[[Call, Follower], None], ...]] = {
    name: tuple(launchers[name] for launchers in _TABLES if name in launchers)
    for name in {name for launchers in _TABLES for name in launchers}
}
