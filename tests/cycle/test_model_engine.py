"""Whole cycles with the engine `model`, through the command line, with a scripted model on loopback."""

from tests.models.scripted_server import ScriptedModel, scripted
from tests.support import MakeRepo, Repo

# The loop body is wrong in three places at once: no single edit turns the tests green, so that repair finds nothing.
SHOP = """\
def parse(text):
    settings = {}
    for part in text.split(";"):
        key = part
        settings[key] = key
    return settings


def total(prices):
    return sum(prices)
"""
TESTS = """\
import pytest

from shop import parse, total


@pytest.mark.parametrize(
    ("text", "settings"),
    [("", {}), ("a=1", {"a": "1"}), ("size = big ; colour=red;", {"size": "big", "colour": "red"}), ("on", {"on": ""})],
)
def test_parse(text, settings):
    assert parse(text) == settings


def test_total():
    assert total([1, 2]) == 3
"""
FIX = """\
The value is lost, and empty parts count.

shop.py
```python
<<<<<<< SEARCH
        key = part
        settings[key] = key
=======
        key, _, value = part.partition("=")
        if key.strip():
            settings[key.strip()] = value.strip()
>>>>>>> REPLACE
```
"""
SETTINGS = """\
[tests]
folders = ["tests"]
[propose]
repair_seconds = 5
[deploy]
strategy = "merge"
{more}
[models.author]
name = "openai:scripted"
base_url = "{url}"
price_input = "1"
price_output = "2"
timeout_seconds = 20
"""


def settings(model: ScriptedModel, more: str = "") -> str:
    return SETTINGS.format(url=model.url, more=more)


def shop(make_repo: MakeRepo, model: ScriptedModel, more: str = "", **files: str) -> Repo:
    return make_repo({"shop.py": SHOP, "tests/test_shop.py": TESTS, "whet.toml": settings(model, more), **files})


def test_a_bug_that_repair_cannot_fix_is_fixed_by_a_model_and_merged(make_repo: MakeRepo) -> None:
    with scripted(FIX) as model:
        repo = shop(make_repo, model)
        result = repo.whet("run")
        assert result.code == 5, (result.out, result.err)
        repaired, written = repo.whet("list", "--json").json
        assert repaired["status"] == "not_built"
        assert repo.whet("approve", written["proposal"], "--yes").code == 0
    assert "value.strip()" in (repo.root / "shop.py").read_text()
    assert len(model.requests) == 1
    assert "BEGIN " in model.prompts[0] and "test_parse" in model.prompts[0]
    audit = repo.whet("audit", "--json")
    assert audit.code == 0, audit.out
