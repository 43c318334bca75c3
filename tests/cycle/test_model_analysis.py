"""Whole cycles with the source `review`: a scripted model reads files and writes tests; the sandbox says what they show."""

import pytest

from tests.models.scripted_server import ScriptedModel, scripted
from tests.support import MakeRepo, Repo

SHOP = '''\
def clamp(value, low, high):
    """Return the value, but at least `low` and at most `high`."""
    return max(low, min(value, low))


def total(prices):
    return sum(prices)
'''
TESTS = """\
from shop import clamp, total


def test_clamp():
    assert clamp(0, 1, 3) == 1


def test_total():
    assert total([1, 2]) == 3
"""
SETTINGS = """\
[tests]
folders = ["tests"]
[observe]
sources = ["tests", "review"]
[deploy]
strategy = "merge"
{more}
[models.analyst]
name = "openai:reader"
base_url = "{url}"
price_input = "1"
price_output = "2"
timeout_seconds = 20
"""
REVIEW = "- 3 | clamp | bug_fix | clamp(2, 1, 3) returns 1, and the docstring promises 2\n"
TEST = """\
FAILS WITH: AssertionError: a value within the bounds stays

```python
from shop import clamp


def test_clamp_keeps_a_value_within_the_bounds():
    assert clamp(2, 1, 3) == 2, "a value within the bounds stays"
```
"""


def shop(make_repo: MakeRepo, model: ScriptedModel, more: str = "", **files: str) -> Repo:
    settings = SETTINGS.format(url=model.url, more=more)
    return make_repo({"shop.py": SHOP, "tests/test_shop.py": TESTS, "whet.toml": settings, **files})


@pytest.mark.slow
def test_a_defect_that_a_model_sees_is_shown_by_a_test_mended_and_merged_with_it(make_repo: MakeRepo) -> None:
    with scripted(REVIEW, TEST) as model:
        repo = shop(make_repo, model)
        result = repo.whet("run")
        assert result.code == 5, (result.out, result.err)
        [row] = repo.whet("list", "--json").json
        reasons = row["open_question"]["reasons"]
        assert any("a language model wrote tests/test_whet_" in reason for reason in reasons)
        assert repo.whet("approve", row["proposal"], "--yes").code == 0
    assert len(model.requests) == 2, "the file is read once and the test is written once, in all commands"
    assert "min(value, high)" in (repo.root / "shop.py").read_text()
    [written] = (repo.root / "tests").glob("test_whet_*.py")
    assert "clamp(2, 1, 3) == 2" in written.read_text()
    assert repo.whet("audit", "--json").code == 0


@pytest.mark.slow
def test_a_remark_without_a_test_is_shown_and_nothing_is_proposed_for_it(make_repo: MakeRepo) -> None:
    with scripted(REVIEW, "NO TEST: it depends on the callers") as model:
        repo = shop(make_repo, model)
        scan = repo.whet("scan")
        assert "clamp(2, 1, 3) returns 1" in scan.out
        assert "openai:reader writes no test for it" in scan.out
        run = repo.whet("run")
    assert run.code == 0, (run.out, run.err)
    assert repo.whet("list", "--json").json == []
    assert len(model.requests) == 2
