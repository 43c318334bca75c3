"""Find and probe the target's interpreter: its version, the folders it reads, and the modules installed for it."""

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whet.errors import EnvironmentProblem, InterpreterMissing, Refused
from whet.git.git import Git
from whet.sandbox.process import call

_PROBE = """
import importlib.util, json, site, sys
print(json.dumps({
    "version": ".".join(map(str, sys.version_info[:3])),
    "prefixes": [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix],
    "path": sys.path,
    "pytest": importlib.util.find_spec("pytest") is not None,
}))
"""
_MODULE = re.compile(r"([^\W\d]\w*)(?:\.py|(?:\.[\w-]+)?\.(?:so|pyd))?")


@dataclass(frozen=True)
class Interpreter:
    """A Python interpreter that runs the target.

    `readable` are the folders that must be readable inside the sandbox. `modules` are the top-level names that can be
    imported without the repository: the standard library and the installed packages.
    """

    path: str
    version: str
    readable: tuple[str, ...]
    has_pytest: bool
    modules: frozenset[str] = frozenset()


def find(git: Git, configured: str) -> Path:
    """Return the configured interpreter, else the project's `.venv`, else the interpreter that runs whet."""
    path = git.root / (configured or ".venv/bin/python")
    if path.exists():
        _refuse_tracked(path, git)
        return path
    if configured:
        raise InterpreterMissing(
            f"the interpreter {configured} does not exist", "set `target.interpreter` in whet.toml to one that does"
        )
    return Path(sys.executable)


def _refuse_tracked(path: Path, git: Git) -> None:
    """Refuse an interpreter of which git tracks any part.

    `probe` starts it outside the sandbox, so neither the program nor its environment may come from the repository.
    """
    for hop in (path, *_links(path), path.resolve()):
        program = Path(os.path.normpath(hop))
        environment = program.parent.parent
        for part in (program, environment / "pyvenv.cfg", environment / "lib", environment / "lib64"):
            if git.root in part.parents and git.tracks(part.relative_to(git.root).as_posix()):
                raise Refused(
                    f"the interpreter {path} comes with the repository, and nothing of the repository runs outside"
                    " the sandbox",
                    "make a virtual environment that git does not track, and set `target.interpreter` to it",
                )


def probe(path: Path, root: Path) -> Interpreter:
    """Start the interpreter, isolated from the current folder and the environment, and ask it about itself."""
    facts = _facts(path)
    link_targets = [str(link.parent.parent) for link in _links(path)]
    folders = [*facts["prefixes"], *facts["path"], *link_targets]
    return Interpreter(
        path=str(path),
        version=facts["version"],
        readable=_readable(folders, root),
        has_pytest=facts["pytest"],
        modules=frozenset(_modules(facts["path"], root)),
    )


def _facts(path: Path) -> dict[str, Any]:
    remedy = "set `target.interpreter` in whet.toml to a Python that runs here"
    try:
        done = call([str(path), "-I", "-c", _PROBE], env={"PATH": os.defpath}, timeout_seconds=30)
    except EnvironmentProblem as problem:
        raise InterpreterMissing(f"the interpreter does not start: {problem.message}", remedy) from problem
    if done.code != 0:
        last_lines = done.err.strip().splitlines()[-1:] or [f"exit code {done.code}"]
        raise InterpreterMissing(f"the interpreter {path} does not start: {last_lines[0]}", remedy)
    try:
        facts: dict[str, Any] = json.loads(done.out)
    except ValueError as problem:
        raise InterpreterMissing(f"{path} is not a Python interpreter: its answer is not JSON", remedy) from problem
    return facts


def _links(path: Path) -> list[Path]:
    """Return every hop of a chain of symbolic links; all of them must exist inside the sandbox."""
    hops: list[Path] = []
    while path.is_symlink():
        path = path.parent / path.readlink()
        hops.append(path)
    return hops


def _modules(folders: list[str], root: Path) -> Iterator[str]:
    """Yield the top-level module names in `folders`, without the repository's own (an editable install names them)."""
    for folder in map(Path, filter(None, folders)):
        if not folder.is_dir() or _is_repository_source(root, folder):
            continue
        for path in folder.iterdir():
            match = _MODULE.fullmatch(path.name) if path.suffix or path.is_dir() else None
            if match:
                yield match[1]


def _is_repository_source(root: Path, folder: Path) -> bool:
    return folder == root or (root in folder.parents and not _is_environment(folder))


def _readable(folders: list[str], root: Path) -> tuple[str, ...]:
    """Return the outermost of `folders` to bind, without the repository and any folder above it or above a home."""
    kept: list[Path] = []
    for folder in sorted({Path(os.path.normpath(folder)) for folder in folders if folder}):
        too_much = folder in root.parents or folder in (Path("/"), Path.home(), *Path.home().parents)
        covered = any(folder == other or other in folder.parents for other in (*kept, Path("/usr")))
        if folder.exists() and not (_is_repository_source(root, folder) or too_much or covered):
            kept.append(folder)
    return tuple(map(str, kept))


def _is_environment(folder: Path) -> bool:
    return any((parent / "pyvenv.cfg").exists() for parent in (folder, *folder.parents))
