"""New files that git is told not to see: `git status` would never show them again."""

from pathspec.gitignore import GitIgnoreSpec

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Raise
from whet.guard.change.submission import Submission
from whet.guard.paths.by_folder import applying


def ignored(change: Change, submission: Submission) -> GuardAnswer:
    """The innermost folder that says something decides, as in git."""
    if change.status != ChangeStatus.ADDED:
        return Allow()
    said = None
    for inner, text in applying(change.path, submission.around.ignores):
        try:
            answer = GitIgnoreSpec.from_lines(text.splitlines()).check_file(inner).include
        except ValueError:
            answer = True
        said = said if answer is None else answer
    return Raise(f"{change.path} is a file that git is told to ignore", "path_ignored") if said else Allow()
