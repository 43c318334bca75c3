"""The requirements that a manifest states, by canonical name."""

import configparser
import re
import tomllib
from collections.abc import Iterator
from typing import Any

_NAME = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?=$|[\[<>=!~;@(#,\s])")
_LISTED = re.compile(
    r"(.*/)?([^/]*requirements[^/]*\.(txt|in)|constraints[^/]*\.txt|requirements/[^/]*\.(txt|in))", re.IGNORECASE
)
_CFG_KEYS = ("install_requires", "setup_requires", "tests_require")


def is_manifest(path: str) -> bool:
    return bool(_LISTED.fullmatch(path)) or path.rpartition("/")[2].casefold() in (
        "pyproject.toml",
        "setup.cfg",
        "pipfile",
    )


def requirements(path: str, text: str) -> frozenset[str]:
    """Raises ValueError where the manifest cannot be read."""
    name = path.rpartition("/")[2].casefold()
    if name in ("pyproject.toml", "pipfile"):
        return frozenset(map(canonical, _of_toml(tomllib.loads(text))))
    if name == "setup.cfg":
        return frozenset(map(canonical, _of_cfg(text)))
    return frozenset(map(canonical, _named(text.splitlines())))


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _named(lines: Iterator[str] | list[str]) -> Iterator[str]:
    yield from (match[1] for line in lines if (match := _NAME.match(line)))


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


def _of_toml(found: dict[str, Any]) -> Iterator[str]:
    project, tool = _table(found.get("project")), _table(found.get("tool"))
    lists = [project.get("dependencies"), _table(found.get("build-system")).get("requires")]
    lists += [*_table(project.get("optional-dependencies")).values(), *_table(found.get("dependency-groups")).values()]
    for one in lists:
        yield from _named([entry for entry in one if isinstance(entry, str)] if isinstance(one, list) else [])
    poetry = _table(tool.get("poetry"))
    tables = [
        poetry.get("dependencies"),
        poetry.get("dev-dependencies"),
        found.get("packages"),
        found.get("dev-packages"),
    ]
    tables += [_table(group).get("dependencies") for group in _table(poetry.get("group")).values()]
    for one in tables:
        yield from (name for name in _table(one) if name != "python")


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
