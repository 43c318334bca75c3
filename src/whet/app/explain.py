"""Explain the guard's answer about a path: which rule decides, and which list holds the pattern."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from whet import path_lists
from whet.app.project import Project
from whet.domain.own_files import FILE_NAME
from whet.errors import UsageError
from whet.guard import judge
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.denied.rule import denied_path
from whet.guard.paths.names import shown
from whet.guard.paths.patterns import patterns
from whet.workflow.guard_context import context_at, holds_whet


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """The guard's answer. `decision` is `allowed`, `higher tier` or `refused`; `origin` names the list that holds the
    pattern.
    """

    path: str
    decision: str
    rule: str
    pattern: str
    origin: str
    reason: str
    also: tuple[str, ...]


def explain(project: Project, typed: str) -> Explanation:
    """Explain a path, existing or not. `typed` is absolute, or relative to the top folder of the repository."""
    path, real = _inside(project.git.root, typed)
    context = context_at(project.git, "HEAD")
    answer = max((judge.explain(place, project.policy, context) for place in (path, real)), key=_harshness)
    return Explanation(
        path=shown(path),
        decision=_decision(answer),
        rule="" if isinstance(answer, Allow) else answer.code,
        pattern=answer.pattern,
        origin=_origin(answer, project.git.root / FILE_NAME),
        reason=answer.reason,
        also=(*((f"it is {real}, by a link",) if real != path else ()), *_also(project, real)),
    )


def _inside(root: Path, typed: str) -> tuple[str, str]:
    """Return the path within the repository, and the path that it leads to through links."""
    place = Path(os.path.normpath(root / typed))
    if not place.is_relative_to(root) or place == root:
        raise UsageError(f"{shown(typed)} is not inside {root}", "name a file of the repository")
    real = place.parent.resolve() / place.name
    if not real.is_relative_to(root.resolve()):
        raise UsageError(
            f"{shown(typed)} leads out of the repository by a link, to {real}", "name a file of the repository"
        )
    return place.relative_to(root).as_posix(), real.relative_to(root.resolve()).as_posix()


def _harshness(answer: GuardAnswer) -> int:
    return (Allow, Raise, Refuse).index(type(answer))


def _decision(answer: GuardAnswer) -> str:
    if isinstance(answer, Allow):
        return "allowed"
    return "higher tier" if isinstance(answer, Raise) else "refused"


def _also(project: Project, path: str) -> list[str]:
    notes = [
        f"its sections {', '.join(sections)} may not change"
        for pattern, sections in project.policy.guard.immutable.items()
        if patterns((pattern,)).catches(path) is not None
    ]
    kind = denied_path(path, project.policy)
    if kind in project.policy.guard.denied:
        notes.append(f"a change of what runs here is one of the {kind}, which guard.denied refuses")
    if holds_whet(project.git, "HEAD"):
        notes.append(
            "the repository holds whet's own source: every change here is of the category self, at tier require"
        )
    return notes


def _origin(answer: GuardAnswer, policy: Path) -> str:
    if answer.setting:
        line = _line(policy.read_text(), answer.setting, answer.pattern)
        return f"{FILE_NAME}, line {line} ({answer.setting})" if line else f"built in ({answer.setting})"
    row = path_lists.row_of(answer.pattern, *path_lists.NAMES)
    built_in = f"built in, see {row.source}" if row else "built in"
    return built_in if answer.pattern else ""


def _line(text: str, setting: str, pattern: str) -> int:
    """Return the line of whet.toml where a key names the pattern, or else where the key begins; 0 without the key."""
    section, _, key = setting.partition(".")
    inside, begun = False, 0
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[([^\[\]]+)\]\s*(#.*)?$", line):
            if begun:
                break
            inside = header[1].strip() == section
        elif inside and re.match(rf"\s*{re.escape(key)}\s*=", line):
            begun = number
        if begun and pattern and (f'"{pattern}"' in line or f"'{pattern}'" in line):
            return number
    return begun
