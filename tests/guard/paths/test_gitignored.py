from collections.abc import Callable

import pytest

from whet.domain.change import Change
from whet.guard.answer import Allow, Raise
from whet.guard.change.submission import GuardContext, Submission
from whet.guard.paths.gitignored import ignored_file

Touch = Callable[..., Change]
Submit = Callable[..., Submission]


@pytest.mark.parametrize(
    ("ignores", "is_visible"),
    [
        ({}, True), ({"": "*.log\n"}, True), ({"": "*.py\n"}, False), ({"": "src/\n"}, False), ({"src": "app.py\n"}, False),
        ({"": "*.py\n!src/app.py\n"}, True), ({"": "*.py\n", "src": "!app.py\n"}, True), ({"": "/app.py\n"}, True),
        ({"docs": "*\n"}, True), ({"": "a[\n"}, True), ({"": "!\n"}, False), ({"": "!*.py\n", "src": "*.py\n"}, False), ({"": "# *.py\n"}, True),
    ],
)  # fmt: skip
def test_a_new_file_that_git_ignores_raises_the_tier(
    touch: Touch, submit: Submit, ignores: dict[str, str], is_visible: bool
) -> None:
    answer = ignored_file(touch(status="added"), submit(context=GuardContext(ignores=ignores)))
    assert isinstance(answer, Allow if is_visible else Raise)
    assert ignored_file(touch(), submit(context=GuardContext(ignores=ignores))) == Allow()
