"""Suggestions can be listed and taken off the list."""

import json

import pytest

from tests.phases.deploy.harness import proposal
from tests.support import MakeRepo, Repo
from whet.app.findings.suggest import suggest
from whet.app.findings.suggestions import drop_suggestion, list_suggestions
from whet.app.project import Project, open_project
from whet.errors import NotOnRecord, Refused
from whet.phases.observe.suggestions import Suggestions


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo({"whet.toml": "", "shop.py": "def total():\n    return 1\n"})


@pytest.fixture
def project(repo: Repo) -> Project:
    return open_project(repo.root)


def test_a_dropped_suggestion_gives_no_signal_and_stays_on_the_list(repo: Repo, project: Project) -> None:
    kept, dropped = suggest(project, "say totals", "shop.py"), suggest(project, "be faster", "shop.py")
    assert [each.state for each in list_suggestions(project)] == ["open", "open"]
    state = drop_suggestion(project, dropped.id[:6], "it is fast enough")
    assert (state.id, state.state, state.why) == (dropped.id, "dropped", "it is fast enough")
    signals = Suggestions(project.kit).observe(project.git.resolve(project.ref))
    assert [signal.subject for signal in signals] == [kept.id]
    assert f"{dropped.id}  dropped  be faster" in repo.whet("suggest", "--list").out
    rows = json.loads(repo.whet("suggest", "--list", "--json").out)
    assert [(row["id"], row["state"]) for row in rows] == [(kept.id, "open"), (dropped.id, "dropped")]


def test_what_cannot_be_dropped_is_refused_with_the_way(project: Project) -> None:
    suggestion = suggest(project, "be faster", "shop.py")
    with pytest.raises(NotOnRecord, match="there is no suggestion 's-none'"):
        drop_suggestion(project, "s-none", "")
    made = proposal(project.git.resolve(project.ref))
    finding = made.diagnosis.finding
    object.__setattr__(finding, "signature", suggestion.id)
    project.ledger.append("propose", made, subject=made.id, key=f"{made.id}/proposal")
    with pytest.raises(Refused, match="is open for") as refusal:
        drop_suggestion(project, suggestion.id, "")
    assert "whet reject" in refusal.value.remedy


def test_a_suggestion_is_dropped_once(project: Project) -> None:
    suggestion = suggest(project, "be faster", "shop.py")
    drop_suggestion(project, suggestion.id, "no")
    with pytest.raises(Refused, match="is dropped already: no"):
        drop_suggestion(project, suggestion.id, "again")
