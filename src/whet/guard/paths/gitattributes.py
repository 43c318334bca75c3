"""Files that git writes to disk in another form than it stores them: the judged text is not the one that runs."""

import re

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.submission import Submission
from whet.guard.paths.by_folder import applying
from whet.guard.paths.patterns import patterns

_CHANGES_CONTENT = re.compile(r"(?<![-!\w])(filter=\S+|working-tree-encoding=\S+|ident)(?=\s|$)")
_MACRO = "[attr]"


def content_filter(change: Change, submission: Submission) -> GuardAnswer:
    """Refuse a file that any line of a `.gitattributes` gives a filter, even if another line removes the filter again.

    Macros (`[attr]name ...`) count as filters. A pattern that cannot be read is taken to cover every file.
    """
    if change.status == ChangeStatus.DELETED:
        return Allow()
    for relative_path, text in applying(change.path, submission.context.attributes):
        lines = _lines(text)
        macros = {line.split()[0].removeprefix(_MACRO) for line in lines if line.startswith(_MACRO)} - {"filter"}
        for line in lines:
            pattern, _, attributes = line.partition(" ")
            names = {word.partition("=")[0] for word in attributes.split()}
            changes_content = _CHANGES_CONTENT.search(attributes) or names & macros
            if line.startswith(_MACRO) or not changes_content:
                continue
            if patterns((pattern,)).catches(relative_path) is not None:
                reason = f"git changes {change.path} when it writes it to disk ({line!r} in .gitattributes)"
                return Refuse(reason, "path_filtered")
    return Allow()


def _lines(text: str) -> list[str]:
    """Return the lines without comments, white space reduced to single spaces."""
    stripped = (re.sub(r"\s+", " ", line.strip()) for line in text.splitlines())
    return [line for line in stripped if line and not line.startswith("#")]
