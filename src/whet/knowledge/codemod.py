"""Declared rewrites on files: ast-grep's search and replace, or a LibCST codemod of the project, which runs in the sandbox."""

import ast
import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from whet.config import CodemodPolicy
from whet.domain.pattern import Rule
from whet.errors import EnvironmentProblem
from whet.guard.paths.patterns import patterns
from whet.kit import Kit
from whet.knowledge.rewrite import AppliedRule, applications
from whet.sandbox.bubblewrap import INSIDE_AT

_LARGEST = 500_000


@dataclass(frozen=True)
class RewrittenFile:
    """A file that a rewrite changes: its new text, and the first lines of the changed places."""

    path: str
    text: str
    lines: tuple[int, ...]


def rewritten_files(name: str, policy: CodemodPolicy, tree: str, kit: Kit) -> Iterator[RewrittenFile]:
    """Yield each file of a tree that the rewrite changes and that is no test. A result that is no Python is left out.

    Raise EnvironmentProblem if a codemod of the project cannot run.
    """
    texts = dict(_texts(policy, tree, kit))
    if policy.libcst:
        yield from _by_libcst(name, policy, tree, texts, kit)
        return
    rule = Rule(policy.search, policy.replace)
    for path, text in texts.items():
        places = list(applications(rule, text))
        new = _rewritten(text, places)
        if new != text and _is_python(new):
            yield RewrittenFile(path, new, tuple(place.first_line for place in places))


def _texts(policy: CodemodPolicy, tree: str, kit: Kit) -> Iterator[tuple[str, str]]:
    globs = patterns(policy.paths)
    paths = [
        path
        for path in kit.git.regular_files(tree)
        if path.endswith(".py") and globs.names(path) and not kit.is_test(path)
    ]
    for path, content in kit.git.read_all(tree, paths).items():
        if len(content) <= _LARGEST:
            try:
                yield path, content.decode()
            except UnicodeDecodeError:
                continue


def _by_libcst(
    name: str, policy: CodemodPolicy, tree: str, texts: Mapping[str, str], kit: Kit
) -> Iterator[RewrittenFile]:
    argv = (kit.interpreter.path, f"{INSIDE_AT}/codemod.py", "{results}")
    request = {"command": policy.libcst, "arguments": policy.arguments, "paths": sorted(texts)}
    job = kit.suite.job(tree, argv, policy.timeout_seconds)
    finished = kit.sandbox.run(replace(job, stdin=json.dumps(request).encode()))
    rows = list(_rows(finished.lines))
    problem = next(
        (f"{row['path']}: {row['problem']}" if "path" in row else row["problem"] for row in rows if "problem" in row),
        "",
    )
    if problem or finished.exit_code or {"end": True} not in rows:
        why = problem or finished.problem or f"ended with {finished.exit_code}: {finished.output.strip()[-300:]}"
        raise EnvironmentProblem(f"the codemod {name}: {why}", "run its class with `python -m libcst.tool codemod`")
    for row in rows:
        path, new = str(row.get("path", "")), str(row.get("text", ""))
        if path in texts and "text" in row and new != texts[path] and len(new) <= _LARGEST and _is_python(new):
            yield RewrittenFile(path, new, _changed_lines(texts[path], new))


def _rows(lines: Sequence[bytes]) -> Iterator[dict[str, Any]]:
    for line in lines:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row


def _changed_lines(before: str, after: str) -> tuple[int, ...]:
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return tuple(first + 1 for kind, first, _, _, _ in matcher.get_opcodes() if kind != "equal")


def _rewritten(text: str, places: Sequence[AppliedRule]) -> str:
    """Return the text with every place rewritten; of places inside each other, the outer one."""
    new, first = text, len(text) + 1
    for place in sorted(_outermost(places), key=lambda place: -place.start):
        if place.end <= first:
            new = new[: place.start] + place.replacement + new[place.end :]
            first = place.start
    return new


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _outermost(places: Sequence[AppliedRule]) -> list[AppliedRule]:
    return [
        place
        for place in places
        if not any(other is not place and other.start <= place.start and place.end <= other.end for other in places)
    ]


def package_of(path: str, files: Mapping[str, object]) -> str:
    """Return the topmost package of a module, as a folder; the module's own folder if it is in no package."""
    folder = PurePosixPath(path).parent
    package = folder
    while str(folder) != "." and f"{folder}/__init__.py" in files:
        package, folder = folder, folder.parent
    return str(package)
