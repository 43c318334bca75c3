"""Whole cycles with the engine `model`, through the command line, with a scripted model on loopback."""

import os
import signal

import pytest

from tests.cycle.test_dry_run_agrees import ADD, ADD_TEST, repository
from tests.models.scripted_server import Reply, ScriptedModel, scripted
from tests.support import ForkedCommand, MakeRepo, Repo

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


@pytest.mark.slow
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


ONLY_MODEL = '[propose]\nengines = ["model"]\n'


def only_model(make_repo: MakeRepo, model: ScriptedModel, more: str = "") -> Repo:
    text = settings(model, more).replace("[propose]\nrepair_seconds = 5\n", ONLY_MODEL)
    return make_repo({"shop.py": SHOP, "tests/test_shop.py": TESTS, "whet.toml": text})


def spent(repo: Repo, budget: str) -> float:
    rows = repo.whet("budget", "--json").json["budgets"]
    return float(next(row["spent"] for row in rows if row["budget"] == budget))


@pytest.mark.slow
def test_a_process_killed_between_request_and_record_asks_again_and_counts_both(make_repo: MakeRepo) -> None:
    started: list[ForkedCommand] = []

    def kill(_: str) -> Reply:
        started[0].kill()
        return Reply(hold=True)

    with scripted(kill, FIX) as model:
        repo = only_model(make_repo, model)
        started.append(ForkedCommand(["run", "--json"], repo.root, dict(os.environ)))
        assert started[0].end().code == -signal.SIGKILL
        resumed = repo.whet("resume")
        assert resumed.code == 5, (resumed.out, resumed.err)
    assert len(model.requests) == 2
    assert "has no answer on record: it is sent again, and the budget counts both" in resumed.err
    assert spent(repo, "tokens") > 8_000 + 150, "the killed request is settled in full: its prompt and max_tokens"
    assert len([row for row in repo.whet("list", "--json").json if row["status"] == "waiting_apply"]) == 1


@pytest.mark.slow
def test_without_a_key_the_engine_says_so_and_repair_goes_on(make_repo: MakeRepo) -> None:
    policy = '[tests]\nfolders = ["tests"]\n[models.author]\nname = "anthropic:some-model"\n'
    repo = make_repo({**repository(ADD, ADD_TEST), "whet.toml": policy})
    result = repo.whet("run", env={"ANTHROPIC_API_KEY": ""})
    assert result.code == 5, (result.out, result.err)
    assert result.err.count("model_unavailable: there is no key for anthropic:some-model") == 1
    assert "export ANTHROPIC_API_KEY=" in result.err
    shown = repo.whet("models", env={"ANTHROPIC_API_KEY": ""})
    assert "missing  author: there is no key for anthropic:some-model" in shown.out
    assert "\n         export ANTHROPIC_API_KEY=" in shown.out
    checked = repo.whet("models", "--check", "--json", env={"ANTHROPIC_API_KEY": ""})
    assert (checked.code, checked.json["checks"]["author"]["ok"]) == (4, False)


@pytest.mark.long
def test_a_dead_server_ends_one_proposal_and_other_findings_go_on(make_repo: MakeRepo) -> None:
    with scripted(FIX) as model:
        pass  # its port is closed now
    both = SHOP + "\n\n" + ADD
    tests = TESTS.replace("import parse, total", "import add, parse, total") + "\n\n" + ADD_TEST
    repo = make_repo({"shop.py": both, "tests/test_shop.py": tests, "whet.toml": settings(model)})
    assert repo.whet("run").code == 5, "repair mends the one finding, and its proposal waits"
    unavailable = repo.whet("run")
    assert "cannot be reached at" in unavailable.out, (unavailable.out, unavailable.err)
    rows = {row["code"]: row for row in repo.whet("list", "--json").json}
    assert "cannot be reached at" in rows["model_unavailable"]["why"]
    assert "waiting_apply" in {row["status"] for row in rows.values()}
    assert "cannot be reached at" in repo.whet("run").out, "it is tried again in another run"


@pytest.mark.long
def test_a_spent_budget_parks_the_proposal_and_the_rest_is_paid_later(make_repo: MakeRepo) -> None:
    wrong = FIX.replace("        if key.strip():\n            settings", "        settings")
    with scripted(wrong, FIX) as model:
        repo = only_model(make_repo, model, "[budget]\ntokens_per_day = 9330\n")
        parked = repo.whet("run")
        assert parked.code == 3, (parked.out, parked.err)
        assert "tokens" in parked.err
        asked = len(model.requests)
        text = (repo.root / "whet.toml").read_text()
        (repo.root / "whet.toml").write_text(text.replace("tokens_per_day = 9330", "tokens_per_day = 100000"))
        resumed = repo.whet("resume")
        assert resumed.code == 5, (resumed.out, resumed.err)
    assert (asked, len(model.requests)) == (1, 2)


