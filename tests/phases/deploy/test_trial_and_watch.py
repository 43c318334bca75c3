"""Trials and watches on captured calls, with the real registry and, for a shadow, the real sandbox."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import Project, open_project
from whet.domain.clock import now
from whet.domain.decision import State
from whet.domain.deployment import Deployment, DeploymentState
from whet.domain.trial import Trial, Watch
from whet.domain.version import CANDIDATE, CONTROL, Mode, Split, digest_of
from whet.errors import BaseMoved, Refused, Withdrawn
from whet.phases.deploy.arms import ArmComparison
from whet.phases.deploy.live_modules import require_shadow_safe
from whet.phases.deploy.trial import TrialRunner
from whet.phases.deploy.watch import DeploymentWatcher
from whet.runtime.capture.batch import Batch
from whet.runtime.capture.writer import Writer
from whet.store.executions import Executions, Read
from whet.store.versions import Cause, Versions

pytestmark = pytest.mark.whets_python  # the tools of the target import whet

TOOL = "from whet import tool\n\n\n@tool(side_effects=False)\ndef half(n):\n    return n / 2\n"
SAFE = {"side_effects": False, "safe_for_shadow": True}
MODULES = {"sums.py": "sums"}


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo(
        {
            "sums.py": TOOL,
            "tests/test_sums.py": "from sums import half\n\n\ndef test_half():\n    assert half(2) == 1\n",
            "whet.toml": '[tests]\nfolders = ["tests"]\ntimeout_seconds = 60\n\n'
            '[deploy]\nstrategy = "shadow"\ntrial_seconds = 1\n',
        }
    )


@pytest.fixture
def project(repo: Repo) -> Iterator[Project]:
    (repo.root / ".whet").mkdir()
    opened = open_project(repo.root)
    yield opened
    opened.store.close()


def stage(repo: Repo, source: str) -> Deployment:
    before = repo.head
    after = repo.commit({"sums.py": source})
    repo.sh("git", "reset", "--quiet", "--hard", before)
    return Deployment(
        id="d-1", proposal="p-1", strategy="branch", ref="refs/heads/whet/p-1", before=before, after=after,
        snapshot="s", evidence_digest="e", state=DeploymentState.DEPLOYED, actor="tester", at=now(),
    )  # fmt: skip


def record(state: Path, rows: list[tuple[Any, Any, bool]], declared: dict[str, Any], name: str = "sums.half") -> None:
    """Record calls (argument, output, failed) of the old version during a trial."""
    batch, key, at = Batch(), (name, digest_of(TOOL.encode())[:16]), int(now().timestamp() * 1_000_000)
    batch.tools = {key: ("sums", name.rpartition(".")[2], "sums.py", "plain", json.dumps(declared), 1)}
    batch.totals_of(key, "control", at // 60_000_000 * 60)
    for argument, output, failed in rows:
        result = (None, "sig", "broke") if failed else (json.dumps(output), None, None)
        batch.rows.append((key, "control", at, 1000, failed, True, json.dumps([[argument], {}]), *result))
    writer = Writer(str(state))
    writer.write(batch)
    writer.close()


NUMBERS = [(n, n / 2, False) for n in range(400)]
TEXT = ("x", None, True)
OUTCOMES = [
    ("    return n * 0.5\n", NUMBERS, State.PROMOTE, "mismatches are rarer"),
    ("    return n // 2\n", NUMBERS, State.ROLLBACK, "of 200 inputs 0 failed only now, 100 were answered otherwise"),
    ("    return {1: 0.5}[n]\n", NUMBERS, State.ROLLBACK, "199 failed only now"),
    ("    raise SystemExit(0)\n", NUMBERS, State.ROLLBACK, "the candidate is worse"),
    ("    import os; os._exit(0)\n", NUMBERS, State.ROLLBACK, "did not finish calls of sums.half"),
    ("    return 0 if n == 'x' else n / 2\n", [TEXT] * 9, State.ROLLBACK, "no input that the old version answers"),
    ("    return 7\n", [(n, n + 7, False) for n in range(1, 9)], State.ROLLBACK, "8 could not be compared"),
    ("    return n * 0.5\n", [], State.ROLLBACK, "no input that the old version answers was shadowed in time"),
    ("    return n * 0.5\n", NUMBERS[:50], State.INCONCLUSIVE, "too few inputs"),
]


@pytest.mark.parametrize(("body", "calls", "state", "words"), OUTCOMES)
def test_a_shadow_trial_is_decided_by_live_calls_in_the_sandbox(
    repo: Repo, project: Project, body: str, calls: list[tuple[Any, Any, bool]], state: State, words: str
) -> None:
    trial = run_trial(repo, project, body, calls)
    assert (trial.state, words in trial.why) == (state, True), trial.why
    assert (trial.mode, trial.share) == ("shadow", 0.0)
    manifest = Versions(project.state).manifest("sums")
    assert manifest is not None
    assert manifest.candidate is None
    assert manifest.current.digest == digest_of(TOOL.encode())


def test_a_candidate_that_hangs_is_rolled_back(repo: Repo, project: Project) -> None:
    tests = project.policy.tests.model_copy(update={"timeout_seconds": 4})
    project.policy = project.policy.model_copy(update={"tests": tests})
    trial = run_trial(repo, project, "    while n > 3: pass\n    return n / 2\n", NUMBERS[:6])
    assert (trial.state, "did not finish" in trial.why) == (State.ROLLBACK, True), trial.why


def run_trial(repo: Repo, project: Project, body: str, calls: list[tuple[Any, Any, bool]]) -> Trial:
    staged = stage(repo, TOOL.replace("    return n / 2\n", body))
    arriving = [calls]

    def record_calls() -> None:
        """Record the calls once the trial has begun; calls from before it do not count."""
        if arriving:
            record(project.state, arriving.pop(), SAFE)

    return TrialRunner(project.kit, staged, record_calls, lambda: "").run(MODULES)


def nothing() -> None: ...


def publish(project: Project, before: str, after: str) -> None:
    cause = Cause(why="another", deployment="d-2", at=now())
    Versions(project.state).publish("sums", "sums.py", before.encode(), after.encode(), cause)


def test_a_trial_ends_on_a_rollback_a_withdrawal_or_another_version(repo: Repo, project: Project) -> None:
    staged, versions = stage(repo, TOOL + "\n"), Versions(project.state)

    def withdrawn() -> None:
        raise Withdrawn("somebody withdrew the approval")

    rolled_back = TrialRunner(project.kit, staged, nothing, lambda: "somebody rolled it back: why").run(MODULES)
    assert (rolled_back.state, rolled_back.why) == (State.ROLLBACK, "somebody rolled it back: why")
    with pytest.raises(Withdrawn):
        TrialRunner(project.kit, staged, withdrawn, lambda: "").run(MODULES)
    with pytest.raises(BaseMoved, match="another version of sums"):
        TrialRunner(project.kit, staged, lambda: publish(project, TOOL, "x = 1\n"), lambda: "").run(MODULES)
    manifest = versions.manifest("sums")
    assert manifest is not None
    assert (manifest.candidate, manifest.current.why) == (None, "another")


def test_a_trial_that_was_rolled_back_meanwhile_is_not_started(repo: Repo, project: Project) -> None:
    TrialRunner(project.kit, stage(repo, TOOL + "\n"), nothing, lambda: "somebody rolled it back").run(MODULES)
    assert Versions(project.state).manifest("sums") is None


def test_a_rollback_by_another_process_is_not_taken_for_a_moved_base(repo: Repo, project: Project) -> None:
    staged, reasons = stage(repo, TOOL + "\n"), [""]

    def roll_back() -> None:
        reasons.append("somebody rolled it back")
        Versions(project.state).end_trials(staged.id)

    trial = TrialRunner(project.kit, staged, roll_back, lambda: reasons[-1]).run(MODULES)
    assert (trial.state, trial.why) == (State.ROLLBACK, "somebody rolled it back")


WATCHED: list[tuple[str, str, State, str]] = [
    (TOOL + "\n", "", State.INCONCLUSIVE, "no call since the deployment"),
    (TOOL + "\n", "somebody rolled it back: why", State.ROLLBACK, "somebody rolled it back: why"),
    (TOOL + "# later\n", "", State.INCONCLUSIVE, "another version took its place: sums"),
    (TOOL, "", State.INCONCLUSIVE, "another version took its place: sums"),
]


@pytest.mark.parametrize(("current", "rolled_back", "state", "words"), WATCHED)
def test_a_watch_judges_only_its_own_version(
    repo: Repo, project: Project, current: str, rolled_back: str, state: State, words: str
) -> None:
    deployment = replace(stage(repo, TOOL + "\n"), strategy="hot_reload")
    publish(project, TOOL, TOOL + "\n")
    publish(project, TOOL, current)
    watch: Watch = DeploymentWatcher(project.kit, deployment, nothing, lambda: rolled_back).run(MODULES, "")
    assert (watch.state, words in watch.why) == (state, True), watch.why


def test_calls_that_arrive_during_a_comparison_count_in_both_arms_or_in_none(
    repo: Repo, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An application writes the calls of both arms in one transaction, possibly between two reads of a comparison."""
    other = TOOL + "\n"
    split = Split(mode=Mode.AB, share=0.5, salt="d-1", until=0.0)
    cause = Cause(why="p-1", deployment="d-1", at=now())
    manifest = Versions(project.state).start_trial("sums", "sums.py", TOOL.encode(), other.encode(), split, cause)
    read = Executions._snapshot

    def read_while_calls_arrive(self: Executions) -> AbstractContextManager[Read]:
        record_both_arms(project.state, {TOOL: CONTROL, other: CANDIDATE}, calls=500)
        return read(self)

    monkeypatch.setattr(Executions, "_snapshot", read_while_calls_arrive)
    arms = ArmComparison(project.kit, Mode.AB, 0.5)
    for _ in range(3):
        decision = arms.decide([manifest], now(), time_is_up=False)
        assert decision.state is State.HOLD, decision.why


