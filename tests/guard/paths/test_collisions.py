from collections.abc import Callable

import pytest

from whet.domain.change import Change
from whet.guard.answer import Allow, Refuse
from whet.guard.change.submission import GuardContext, Submission
from whet.guard.paths.collisions import duplicate_path, near_duplicate
from whet.guard.paths.lookalikes import mixed_words

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
def test_distinct_paths_are_allowed(rows: list[tuple[str, str]], touch: Touch, submit: Submit) -> None:
    assert duplicate_path(submit(*(touch(path, status) for path, status in rows))) == Allow()


@pytest.mark.parametrize("rows", REFUSED)
def test_a_path_that_occurs_twice_is_refused(rows: list[tuple[str, str]], touch: Touch, submit: Submit) -> None:
    answer = duplicate_path(submit(*(touch(path, status) for path, status in rows)))
    assert isinstance(answer, Refuse)
    assert answer.code == "path_collision"


def test_unsafe_paths_are_left_to_their_own_rule(touch: Touch, submit: Submit) -> None:
    assert duplicate_path(submit(touch("../a"), touch("../a"), touch(None))) == Allow()


EXISTING = frozenset({"src/app.py", "README.md", "docs/Größe.md", "lib/Core/a.py"})
DISTINCT = ["src/new.py", "docs/readme.md", "lib/Core/b.py", "src/app/x.py"]
SIMILAR = [
    "src/App.py",
    "readme.md",
    "README.MD",
    "docs/größe.md",
    "SRC/new.py",
    "lib/core/b.py",
    "ｓrc/x.py",
    "src/аpp.py",
]


@pytest.mark.parametrize("path", DISTINCT)
def test_a_distinct_new_path_is_allowed(touch: Touch, submit: Submit, path: str) -> None:
    assert near_duplicate(submit(touch(path, "added"), context=GuardContext(paths=EXISTING))) == Allow()


@pytest.mark.parametrize("path", SIMILAR)
def test_a_new_path_that_looks_like_an_existing_one_is_refused(touch: Touch, submit: Submit, path: str) -> None:
    answer = near_duplicate(submit(touch(path, "added"), context=GuardContext(paths=EXISTING)))
    is_left_to_safe_name = any(mixed_words(path))
    assert isinstance(answer, Allow if is_left_to_safe_name else Refuse)
    assert near_duplicate(submit(touch(path), context=GuardContext(paths=EXISTING))) == Allow()


def test_a_deleted_file_may_return_in_another_spelling(touch: Touch, submit: Submit) -> None:
    both = (touch("README.md", "deleted"), touch("readme.md", "added"))
    assert near_duplicate(submit(*both, context=GuardContext(paths=EXISTING))) == Allow()
