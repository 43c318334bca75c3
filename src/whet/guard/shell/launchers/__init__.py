"""Functions that find the commands which a command starts, by the name of the command.

A launcher hands each nested command back to the evaluator (`model/follower.py`).
"""

from collections.abc import Callable

from whet.guard.shell.launchers import (
    build_tools,
    builtins,
    containers,
    git,
    interpreters,
    per_file,
    shells,
    tools,
    written_files,
)
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
}
