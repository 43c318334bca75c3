"""`run --finding` with an id that no finding has is refused before the suite runs, if the record knows this commit."""

import pytest

from tests.cli.refusals import SMALL
from tests.support import MakeRepo, Repo
from whet.app.findings.known_findings import refuse_unknown_finding
from whet.app.project import Project, open_project
from whet.domain.category import Category
from whet.domain.clock import now
from whet.domain.finding import Finding, FindingKind
from whet.domain.payload import FailingTest
from whet.domain.signal import Signal
from whet.domain.suggestion import Suggestion
from whet.errors import UsageError

POLICY = '[observe]\nsources = ["suggestions"]\n'


def finding(identity: str) -> Finding:
    signal = Signal(source="tests", subject="test_a.py::test", kind=FailingTest.kind, value=1.0, at=now(), payload={})
    return Finding(
        id=identity,
        kind=FindingKind.FAILING_TEST,
        signature=identity,
        title="a test fails",
        category=Category.BUG_FIX,
        subjects=("test_a.py::test",),
        paths=(),
        signals=(signal,),
        score=1.0,
        reasons=(),
        minimum_signals=1,
    )


def record_cycle(project: Project, *ids: str) -> None:
    """Record the findings of a cycle as the journal does."""
    ledger, digest, base = project.ledger, project.policy.digest, project.git.resolve(project.ref)
    ledger.append("observe", project.policy.recorded, subject="policy", key=f"policy/{digest}", kind="Policy")
    ledger.append("observe", base, subject="c-1", key="c-1/observe/base", kind="Base")
    findings = tuple(map(finding, ids))
    ledger.append("diagnose", findings, subject="c-1", key="c-1/diagnose/find", kind="Findings")


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo({**SMALL, "whet.toml": POLICY})


def test_an_id_that_the_last_cycle_did_not_find_is_refused_with_the_ids_that_exist(repo: Repo) -> None:
    project = open_project(repo.root)
    record_cycle(project, "f-11111111", "f-22222222")
    refuse_unknown_finding(project, "")
    refuse_unknown_finding(project, "f-1111")
    with pytest.raises(UsageError, match="there is no finding 'f-3': the findings are f-11111111, f-22222222"):
        refuse_unknown_finding(project, "f-3")


def test_the_refusal_counts_a_single_finding_as_one(repo: Repo) -> None:
    project = open_project(repo.root)
    record_cycle(project, "f-11111111")
    with pytest.raises(UsageError, match=r"there is no finding 'f-3': the finding is f-11111111$"):
        refuse_unknown_finding(project, "f-3")


def test_a_suggestion_after_the_last_cycle_is_known(repo: Repo) -> None:
    project = open_project(repo.root)
    record_cycle(project)
    suggestion = Suggestion(id="s-33333333", text="make it faster", where="", by="ann", at=now())
    project.ledger.append("observe", suggestion, subject=suggestion.id, key=suggestion.id)
    refuse_unknown_finding(project, "f-33333333")


def test_without_a_record_of_this_commit_and_policy_the_cycle_decides(repo: Repo) -> None:
    refuse_unknown_finding(open_project(repo.root), "f-3")
    record_cycle(open_project(repo.root), "f-11111111")
    repo.write({"whet.toml": POLICY + '[propose]\nlint_rules = ["E"]\n'})
    refuse_unknown_finding(open_project(repo.root), "f-3")
    repo.write({"whet.toml": POLICY})
    repo.commit({"other.py": "x = 1\n"})
    refuse_unknown_finding(open_project(repo.root), "f-3")
