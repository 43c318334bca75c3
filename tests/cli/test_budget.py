"""`whet budget`, and budgets as the commands meet them."""

import sqlite3
import subprocess
import time
from datetime import datetime

import pytest

from tests.support import MakeRepo, Repo, configured_whet

FILES: dict[str, str | bytes] = {
    "shop.py": "def total(prices, rate):\n    return sum(prices) - rate\n",
    "tests/test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1, 2], 1) == 4\n",
}


def shop(make_repo: MakeRepo, policy: str) -> Repo:
    return make_repo({**FILES, "whet.toml": policy})


def test_every_budget_is_shown_before_anything_is_spent(make_repo: MakeRepo) -> None:
    repo = shop(make_repo, '[budget]\nmoney_per_day = "2.50"\ntokens_per_day = 9000\n')
    result = repo.whet("budget", "--json")
    assert result.code == 0, result.err
    shown = {row["budget"]: row for row in result.json["budgets"]}
    assert list(shown) == ["cycles", "proposals", "tokens", "money", "wall_seconds"]
    assert shown["money"] == {
        "budget": "money", "signature": "", "granted": "2.5", "reserved": "0", "spent": "0", "left": "2.5",
        "renews_at": None, "cools_until": None,
    }  # fmt: skip
    assert "tokens a day" in repo.whet("budget").out


def test_a_float_for_money_is_refused_and_the_message_shows_how_to_write_it(make_repo: MakeRepo) -> None:
    result = shop(make_repo, "[budget]\nmoney_per_day = 2.5\n").whet("budget")
    assert result.code == 2
    assert "in quotes" in result.err


def test_unreadable_reservations_stop_every_command_that_spends(make_repo: MakeRepo) -> None:
    repo = shop(make_repo, "")
    assert repo.whet("budget").code == 0
    connection = sqlite3.connect(repo.root / ".whet" / "whet.sqlite", isolation_level=None)
    connection.execute(
        "INSERT INTO reservations VALUES ('x', 'wall_seconds', 1, NULL, 'c', '', 'nobody', 'never', 'open')"
    )
    connection.close()
    for command in (["budget"], ["repair", "tests/test_shop.py"], ["run"], ["run", "--dry-run"]):
        result = repo.whet(*command)
        assert result.code == 4, command
        assert "the reservations cannot be read" in result.err, command


def test_a_command_that_needs_more_time_than_is_left_is_refused_before_it_runs(make_repo: MakeRepo) -> None:
    repo = shop(make_repo, "[budget]\nwall_seconds_per_day = 10\n")
    for command in (["repair", "tests/test_shop.py"], ["run", "--dry-run"], ["run"]):
        result = repo.whet(*command, "--json")
        assert (result.code, result.json["error"]["code"]) == (3, "budget_spent"), command
        assert "there is no room for" in result.json["error"]["message"]


@pytest.mark.slow
def test_a_suspended_cycle_continues_when_the_budget_allows_it(make_repo: MakeRepo) -> None:
    repo = shop(make_repo, "[budget]\nwall_seconds_per_day = 10\n")
    assert repo.whet("run").code == 3
    repo.commit({"whet.toml": "[budget]\nwall_seconds_per_day = 2000\n"}, "more time")
    assert repo.whet("resume").code == 5
    shown = {row["budget"]: row for row in repo.whet("budget", "--json").json["budgets"]}
    assert (shown["cycles"]["spent"], shown["proposals"]["spent"]) == ("1", "1")
    assert 0 < float(shown["wall_seconds"]["spent"]) < 300
    assert shown["wall_seconds"]["reserved"] == "0"
    assert datetime.fromisoformat(shown["cycles"]["renews_at"]).utcoffset() is not None


@pytest.mark.slow
def test_a_rejected_attempt_is_listed_under_its_signature_with_its_cooldown(make_repo: MakeRepo) -> None:
    repo = shop(make_repo, "[budget]\ncooldown_seconds = 3600\n")
    assert repo.whet("run").code == 5
    proposal = repo.whet("list", "--json").json[0]["proposal"]
    repo.whet("reject", proposal, "--why", "not like this")
    [attempts] = [row for row in repo.whet("budget", "--json").json["budgets"] if row["budget"] == "attempts"]
    assert (attempts["granted"], attempts["spent"], attempts["left"]) == ("3", "1", "2")
    assert attempts["cools_until"]
    result = repo.whet("run")
    assert "less than 3600 seconds ago" in result.out + result.err


@pytest.mark.slow
def test_the_reservation_of_a_killed_command_is_released(make_repo: MakeRepo) -> None:
    repo = shop(make_repo, "")
    repo.commit({"tests/test_slow.py": "import time\n\n\ndef test_slow():\n    time.sleep(60)\n"}, "slow")
    command = subprocess.Popen(
        [*configured_whet(), "repair", "tests/test_shop.py"],
        cwd=repo.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 60
    while wall(repo)["reserved"] == "0" and time.monotonic() < until:
        time.sleep(0.1)
    assert (wall(repo)["reserved"], wall(repo)["left"]) == ("960", "27840")
    command.kill()
    command.wait()
    assert (wall(repo)["reserved"], wall(repo)["left"]) == ("0", "28800")


def wall(repo: Repo) -> dict[str, str]:
    shown: list[dict[str, str]] = repo.whet("budget", "--json").json["budgets"]
    return next(row for row in shown if row["budget"] == "wall_seconds")
