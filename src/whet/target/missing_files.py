"""Find files that failing tests miss inside the sandbox because git ignores them."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from whet.domain.suite import SuiteReport
from whet.target.suite import Suite

_MISSING_MODULE = re.compile(r"No module named '([\w.]+)'")
_MISSING_NAME = re.compile(r"cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'")
_MISSING_FILE = re.compile(r"No such file or directory: b?['\"](.+?)['\"]")
_MODULE_SUFFIXES = re.compile(r"(?:/__init__)?\.(?:py|[\w.-]*so)$")
_NAMED = 5
_INSTALLED = {"site-packages", "node_modules", ".venv", "venv", ".tox", ".nox"}


def missing_ignored_files(report: SuiteReport, suite: Suite) -> list[str]:
    """Return the files in the checkout that git ignores and that the report's failures call missing.

    Such a file is not part of the tree that runs inside; `target.extra_files` can add it.
    """
    texts = [report.problem, *(failure.message for failure in report.failures.values())]
    modules: set[str] = set()
    paths: set[str] = set()
    for text in texts:
        modules.update(_missing_modules(text))
        paths.update(_MISSING_FILE.findall(text))
    if not modules and not paths:
        return []
    root = str(suite.git.root)
    relative = {os.path.relpath(path, root) if path.startswith("/") else os.path.normpath(path) for path in paths}
    return [
        path
        for path in _ignored_files(suite)
        if path not in suite.extra_files and (_is_missing_path(path, relative) or _is_missing_module(path, modules))
    ]


def extra_files_hint(missing: Sequence[str]) -> str:
    """Return the sentence that tells how to bring `missing`, files that git ignores, into the sandbox."""
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    return f"git ignores files that the tests need: add {', '.join(missing[:_NAMED])}{more} to target.extra_files in whet.toml"


def _missing_modules(text: str) -> Iterator[str]:
    for module in _MISSING_MODULE.findall(text):
        yield module.replace(".", "/")
    for name, package in _MISSING_NAME.findall(text):
        yield f"{package}.{name}".replace(".", "/")


def _ignored_files(suite: Suite) -> list[str]:
    raw = suite.git.ask("ls-files", "--others", "--ignored", "--exclude-standard", "-z")
    paths = [os.fsdecode(path) for path in raw.split(b"\0") if path]
    return sorted(path for path in paths if not _INSTALLED.intersection(path.split("/")))


def _is_missing_path(path: str, missing: set[str]) -> bool:
    """True if the path or a folder above it is missing."""
    return path in missing or any(str(parent) in missing for parent in PurePosixPath(path).parents)


def _is_missing_module(path: str, missing: set[str]) -> bool:
    """True if the path defines a missing module, in whatever source folder it lies."""
    if not _MODULE_SUFFIXES.search(path):
        return False
    parts = _MODULE_SUFFIXES.sub("", path).split("/")
    return any("/".join(parts[start:]) in missing for start in range(len(parts)))
