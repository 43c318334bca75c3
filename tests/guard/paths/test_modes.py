from collections.abc import Callable
from dataclasses import replace

import pytest

from whet.domain.change import Change
from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.change.submission import Submission
from whet.guard.paths.modes import unusual_mode

ALLOWED = [
    ("added", "000000", "100644"),
    ("modified", "100644", "100644"),
    ("modified", "100755", "100755"),
    ("modified", "100755", "100644"),
    ("deleted", "100644", "000000"),
    ("deleted", "100755", "000000"),
]
RAISED = [("added", "000000", "100755"), ("modified", "100644", "100755")]
REFUSED = [
    ("added", "000000", "120000", "symlink"),
    ("modified", "120000", "120000", "symlink"),
    ("modified", "100644", "120000", "symlink"),
    ("type_changed", "100644", "120000", "symlink"),
    ("type_changed", "120000", "100644", "symlink"),
    ("deleted", "120000", "000000", "symlink"),
    ("added", "000000", "160000", "submodule"),
    ("modified", "160000", "160000", "submodule"),
    ("deleted", "160000", "000000", "submodule"),
    ("type_changed", "160000", "100644", "submodule"),
    ("type_changed", "100644", "100644", "type_changed"),
    ("added", "000000", "040000", "mode_unknown"),
    ("added", "000000", "100664", "mode_unknown"),
    ("added", "000000", "104755", "mode_unknown"),
    ("added", "000000", "", "mode_unknown"),
    ("added", "000000", "100644 ", "mode_unknown"),
    ("added", "000000", "0100644", "mode_unknown"),
    ("added", "000000", "000000", "mode_unknown"),
    ("added", "100644", "100644", "mode_unknown"),
    ("modified", "000000", "100644", "mode_unknown"),
    ("modified", "100664", "100644", "mode_unknown"),
    ("modified", "100644", "000000", "mode_unknown"),
    ("deleted", "100644", "100644", "mode_unknown"),
    ("deleted", "000000", "000000", "mode_unknown"),
]

Touch = Callable[..., Change]
Submit = Callable[..., Submission]


@pytest.mark.parametrize(("status", "old", "new"), ALLOWED)
def test_regular_files_are_allowed(status: str, old: str, new: str, touch: Touch, submit: Submit) -> None:
    assert unusual_mode(touch(status=status, old_mode=old, new_mode=new), submit()) == Allow()


@pytest.mark.parametrize(("status", "old", "new"), RAISED)
def test_a_new_executable_bit_raises_the_tier(status: str, old: str, new: str, touch: Touch, submit: Submit) -> None:
    answer = unusual_mode(touch(status=status, old_mode=old, new_mode=new), submit())
    assert answer == Raise("src/app.py becomes executable", "executable")


@pytest.mark.parametrize(("status", "old", "new", "code"), REFUSED)
def test_other_modes_are_refused(status: str, old: str, new: str, code: str, touch: Touch, submit: Submit) -> None:
    answer = unusual_mode(touch(status=status, old_mode=old, new_mode=new), submit())
    assert isinstance(answer, Refuse)
    assert answer.code == code


@pytest.mark.parametrize("status", ["renamed", "copied", "unmerged", "Added", "M", "", None])
def test_an_unknown_status_is_refused(status: str, touch: Touch, submit: Submit) -> None:
    unknown = replace(touch(), status=status)  # type: ignore[arg-type]  # a parser in error may hand on anything
    assert isinstance(unusual_mode(unknown, submit()), Refuse)
