"""Run the project's own linter and type checkers on a tree, inside the sandbox.

A tool runs if the project configures it and the target's environment has it; ruff comes with whet. The configuration is
that of the base, so that a patch cannot switch a rule off that judges it.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

from whet.domain.canonical import digest
from whet.domain.diagnostic import Diagnostic, DiagnosticReport
from whet.domain.redact import redact
from whet.domain.redact_noun import redact_noun
from whet.errors import EnvironmentProblem
from whet.target.environment_digest import environment_digest
from whet.target.linters.ruff import Ruff
from whet.target.linters.ruff_settings import ruff_configuration
from whet.target.linters.type_checkers import INTERPRETER, TypeChecker, checker_of, configured_checkers
from whet.target.suite import Overlay, Suite

CONFIGURATIONS = (
    "pyproject.toml", "setup.cfg", "tox.ini", ".ruff.toml", "ruff.toml", "mypy.ini", ".mypy.ini", "ty.toml",
    "pyrightconfig.json",
)  # fmt: skip
_WALL_SECONDS = 300
# $1 is the descriptor for results, $2 the interpreter, the rest the module and its options. A checker exits with 1 if it
# found something.
_RUN = 'out=$1 python=$2; shift 2; "$python" -m "$@" >&"$out" || [ $? = 1 ]'


class Diagnostics:
    """The linter and the type checkers of a project, under the configuration of its base."""

    def __init__(self, suite: Suite, base: str) -> None:
        self._suite, self._base = suite, base
        self._read = partial(suite.git.read, base)

    @property
    def tools(self) -> tuple[str, ...]:
        """Return the tools that the project configures and that can run here."""
        checkers = [name for name in self._checkers if name in self._suite.interpreter.modules]
        return (*(["ruff"] if ruff_configuration(self._read) else []), *checkers)

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the tools that the project configures and that its environment does not have."""
        return tuple(name for name in self._checkers if name not in self._suite.interpreter.modules)

    @property
    def _checkers(self) -> tuple[str, ...]:
        """Return the type checkers that the project configures, installed or not."""
        return configured_checkers(self._read, self._suite.interpreter.modules)

    def run(self, tool: str, tree: str, *, fresh: bool = True) -> tuple[Diagnostic, ...]:
        """Return what a tool finds in a tree; with `fresh=False`, accept the findings of an earlier run.

        Raise EnvironmentProblem if the tool does not run.
        """
        configuration = self._configuration(tree)
        key, stored = self.key(tool, tree, configuration), self._suite.diagnostics_cache
        if not fresh and (report := stored.get(key)) and (report.tree, report.tool) == (tree, tool):
            return report.findings
        try:
            findings = tuple(self._findings(tool, tree, configuration))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as damage:
            # a plug-in of the project runs in the tool, and can print anything
            raise EnvironmentProblem(f"the answer of {tool} cannot be read", "run it by hand") from damage
        # a cached finding is redacted, so a new one is too: they are compared by their texts
        report = redact_noun(DiagnosticReport(tree=tree, tool=tool, findings=findings))
        stored[key] = report
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
        options = () if tool == "ruff" else checker_of(tool).options(self._read)
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
            checker = checker_of(tool)
            yield from checker.parse(self._lines(checker, tree, configuration), str(self._suite.git.root))

    def _lines(self, checker: TypeChecker, tree: str, configuration: Overlay) -> Sequence[bytes]:
        python = self._suite.interpreter.path
        options = [python if option == INTERPRETER else option for option in checker.options(self._read)]
        argv = ("bash", "-c", _RUN, "bash", "{results}", python, checker.name, *options)
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


@cache
def _code_digest() -> str:
    """Return a digest of the code that starts the tools and reads their output: a new version may read other findings."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
