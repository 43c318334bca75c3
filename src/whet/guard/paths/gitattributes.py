"""Files that git writes to disk in another form than it keeps: what is judged is not what would run."""

import re

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.submission import Submission
from whet.guard.paths.by_folder import applying
from whet.guard.paths.patterns import patterns

_CHANGES_CONTENT = re.compile(r"(?<![-!\w])(filter=\S+|working-tree-encoding=\S+|ident)(?=\s|$)")


def filtered(change: Change, submission: Submission) -> GuardAnswer:
    """Any line that gives a path a filter counts, whatever another line takes back; an unreadable one covers all."""
    if change.status == ChangeStatus.DELETED:
        return Allow()
    for inner, text in applying(change.path, submission.around.attributes):
        macros = {"filter"} | {
            line.split()[0].removeprefix("[attr]") for line in _lines(text) if line.startswith("[attr]")
        }
        for line in _lines(text):
            pattern, _, given = line.partition(" ")
            words = {word.partition("=")[0] for word in given.split()}
            changes = _CHANGES_CONTENT.search(given) or words & (macros - {"filter"})
            if changes and not line.startswith("[attr]") and patterns((pattern,)).catches(inner) is not None:
                return Refuse(
                    f"{change.path} is not kept as it is written to disk ({line!r} in .gitattributes)", "path_filtered"
                )
    return Allow()


def _lines(text: str) -> list[str]:
    stripped = (re.sub(r"\s+", " ", line.strip()) for line in text.splitlines())
    return [line for line in stripped if line and not line.startswith("#")]
