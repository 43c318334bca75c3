from collections.abc import Callable

import pytest

from whet.domain.change import Change
from whet.guard.answer import Allow, Refuse
from whet.guard.change.submission import GuardContext, Submission
from whet.guard.paths.gitattributes import content_filter

Touch = Callable[..., Change]
Submit = Callable[..., Submission]

UNFILTERED = [
    ("", ""), ("", "*.py text eol=lf\n"), ("", "*.bin filter=lfs\n"), ("", "# *.py filter=x\n"), ("docs", "*.py filter=x\n"),
    ("", "*.py -filter\n"), ("", "*.py diff=python merge=union export-ignore\n"), ("", "[attr]big filter=lfs\n*.bin big\n"),
    ("src", "/other.py filter=x\n"), ("", "*.py myfilter=x\n"), ("", "text filter=x\n*.py text\n"),
]  # fmt: skip
FILTERED = [
    ("", "*.py filter=lfs\n"), ("", "* filter=x\n"), ("src", "app.py filter=x\n"), ("", "src/** text filter=x\n"),
    ("", "*.py working-tree-encoding=UTF-16\n"), ("", "*.py ident\n"), ("", "*.PY filter=x\n"), ("", "!x filter=y\n"),
    ("", "[attr]big filter=lfs\n*.py big\n"), ("", "*.py filter=x\n*.py -filter\n"), ("", "*.py\tfilter=x\n"),
]  # fmt: skip


@pytest.mark.parametrize(("folder", "text"), UNFILTERED)
def test_a_file_that_git_stores_unchanged_is_allowed(touch: Touch, submit: Submit, folder: str, text: str) -> None:
    assert content_filter(touch(), submit(context=GuardContext(attributes={folder: text}))) == Allow()


@pytest.mark.parametrize(("folder", "text"), FILTERED)
def test_a_file_that_git_rewrites_is_refused(touch: Touch, submit: Submit, folder: str, text: str) -> None:
    context = GuardContext(attributes={folder: text})
    answer = content_filter(touch(), submit(context=context))
    assert isinstance(answer, Refuse)
    assert answer.code == "path_filtered"
    assert content_filter(touch(status="deleted"), submit(context=context)) == Allow()
