"""Run the project's own linter and type checkers on a tree, inside the sandbox.

A tool runs if the project configures it and the target's environment has it; ruff comes with whet. The configuration is
that of the base, so that a patch cannot switch a rule off that judges it.
"""

import configparser
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from whet.domain.canonical import digest
from whet.domain.diagnostic import Diagnostic, DiagnosticReport
from whet.domain.redact import redact
from whet.domain.redact_noun import redact_noun
from whet.errors import EnvironmentProblem
from whet.target.environment_digest import environment_digest
from whet.target.linters.ruff import Ruff
from whet.target.linters.ruff_settings import Read, ruff_configuration
from whet.target.suite import Overlay, Suite

CONFIGURATIONS = (
    "pyproject.toml", "setup.cfg", "tox.ini", ".ruff.toml", "ruff.toml", "mypy.ini", ".mypy.ini", "ty.toml",
    "pyrightconfig.json",
)  # fmt: skip
_WALL_SECONDS = 300
# $1 is the descriptor for results, $2 the interpreter, the rest the module and its options. A checker exits with 1 if it
# found something.
_RUN = 'out=$1 python=$2; shift 2; "$python" -m "$@" >&"$out" || [ $? = 1 ]'
_TY_LINE = re.compile(rb"(?P<path>[^:]+):(?P<line>\d+):\d+: error\[(?P<rule>[\w-]+)\] (?P<message>.*)")


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

    def run(self, tool: str, tree: str, *, fresh: bool = True) -> tuple[Diagnostic, ...]:
        """Return what a tool finds in a tree; with `fresh=False`, accept the findings of an earlier run.

        Raise EnvironmentProblem if the tool does not run.
        """
        configuration = self._configuration(tree)
        key, recorded = self.key(tool, tree, configuration), self._suite.diagnostics_cache
        if not fresh and (report := recorded.get(key)) and (report.tree, report.tool) == (tree, tool):
            return report.findings
        try:
            findings = tuple(self._findings(tool, tree, configuration))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as damage:
            # a plug-in of the project runs in the tool, and can print anything
            raise EnvironmentProblem(f"the answer of {tool} cannot be read", "run it by hand") from damage
        # a cached finding is redacted, so a new one is too: they are compared by their texts
        report = redact_noun(DiagnosticReport(tree=tree, tool=tool, findings=findings))
        recorded[key] = report
        return report.findings

    def key(self, tool: str, tree: str, configuration: Overlay) -> str:
        """Return the key of what a tool finds in a tree: a digest of everything that its findings depend on.

        The packages of the environment include the type checker, with its version.
        """
        suite = self._suite
        files = {
            path: None if data is None else hashlib.sha256(data).hexdigest()
            for path, data in {**suite.extra_files, **configuration}.items()
        }
        options = () if tool == "ruff" else _checker(tool).options(self._read)
        packages = environment_digest(suite.interpreter.imported)
        limits = suite.policy.sandbox.model_dump(mode="json")
        python = (suite.interpreter.path, suite.interpreter.version)
        root = str(suite.git.root)
        return digest([tool, tree, files, options, packages, python, version("ruff"), limits, root, _code_digest()])

    def _findings(self, tool: str, tree: str, configuration: Overlay) -> Iterable[Diagnostic]:
        if tool == "ruff":
            for entry in Ruff(self._suite).check(tree, configuration):
                yield Diagnostic(tool=tool, rule=entry.rule, path=entry.path, line=entry.line, message=entry.message)
        else:
            checker = _checker(tool)
            yield from checker.parse(self._lines(checker, tree, configuration), str(self._suite.git.root))

    def _runs(self, checker: TypeChecker) -> bool:
        return checker.name in self._suite.interpreter.modules and checker.is_configured(self._read)

    def _lines(self, checker: TypeChecker, tree: str, configuration: Overlay) -> Sequence[bytes]:
        python = self._suite.interpreter.path
        argv = ("bash", "-c", _RUN, "bash", "{results}", python, checker.name, *checker.options(self._read))
        finished = self._suite.sandbox.run(self._suite.job(tree, argv, _WALL_SECONDS, configuration))
        if finished.exit_code != 0 or finished.stopped_by:
            cause = finished.stopped_by or redact(finished.output.strip())[-300:] or f"exit code {finished.exit_code}"
            raise EnvironmentProblem(f"{checker.name} did not run: {cause}")
        return finished.lines

    def _configuration(self, tree: str) -> Overlay:
        """Return the configuration files of the base that the tree changes or removes, and None for those that it adds."""
        git = self._suite.git
        contents = {path: self._read(path) for path in CONFIGURATIONS}
        return {path: old for path, old in contents.items() if git.read(tree, path) != old}


def _checker(name: str) -> TypeChecker:
    return next(checker for checker in _CHECKERS if checker.name == name)


@cache
def _code_digest() -> str:
    """Return a digest of the code that starts the tools and reads their output: a new version may read other findings."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


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
    for raw in json.loads(b"".join(lines) or b"{}").get("generalDiagnostics", ()):
        if raw.get("severity") == "error":
            path = str(raw["file"]).removeprefix(root).lstrip("/")
            line, rule = int(raw["range"]["start"]["line"]) + 1, str(raw.get("rule") or "error")
            yield Diagnostic(tool=tool, rule=rule, path=path, line=line, message=_on_one_line(str(raw["message"])))


def _on_one_line(message: str) -> str:
    return redact(" ".join(message.split()))


def _configures_ty(read: Read) -> bool:
    return "ty" in _toml_table(read, "tool") or read("ty.toml") is not None


def _configures_pyright(read: Read) -> bool:
    """True for the settings of pyright too, which basedpyright reads."""
    tables = _toml_table(read, "tool").keys() & {"basedpyright", "pyright"}
    return bool(tables) or read("pyrightconfig.json") is not None


_CHECKERS = (
    TypeChecker("mypy", lambda read: _mypy_settings(read) is not None, _mypy_options, _parse_mypy),
    TypeChecker(
        "ty",
        _configures_ty,
        lambda _: ("check", "--output-format=concise", "--color=never"),
        _parse_ty,
    ),
    TypeChecker(
        "basedpyright",
        _configures_pyright,
        lambda _: ("--outputjson",),
        partial(_parse_pyright, tool="basedpyright"),
    ),
)
