"""Commands that start other commands by rules of their own: one function each, by name."""

from collections.abc import Callable

from whet.guard.shell.call import Call
from whet.guard.shell.follow import Follower
from whet.guard.shell.starts import builtins, containers, git, interpreters, shells, spreading, tools

STARTS: dict[str, Callable[[Call, Follower], None]] = {
    **shells.STARTS,
    **builtins.STARTS,
    **spreading.STARTS,
    **interpreters.STARTS,
    **containers.STARTS,
    **git.STARTS,
    **tools.STARTS,
}
