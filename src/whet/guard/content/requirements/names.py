"""The requirements that a manifest lists, by canonical name."""

import configparser
import re
import tomllib
from collections.abc import Iterator
from typing import Any

_NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?=$|[\[<>=!~;@(#,\s])")
_REQUIREMENTS_FILE = re.compile(
    r"(.*/)?([^/]*requirements[^/]*\.(txt|in)|constraints[^/]*\.txt|requirements/[^/]*\.(txt|in))", re.IGNORECASE
)
_CFG_KEYS = ("install_requires", "setup_requires", "tests_require")


def is_manifest(path: str) -> bool:
    return bool(_REQUIREMENTS_FILE.fullmatch(path)) or path.rpartition("/")[2].casefold() in (
        "pyproject.toml",
        "setup.cfg",
        "pipfile",
    )


def requirements(path: str, text: str) -> frozenset[str]:
    """Return the requirements of a manifest. Raises ValueError if it cannot be parsed."""
    name = path.rpartition("/")[2].casefold()
    if name in ("pyproject.toml", "pipfile"):
        return frozenset(map(canonical, _of_toml(tomllib.loads(text))))
    if name == "setup.cfg":
        return frozenset(map(canonical, _of_cfg(text)))
    return frozenset(map(canonical, _named(text.splitlines())))


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _named(lines: list[str]) -> Iterator[str]:
    """Yield the package names that requirement lines begin with."""
    for line in lines:
        match = _NAME.match(line)
        if match:
            yield match[1]


def _of_cfg(text: str) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error as problem:
        raise ValueError(str(problem)) from problem
    for section in parser.sections():
        for key, value in parser.items(section):
            if key in _CFG_KEYS or section == "options.extras_require":
                yield from _named(value.splitlines())


def _of_toml(document: dict[str, Any]) -> Iterator[str]:
    """Yield the requirements of a pyproject.toml (PEP 621, PEP 735, Poetry) or a Pipfile."""
    project, poetry = _table(document.get("project")), _table(_table(document.get("tool")).get("poetry"))
    lists = [project.get("dependencies"), _table(document.get("build-system")).get("requires")]
    lists += _table(project.get("optional-dependencies")).values()
    lists += _table(document.get("dependency-groups")).values()
    for entries in lists:
        if isinstance(entries, list):
            yield from _named([entry for entry in entries if isinstance(entry, str)])
    tables = [poetry.get("dependencies"), poetry.get("dev-dependencies")]
    tables += [document.get("packages"), document.get("dev-packages")]
    tables += [_table(group).get("dependencies") for group in _table(poetry.get("group")).values()]
    for table in tables:
        yield from (name for name in _table(table) if name != "python")


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
