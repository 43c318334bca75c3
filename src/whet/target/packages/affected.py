"""The packages of a repository that holds several: which of them a change affects."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from whet.config import PackagePolicy
from whet.domain.plural import shorten
from whet.git.git import Git

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_MOST_PATHS = 2


def owner_of(path: str, packages: Sequence[PackagePolicy]) -> PackagePolicy | None:
    """Return the package that holds the path, the innermost if folders lie in each other; None if none does."""
    holders = [package for package in packages if package.holds(path)]
    return max(holders, key=lambda package: -1 if package.folder == "." else len(package.folder), default=None)


def affected(
    paths: Iterable[str], packages: Sequence[PackagePolicy], needs: Mapping[str, frozenset[str]]
) -> dict[str, str]:
    """Return why each package is affected by a change of these paths, by name.

    A package is affected by its own files, by those of packages that it needs, directly or through others, and by files
    outside all packages: nobody says who uses these.
    """
    owners = {path: owner_of(path, packages) for path in paths}
    outside = [path for path, owner in owners.items() if owner is None]
    if outside:
        return {package.title: f"outside all packages: {shorten(outside, _MOST_PATHS)}" for package in packages}
    touched = {owner.title for owner in owners.values() if owner}
    reasons = {package.title: "changed" for package in packages if package.title in touched}
    grown = True
    while grown:
        grown = False
        for package in packages:
            used = sorted(needs[package.title] & reasons.keys())
            if package.title not in reasons and used:
                reasons[package.title], grown = f"needs {used[0]}", True
    return {package.title: reasons[package.title] for package in packages if package.title in reasons}


def needs_of(packages: Sequence[PackagePolicy], tree: str, git: Git) -> dict[str, frozenset[str]]:
    """Return the packages that each package needs, by name: those that the policy lists, else those that its pyproject.toml
    depends on. A package whose pyproject.toml does not exist or cannot be read needs all others.
    """
    tables = {package.title: _pyproject(package, tree, git) for package in packages}
    published = {name: _published_name(table) for name, table in tables.items() if table is not None}
    return {package.title: _needs(package, tables[package.title], published, packages) for package in packages}


def _needs(
    package: PackagePolicy,
    table: dict[str, Any] | None,
    published: Mapping[str, str],
    packages: Sequence[PackagePolicy],
) -> frozenset[str]:
    others = {other.title for other in packages} - {package.title}
    if package.needs is not None:
        return frozenset(package.needs) - {package.title}
    if table is None:
        return frozenset(others)
    unnamed = {name for name in others if not published.get(name)}  # nothing can name them, so this one may use them
    used = _dependencies(table)
    return frozenset(unnamed | {name for name in others if published.get(name) in used})


def _pyproject(package: PackagePolicy, tree: str, git: Git) -> dict[str, Any] | None:
    path = "pyproject.toml" if package.folder == "." else f"{package.folder}/pyproject.toml"
    raw = git.read(tree, path)
    if raw is None:
        return None
    try:
        return tomllib.loads(raw.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None


def _published_name(table: Mapping[str, Any]) -> str:
    name = _table(table, "project").get("name") or _table(table, "tool", "poetry").get("name") or ""
    return _normal(name) if isinstance(name, str) else ""


def _dependencies(table: Mapping[str, Any]) -> set[str]:
    """Return the normalised names of everything that a pyproject.toml depends on, optional groups included."""
    project, poetry = _table(table, "project"), _table(table, "tool", "poetry")
    groups = [*_table(project, "optional-dependencies").values(), *_table(table, "dependency-groups").values()]
    lists = [project.get("dependencies"), *groups, _table(table, "build-system").get("requires")]
    named = [entry for entries in lists if isinstance(entries, list) for entry in entries if isinstance(entry, str)]
    tables = [
        _table(poetry, "dependencies"),
        _table(poetry, "dev-dependencies"),
        _table(table, "tool", "uv", "sources"),
    ]
    tables += [_table(group, "dependencies") for group in _table(poetry, "group").values() if isinstance(group, dict)]
    named += [name for dependencies in tables for name in dependencies]
    return {_normal(match[0]) for entry in named if (match := _NAME.match(entry.strip()))}


def _table(table: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return a nested table; an empty one if it is not there or is no table."""
    inner: Any = table
    for name in names:
        inner = inner.get(name) if isinstance(inner, Mapping) else None
    return dict(inner) if isinstance(inner, Mapping) else {}


def _normal(name: str) -> str:
    """Return the name of a distribution as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