def record_both_arms(state: Path, arms: dict[str, str], calls: int) -> None:
    batch, minute = Batch(), int(now().timestamp()) // 60 * 60
    for source, arm in arms.items():
        key = ("sums.half", digest_of(source.encode())[:16])
        batch.tools[key] = ("sums", "half", "sums.py", "plain", json.dumps(SAFE), 1)
        batch.totals_of(key, arm, minute).calls += calls
    writer = Writer(str(state))
    writer.write(batch)
    writer.close()


SHADOWABLE: list[dict[str, Any]] = [SAFE, {"side_effects": True, "safe_for_shadow": True}]
NOT_SHADOWABLE: list[dict[str, Any]] = [
    {},
    {"side_effects": False, "safe_for_shadow": False},
    {"safe_for_shadow": "yes"},
]


@pytest.mark.parametrize("declared", SHADOWABLE)
def test_tools_declared_safe_may_be_shadowed(project: Project, declared: dict[str, Any]) -> None:
    record(project.state, NUMBERS[:1], declared)
    require_shadow_safe(["sums"], project.kit)
    require_shadow_safe(["elsewhere"], project.kit)


@pytest.mark.parametrize("declared", NOT_SHADOWABLE)
def test_one_tool_not_declared_safe_keeps_its_whole_module_from_being_shadowed(
    project: Project, declared: dict[str, Any]
) -> None:
    record(project.state, NUMBERS[:1], SAFE)
    record(project.state, NUMBERS[:1], declared, "sums.third")
    with pytest.raises(Refused, match=r"sums\.third cannot be shadowed"):
        require_shadow_safe(["sums"], project.kit)
