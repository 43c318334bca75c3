from collections.abc import Callable

import pytest

from whet.domain.change import Change
from whet.guard.answer import Allow, Refuse
from whet.guard.change.submission import Submission
from whet.guard.paths.collisions import collision

Touch = Callable[..., Change]
Submit = Callable[..., Submission]

ALLOWED = [
    [("a.py", "modified"), ("b.py", "modified")],
    [("a.py", "deleted"), ("A.py", "added")],
    [("a/b.py", "added"), ("a/c.py", "added")],
    [],
]
REFUSED = [
    [("a.py", "modified"), ("a.py", "modified")],
    [("a.py", "deleted"), ("a.py", "added")],
    [("a.py", "deleted"), ("a.py", "deleted")],
    [("a.py", "modified"), ("A.py", "added")],
    [("src/a.py", "added"), ("SRC/a.py", "added")],
    [("straße.md", "added"), ("STRASSE.md", "added")],
]


@pytest.mark.parametrize("rows", ALLOWED)
def test_paths_of_their_own_are_allowed(rows: list[tuple[str, str]], touch: Touch, submit: Submit) -> None:
    assert collision(submit(*(touch(path, status) for path, status in rows))) == Allow()


@pytest.mark.parametrize("rows", REFUSED)
def test_two_changes_of_one_path_are_refused(rows: list[tuple[str, str]], touch: Touch, submit: Submit) -> None:
    answer = collision(submit(*(touch(path, status) for path, status in rows)))
    assert isinstance(answer, Refuse)
    assert answer.code == "path_collision"


def test_unreadable_paths_are_left_to_their_own_rule(touch: Touch, submit: Submit) -> None:
    assert collision(submit(touch("../a"), touch("../a"), touch(None))) == Allow()
