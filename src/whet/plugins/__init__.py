"""Engines by name, through entry points; the built-in ones come in by the same door."""

from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import Any

from whet.errors import UnknownEngine

GROUPS = ("whet.sources", "whet.proposers", "whet.checks", "whet.approvers", "whet.targets")


def load(group: str, names: Iterable[str], *args: Any) -> dict[str, Any]:
    """The named engines of a group, built; a name nobody offers is an error that lists those that exist."""
    offered = {entry.name: entry for entry in entry_points(group=group)}
    engines = {}
    for name in names:
        if name not in offered:
            known = ", ".join(sorted(offered)) or "none"
            raise UnknownEngine(f"{group} has no engine {name!r}; it has: {known}", "correct the name in whet.toml")
        engines[name] = offered[name].load()(*args)
    return engines


def known(group: str) -> list[str]:
    return sorted(entry.name for entry in entry_points(group=group))
