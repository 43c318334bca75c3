"""The Python API: `whet.open(path)`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import whet
from tests.support import MakeRepo, Repo
from whet.app.repository import Repository
from whet.cli.commands import COMMANDS
from whet.domain.verdict import Verdict
from whet.errors import UsageError


def test_a_repository_is_scanned_repaired_approved_and_rolled_back(sample: Repo) -> None:
    repository = whet.open(sample.root)
    finding = repository.scan().findings[0].finding
    [waiting] = repository.run(finding=finding.id)
    assert waiting.open_question is not None
    assert waiting.evidence is not None
    assert waiting.evidence.verdict is Verdict.PASSED
    merged = repository.approve(waiting.proposal.id, why="read it")
    assert merged.status == "merged"
    assert [view.status for view in repository.proposals()] == ["merged"]
    repository.rollback(merged.proposal.id, why="only a test")
    assert repository.proposal(merged.proposal.id).status == "rolled_back"
    assert repository.audit().ok
    path = merged.proposal.target[0]
    assert [version.number for version in repository.history(path)] == [3, 2, 1]
    assert repository.compare(path, 1, 2).startswith("diff")
    assert {status.budget.value for status in repository.budget()} >= {"cycles"}
    assert repository.ledger(kind="Rollback")
    assert repository.sync() == []
    repository.stop("incident")
    assert repository.start()


METHOD_OF = {"list": "proposals", "show": "proposal", "diff": "compare", "versions": "history"}
# They set whet up, run until they are ended, or act on no repository.
WITHOUT_METHOD = {"init", "doctor", "demo", "version", "mcp", "serve", "worker", "notify"}


def test_every_command_has_a_method_and_every_method_is_documented() -> None:
    commands = {command.__name__.rstrip("_") for command in COMMANDS} | {"patterns", "approvers"}
    methods = {name for name in vars(Repository) if not name.startswith("_")}
    assert {METHOD_OF.get(name, name) for name in commands - WITHOUT_METHOD} <= methods
    document = (Path(__file__).parents[2] / "docs/how-to/python-api.md").read_text()
    assert {name for name in methods if f"`{name}`" not in document} == set()


@pytest.mark.full_proof
def test_a_patch_file_is_proved(sample: Repo) -> None:
    repository = whet.open(sample.root / "tests")
    fixed = repository.repair(["tests/test_calculator.py::test_factorial"])
    assert fixed.patch is not None
    (sample.root / "fix.patch").write_text(fixed.patch.diff)
    assert repository.prove(patch=sample.root / "fix.patch").evidence.verdict is Verdict.PASSED


APPLICATION = """
from whet import Case, tool

@tool(idempotent=True, side_effects=False, cases=[Case((6, 3), 2.0)])
def divide(a, b):
    return a / b

@tool
def send(text):
    return len(text)

for number in range(5):
    divide(number, 2)
send("hello")
"""


def test_a_recorded_tool_gets_a_recommendation(sample: Repo) -> None:
    env = {**os.environ, "WHET_STATE": str(sample.root / ".whet")}
    (sample.root / ".whet").mkdir(exist_ok=True)
    subprocess.run([sys.executable, "-c", APPLICATION], cwd=sample.root, env=env, check=True)
    repository = whet.open(sample.root)
    divide = repository.recommend("__main__.divide")
    assert (divide.exercise, divide.may_deploy_itself) == ("replay", True)
    assert divide.steps == ("replay 5 captured calls in the sandbox", "run 1 declared case in the sandbox")
    send = repository.recommend("__main__.send")
    assert (send.exercise, send.risk, send.may_deploy_itself) == ("manual", "critical", False)
    assert send.warnings
    with pytest.raises(UsageError, match="no application has recorded a tool called 'unknown'") as error:
        repository.recommend("unknown")
    assert "__main__.divide" in error.value.remedy


class Doubler(whet.BaseTool):
    """A tool that no application has recorded, declared as a class."""

    def get_tool_characteristics(self) -> dict[str, object]:
        return {"idempotent": True, "side_effects": []}

    def get_test_cases(self) -> list[dict[str, object]]:
        return [{"input": {"number": 2}, "expected_output": 4}]

    def run(self, number: int) -> int:
        return 2 * number


def test_a_tool_that_was_never_recorded_gets_a_recommendation_from_its_declarations(make_repo: MakeRepo) -> None:
    repository = whet.open(make_repo({"a.py": "x = 1\n", "whet.toml": ""}).root)
    for tool in (Doubler, Doubler()):
        recommendation = repository.recommend(tool)
        assert (recommendation.exercise, recommendation.risk) == ("synthetic", "medium")
        assert recommendation.steps == ("run 1 declared case in the sandbox",)
    with pytest.raises(UsageError, match="is not a tool"):
        repository.recommend(len)


def test_importing_whet_loads_nothing_of_it() -> None:
    code = "import sys, whet; print(sorted(name for name in sys.modules if name.startswith('whet.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
