import os
from collections.abc import Iterator
from datetime import timedelta

import pytest

from tests.cli.refusals import SMALL
from tests.store.test_executions import batch
from tests.support import MakeRepo, Repo
from whet.agent_proxy.transcript import prune
from whet.config import RetentionPolicy, parse
from whet.domain.clock import now
from whet.domain.execution import FILE_NAME
from whet.errors import BadConfig
from whet.runtime.capture.writer import Writer
from whet.store.executions import Executions

ALLOWED = [
    "",
    "successes_days = 0.5",
    "failures_days = 3650",
    "minutes_days = 1",
    "most_calls = 0",
    "exchanges_days = 0.5",
]
REFUSED = ["successes_days = 0", "failures_days = -1", "minutes_days = 0.5", "most_calls = -1", "days = 3"]


@pytest.mark.parametrize("line", ALLOWED)
def test_valid_retention_periods_are_accepted(line: str) -> None:
    assert isinstance(parse(f"[retention]\n{line}\n".encode()).retention, RetentionPolicy)


@pytest.mark.parametrize("line", REFUSED)
def test_too_short_retention_periods_are_refused(line: str) -> None:
    with pytest.raises(BadConfig, match="retention"):
        parse(f"[retention]\n{line}\n".encode())


@pytest.fixture
def repo(make_repo: MakeRepo) -> Iterator[Repo]:
    """A repository with captured calls that are 100, 20 and 0 days old."""
    made = make_repo({**SMALL, "whet.toml": '[tests]\nfolders = ["tests"]\n\n[retention]\nfailures_days = 90\n'})
    (made.root / ".whet").mkdir()
    writer = Writer(str(made.root / ".whet"))
    for days in (100, 20, 0):
        writer.write(batch(now() - timedelta(days=days), calls=10, failed=4))
    writer.close()
    yield made


def kept(repo: Repo, *, failed: bool) -> int:
    return len(Executions(repo.root / ".whet").calls("shop.price", failed=failed))


def test_a_cycle_prunes_calls_and_texts_of_agents_older_than_the_policy_allows(repo: Repo) -> None:
    exchanges = repo.root / ".whet" / "exchanges"
    exchanges.mkdir(mode=0o700)
    for name, days in (("old", 31), ("young", 29)):
        (exchanges / name).write_text(name)
        at = (now() - timedelta(days=days)).timestamp()
        os.utime(exchanges / name, (at, at))
    assert repo.whet("run").code == 0
    assert (kept(repo, failed=False), kept(repo, failed=True)) == (6, 8)
    assert [path.name for path in exchanges.iterdir()] == ["young"]
    assert prune(repo.root / ".whet", 30.0) == 0


def test_reading_commands_prune_nothing(repo: Repo) -> None:
    repo.whet("scan")
    assert (kept(repo, failed=False), kept(repo, failed=True)) == (18, 12)


def test_an_unreadable_executions_file_does_not_stop_a_cycle(repo: Repo) -> None:
    (repo.root / ".whet" / FILE_NAME).write_bytes(b"no database" * 1000)
    assert repo.whet("run").code == 0
