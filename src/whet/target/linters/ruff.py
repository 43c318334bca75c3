"""Run ruff on a tree, inside the sandbox."""

import base64
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from ruff.__main__ import find_ruff_bin

from whet.domain.redact import redact
from whet.errors import EnvironmentProblem
from whet.target.linters.ruff_settings import MODERNISING, ignored_rules, older_than_ruff_knows, target_version
from whet.target.suite import Overlay, Suite

# $1 is the descriptor for results, $2 ruff, $3 the Python version to support, $4 the selection of rules to report, $5
# the rules to fix, the rest are paths. `null` lines separate the violations before, those after and the fixed files.
# A project may set `fix = true`: without --no-fix, ruff would mend what it should report.
_CHECK = '"$2" check --no-fix --no-cache --exit-zero --quiet --output-format json-lines $3 $4 . >&"$1"'
_FIX = """
out=$1 ruff=$2 python=$3 selection=$4 rules=$5; shift 5
run() { "$ruff" check --no-cache --exit-zero --quiet --force-exclude $python "$@"; }
check() { run --no-fix $selection --output-format json-lines -- "$@" >&"$out"; }
check "$@" && echo null >&"$out" &&
run --fix-only --select "$rules" -- "$@" &&
check "$@" && echo null >&"$out" &&
for path; do base64 -w0 -- "$path" >&"$out" && echo >&"$out" || exit 1; done
"""
_WALL_SECONDS = 120


@dataclass(frozen=True)
class Violation:
    """A place that breaks a rule; `fixable` if ruff calls its fix safe."""

    rule: str
    path: str
    line: int
    message: str
    fixable: bool


@dataclass(frozen=True)
class LintFix:
    """The outcome of fixing rules in some files: the files that changed, and their violations before and after."""

    files: Mapping[str, bytes]
    before: tuple[Violation, ...]
    after: tuple[Violation, ...]

    def new_rules(self, path: str) -> frozenset[str]:
        """Return the rules that the fixed file breaks more often than the original did."""
        before = Counter(violation.rule for violation in self.before if violation.path == path)
        after = Counter(violation.rule for violation in self.after if violation.path == path)
        return frozenset((after - before).keys())


class Ruff:
    """ruff with the settings of the checked tree, its declared Python versions, and rules of whet's policy."""

    def __init__(self, suite: Suite, extra_rules: tuple[str, ...] = ()) -> None:
        self._suite, self._extra_rules = suite, extra_rules

    def check(self, tree: str, overlay: Overlay | None = None) -> tuple[Violation, ...]:
        """Return every violation by the tree's own settings. `overlay` replaces files of the tree (None removes a file)."""
        return self._violations(self._run(tree, _CHECK, *self._options(tree), overlay=overlay or {}))

    def fix(self, tree: str, rules: Sequence[str], paths: Sequence[str]) -> LintFix:
        """Apply every safe fix of the rules to the files."""
        lines = self._run(tree, _FIX, *self._options(tree), ",".join(rules), *paths)
        first, second = (number for number, line in enumerate(lines) if line.strip() == b"null")
        contents = [base64.b64decode(line) for line in lines[second + 1 :]]
        files = {
            path: content
            for path, content in zip(paths, contents, strict=True)
            if content != self._suite.git.read(tree, path)
        }
        return LintFix(files, self._violations(lines[:first]), self._violations(lines[first + 1 : second]))

    def _options(self, tree: str) -> tuple[str, str]:
        """Return the options for the Python version and for the selection of rules, beyond the tree's own settings."""

        @cache
        def read(path: str) -> bytes | None:
            return self._suite.git.read(tree, path)

        version = target_version(read)
        python = f"--target-version={version}" if version else ""
        old = older_than_ruff_knows(read)
        extra = tuple(rule for rule in self._extra_rules if not (old and rule.startswith(MODERNISING)))
        # rules selected on the command line win over the project's `ignore`, unless that is repeated there
        ignored = [rule for rule in sorted(ignored_rules(read)) if rule.startswith(extra)] if extra else []
        ignored += MODERNISING if old else ()
        options = [f"--extend-select={','.join(extra)}"] if extra else []
        options += [f"--ignore={','.join(ignored)}"] if ignored else []
        return python, " ".join(options)

    def _violations(self, lines: Sequence[bytes]) -> tuple[Violation, ...]:
        root = str(self._suite.git.root)
        return tuple(_violation(json.loads(line), root) for line in lines if line.strip())

    def _run(self, tree: str, script: str, *args: str, overlay: Overlay = MappingProxyType({})) -> tuple[bytes, ...]:
        binary = _binary()
        argv = ("bash", "-c", script, "bash", "{results}", binary, *args)
        job = self._suite.job(tree, argv, _WALL_SECONDS, overlay)
        finished = self._suite.sandbox.run(replace(job, readable=(*job.readable, str(Path(binary).parent))))
        if finished.exit_code != 0 or finished.stopped_by:
            cause = finished.stopped_by or redact(finished.output.strip())[-300:]
            raise EnvironmentProblem(
                f"ruff did not run: {cause}", "take `lint` out of observe.sources, or correct the ruff settings"
            )
        return finished.lines


@cache
def _binary() -> str:
    return str(find_ruff_bin())


def _violation(raw: dict[str, object], root: str) -> Violation:
    fix, location = raw.get("fix"), raw.get("location")
    return Violation(
        rule=str(raw.get("code") or "syntax"),
        path=str(raw["filename"]).removeprefix(root).lstrip("/"),
        line=int(location["row"]) if isinstance(location, dict) else 0,
        message=redact(str(raw["message"])),
        fixable=isinstance(fix, dict) and fix.get("applicability") == "safe",
    )
