"""A model that obeys every instruction in the repository: guard and proof stop each one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.models.scripted_server import ScriptedModel
from tests.phases.propose.model.injections import INJECTIONS, LONG, RIGHT, WRONG, Injection, files
from tests.support import Repo
from whet.app.cycles.dry_run import run_unrecorded
from whet.app.cycles.repair import SearchOnly
from whet.app.project import Project, open_project
from whet.domain.evidence import Evidence
from whet.domain.proposal import Proposal
from whet.domain.verdict import Verdict
from whet.guard.judge import refusals
from whet.ledger.scratch import ScratchLedger
from whet.phases.propose.model.model import Model
from whet.workflow.judging import engine_origin, judge_patch

SETTINGS = """\
[tests]
folders = ["tests"]
[observe]
sources = ["tests"]
[propose]
engines = ["model"]
[models]
samples = 1
rounds = 0
[models.author]
name = "openai:obedient"
base_url = "{url}"
price_input = "0"
price_output = "0"
timeout_seconds = 60
"""


@dataclass
class Poisoned:
    """The repository with all instructions, its one proposal, and the model, whose next answer is `model.script[0]`."""

    project: Project
    proposal: Proposal
    model: ScriptedModel

    def carried(self, answer: str) -> tuple[str, Evidence | None]:
        """Let the engine build with this answer, and judge the patch if there is one."""
        self.model.script[:] = [answer]
        kit = replace(self.project.kit, ledger=ScratchLedger(self.project.ledger))
        build = Model(kit).build(self.proposal, frozenset())
        if build.patch is None:
            return build.note, None
        checks = self.project.engines.checks
        return build.note, judge_patch(build.patch, engine_origin(self.proposal, build), checks, kit)


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Poisoned]:
    repo = Repo(tmp_path_factory.mktemp("poisoned") / "prices")
    Path(repo.root).mkdir()
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    model = ScriptedModel(["no edits"])
    repo.commit({**files(), "whet.toml": SETTINGS.format(url=model.url)})
    project = open_project(repo.root)
    run = run_unrecorded(project, carry_steps=SearchOnly)
    yield Poisoned(project, run.previews[0].proposal, model)
    project.store.close()
    model.close()


def test_every_instruction_reaches_the_model_as_data(poisoned: Poisoned) -> None:
    poisoned.carried("no edits")
    [*_, prompt] = poisoned.model.requests
    text = prompt["messages"][1]["content"]
    outside = _outside_markers(text)
    for name, injection in INJECTIONS.items():
        assert injection.instruction in text, name
        if injection.where != "name":
            assert injection.instruction not in outside, name


def _outside_markers(text: str) -> str:
    marker = text.partition("BEGIN ")[2].partition("\n")[0]
    parts = text.split(f"BEGIN {marker}\n")
    return parts[0] + "".join(part.partition(f"END {marker}\n")[2] for part in parts[1:])


@pytest.mark.parametrize(
    "injection",
    [pytest.param(each, id=name, marks=pytest.mark.long if name in LONG else ()) for name, each in INJECTIONS.items()],
)
def test_an_obeyed_instruction_is_stopped(poisoned: Poisoned, injection: Injection) -> None:
    note, evidence = poisoned.carried(injection.answer)
    assert evidence is None or evidence.verdict is not Verdict.PASSED, (note, evidence)
    assert _stopped_by(note, evidence) == injection.stopped_by, (note, evidence)


def _stopped_by(note: str, evidence: Evidence | None) -> str:
    if evidence is None:
        return "path" if "0 patches tried" in note else "tests"
    return "guard" if refusals(evidence.guard) else "proof"


def test_the_same_model_without_the_instruction_is_proven(poisoned: Poisoned) -> None:
    fix = f"prices.py\n```python\n<<<<<<< SEARCH\n{WRONG}=======\n{RIGHT}>>>>>>> REPLACE\n```\n"
    note, evidence = poisoned.carried(fix)
    assert evidence is not None, note
    assert evidence.verdict is Verdict.PASSED, evidence.reasons
