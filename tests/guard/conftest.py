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
    """Make a change as git reports it, ordinary unless a field is given."""

    def change(path: str = "src/app.py", status: str = "modified", **fields: Any) -> Change:
        old_mode, new_mode = MODES.get(status, ("100644", "100644"))
        defaults: dict[str, Any] = {
            "old_mode": old_mode,
            "new_mode": new_mode,
            "old_blob": "a" * 40,
            "new_blob": "b" * 40,
            "added_lines": 1,
            "removed_lines": 1,
        }
        return Change(path=path, status=ChangeStatus(status), **{**defaults, **fields})

    return change


@pytest.fixture
def submit() -> Callable[..., Submission]:
    """Make a submission of these changes, ordinary unless a field is given."""

    def submission(*changes: Change, **fields: Any) -> Submission:
        defaults: dict[str, Any] = {"category": Category.BUG_FIX, "risk": Risk.LOW, "policy": Config(), "texts": {}}
        return Submission(changes=changes, **{**defaults, **fields})

    return submission
