"""Record suggestions of people, agents and other systems."""

import re
import uuid
from dataclasses import replace

from whet.app.cycles.loop import actor
from whet.app.project import Project
from whet.cases.from_suggestion import holds, imported_names
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.redact import redact_tokens
from whet.domain.redact_noun import redact_noun
from whet.domain.suggestion import Suggestion
from whet.errors import KeyUsedTwice, Refused, UsageError
from whet.guard.answer import Refuse
from whet.guard.content.wording import judge_wording

_HUNK_TITLE = re.compile(r"^(@@ -\S+ \+\S+ @@).*$", re.MULTILINE)  # git repeats an earlier line of the file there


def suggest(
    project: Project,
    text: str,
    where: str,
    case: str = "",
    raises: str = "",
    patch: str = "",
    *,
    by: str = "",
    once: str = "",
    intent: str = "",
    urgency: str = "normal",
) -> Suggestion:
    """Record a suggestion. Case and patch are checked now, while the author can still correct them.

    `by` names an author that is not the user of this process, such as an agent. `once` is a key of that author: a
    suggestion that is already recorded under it is returned, if it says the same. `intent` is the suggestion's name in the
    system that sent it.
    """
    if not text.strip():
        raise UsageError(
            "say what should be better", 'whet suggest "mean() should accept an empty list" --where stats.py'
        )
    judged = judge_wording(f"{text}\n{case}", "the suggestion")
    if isinstance(judged, Refuse):
        raise Refused(judged.reason, "rephrase the suggestion without it")
    _refuse_bad_case(project, where, case, raises)
    patch = _checked_patch(project, where, patch) if patch else ""
    email = "" if by else (project.git.try_ask("config", "user.email") or b"").decode(errors="replace").strip()
    suggestion = Suggestion(
        id=f"s-{digest([by, once])[:8] if once else uuid.uuid4().hex[:8]}", text=text, where=where, by=by or actor(), at=now(), case=case, raises=raises,
        patch=patch, email=email, intent=intent, urgency=urgency,
    )  # fmt: skip
    if once and (recorded := project.ledger.find(f"suggestion/{suggestion.id}")):
        return _same(recorded.read(Suggestion), suggestion)
    if case and holds(suggestion, project.git.resolve(project.ref), project.kit):
        raise Refused(f"the case holds already: {case}", "give a case that does not, or none")
    project.ledger.append(
        "observe", suggestion, subject=suggestion.id, key=f"suggestion/{suggestion.id}", actor=suggestion.by
    )
    return suggestion


def _same(recorded: Suggestion, suggestion: Suggestion) -> Suggestion:
    """Return the recorded suggestion. Refuse if another one came with the same key."""
    if recorded != redact_noun(replace(suggestion, at=recorded.at)):
        raise KeyUsedTwice(
            "this idempotency key was used for another suggestion", "send a new key with every new suggestion"
        )
    return recorded


def _refuse_bad_case(project: Project, where: str, case: str, raises: str) -> None:
    """Refuse a file that is not committed, a case that its module cannot run, and an exception without a case."""
    if "\0" in where or where.startswith("/") or ".." in where.split("/"):
        raise UsageError(f"{where!r} is not a path of the repository", "name a file by its path from the top folder")
    source = project.git.read(project.git.resolve(project.ref), where) if where else None
    if where and source is None:
        raise UsageError(f"{where} is not in the last commit of {project.ref.removeprefix('refs/heads/')}")
    if case:
        if source is None:
            raise UsageError("a case needs --where: the module whose names it uses")
        imported_names(case, source.decode(), where)
    if raises and not case:
        raise UsageError("--raises needs --case: the expression that should raise")
    if raises and not raises.isidentifier():
        raise UsageError(f"{raises!r} is not the name of an exception")


def _checked_patch(project: Project, where: str, patch: str) -> str:
    """Return the patch without the lines that git repeats in hunk titles. Refuse one with a secret, or that does not apply."""
    if not where:
        raise UsageError("--patch needs --where: the file that it changes")
    patch = _HUNK_TITLE.sub(r"\1", patch)
    if redact_tokens(patch) != patch:
        raise Refused(
            "the patch contains what looks like a secret, and the record would keep it",
            "take the secret out of the file first, or make the patch with fewer lines around the change (`git diff -U1`)",
        )
    if project.git.apply(project.git.resolve(project.ref), patch.encode()) is None:
        raise UsageError("the patch does not apply to the last commit", "make it with `git diff` on that commit")
    return patch
