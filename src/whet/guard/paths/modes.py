"""File modes: only regular files are allowed."""

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change.submission import Submission

_ABSENT, _PLAIN, _EXECUTABLE, _SYMLINK, _SUBMODULE = "000000", "100644", "100755", "120000", "160000"
_REGULAR = frozenset({_PLAIN, _EXECUTABLE})
_NONE = frozenset({_ABSENT})
_MODES_BY_STATUS = {
    ChangeStatus.ADDED: (_NONE, _REGULAR),
    ChangeStatus.MODIFIED: (_REGULAR, _REGULAR),
    ChangeStatus.DELETED: (_REGULAR, _NONE),
}


def unusual_mode(change: Change, _: Submission) -> GuardAnswer:
    """Refuse everything but regular files; raise the tier for a file that becomes executable."""
    modes = (change.old_mode, change.new_mode)
    if _SYMLINK in modes:
        return Refuse(f"{change.path} is a symbolic link", "symlink")
    if _SUBMODULE in modes:
        return Refuse(f"{change.path} is a submodule", "submodule")
    if change.status == ChangeStatus.TYPE_CHANGED:
        return Refuse(f"{change.path} changes its type", "type_changed")
    before, after = _MODES_BY_STATUS.get(change.status, (frozenset(), frozenset()))
    if change.old_mode not in before or change.new_mode not in after:
        return Refuse(f"{change.path} has an unknown mode: {' to '.join(map(str, modes))}", "mode_unknown")
    if change.new_mode == _EXECUTABLE and change.old_mode != _EXECUTABLE:
        return Raise(f"{change.path} becomes executable", "executable")
    return Allow()
