"""A dry run and a real run give the same finding, the same patch and the same verdict."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support import MakeRepo, Repo
from whet import cycle
from whet.app.cycles.dry_run import dry_run
from whet.app.cycles.loop import running
from whet.app.project import open_project
from whet.app.views.proposal_view import ProposalView
from whet.workflow import carry_steps, cycle_steps, gates, judging, release

POLICY = '[tests]\nfolders = ["tests"]\n[propose]\nrepair_seconds = 8\n'


def repository(source: str, tests: str, policy: str = "", **more: str) -> dict[str, str | bytes]:
    head = "import pytest\nfrom shop import *\n\n\n"
    return {"shop.py": source, "tests/test_shop.py": head + tests, "whet.toml": POLICY + policy, **more}


ADD = "def add(a, b):\n    return a - b\n"
ADD_TEST = "def test_add():\n    assert add(2, 3) == 5\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n"
REPOSITORIES = {
    "a wrong operator": repository(ADD, ADD_TEST),
    "a missing check": repository(
        "def mean(values):\n    return sum(values) / len(values)\n",
        "def test_mean():\n    assert mean([1, 3]) == 2\n\n\ndef test_none():\n    assert mean([]) == 0\n",
    ),
    "two bugs": repository(
        ADD + "\n\ndef last(items):\n    return items[0]\n",
        ADD_TEST + "\n\ndef test_last():\n    assert last([1, 2]) == 2\n",
    ),
    "no bug": repository(ADD.replace("-", "+"), ADD_TEST),
    "a bug that no edit fixes": repository(
        "def parse(text):\n    return {}\n", "def test_parse():\n    assert parse('a=1;b=2') == {'a': '1', 'b': '2'}\n"
    ),
    "a wrong boundary": repository(
        "def is_adult(age):\n    return age > 18\n",
        "@pytest.mark.parametrize('age, adult', [(17, False), (18, True), (19, True)])\n"
        "def test_adult(age, adult):\n    assert is_adult(age) is adult\n",
    ),
    "unused imports": repository(
        "import json\nimport os\nimport re\n\n\ndef one():\n    return 1\n", "def test_one():\n    assert one() == 1\n"
    ),
    "a crash in a helper": repository(
        "def first(items):\n    return items[0]\n\n\ndef name(users):\n    return first(users) or 'nobody'\n",
        "def test_name():\n    assert name(['ann']) == 'ann'\n\n\ndef test_nobody():\n    assert name([]) == 'nobody'\n",
    ),
    "a test that needs something from outside": repository(
        "def one():\n    return 1\n",
        "def test_one():\n    assert one() == 1\n\n\ndef test_tool():\n    import no_such_tool\n",
    ),
    "a plan that a person must approve": repository(ADD, ADD_TEST, '[approve]\nplan = "confirm"\n'),
}


def facts(proposal: Any, build: Any, evidence: Any) -> tuple[str, str, str]:
    return (
        proposal.signature,
        build.patch.digest if build and build.patch else "",
        evidence.verdict.value if evidence else "",
    )


def really_run(repo: Repo) -> list[ProposalView]:
    project = open_project(repo.root)
    with running(project) as loop:
        return [loop.wait_for(proposal) for proposal in loop.wait_for_cycle(loop.start("test"))]


IN_EVERY_CHECK = {"two bugs", "no bug", "unused imports", "a plan that a person must approve"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in IN_EVERY_CHECK else pytest.mark.long) for name in REPOSITORIES]
)
def test_a_dry_run_and_a_real_run_agree(name: str, make_repo: MakeRepo) -> None:
    repo = make_repo(REPOSITORIES[name])
    project = open_project(repo.root)
    before = len(project.ledger.entries())
    foreseen = dry_run(project).previews
    assert len(project.ledger.entries()) == before, "a dry run records nothing"
    carried = really_run(repo)
    expected = [facts(view.proposal, view.built, view.evidence) for view in carried]
    assert [facts(preview.proposal, preview.build, preview.evidence) for preview in foreseen] == expected
    for preview, view in zip(foreseen, carried, strict=True):
        question = view.open_question
        assert (preview.question.gate if preview.question else None) == (question.gate if question else None)
        assert (preview.lesson.ending if preview.lesson else None) == (view.lesson.ending if view.lesson else None)


def test_a_dry_run_does_not_offer_a_rejected_patch(make_repo: MakeRepo) -> None:
    repo = make_repo(REPOSITORIES["a wrong operator"])
    [view] = really_run(repo)
    rejected = view.built.patch.digest if view.built and view.built.patch else ""
    assert repo.whet("reject", view.proposal.id, "--why", "no", "--json").code == 0
    previews = dry_run(open_project(repo.root)).previews
    assert rejected
    assert rejected not in [preview.build.patch.digest for preview in previews if preview.build and preview.build.patch]


PHASE_FUNCTIONS: tuple[tuple[Any, str], ...] = (
    (cycle_steps, "observe"), (cycle_steps, "find"), (cycle_steps, "diagnose"), (cycle_steps, "propose"),
    (carry_steps, "run_build"), (judging, "validate"), (gates, "ask"), (gates, "wait_for"), (release, "snapshot"),
    (release, "rehearse"), (release, "deploy"), (release, "verify"), (carry_steps, "learn"),
)  # fmt: skip
SOURCE = Path(cycle.__file__).parent


def test_at_most_four_frames_are_between_the_cycle_and_a_phase_function(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only frames of whet itself count; the limit keeps stack traces readable."""
    repo = make_repo(REPOSITORIES["a wrong operator"])
    between: dict[str, list[str]] = {}

    def watched(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            frames = []
            frame = sys._getframe(1)
            while Path(frame.f_code.co_filename).name != "cycle.py" and frame.f_back:
                if Path(frame.f_code.co_filename).is_relative_to(SOURCE):
                    frames.append(frame.f_code.co_name)
                frame = frame.f_back
            between[name] = frames
            return function(*args, **kwargs)

        return call

    for module, name in PHASE_FUNCTIONS:
        monkeypatch.setattr(module, name, watched(name, getattr(module, name)))
    [view] = really_run(repo)
    assert repo.whet("show", view.proposal.id, "--json").code == 0
    from whet.app.approvals.decisions import GivenAnswer, answer
    from whet.domain.approval import Answer

    project = open_project(repo.root)
    answer(project, view.proposal.id, Answer.APPROVED, GivenAnswer(via="test"))
    with running(project) as loop:
        assert loop.wait_for(view.proposal.id).status == "completed"
    assert set(between) == {name for _, name in PHASE_FUNCTIONS}
    assert {name: frames for name, frames in between.items() if len(frames) > 4} == {}
    assert not any("run" in frames for frames in between.values())
