from collections.abc import Callable
from typing import Any

import pytest

from whet.config import Config
from whet.domain.category import Category
from whet.domain.change import Change, ChangeStatus
from whet.domain.risk import Risk
from whet.guard.change.submission import Submission

MODES = {"added": ("000000", "100644"), "deleted": ("100644", "000000")}


@pytest.fixture
def touch() -> Callable[..., Change]:
    """A change as git tells it, ordinary in all that is not given."""

    def change(path: str = "src/app.py", status: str = "modified", **given: Any) -> Change:
        old_mode, new_mode = MODES.get(status, ("100644", "100644"))
        fields: dict[str, Any] = {
            "old_mode": old_mode,
            "new_mode": new_mode,
            "old_blob": "a" * 40,
            "new_blob": "b" * 40,
            "added_lines": 1,
            "removed_lines": 1,
        }
        return Change(path=path, status=ChangeStatus(status), **{**fields, **given})

    return change


@pytest.fixture
def submit() -> Callable[..., Submission]:
    """A submission of these changes, ordinary in all that is not given."""

    def submission(*changes: Change, **given: Any) -> Submission:
        fields: dict[str, Any] = {"category": Category.BUG_FIX, "risk": Risk.LOW, "policy": Config(), "texts": {}}
        return Submission(changes=changes, **{**fields, **given})

    return submission
