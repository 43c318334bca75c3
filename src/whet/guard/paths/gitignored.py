"""New files that git ignores: `git status` would not show later changes to them."""

from pathspec.gitignore import GitIgnoreSpec

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Raise
from whet.guard.change.submission import Submission
from whet.guard.paths.by_folder import applying


def ignored_file(change: Change, submission: Submission) -> GuardAnswer:
    """Raise the tier for a new file that is ignored. As in git, the innermost `.gitignore` that matches decides."""
    if change.status != ChangeStatus.ADDED:
        return Allow()
    is_ignored = False
    for relative_path, text in applying(change.path, submission.context.ignores):
        try:
            matched = GitIgnoreSpec.from_lines(text.splitlines()).check_file(relative_path).include
        except ValueError:
            matched = True
        if matched is not None:
            is_ignored = matched
    return Raise(f"{change.path} is ignored by git", "path_ignored") if is_ignored else Allow()
