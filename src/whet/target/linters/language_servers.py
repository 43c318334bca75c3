"""Ask language servers for the diagnostics of a tree, inside the sandbox.

A language server may load plug-ins and settings of the project, so it runs where the project's tests run, and its answers are
data that are not trusted.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pathspec import GitIgnoreSpec
from ruff.__main__ import find_ruff_bin

from whet.config import LanguageServer
from whet.domain.canonical import digest
from whet.domain.diagnostic import Diagnostic, DiagnosticReport
from whet.domain.plural import count
from whet.domain.redact import redact
from whet.domain.redact_noun import redact_noun
from whet.sandbox.bubblewrap import INSIDE_AT
from whet.target.environment_digest import environment_digest
from whet.target.scripts import INSIDE
from whet.target.suite import Suite

PRESETS = {
    "ruff": ("ruff", "server"),
    "ty": ("ty", "server"),
    "pyrefly": ("pyrefly", "lsp"),
    "pyright": ("pyright-langserver", "--stdio"),
    "basedpyright": ("basedpyright-langserver", "--stdio"),
}
MOST_FILES, LARGEST_FILE, MOST_PER_FILE = 1_000, 1_000_000, 200
_LAST_LINE, _LONGEST_MESSAGE = 10_000_000, 2000
_GRACE_SECONDS = 30  # for the start of the sandbox and the end of the server
_LEVELS = {1: "error", 2: "warning", 3: "note"}
_HINT = 4
_SCRIPT = "language_server.py"


class ServerSilent(Exception):
    """A language server is not installed, or gave no complete answer."""


@dataclass(frozen=True)
class _Program:
    """The command of a server, and the folder outside the target's environment that it needs."""

    argv: tuple[str, ...]
    folder: str = ""


class LanguageServers:
    """The language servers of whet.toml, on trees of one project."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite

    def ask(self, server: LanguageServer, tree: str) -> DiagnosticReport:
        """Return the diagnostics of a tree, of an earlier look if nothing has changed that they depend on.

        Raise ServerSilent if the server is missing or does not give an answer.
        """
        name, program = name_of(server), self._program(server)
        key, stored = self._key(server, program, tree), self._suite.diagnostics_cache
        if (report := stored.get(key)) and (report.tree, report.tool) == (tree, name):
            return report
        files, skipped = self._files(server, tree)
        report = DiagnosticReport(tree=tree, tool=name, findings=(), skipped=tuple(skipped))
        if files:
            findings, left_out = _Answer(name, files).read(self._run(server, program, tree, files))
            report = replace(report, findings=findings, skipped=(*skipped, *left_out))
        report = redact_noun(report)
        stored[key] = report
        return report

    def _program(self, server: LanguageServer) -> _Program:
        """Return the command; a program without a folder is looked for in the target's environment."""
        first, *rest = PRESETS.get(server.server, server.command)
        if "/" in first:
            return _Program((first, *rest))
        installed = Path(self._suite.interpreter.path).parent / first
        if installed.exists():
            return _Program((str(installed), *rest))
        if server.server == "ruff":  # comes with whet
            binary = find_ruff_bin()
            return _Program((binary, *rest), str(Path(binary).parent))
        if server.server:
            python = self._suite.interpreter.path
            raise ServerSilent(f"not installed in the target's environment; `{python} -m pip install {server.server}`")
        return _Program((first, *rest))

    def _key(self, server: LanguageServer, program: _Program, tree: str) -> str:
        suite = self._suite
        extra_files = {path: hashlib.sha256(data).hexdigest() for path, data in suite.extra_files.items()}
        packages = environment_digest(suite.interpreter.imported)
        limits = suite.policy.sandbox.model_dump(mode="json")
        code = hashlib.sha256(Path(__file__).read_bytes() + (INSIDE / _SCRIPT).read_bytes()).hexdigest()
        settings = server.model_dump(mode="json")
        return digest(
            ["server", settings, program.argv, tree, extra_files, packages, limits, str(suite.git.root), code]
        )

    def _files(self, server: LanguageServer, tree: str) -> tuple[list[str], list[str]]:
        """Return the files to open, and what is left out."""
        matching = GitIgnoreSpec.from_lines(server.files)
        entries = [entry for entry in self._suite.git.entries(tree) if matching.match_file(entry.path)]
        files = [entry.path for entry in entries if entry.mode.startswith("100")]
        skipped = []
        if len(files) > MOST_FILES:
            skipped.append(f"{count(len(files) - MOST_FILES, 'file')} skipped: a server opens at most {MOST_FILES:,}")
        if not files:
            skipped.append(f"no file matches {', '.join(server.files)}")
        files = files[:MOST_FILES]
        sizes = {path: len(content) for path, content in self._suite.git.read_all(tree, files).items()}
        small = [path for path in files if sizes[path] <= LARGEST_FILE]
        if len(small) < len(files):
            skipped.append(f"{count(len(files) - len(small), 'file')} skipped: larger than {LARGEST_FILE:,} bytes")
        return small, skipped

    def _run(self, server: LanguageServer, program: _Program, tree: str, files: Sequence[str]) -> Sequence[bytes]:
        suite = self._suite
        request = {
            "argv": program.argv, "files": files, "language": server.language, "settings": server.settings,
            "seconds": server.timeout_seconds, "settle": server.settle_seconds, "most": MOST_PER_FILE,
        }  # fmt: skip
        argv = (suite.interpreter.path, f"{INSIDE_AT}/{_SCRIPT}", "{results}")
        job = suite.job(tree, argv, server.timeout_seconds + _GRACE_SECONDS)
        readable = (*job.readable, program.folder) if program.folder else job.readable
        finished = suite.sandbox.run(replace(job, readable=readable, stdin=json.dumps(request).encode() + b"\n"))
        if finished.exit_code != 0 or finished.stopped_by:
            cause = finished.problem or redact(finished.output.strip())[-300:] or f"exit code {finished.exit_code}"
            raise ServerSilent(f"no answer: {cause}")
        return finished.lines


