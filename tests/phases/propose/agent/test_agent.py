"""The agent engine's build: what becomes a patch, and the one sentence for each way to fail."""

import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agent_proxy.scripted_provider import KEY, Say, ScriptedProvider, scripted_provider
from tests.cycle.test_agents import FIXED, make_install, plan, policy, processes_of
from tests.cycle.test_whole_cycles import BUGGY
from tests.support import MakeRepo
from whet.app.project import Project, open_project
from whet.domain.build import Build
from whet.domain.category import Category
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.exchange import Exchange
from whet.domain.finding import Finding, FindingKind
from whet.domain.layer import Layer
from whet.domain.payload import FailingTest
from whet.domain.place import Place
from whet.domain.signal import Signal
from whet.errors import AgentMissing
from whet.phases.propose.agent.agent import Agent
from whet.phases.propose.agent.check import check_agent

TEST = "tests/test_shop.py::test_total"
BuildWith = Callable[..., tuple[Build, Project, ScriptedProvider]]


@pytest.fixture
def build_with(make_repo: MakeRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BuildWith]:
    """A function that builds a proposal with an agent that follows the plan."""
    monkeypatch.setenv("MODEL_KEY", KEY)
    install = make_install(tmp_path)
    opened: list[Project] = []

    def build(
        *script: Say, avoid: frozenset[str] = frozenset(), more: str = "", **settings: Any
    ) -> tuple[Build, Project, ScriptedProvider]:
        with scripted_provider(*script) as provider:
            repo = make_repo(
                {**BUGGY, ".gitignore": "*.log\n", "whet.toml": policy(provider, install, settings) + more}
            )
            project = open_project(repo.root)
            opened.append(project)
            agent = Agent(project.kit)
            [proposal] = agent.propose(diagnosis(), repo.head, "c-1")
            return agent.build(proposal, avoid), project, provider

    yield build
    for project in opened:
        project.store.close()


def diagnosis() -> Diagnosis:
    signal = Signal.of("tests", TEST, FailingTest(outcome="failed"), now())
    finding = Finding(
        id="f-1", kind=FindingKind.FAILING_TEST, signature="s", title="test_total fails", category=Category.BUG_FIX,
        subjects=(TEST,), paths=("shop.py",), signals=(signal,), score=0.5, reasons=("red",), minimum_signals=1,
    )  # fmt: skip
    place = Place(path="shop.py", line=2, function="total", suspicion=0.9, why="only red tests run it")
    return Diagnosis(finding=finding, layer=Layer.BEHAVIOR, places=(place,), evidence=(), confidence=0.9)


def text_of(build: Build, project: Project, path: str) -> bytes | None:
    assert build.patch is not None, build.note
    return project.git.read(build.patch.tree, path)


def test_the_diff_is_taken_and_the_exchange_recorded(build_with: BuildWith) -> None:
    build, project, provider = build_with(plan(write={"shop.py": FIXED, "notes.md": "added\n"}))
    assert text_of(build, project, "shop.py") == FIXED.encode()
    assert build.patch and build.patch.paths == ("notes.md", "shop.py")
    assert build.note == "command changed 2 files (1 request, 150 tokens, 0.00018 of money)"
    [entry] = project.ledger.entries(kind="Exchange")
    exchange = entry.read(Exchange)
    assert (exchange.status, exchange.input_tokens, exchange.output_tokens) == (200, 120, 30)
    for digest in (exchange.request, exchange.answer):
        file = project.state / "exchanges" / digest
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    task = provider.received[0].body["messages"][0]["content"]
    assert TEST in task
    assert "shop.py:2 in total" in task


DROPPED = {
    "tests/test_shop.py": "a test", "conftest.py": "a test", "whet.toml": "protected", ".github/workflows/ci.yml": "protected",
}  # fmt: skip


def test_changes_to_tests_and_protected_files_are_dropped_and_named(build_with: BuildWith) -> None:
    build, _, _ = build_with(plan(write={"shop.py": FIXED, **dict.fromkeys(DROPPED, "pass\n")}))
    assert build.patch and build.patch.paths == ("shop.py",)
    for path, reason in DROPPED.items():
        assert f"{path} ({reason})" in build.note


def test_links_devices_git_and_ignored_files_are_not_taken(build_with: BuildWith) -> None:
    commands = [
        "ln -s /etc/passwd link.py", "ln -sf /etc/passwd tests/test_shop.py", "mkfifo pipe.py", "echo x > cache.log",
        "mkdir -p sub/.git && echo x > sub/.git/config", "git commit -qam mine", "chmod 777 shop.py",
    ]  # fmt: skip
    build, project, _ = build_with(plan(write={"shop.py": FIXED}, shell=commands))
    assert build.patch and build.patch.paths == ("shop.py",)
    modes = {entry.path: entry.mode for entry in project.git.entries(build.patch.tree)}
    assert modes["shop.py"] == "100644"
    assert "link.py (not a regular file" in build.note


