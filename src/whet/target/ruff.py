"""Run ruff on a tree, inside the sandbox."""

import base64
import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ruff.__main__ import find_ruff_bin

from whet.errors import EnvironmentProblem
from whet.target.suite import Suite

_CHECK = '"$2" check --no-cache --exit-zero --quiet --output-format json-lines $3 . >&"$1"'
_FIX = (
    '"$2" check --no-cache --exit-zero --quiet --fix-only --select "$3" -- "$4"'
    ' && base64 -w0 "$4" >&"$1" && echo >&"$1"'
)
_WALL_SECONDS = 120


@dataclass(frozen=True)
class Violation:
    """One violation of a rule; `fixable` if ruff calls its fix safe."""

    rule: str
    path: str
    line: int
    message: str
    fixable: bool


class Ruff:
    def __init__(self, suite: Suite, extra_rules: tuple[str, ...] = ()) -> None:
        self._suite = suite
        self._extra = f"--extend-select={','.join(extra_rules)}" if extra_rules else ""

    def check(self, tree: str) -> tuple[Violation, ...]:
        """Return every violation of the tree's own ruff settings and of the extra rules."""
        lines = self._run(tree, _CHECK, self._extra)
        root = str(self._suite.git.root)
        return tuple(_violation(json.loads(line), root) for line in lines if line.strip())

    def fix(self, tree: str, rule: str, path: str) -> bytes | None:
        """Return the file with every safe fix of one rule applied, or None if ruff changes nothing."""
        lines = self._run(tree, _FIX, rule, path)
        fixed = base64.b64decode(lines[0]) if lines else None
        return None if fixed == self._suite.git.read(tree, path) else fixed

    def _run(self, tree: str, script: str, *args: str) -> tuple[bytes, ...]:
        binary = _binary()
        job = self._suite.job(tree, ("bash", "-c", script, "bash", "{results}", binary, *args), _WALL_SECONDS)
        finished = self._suite.sandbox.run(replace(job, readable=(*job.readable, str(Path(binary).parent))))
        if finished.exit_code != 0 or finished.stopped_by:
            cause = finished.stopped_by or finished.output.strip()[-300:]
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
        message=str(raw["message"]),
        fixable=isinstance(fix, dict) and fix.get("applicability") == "safe",
    )
