"""The proposal page shows the rate and the latency of calls on both sides of a change, where calls are kept."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from tests.store.test_executions import batch
from tests.web.pages import made
from tests.web.pages.conftest import Visit
from tests.web.pages.reading import inline_code, read
from whet.app.project import Project
from whet.app.views.call_rates import trial_rates, watch_rates
from whet.domain.clock import now
from whet.domain.decision import State
from whet.domain.deployment import Deployment, DeploymentState
from whet.domain.trial import Trial, TrialBegun, Watch
from whet.domain.version import CANDIDATE, CONTROL, CURRENT, Mode, Split, digest_of
from whet.runtime.capture.writer import Writer
from whet.store.versions import Cause, Versions

PATH = "calculator.py"


@pytest.fixture
def writer(fresh: Project) -> Iterator[Writer]:
    writer = Writer(str(fresh.state))
    yield writer
    writer.close()


def record_trial(project: Project, at: datetime, mode: Mode = Mode.CANARY) -> Trial:
    trial = Trial(
        proposal="p-1", deployment="d-1", modules=("shop",), share=0.1, state=State.PROMOTE, why=made.HOSTILE[0],
        began=at, ended=at + timedelta(minutes=2), mode=mode,
    )  # fmt: skip
    project.ledger.append("deploy", trial, subject="p-1", key="d-1/trial")
    return trial


def record_proposal(project: Project) -> None:
    proposal = made.proposal(project, "p-1")
    result = made.evidence(proposal, made.check("t"))
    made.record(project, proposal, made.diff_of(PATH, ["x"]), result)


def write_trial(writer: Writer, at: datetime) -> None:
    for minute in (0, 1):
        for arm, version, calls, failed in ((CONTROL, "v1", 90, 9), (CANDIDATE, "v2", 10, 0)):
            moment = at + timedelta(minutes=minute)
            writer.write(batch(moment, calls=calls, failed=failed, key=("shop.price", version), arm=arm))


def test_both_versions_of_a_trial_stand_beside_each_other(fresh: Project, visit: Visit, writer: Writer) -> None:
    at = now() - timedelta(minutes=10)
    record_proposal(fresh)
    trial = record_trial(fresh, at)
    write_trial(writer, at)
    beside = trial_rates(fresh, trial)
    assert beside and beside.changed_at is None
    assert (beside.old.calls, beside.old.errors, beside.new.calls, beside.new.errors) == (180, 18, 20, 0)
    assert (beside.old.per_minute, beside.old.mean_ns, len(beside.minutes)) == (90, 1000, 4)
    page = read(visit(fresh), "/p/p-1")
    assert inline_code(page) == []
    for words in ("18 (10.00%)", "0 (0.00%)", "0.001 ms", "old version", "candidate", "Errors in trial 1"):
        assert words in page.text, words


def test_a_shadow_and_a_trial_without_kept_calls_have_no_rates(fresh: Project, visit: Visit, writer: Writer) -> None:
    record_proposal(fresh)
    at = now() - timedelta(minutes=10)
    trial = record_trial(fresh, at)
    assert trial_rates(fresh, trial) is None
    assert "calls of the changed code" not in read(visit(fresh), "/p/p-1").text
    write_trial(writer, at)
    assert trial_rates(fresh, trial)
    assert trial_rates(fresh, Trial(**{**vars(trial), "mode": Mode.SHADOW})) is None


def test_a_watch_compares_before_and_after_the_deployment(fresh: Project, visit: Visit, writer: Writer) -> None:
    git, at = fresh.git, now() - timedelta(minutes=10)
    before = git.resolve("main")
    after = git.commit(git.with_files(git.tree_of(before), {PATH: b"new = 1\n"}), before, "m", "a <a@b>", at)
    deployed = Deployment(
        id="d-1", proposal="p-1", strategy="merge", ref="refs/heads/main", before=before, after=after, snapshot="s",
        evidence_digest="3" * 64, state=DeploymentState.DEPLOYED, actor="whet", at=at,
    )  # fmt: skip
    watch = Watch(deployment="d-1", state=State.PROMOTE, why="fewer errors", began=at, ended=at + timedelta(minutes=5))
    record_proposal(fresh)
    fresh.ledger.append("deploy", deployed, subject="p-1", key="d-1/deployment")
    fresh.ledger.append("deploy", watch, subject="p-1", key="d-1/watch")
    old, new = (digest_of(git.read(commit, PATH) or b"")[:16] for commit in (before, after))
    for version, minutes, failed in ((old, -5, 20), (old, -90, 40), (new, 1, 0), (new, 30, 40), ("other", -5, 40)):
        moment = at + timedelta(minutes=minutes)
        writer.write(batch(moment, calls=40, failed=failed, key=("shop.price", version), arm=CURRENT))
    beside = watch_rates(fresh, deployed, watch)
    assert beside and beside.changed_at == at
    assert (beside.old.calls, beside.old.errors, beside.new.calls, beside.new.errors) == (40, 20, 40, 0)
    page = read(visit(fresh), "/p/p-1")
    assert inline_code(page) == []
    for words in ("20 (50.00%)", "before", "after", "deployed", "Latency in watch 1"):
        assert words in page.text, words


def test_a_trial_that_runs_is_plotted_with_its_calls_so_far(fresh: Project, visit: Visit, writer: Writer) -> None:
    at = now() - timedelta(minutes=5)
    record_proposal(fresh)
    begun = TrialBegun(
        proposal="p-1", deployment="d-1", mode=Mode.CANARY, share=0.1, at=at, until=at + timedelta(hours=1)
    )
    fresh.ledger.append("deploy", begun, subject="p-1", key="d-1/trial-begun")
    client = visit(fresh)
    assert "Its calls cannot be counted here" in read(client, "/p/p-1").text
    split = Split(mode=Mode.CANARY, share=0.1, salt="d-1")
    Versions(fresh.state).start_trial(
        "shop", "shop.py", b"old = 1\n", b"new = 2\n", split, Cause(why="p-1", deployment="d-1", at=at)
    )
    write_trial(writer, at)
    page = read(client, "/p/p-1")
    assert inline_code(page) == []
    for words in ("canary: no decision yet", "After 20 calls of the candidate", "18 (10.00%)", "at the latest"):
        assert words in page.text, words
    assert "There was no trial" not in page.text
    assert ("data-again", "15") in [pair for tag, attrs in page.tags if tag == "body" for pair in attrs.items()]
    fresh.ledger.append(
        "deploy",
        Trial(
            proposal="p-1", deployment="d-1", modules=("shop",), share=0.1, state=State.PROMOTE, why="good",
            began=at, ended=now(), mode=Mode.CANARY,
        ),
        subject="p-1",
        key="d-1/trial",
    )  # fmt: skip
    assert "no decision yet" not in read(client, "/p/p-1").text


@pytest.mark.parametrize(
    ("mode", "minutes", "words"), [(Mode.SHADOW, 60, "shadow: no decision yet"), (Mode.AB, 1, "ab: time is over")]
)
def test_a_trial_without_countable_calls_or_past_its_time_says_so(
    fresh: Project, visit: Visit, mode: Mode, minutes: int, words: str
) -> None:
    at = now() - timedelta(minutes=5)
    record_proposal(fresh)
    begun = TrialBegun(
        proposal="p-1", deployment="d-1", mode=mode, share=0.1, at=at, until=at + timedelta(minutes=minutes)
    )
    fresh.ledger.append("deploy", begun, subject="p-1", key="d-1/trial-begun")
    text = read(visit(fresh), "/p/p-1").text
    assert words in text
    assert "Its calls cannot be counted here" in text
