"""Read from a project's files the settings that decide which fixes of ruff suit it.

ruff reads its own configuration. It does not read the Python versions that setup.cfg and setup.py declare, and rules
that are selected on its command line win over the project's `ignore`.
"""

import ast
import configparser
import posixpath
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

Read = Callable[[str], bytes | None]
"""Returns the content of a file by its path from the root of the project; None if there is no such file."""

_CONFIGURATIONS = (".ruff.toml", "ruff.toml", "pyproject.toml")  # the first that exists counts
_BOUND = re.compile(r"(>=|==|~=|>|\^|~|<=|<|!=)?\s*(\d+)(?:\.(\d+))?(?:\.[\d*]+)*")
_CLASSIFIER = re.compile(rb"Programming Language :: Python :: (\d+)\.(\d+)")
_LOWER = {">=", "==", "~=", ">", "^", "~", ""}
_OLDEST, _NEWEST = (3, 7), (3, 14)  # what --target-version takes
_MOST_EXTENDED = 5
# Rules whose fixes write newer Python. ruff leaves them out by its target version, which cannot be older than 3.7.
MODERNISING = ("FA", "FLY", "FURB", "UP")


def target_version(read: Read) -> str:
    """Return the `--target-version` that the project needs, such as "py39"; empty if ruff's own setting suits it.

    The oldest declared Python counts: a fix for a newer one would break the project there.
    """
    declared = minimum_python(read)
    if declared is None or declared > _NEWEST:
        return ""
    configured = _configured_version(ruff_configuration(read))
    if configured is not None and configured <= declared:
        return ""
    major, minor = max(declared, _OLDEST)
    return f"py{major}{minor}"


def minimum_python(read: Read) -> tuple[int, int] | None:
    """Return the oldest Python that the project declares to support; None if it declares nothing that can be read."""
    pyproject = _toml(read("pyproject.toml"))
    poetry = _table(pyproject, "tool", "poetry", "dependencies").get("python")
    declarations = (
        _table(pyproject, "project").get("requires-python"),
        poetry.get("version") if isinstance(poetry, dict) else poetry,
        _setup_cfg(read("setup.cfg")),
        _setup_py(read("setup.py")),
    )
    for declaration in declarations:
        if isinstance(declaration, str) and (minimum := _lower_bound(declaration)):
            return minimum
    return _oldest_classifier(read)


def _oldest_classifier(read: Read) -> tuple[int, int] | None:
    """Return the oldest Python in the classifiers, by which older packages declare theirs; None without any."""
    texts = [read(name) or b"" for name in ("pyproject.toml", "setup.cfg", "setup.py")]
    versions = [(int(major), int(minor)) for text in texts for major, minor in _CLASSIFIER.findall(text)]
    return min(versions, default=None)


def older_than_ruff_knows(read: Read) -> bool:
    """True if the project declares a Python that no target version of ruff covers."""
    minimum = minimum_python(read)
    return minimum is not None and minimum < _OLDEST


def ignored_rules(read: Read) -> frozenset[str]:
    """Return the rules and prefixes of rules that the project's ruff configuration ignores."""
    configuration = ruff_configuration(read)
    ignored: set[str] = set()
    for table in (configuration, _table(configuration, "lint")):
        for key in ("ignore", "extend-ignore"):
            rules = table.get(key, [])
            ignored |= {str(rule) for rule in rules} if isinstance(rules, list) else set()
    return frozenset(ignored)


def ruff_configuration(read: Read) -> Mapping[str, Any]:
    """Return the project's ruff configuration with the files that it extends; empty if there is none."""
    for path in _CONFIGURATIONS:
        content = read(path)
        if content is None:
            continue
        configuration = _ruff_table(path, content)
        if path != "pyproject.toml" or configuration:
            return _with_extended(configuration, path, read)
    return {}


def _with_extended(configuration: Mapping[str, Any], path: str, read: Read) -> Mapping[str, Any]:
    for _ in range(_MOST_EXTENDED):
        extended = configuration.get("extend")
        if not isinstance(extended, str):
            break
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), extended))
        below = _ruff_table(path, read(path) or b"")
        lint = {**_table(below, "lint"), **_table(configuration, "lint")}
        own = {key: value for key, value in configuration.items() if key != "extend"}
        configuration = {**below, **own, "lint": lint}
    return configuration


def _ruff_table(path: str, content: bytes) -> Mapping[str, Any]:
    parsed = _toml(content)
    return _table(parsed, "tool", "ruff") if posixpath.basename(path) == "pyproject.toml" else parsed


def _configured_version(configuration: Mapping[str, Any]) -> tuple[int, int] | None:
    match = re.fullmatch(r"py(\d)(\d+)", str(configuration.get("target-version", "")))
    return (int(match[1]), int(match[2])) if match else None


def _lower_bound(declaration: str) -> tuple[int, int] | None:
    """Return the oldest version that a specifier such as ">=3.9,<4" or "^3.8 || ^3.10" allows."""
    minima = []
    for alternative in declaration.split("||"):
        bounds = [
            (int(major), int(minor or 0))
            for operator, major, minor in _BOUND.findall(alternative)
            if operator in _LOWER
        ]
        if not bounds:
            return None
        minima.append(max(bounds))
    return min(minima)


def _setup_cfg(content: bytes | None) -> str | None:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string((content or b"").decode())
    except (configparser.Error, UnicodeDecodeError):
        return None
    return parser.get("options", "python_requires", fallback=None)


def _setup_py(content: bytes | None) -> str | None:
    """Return `python_requires` of a call of `setup`, if it is a string or a name that the file sets to one."""
    try:
        tree = ast.parse(content or b"")
    except (SyntaxError, ValueError):
        return None
    strings = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "setup":
            for keyword in node.keywords:
                if keyword.arg == "python_requires":
                    value = keyword.value
                    text = value.value if isinstance(value, ast.Constant) else strings.get(ast.unparse(value))
                    return text if isinstance(text, str) else None
    return None


def _toml(content: bytes | None) -> Mapping[str, Any]:
    try:
        return tomllib.loads((content or b"").decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}


def _table(parsed: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    for key in keys:
        inner = parsed.get(key)
        if not isinstance(inner, dict):
            return {}
        parsed = inner
    return parsed
