"""Decisions of people change the order of proposals, and unlearning them restores it."""

from dataclasses import replace

import pytest

from tests.phases.deploy.harness import proposal
from tests.support import MakeRepo
from whet.app.knowledge.preferences import preferences, unlearn
from whet.app.project import Project, open_project
from whet.domain.approval import Answer, Approval, Gate, Tier
from whet.domain.category import Category
from whet.domain.clock import now
from whet.domain.finding import FindingKind
from whet.domain.progress import Silent
from whet.domain.proposal import Proposal
from whet.errors import UsageError
from whet.knowledge.preferences import weigh
from whet.phases.learn.preferences import Preferences
from whet.phases.propose.step import scored


@pytest.fixture
def project(make_repo: MakeRepo) -> Project:
    return open_project(make_repo({"whet.toml": "", "a.py": ""}).root, Silent())


def offered(identity: str, category: Category, engine: str = "repair") -> Proposal:
    made = proposal("b" * 40)
    diagnosis = replace(made.diagnosis, finding=replace(made.diagnosis.finding, reasons=("1 failing test",), score=0.8))
    target = (f"{engine}/a.py",)
    return replace(made, id=identity, category=category, engine=engine, target=target, diagnosis=diagnosis)


def decide(project: Project, made: Proposal, answer: Answer, approver: str = "person") -> None:
    project.ledger.append("propose", made, subject=made.id, key=f"{made.id}/proposal")
    approval = Approval(
        proposal=made.id, gate=Gate.APPLY, tier=Tier.CONFIRM, answer=answer, approver=approver, who="ann", via="test",
        digest="d", decided_at=now(), why="too noisy",
    )  # fmt: skip
    project.ledger.append("approve", approval, subject=made.id, key=f"{made.id}/approve/apply")


def ranking(project: Project) -> list[str]:
    known = preferences(project)
    candidates = [offered("p-style", Category.CODE_QUALITY), offered("p-fix", Category.BUG_FIX, "model")]
    ranked = [scored(each, *weigh(each, known)) for each in candidates]
    return [each.id for each in sorted(ranked, key=lambda each: -each.score)]


def test_three_rejections_lower_a_category_and_unlearning_restores_the_order(project: Project) -> None:
    assert ranking(project) == ["p-style", "p-fix"]
    for number in range(3):
        decide(project, offered(f"p-{number}", Category.CODE_QUALITY, f"engine{number}"), Answer.REJECTED)
    known = next(item for item in preferences(project) if item.trait == "category")
    assert (known.value, known.accepted, known.rejected, known.factor) == ("code_quality", 0, 3, 0.7)
    assert [decision.why for decision in known.decisions] == ["too noisy"] * 3
    assert ranking(project) == ["p-fix", "p-style"]
    for item in preferences(project):
        unlearn(project, item.id, "it was one bad week")
    assert preferences(project) == ()
    assert ranking(project) == ["p-style", "p-fix"]


def test_answers_of_the_policy_and_fewer_than_three_answers_teach_nothing(project: Project) -> None:
    for number in range(4):
        decide(project, offered(f"p-{number}", Category.CODE_QUALITY), Answer.REJECTED, approver="policy")
    decide(project, offered("p-5", Category.CODE_QUALITY), Answer.REJECTED)
    assert preferences(project) == ()


def test_only_lint_is_muted_and_never_a_failing_test(project: Project) -> None:
    for number in range(5):
        decide(project, offered(f"p-{number}", Category.BUG_FIX), Answer.REJECTED)
    learner = Preferences(project.kit)
    failing = replace(offered("p-9", Category.BUG_FIX).diagnosis.finding, category=Category.BUG_FIX)
    assert failing.kind == FindingKind.FAILING_TEST
    assert learner.why_not(failing, "repair", "b") == ""
    lint = replace(failing, kind=FindingKind.LINT, signals=failing.signals * 3)
    assert "whet unlearn w-" in learner.why_not(lint, "repair", "b")


def test_an_unknown_id_is_refused_with_the_known_ones(project: Project) -> None:
    with pytest.raises(UsageError, match="nothing was learned yet"):
        unlearn(project, "w-1", "")
    with pytest.raises(UsageError, match="there are no patterns yet"):
        unlearn(project, "k-1", "")
