"""What kind of file results, by git's modes: regular files only."""

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse
from whet.guard.change.submission import Submission

_ABSENT, _PLAIN, _EXECUTABLE, _SYMLINK, _SUBMODULE = "000000", "100644", "100755", "120000", "160000"
_FILE = frozenset({_PLAIN, _EXECUTABLE})
_NONE = frozenset({_ABSENT})
_FITTING = {
    ChangeStatus.ADDED: (_NONE, _FILE),
    ChangeStatus.MODIFIED: (_FILE, _FILE),
    ChangeStatus.DELETED: (_FILE, _NONE),
}


def mode(change: Change, _: Submission) -> GuardAnswer:
    modes = (change.old_mode, change.new_mode)
    if _SYMLINK in modes:
        return Refuse(f"{change.path} is a symbolic link", "symlink")
    if _SUBMODULE in modes:
        return Refuse(f"{change.path} is a submodule", "submodule")
    if change.status == ChangeStatus.TYPE_CHANGED:
        return Refuse(f"{change.path} changes its type", "type_changed")
    before, after = _FITTING.get(change.status, (frozenset(), frozenset()))
    if change.old_mode not in before or change.new_mode not in after:
        return Refuse(
            f"{change.path} has a mode that is not known here: {' to '.join(map(str, modes))}", "mode_unknown"
        )
    if change.new_mode == _EXECUTABLE and change.old_mode != _EXECUTABLE:
        return Raise(f"{change.path} becomes executable", "executable")
    return Allow()