def test_a_deleted_file_is_deleted_in_the_patch(build_with: BuildWith) -> None:
    build, _, _ = build_with(plan(write={"shop/__init__.py": FIXED}, remove=["shop.py"]))
    assert build.patch and {change.path: change.status.value for change in build.patch.changes} == {
        "shop.py": "deleted", "shop/__init__.py": "added",
    }  # fmt: skip


def test_a_change_that_was_rejected_before_is_not_offered_again(build_with: BuildWith) -> None:
    first, _, _ = build_with(plan(write={"shop.py": FIXED}))
    assert first.patch
    again, _, _ = build_with(plan(write={"shop.py": FIXED}), avoid=frozenset({first.patch.digest}))
    assert again.patch is None
    assert "was rejected before" in again.note


FAILURES: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    ("no change", {}, {}, "", "command made no change (1 request"),
    ("exit code", {"exit": 3, "shell": ["echo the model is confused"]}, {}, "", "exit code 3"),
    ("only tests", {"write": {"tests/test_shop.py": ""}}, {}, "", "made no change that can be used; dropped: tests/test_shop.py"),
    ("hangs", {"shell": ["sleep 1000"]}, {"seconds": 2}, "", "it was ended after 2 s (agent.seconds)"),
    ("prints", {"shell": ["yes | head -c 50000000"]}, {}, "[sandbox]\noutput_mb = 1\n", "wrote more output than allowed"),
    ("forks", {"shell": ["for i in $(seq 300); do sleep 1000 & done; wait"]}, {"seconds": 20}, "[sandbox]\nprocesses = 100\n", ""),
    ("fills", {"shell": ["head -c 99000000 /dev/zero > zeros.txt"]}, {}, "[sandbox]\ntree_size_mb = 16\n", "zeros.txt (not a regular file"),
    ("many", {"shell": ["for i in $(seq 300); do echo $i > f$i.py; done"]}, {}, "", "changed more than can be taken"),
    ("no key", {}, {"key_variable": "NO_SUCH_KEY"}, "", "the environment has no NO_SUCH_KEY"),
    ("not there", {}, {"command": ["no-such-agent", "{task}"]}, "", "'no-such-agent' is not installed"),
    ("home", {}, {"install": str(Path.home())}, "", "cannot be mounted into the sandbox"),
    ("root", {}, {"install": "/"}, "", "cannot be mounted into the sandbox"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("script", "settings", "more", "words"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES]
)
def test_a_failure_is_one_clear_sentence_and_leaves_nothing_running(
    script: dict[str, Any], settings: dict[str, Any], more: str, words: str, build_with: BuildWith, tmp_path: Path
) -> None:
    build, _, _ = build_with(plan(**script), more=f"\n{more}", **settings)
    assert build.patch is None
    assert words in build.note
    assert "\n" not in build.note
    assert processes_of(tmp_path / "agent") == []


def test_a_program_that_does_not_start_is_named(build_with: BuildWith, tmp_path: Path) -> None:
    broken = tmp_path / "agent" / "bin" / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)
    build, _, _ = build_with(plan(), command=["broken", "{task}"])
    assert "could not be started in the sandbox: No such file or directory" in build.note


def test_a_run_that_is_cut_off_keeps_the_changes_made_until_then(build_with: BuildWith) -> None:
    build, project, provider = build_with(plan(write={"shop.py": FIXED}, ask_again=5), requests=2)
    assert text_of(build, project, "shop.py") == FIXED.encode()
    assert "it was cut off: the run has made its 2 requests (agent.requests)" in build.note
    assert len(provider.received) == 2
    refused = [entry.read(Exchange).refused for entry in project.ledger.entries(kind="Exchange")]
    # An exchange is recorded after its answer, so the next request may be refused and recorded before it.
    assert sorted(bool(reason) for reason in refused) == [False, False, True]


def test_an_unconfigured_agent_can_help_with_nothing(make_repo: MakeRepo) -> None:
    repo = make_repo({**BUGGY, "whet.toml": '[propose]\nengines = ["agent"]\n'})
    project = open_project(repo.root)
    assert Agent(project.kit).can_help(diagnosis().finding) is False
    project.store.close()


@pytest.mark.whets_python
def test_doctor_starts_the_agent_and_asks_for_the_key(build_with: BuildWith, monkeypatch: pytest.MonkeyPatch) -> None:
    _, project, provider = build_with(plan())
    (Path(project.policy.agent.install) / "bin" / "scripted-agent").write_text("#!/bin/sh\necho scripted 1.0\n")
    assert "command starts (scripted 1.0); big at prices from settings: 1 and 2" in check_agent(project.kit)
    monkeypatch.delenv("MODEL_KEY")
    with pytest.raises(AgentMissing, match="has no MODEL_KEY"):
        check_agent(project.kit)
    (Path(project.policy.agent.install) / "bin" / "scripted-agent").write_text("#!/no/such/interpreter\n")
    with pytest.raises(AgentMissing, match="does not start in the sandbox"):
        check_agent(project.kit)
    assert len(provider.received) == 1, "doctor asks the model nothing"
