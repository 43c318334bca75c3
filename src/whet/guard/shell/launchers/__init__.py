"""Commands that start other commands by rules of their own: one function each, by name."""

from collections.abc import Callable

from whet.guard.shell.launchers import builtins, containers, git, interpreters, per_file, shells, tools
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower

STARTS: dict[str, Callable[[Call, Follower], None]] = {
    **shells.STARTS,
    **builtins.STARTS,
    **per_file.STARTS,
    **interpreters.STARTS,
    **containers.STARTS,
    **git.STARTS,
    **tools.STARTS,
}
