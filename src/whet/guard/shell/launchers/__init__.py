"""Commands that start other commands by rules of their own: one function each, by name."""

from collections.abc import Callable

from whet.guard.shell.launchers import builtins, containers, git, interpreters, per_file, shells, tools
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
}
