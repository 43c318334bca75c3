"""Run the project's own linter and type checkers on a tree, inside the sandbox.

A tool runs if the project configures it and the target's environment has it; ruff comes with whet. The configuration is
that of the base, so that a patch cannot switch a rule off that judges it.
"""

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from whet.domain.redact import redact
from whet.errors import EnvironmentProblem
from whet.target.linters.ruff import Ruff
from whet.target.linters.ruff_settings import Read, ruff_configuration
from whet.target.suite import Suite

CONFIGURATIONS = (
    "pyproject.toml", "setup.cfg", "tox.ini", ".ruff.toml", "ruff.toml", "mypy.ini", ".mypy.ini", "ty.toml",
    "pyrightconfig.json",
)  # fmt: skip
_WALL_SECONDS = 300
# $1 is the descriptor for results, $2 the interpreter, the rest the module and its options. A checker exits with 1 if it
# found something.
_RUN = 'out=$1 python=$2; shift 2; "$python" -m "$@" >&"$out" || [ $? = 1 ]'
_TY_LINE = re.compile(rb"(?P<path>[^:]+):(?P<line>\d+):\d+: error\[(?P<rule>[\w-]+)\] (?P<message>.*)")


@dataclass(frozen=True, kw_only=True)
class Diagnostic:
    """One finding of a linter or a type checker."""

    tool: str
    rule: str
    path: str
    line: int
    message: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Return what stays the same when the line moves."""
        return self.tool, self.rule, self.path, self.message

    @property
    def text(self) -> str:
        return f"{self.tool} {self.rule}: {self.path}, line {self.line}: {self.message}"


@dataclass(frozen=True)
class TypeChecker:
    """A type checker that runs as a module of the target's environment."""

    name: str
    is_configured: Callable[[Read], bool]
    options: Callable[[Read], Sequence[str]]
    parse: Callable[[Sequence[bytes], str], Iterator[Diagnostic]]


class Diagnostics:
    """The linter and the type checkers of a project, under the configuration of its base."""

    def __init__(self, suite: Suite, base: str) -> None:
        self._suite, self._base = suite, base
        self._read = partial(suite.git.read, base)

    @property
    def tools(self) -> tuple[str, ...]:
        """Return the tools that the project configures and that can run here."""
        checkers = [checker.name for checker in _CHECKERS if self._runs(checker)]
        return (*(["ruff"] if ruff_configuration(self._read) else []), *checkers)

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the tools that the project configures and that its environment does not have."""
        return tuple(
            checker.name for checker in _CHECKERS if checker.is_configured(self._read) and not self._runs(checker)
        )

    def run(self, tool: str, tree: str) -> list[Diagnostic]:
        """Return what a tool finds in a tree. Raise EnvironmentProblem if the tool does not run."""
        if tool == "ruff":
            found = Ruff(self._suite).check(tree, self._configuration(tree))
            return [
                Diagnostic(tool="ruff", rule=entry.rule, path=entry.path, line=entry.line, message=entry.message)
                for entry in found
            ]
        checker = next(checker for checker in _CHECKERS if checker.name == tool)
        return list(checker.parse(self._lines(checker, tree), str(self._suite.git.root)))

    def _runs(self, checker: TypeChecker) -> bool:
        return checker.name in self._suite.interpreter.modules and checker.is_configured(self._read)

    def _lines(self, checker: TypeChecker, tree: str) -> Sequence[bytes]:
        python = self._suite.interpreter.path
        argv = ("bash", "-c", _RUN, "bash", "{results}", python, checker.name, *checker.options(self._read))
        finished = self._suite.sandbox.run(self._suite.job(tree, argv, _WALL_SECONDS, self._configuration(tree)))
        if finished.exit_code != 0 or finished.stopped_by:
            cause = finished.stopped_by or redact(finished.output.strip())[-300:] or f"exit code {finished.exit_code}"
            raise EnvironmentProblem(f"{checker.name} did not run: {cause}")
        return finished.lines

    def _configuration(self, tree: str) -> dict[str, bytes]:
        """Return the configuration files of the base that the tree changes or removes."""
        contents = {path: self._read(path) for path in CONFIGURATIONS}
        git = self._suite.git
        return {path: old for path, old in contents.items() if old is not None and git.read(tree, path) != old}


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
            rule, text = str(raw.get("code") or "error"), redact(str(raw["message"]))
            yield Diagnostic(tool="mypy", rule=rule, path=path, line=int(raw["line"]), message=text)


def _parse_ty(lines: Sequence[bytes], root: str) -> Iterator[Diagnostic]:
    for match in filter(None, map(_TY_LINE.match, lines)):
        part = {name: value.decode(errors="replace") for name, value in match.groupdict().items()}
        path = part["path"].removeprefix(root).lstrip("/")
        yield Diagnostic(
            tool="ty", rule=part["rule"], path=path, line=int(part["line"]), message=redact(part["message"])
        )


def _parse_pyright(lines: Sequence[bytes], root: str, tool: str) -> Iterator[Diagnostic]:
    for raw in json.loads(b"".join(lines) or b"{}").get("generalDiagnostics", ()):
        if raw.get("severity") == "error":
            path = str(raw["file"]).removeprefix(root).lstrip("/")
            line, rule = int(raw["range"]["start"]["line"]) + 1, str(raw.get("rule") or "error")
            yield Diagnostic(tool=tool, rule=rule, path=path, line=line, message=redact(str(raw["message"])))


def _configures_pyright(read: Read, tool: str) -> bool:
    return bool(_toml_table(read, "tool", tool)) or read("pyrightconfig.json") is not None


_CHECKERS = (
    TypeChecker("mypy", lambda read: _mypy_settings(read) is not None, _mypy_options, _parse_mypy),
    TypeChecker(
        "ty",
        lambda read: bool(_toml_table(read, "tool", "ty")) or read("ty.toml") is not None,
        lambda _: ("check", "--output-format=concise", "--color=never"),
        _parse_ty,
    ),
    TypeChecker(
        "basedpyright",
        partial(_configures_pyright, tool="basedpyright"),
        lambda _: ("--outputjson",),
        partial(_parse_pyright, tool="basedpyright"),
    ),
)
