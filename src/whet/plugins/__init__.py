"""Look up engines by name through entry points; the built-in engines are entry points too."""

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
    """Return the named engines of a group, each made by calling its class with `args`."""
    return {name: entry.load()(*args) for name, entry in _offered(group, names).items()}


def refuse_unknown(group: str, names: Collection[str]) -> None:
    """Raise UnknownEngine if a name is not in the group, without loading any engine."""
    _offered(group, names)


def known(group: str) -> list[str]:
    """Return the names in a group, sorted."""
    return sorted(_installed(group).names)


def _offered(group: str, names: Collection[str]) -> "dict[str, EntryPoint]":
    """Return the entry points of `names`. Raise UnknownEngine, listing the existing names, if one is missing."""
    offered = {entry.name: entry for entry in _installed(group)}
    for name in names:
        if name not in offered:
            existing = ", ".join(sorted(offered)) or "none"
            raise UnknownEngine(f"{group} has no engine {name!r}; it has: {existing}", "correct the name in whet.toml")
    return {name: offered[name] for name in names}


def _installed(group: str) -> "EntryPoints":
    return _entry_points()[group]


@cache
def _entry_points() -> "dict[str, EntryPoints]":
    """Return the entry points of all groups. Read once, because each look reads every installed distribution."""
    from importlib.metadata import entry_points  # deferred: slow to import

    installed = entry_points()
    return {group: installed.select(group=group) for group in GROUPS}