def name_of(server: LanguageServer) -> str:
    """Return the name that findings of the server have."""
    return server.name or server.server or Path(server.command[0]).name


class _Answer:
    """The answer of one server about some files, which is checked while it is read."""

    def __init__(self, name: str, files: Sequence[str]) -> None:
        self._name, self._files = name, frozenset(files)
        self._hints = 0

    def read(self, lines: Sequence[bytes]) -> tuple[tuple[Diagnostic, ...], list[str]]:
        """Return the diagnostics, and what the server left out. Raise ServerSilent for an answer that is not complete."""
        try:
            *parts, ending = [json.loads(line) for line in lines]
            if not ending["end"]:
                raise ValueError("the answer has no end")  # noqa: TRY301 - as for any other damaged answer
            findings = tuple(diagnostic for part in parts for diagnostic in self._findings(part))
            if problem := ending.get("problem"):
                raise ServerSilent(f"no complete answer: {redact(str(problem))}")
            return findings, list(self._left_out(ending))
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as damage:
            raise ServerSilent("its answer cannot be read") from damage

    def _findings(self, part: Mapping[str, Any]) -> Iterator[Diagnostic]:
        path = part["path"]
        if path not in self._files:
            return
        for line, severity, rule, message in part["diagnostics"][:MOST_PER_FILE]:
            if severity == _HINT:  # unused code in grey, and the like
                self._hints += 1
                continue
            yield Diagnostic(
                tool=self._name,
                rule=redact(str(rule))[:100] or "error",
                path=path,
                line=min(max(0, int(line)), _LAST_LINE) + 1,
                message=redact(" ".join(str(message)[:_LONGEST_MESSAGE].split())),
                level=_LEVELS.get(severity, "error"),
            )

    def _left_out(self, ending: Mapping[str, Any]) -> Iterator[str]:
        if self._hints:
            yield f"{count(self._hints, 'hint')} skipped: a hint is no problem"
        if number := int(ending["left_out"]):
            yield f"{count(number, 'diagnostic')} skipped: a file gives at most {MOST_PER_FILE}"
        if number := int(ending["silent"]):
            yield f"{count(number, 'file')} skipped: the server said nothing about them"
