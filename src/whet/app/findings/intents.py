"""Intents: suggestions of other systems in one JSON format, and their outcomes in the same format."""

import json
import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from whet.app.findings.suggest import suggest
from whet.app.project import Project
from whet.config import Section
from whet.domain.lesson import Lesson
from whet.domain.plural import count
from whet.domain.proposal import Proposal
from whet.domain.suggestion import Suggestion
from whet.errors import Refused, UsageError
from whet.files import MB, read_file

FORMAT = "whet.intent/1"
_MOST = 200
_NOT_A_NAME = re.compile(r"[^\w.@-]+")


class ImprovementIntent(Section):
    """One wish of another system: what to improve, why, where, how urgent, and from whom. `id` is that system's own name."""

    id: Annotated[str, Field(min_length=1, max_length=100)]
    what: Annotated[str, Field(min_length=1, max_length=2000)]
    why: Annotated[str, Field(max_length=2000)] = ""
    where: Annotated[str, Field(max_length=500)] = ""
    urgency: Annotated[str, Field(pattern="^(low|normal|high)$")] = "normal"
    sender: Annotated[str, Field(alias="from", min_length=1, max_length=40)]
    case: Annotated[str, Field(max_length=2000)] = ""
    raises: Annotated[str, Field(max_length=100)] = ""
    patch: str = ""
    outcome: dict[str, Any] | None = None
    """Ignored when an intent is read: a file of outcomes can be sent back as it is."""


_INTENTS = TypeAdapter(list[ImprovementIntent])


def import_intents(project: Project, path: Path) -> list[Suggestion]:
    """Record the intents of a file as suggestions, and return the new ones. One that is on record already is skipped.

    Every text passes the content rules that suggestions pass; the sender's name is its own word and proves nothing. An intent
    that is refused does not keep the others from being recorded: the error names it afterwards.
    """
    intents = _read(path)
    known = {(recorded.by, recorded.intent) for recorded in _recorded(project)}
    added: list[Suggestion] = []
    refused: list[tuple[str, Refused | UsageError]] = []
    for intent in intents:
        by = f"system:{_NOT_A_NAME.sub('-', intent.sender)}"
        if (by, intent.id) not in known:
            text = f"{intent.what}: {intent.why}" if intent.why else intent.what
            try:
                recorded = suggest(
                    project, text, intent.where, intent.case, intent.raises, intent.patch,
                    by=by, intent=intent.id, urgency=intent.urgency,
                )  # fmt: skip
                added.append(recorded)
            except (Refused, UsageError) as problem:
                refused.append((f"{intent.id} of {intent.sender}", problem))
    if refused:
        first = refused[0][1]
        words = "; ".join(f"{name}: {problem.message}" for name, problem in refused)
        raise type(first)(f"{words} ({count(len(added), 'other intent')} recorded)", first.remedy)
    return added


def outcomes(project: Project) -> dict[str, Any]:
    """Return every suggestion as an intent with its outcome, for a system that learns from them."""
    lessons = {lesson.signature: lesson for lesson in _lessons(project)}
    proposals = [entry.read(Proposal) for entry in project.ledger.entries(kind="Proposal")]
    proposed = {proposal.signature: proposal.id for proposal in proposals}
    dropped = {entry.subject for entry in project.ledger.entries(kind="DroppedSuggestion")}
    return {
        "format": FORMAT,
        "intents": [
            _with_outcome(each, lessons.get(each.id), proposed.get(each.id, ""), dropped=each.id in dropped)
            for each in _recorded(project)
        ],
    }


def _with_outcome(suggestion: Suggestion, lesson: Lesson | None, proposal: str, *, dropped: bool) -> dict[str, Any]:
    state = "dropped" if dropped else lesson.ending.value if lesson else "proposed" if proposal else "open"
    return {
        "id": suggestion.intent or suggestion.id,
        "what": suggestion.text,
        "where": suggestion.where,
        "urgency": suggestion.urgency,
        "from": suggestion.by.removeprefix("system:"),
        "case": suggestion.case,
        "outcome": {
            "state": state,
            "worked": bool(lesson and lesson.ending.worked),
            "proposal": lesson.proposal if lesson else proposal,
            "why": lesson.summary if lesson else "",
        },
    }


def _read(path: Path) -> list[ImprovementIntent]:
    remedy = f'the form is {{"format": "{FORMAT}", "intents": [{{"id": "1", "what": "...", "from": "..."}}]}}'
    try:
        data = json.loads(read_file(path, MB))
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror}") from problem
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"{path} is not JSON", remedy) from problem
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UsageError(f"{path} is not a file of intents", remedy)
    try:
        intents = _INTENTS.validate_python(data.get("intents"))
    except ValidationError as problem:
        first = problem.errors()[0]
        raise UsageError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}", remedy) from problem
    if len(intents) > _MOST:
        raise UsageError(f"{path} has {len(intents)} intents, and at most {_MOST} are taken at a time")
    return intents


def _recorded(project: Project) -> list[Suggestion]:
    return [entry.read(Suggestion) for entry in project.ledger.entries(kind="Suggestion")]


def _lessons(project: Project) -> list[Lesson]:
    return [entry.read(Lesson) for entry in project.ledger.entries(kind="Lesson")]
