"""The type checkers that whet can run: when a project configures one, its options, and its output as diagnostics."""

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from whet.domain.diagnostic import Diagnostic
from whet.domain.redact import redact
from whet.errors import EnvironmentProblem
from whet.target.linters.ruff_settings import Read

INTERPRETER = "{interpreter}"
"""Stands for the target's interpreter among the options of a type checker."""
_TY_LINE = re.compile(rb"(?P<path>[^:]+):(?P<line>\d+):\d+: error\[(?P<rule>[\w-]+)\] (?P<message>.*)")


@dataclass(frozen=True)
class TypeChecker:
    """A type checker that runs as a module of the target's environment."""

    name: str
    is_configured: Callable[[Read], bool]
    options: Callable[[Read], Sequence[str]]
    parse: Callable[[Sequence[bytes], str], Iterator[Diagnostic]]


def checker_of(name: str) -> TypeChecker:
    return next(checker for checker in _CHECKERS if checker.name == name)


def configured_checkers(read: Read, installed: Collection[str]) -> tuple[str, ...]:
    """Return the names of the type checkers that a project configures.

    basedpyright reads the settings of pyright, and stands in for it where it alone is installed.
    """
    names = [checker.name for checker in _CHECKERS if checker.is_configured(read)]
    if "pyright" not in installed and "basedpyright" in installed:
        names = ["basedpyright" if name == "pyright" else name for name in names]
    return tuple(dict.fromkeys(names))


def _toml_table(read: Read, *keys: str) -> dict[str, Any]:
    try:
        table: Any = tomllib.loads((read("pyproject.toml") or b"").decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else {}


def _mypy_settings(read: Read) -> dict[str, Any] | None:
    """Return the settings of mypy from the first file that has any, as mypy looks for them; None without any."""
    for name in ("mypy.ini", ".mypy.ini"):
        if (content := read(name)) is not None:
            return _ini_section(content, "mypy") or {}
    if table := _toml_table(read, "tool", "mypy"):
        return table
    return _ini_section(read("setup.cfg") or b"", "mypy")


def _ini_section(content: bytes, section: str) -> dict[str, Any] | None:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(content.decode())
    except (configparser.Error, UnicodeDecodeError):
        return None
    return dict(parser[section]) if parser.has_section(section) else None


def _mypy_options(read: Read) -> list[str]:
    settings = _mypy_settings(read) or {}
    places = [] if settings.keys() & {"files", "packages", "modules"} else ["."]
    return ["--output=json", "--no-error-summary", "--cache-dir=/tmp/mypy", *places]


def _parse_mypy(lines: Sequence[bytes], root: str) -> Iterator[Diagnostic]:
    for line in lines:
        raw = json.loads(line) if line.startswith(b"{") else {}
        if raw.get("severity") == "error":
            path = str(raw["file"]).removeprefix(root).lstrip("/")
            rule, text = str(raw.get("code") or "error"), _on_one_line(str(raw["message"]))
            yield Diagnostic(tool="mypy", rule=rule, path=path, line=int(raw["line"]), message=text)


def _parse_ty(lines: Sequence[bytes], root: str) -> Iterator[Diagnostic]:
    for match in filter(None, map(_TY_LINE.match, lines)):
        part = {name: value.decode(errors="replace") for name, value in match.groupdict().items()}
        path = part["path"].removeprefix(root).lstrip("/")
        yield Diagnostic(
            tool="ty", rule=part["rule"], path=path, line=int(part["line"]), message=_on_one_line(part["message"])
        )


def _parse_pyright(lines: Sequence[bytes], root: str, tool: str) -> Iterator[Diagnostic]:
    """Yield the errors of a report. Without node, pyright exits with 1 as if it had found something, and prints none."""
    try:
        entries = json.loads(b"".join(lines))["generalDiagnostics"]
    except (ValueError, KeyError, TypeError) as problem:
        raise EnvironmentProblem(
            f"{tool} did not run: it printed no report; it needs node ({tool}[nodejs])"
        ) from problem
    for raw in entries:
        if raw.get("severity") == "error":
            path = str(raw["file"]).removeprefix(root).lstrip("/")
            line, rule = int(raw["range"]["start"]["line"]) + 1, str(raw.get("rule") or "error")
            yield Diagnostic(tool=tool, rule=rule, path=path, line=line, message=_on_one_line(str(raw["message"])))


def _on_one_line(message: str) -> str:
    return redact(" ".join(message.split()))


def _configures_ty(read: Read) -> bool:
    return "ty" in _toml_table(read, "tool") or read("ty.toml") is not None


def _configures_pyright(read: Read) -> bool:
    return "pyright" in _toml_table(read, "tool") or read("pyrightconfig.json") is not None


_CHECKERS = (
    TypeChecker("mypy", lambda read: _mypy_settings(read) is not None, _mypy_options, _parse_mypy),
    TypeChecker(
        "ty",
        _configures_ty,
        lambda _: ("check", "--output-format=concise", "--color=never"),
        _parse_ty,
    ),
    TypeChecker(
        "pyright",
        _configures_pyright,
        lambda _: ("--outputjson", "--pythonpath", INTERPRETER),
        partial(_parse_pyright, tool="pyright"),
    ),
    TypeChecker(
        "basedpyright",
        lambda read: "basedpyright" in _toml_table(read, "tool"),
        lambda _: ("--outputjson",),
        partial(_parse_pyright, tool="basedpyright"),
    ),
)
