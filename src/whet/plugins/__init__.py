"""Engines by name, through entry points; the built-in ones come in by the same door."""

from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Any

from whet.errors import UnknownEngine

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

GROUPS = (
    "whet.sources", "whet.analyzers", "whet.proposers", "whet.checks", "whet.approvers", "whet.targets",
    "whet.learners",
)  # fmt: skip


def load(group: str, names: Collection[str], *args: Any) -> dict[str, Any]:
    """The named engines of a group, built."""
    return {name: entry.load()(*args) for name, entry in _offered(group, names).items()}


def refuse_unknown(group: str, names: Collection[str]) -> None:
    _offered(group, names)


def known(group: str) -> list[str]:
    return sorted(_installed(group).names)


def _offered(group: str, names: Collection[str]) -> "dict[str, EntryPoint]":
    """A name nobody offers is an error that lists those that exist."""
    offered = {entry.name: entry for entry in _installed(group)}
    for name in names:
        if name not in offered:
            there = ", ".join(sorted(offered)) or "none"
            raise UnknownEngine(f"{group} has no engine {name!r}; it has: {there}", "correct the name in whet.toml")
    return {name: offered[name] for name in names}


@cache
def _installed(group: str) -> "EntryPoints":
    """Asked once: it takes a look at every distribution that is installed."""
    from importlib.metadata import entry_points  # takes a while to load

    return entry_points(group=group)
