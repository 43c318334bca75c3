"""The pattern library: list, show, export, import and forget patterns."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from whet.app.cycles.loop import actor
from whet.app.project import Project
from whet.domain.canonical import digest, to_plain
from whet.domain.clock import now
from whet.domain.fix_example import FixExample
from whet.domain.pattern import Pattern
from whet.domain.plural import shorten
from whet.errors import Corrupt, Refused, UsageError
from whet.files import MB, read_file
from whet.guard.answer import Refuse
from whet.guard.content.wording import judge_wording
from whet.knowledge.examples import MOST_CHARACTERS
from whet.knowledge.library import Library, read_library, rule_of
from whet.store.codec import decode

FORMAT = "whet.patterns/1"
_MOST_EXAMPLES = 1000
_LONGEST_NAME = 200
_UNREADABLE = "the file must be one that `whet patterns export` wrote"


def library(project: Project) -> Library:
    return read_library(project.ledger)


def pattern(project: Project, identity: str) -> Pattern:
    """Return a pattern by its id, or by the beginning of its id. Raise UsageError if there is not exactly one."""
    known = library(project)
    found = known.pattern(identity)
    if found is None:
        ids = [each.id for each in known.patterns]
        existing = f"the patterns are {shorten(ids, 5)}" if ids else "there are no patterns yet"
        raise UsageError(f"there is no pattern {identity!r}: {existing}", "`whet patterns` lists them")
    return found


def exported(project: Project, identities: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return patterns in the form that other repositories import, with where each fix comes from and how it did."""
    chosen = [pattern(project, identity) for identity in identities] or list(library(project).usable)
    return {
        "format": FORMAT,
        "repository": project.git.root.name,
        "exported_at": now().isoformat(),
        "exported_by": actor(),
        "patterns": [
            {
                "id": each.id,
                "search": each.rule.search,
                "rewrite": each.rule.rewrite,
                "outcomes": to_plain(each.outcomes),
                "examples": to_plain(each.examples),
            }
            for each in chosen
        ],
    }


def import_patterns(project: Project, path: Path) -> list[str]:
    """Record the examples of an export file and return the ids of their patterns. They start without confidence.

    Only the code before and after each fix is taken; the patterns are derived from it again. Every text is data: it is
    shown and searched for, and nothing in it is obeyed.
    """
    try:
        data = json.loads(read_file(path, 4 * MB))
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror}") from problem
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"{path} is not JSON: {problem}", _UNREADABLE) from problem
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UsageError(f"{path} is not an export of patterns: its format is not {FORMAT}", _UNREADABLE)
    origin = f"{str(data.get('repository', ''))[:_LONGEST_NAME]} ({path.name})"
    examples = [_checked(example, origin) for example in _examples(data)]
    ids: dict[str, None] = {}
    for example in examples:
        if rule := rule_of(example):
            key = f"pattern/{digest([example.before, example.after, example.imported_from])[:16]}"
            project.ledger.append("learn", example, subject=rule.id, key=key, actor=actor())
            ids[rule.id] = None
    return list(ids)


def forget(project: Project, identity: str, why: str) -> Pattern:
    """Forget a pattern: it is not proposed any more until a new fix shows it again."""
    found = pattern(project, identity)
    body, at = {"pattern": found.id, "why": why}, now().isoformat()
    key = f"pattern/{found.id}/forgotten-{at}"
    project.ledger.append("learn", body, subject=found.id, key=key, actor=actor(), kind="ForgottenPattern")
    return found


def _examples(data: dict[str, Any]) -> list[dict[str, Any]]:
    patterns = data.get("patterns")
    if not isinstance(patterns, list) or not all(isinstance(each, dict) for each in patterns):
        raise UsageError("the export has no list of patterns", _UNREADABLE)
    examples = [example for each in patterns for example in each.get("examples", ())]
    if len(examples) > _MOST_EXAMPLES:
        raise UsageError(f"the export has {len(examples)} examples, and at most {_MOST_EXAMPLES} are taken")
    return examples


def _checked(data: Any, origin: str) -> FixExample:
    """Return an example of an import. Refuse one with another form, with too much text, or with refused wording."""
    try:
        example = decode(FixExample, data)
    except (ValidationError, Corrupt, TypeError, ValueError) as problem:
        raise UsageError("an example in the export has another form", _UNREADABLE) from problem
    texts = (example.core_before, example.core_after, example.before, example.after, example.failure)
    names = (example.path, example.function, example.proposal, example.engine, example.exception, *example.variables)
    if max(map(len, texts)) > MOST_CHARACTERS or max(map(len, names)) > _LONGEST_NAME:
        raise UsageError("an example in the export is too long to be a small fix", _UNREADABLE)
    judged = judge_wording("\n".join((*texts, *names)), "the pattern")
    if isinstance(judged, Refuse):
        raise Refused(judged.reason, "take that pattern out of the file")
    return replace(example, imported_from=origin)
