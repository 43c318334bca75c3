"""Find the target's interpreter and ask it, inside the sandbox, for its version, its folders and its modules."""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whet.errors import InterpreterMissing, Refused
from whet.git.git import Git
from whet.sandbox.sandbox import Job, JobLimits, Sandbox
from whet.target.python_folders import (
    folders_of_pth_files,
    is_visible,
    starting_programs,
    visible_folders,
)

_PROBE = """
import importlib.util, json, os, sys
answer = json.dumps({
    "version": ".".join(map(str, sys.version_info[:3])),
    "path": sys.path,
    "pytest": importlib.util.find_spec("pytest") is not None,
})
with open(int(sys.argv[1]), "w") as results:
    print(answer, file=results)
"""
_MARKERS = (".gitignore", ".gitkeep")  # files that keep a folder in git, and no program reads
_EMPTY_TREE = bytes(10240)
_LIMITS = JobLimits(wall_seconds=60)
_VERSION = re.compile(r"3(\.\d{1,4}){2}")
_REMEDY = "set `target.interpreter` in whet.toml to a Python that runs here"
_MODULE = re.compile(r"([^\W\d]\w*)(?:\.py|(?:\.[\w-]+)?\.(?:so|pyd))?")


@dataclass(frozen=True)
class Interpreter:
    """A Python interpreter that runs the target.

    `readable` are the folders that must be readable inside the sandbox, `imported` the folders of its import path.
    `modules` are the top-level names that can be imported without the repository: the standard library and the
    installed packages.
    """

    path: str
    version: str
    readable: tuple[str, ...]
    has_pytest: bool
    modules: frozenset[str] = frozenset()
    imported: tuple[str, ...] = ()


def find(git: Git, configured: str) -> Path:
    """Return the configured interpreter, else the project's `.venv`, else the interpreter that runs whet."""
    path = git.root / (configured or ".venv/bin/python")
    if os.access(path, os.F_OK):
        _refuse_tracked(path, git)
        return path
    if configured:
        raise InterpreterMissing(
            f"the interpreter {configured} does not exist", "set `target.interpreter` in whet.toml to one that does"
        )
    return Path(sys.executable)


def _refuse_tracked(path: Path, git: Git) -> None:
    """Refuse an interpreter of which git tracks any part: a patch could replace it, and so decide its own proof.

    A tracked file in its environment is refused too, because inside the environment is mounted over the tree.
    """
    for program in map(Path, dict.fromkeys(map(os.path.normpath, starting_programs(path)))):
        environment = program.parent.parent
        parts = [program, *(environment / name for name in ("pyvenv.cfg", "lib", "lib64"))]
        if git.root in environment.parents:
            parts = [environment]
        inside = [part.relative_to(git.root).as_posix() for part in parts if git.root in part.parents]
        if any(git.tracks(part, except_for=_MARKERS) for part in inside):
            raise Refused(
                f"the interpreter {path} comes with the repository, so a change could replace it",
                "make a virtual environment that git does not track, and set `target.interpreter` to it",
            )


def probe(sandbox: Sandbox, path: Path, root: Path) -> Interpreter:
    """Start the interpreter in the sandbox, isolated from the current folder, and ask it about itself.

    Its answer is not trusted, so no folder is mounted because the answer names it.
    """
    folders = [program.parent.parent for program in starting_programs(path)]
    started_with = visible_folders(folders, root)
    facts = _ask(sandbox, path, root, started_with)
    imported = [Path(folder) for folder in facts.path if is_visible(Path(folder), started_with)]
    imported += folders_of_pth_files(imported)
    visible = visible_folders(folders, root, sources=imported)
    imported = [folder for folder in imported if is_visible(folder, visible)]
    return Interpreter(
        path=str(path),
        version=facts.version,
        readable=visible,
        has_pytest=facts.has_pytest,
        modules=frozenset(_modules(imported)),
        imported=tuple(map(str, imported)),
    )


@dataclass(frozen=True)
class _Facts:
    """The answer of an interpreter about itself."""

    version: str
    path: tuple[str, ...]
    has_pytest: bool


def _ask(sandbox: Sandbox, path: Path, root: Path, readable: tuple[str, ...]) -> _Facts:
    argv = (str(path), "-I", "-c", _PROBE, "{results}")
    finished = sandbox.run(Job(argv=argv, tree=_EMPTY_TREE, root=str(root), limits=_LIMITS, readable=readable))
    if finished.problem:
        raise InterpreterMissing(f"the interpreter {path} {finished.problem}", _REMEDY)
    if finished.exit_code != 0:
        last_lines = finished.output.strip().splitlines()[-1:] or [f"exit code {finished.exit_code}"]
        cause = last_lines[0] if is_visible(path.resolve(), readable) else "it lies in no Python installation"
        raise InterpreterMissing(
            f"the interpreter {path} does not start in the sandbox: {cause}",
            f"{_REMEDY}; only folders that hold a Python installation or a virtual environment are visible inside",
        )
    try:
        return _facts(json.loads(b"\n".join(finished.lines)))
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise InterpreterMissing(f"{path} is not a Python interpreter: its answer cannot be read", _REMEDY) from problem


def _facts(raw: Any) -> _Facts:
    """Check the types of an answer; raise ValueError, TypeError or KeyError if it is not one of Python 3."""
    if not _VERSION.fullmatch(_text(raw["version"])):
        raise ValueError("not a version of Python 3")
    return _Facts(raw["version"], tuple(map(_text, raw["path"])), raw["pytest"] is True)


def _text(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise TypeError("not a text")
    return value


def _modules(folders: Iterable[Path]) -> Iterator[str]:
    """Yield the names of the top-level modules in `folders`."""
    for folder in folders:
        if not os.access(folder, os.R_OK | os.X_OK) or not folder.is_dir():
            continue
        for path in folder.iterdir():
            match = _MODULE.fullmatch(path.name) if path.suffix or path.is_dir() else None
            if match:
                yield match[1]