@pytest.mark.slow
def test_what_is_configured_and_spent_is_shown(make_repo: MakeRepo) -> None:
    with scripted("ok") as model:
        repo = make_repo({"shop.py": SHOP, "whet.toml": settings(model)})
        shown = repo.whet("models", "--check")
        assert shown.code == 0, shown.err
        assert "ok       author: openai:scripted answered in" in shown.out
        assert "1 / 2 (settings)" in shown.out
        doctor = repo.whet("doctor", "--quick", "--json").json
        [row] = [row for row in doctor if row["name"] == "model: author"]
        assert row["ok"], row
    assert spent(repo, "tokens") == 300
    [status] = repo.whet("models", "--json").json["models"]
    assert (status["role"], status["price_source"], status["answers"]) == ("author", "settings", 0)


REWORK = "VERDICT: rework\n- shop.py:5: parse('a') loses the key without a value\n"
SECOND = FIX.replace("if key.strip():", "key = key.strip()\n        if key:").replace(
    "settings[key.strip()]", "settings[key]"
)
REVIEWED = """\
[models]
max_iterations_per_cycle = 2
{more}
[models.reviewer]
name = "openai:reader"
base_url = "{url}"
price_input = "1"
price_output = "1"
timeout_seconds = 20
"""


def reviewed(make_repo: MakeRepo, author: ScriptedModel, reviewer: ScriptedModel, more: str = "") -> Repo:
    return only_model(make_repo, author, REVIEWED.format(url=reviewer.url, more=more))


@pytest.mark.slow
def test_a_reviewer_gets_one_rework_and_its_concern_raises_the_tier(make_repo: MakeRepo) -> None:
    with scripted(FIX, SECOND) as author, scripted(REWORK, "VERDICT: concern\n- shop.py:5: still open\n") as reviewer:
        repo = reviewed(make_repo, author, reviewer)
        assert repo.whet("run").code == 5
        (row,) = repo.whet("list", "--json").json
    assert "loses the key without a value" in author.prompts[1]
    assert "diff --git" in reviewer.prompts[0] and "The value is lost" not in "".join(reviewer.prompts)
    assert row["open_question"]["tier"] == "approve"
    assert any("still open" in reason for reason in row["open_question"]["reasons"])
    assert "still open" in repo.whet("show", row["proposal"]).out
    answers = [review["answer"] for review in repo.whet("show", row["proposal"], "--json").json["reviews"]]
    assert answers == ["rework", "concern"]


@pytest.mark.slow
def test_a_review_that_is_required_and_missing_asks_for_the_highest_tier(make_repo: MakeRepo) -> None:
    with scripted(FIX) as author, scripted("I like it.") as reviewer:
        repo = reviewed(make_repo, author, reviewer, "require_diff_review = true")
        assert repo.whet("run").code == 5
        (row,) = repo.whet("list", "--json").json
    assert row["open_question"]["tier"] == "require"
    assert any("no line `VERDICT: fine`" in reason for reason in row["open_question"]["reasons"])


CLAMP = "def clamp(value, low, high):\n    return max(low, min(value, low))\n"
CLAMP_TEST = "from shop import clamp\n\n\ndef test_clamp():\n    assert clamp(2, 1, 3) == 2\n    assert clamp(9, 1, 3) == 3\n    assert clamp(0, 1, 3) == 1\n"
CLAMPED = """\
shop.py
```python
<<<<<<< SEARCH
    return max(low, min(value, low))
=======
    if value < low:
        return low
    return min(value, high)
>>>>>>> REPLACE
```
"""


@pytest.mark.long
def test_a_model_that_competes_with_the_search_is_shown_beside_it(make_repo: MakeRepo) -> None:
    with scripted(CLAMPED) as model:
        more = "[models]\ncompete = true\n"
        repo = make_repo({"shop.py": CLAMP, "tests/test_shop.py": CLAMP_TEST, "whet.toml": settings(model, more)})
        assert repo.whet("run").code == 5
        [row] = repo.whet("list", "--json").json
        shown = repo.whet("show", row["proposal"]).out
    assert len(model.requests) == 1
    assert row["engine"] == "repair"
    assert "the search and a model do not agree" in " ".join(shown.split())
    assert "min(value, high)" in repo.whet("diff", row["proposal"]).out
    assert "+    if value < low:" in repo.whet("diff", row["proposal"], "--rival", "1").out
    refused = repo.whet("diff", row["proposal"], "--rival", "9")
    assert refused.code and "there is no patch 9 beside the offered one" in refused.err


@pytest.mark.long
def test_a_model_that_cannot_compete_leaves_the_patch_of_the_search(make_repo: MakeRepo) -> None:
    with scripted(CLAMPED) as model:
        more = "[models]\ncompete = true\n[budget]\ntokens_per_day = 100\n"
        repo = make_repo({"shop.py": CLAMP, "tests/test_shop.py": CLAMP_TEST, "whet.toml": settings(model, more)})
        assert repo.whet("run").code == 5
    assert model.requests == []
    assert "no model was asked: " in repo.whet("list", "--json").out + repo.whet("ledger", "--json").out
