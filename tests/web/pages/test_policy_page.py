"""The page of the policy: its difference to the one before it."""

import pytest

from tests.domain.secret_samples import A
from tests.web.pages import made
from tests.web.pages.conftest import Visit
from tests.web.pages.reading import inline_code, read
from whet.app.project import Project
from whet.app.views.policy_change import ChangedSetting, policy_change

HOSTILE = made.HOSTILE[1]


def write(project: Project, text: str, message: str = "change") -> None:
    """Append to whet.toml and commit, with a message that a repository may choose."""
    edit(project, text)
    project.git.text("add", "-f", "whet.toml")
    project.git.text("-c", "user.name=Eve <b>", "-c", "user.email=e@example.com", "commit", "-qm", message)


def edit(project: Project, text: str) -> None:
    with (project.git.root / "whet.toml").open("a") as file:
        file.write(text)


@pytest.fixture
def committed(fresh: Project) -> Project:
    write(fresh, "# the first version\n")
    return fresh


def test_the_settings_that_the_last_commit_changed_are_listed(committed: Project, visit: Visit) -> None:
    write(committed, '[budget]\ncooldown_seconds = 60\n[approve.roles]\nowner = ["a@example.com"]\n', HOSTILE)
    write_other_file(committed)
    change = policy_change(committed.reloaded())
    assert change.settings == (
        ChangedSetting("budget.cooldown_seconds", "0", "60"),
        ChangedSetting("approve.roles.owner", "", '["a@example.com"]'),
    )
    assert change.commit and change.previous and change.commit.subject == HOSTILE
    page = read(visit(committed), "/policy")
    assert inline_code(page) == []
    for words in (HOSTILE, "Eve", "budget.cooldown_seconds", "Compared with"):
        assert words in page.text


def write_other_file(project: Project) -> None:
    project.git.text("-c", "user.name=e", "-c", "user.email=e@x", "commit", "-q", "--allow-empty", "-m", "other")


def test_edits_that_no_commit_has_are_compared_with_the_last_commit(committed: Project, visit: Visit) -> None:
    edit(committed, "[budget]\ncooldown_seconds = 60\n")
    change = policy_change(committed.reloaded())
    assert change.commit is None
    assert change.previous and change.previous.subject == "change"
    assert [setting.name for setting in change.settings] == ["budget.cooldown_seconds"]
    assert "edits that no commit has" in read(visit(committed), "/policy").text


def test_a_comment_changes_no_setting(committed: Project, visit: Visit) -> None:
    write(committed, "# a comment\n")
    assert policy_change(committed.reloaded()).settings == ()
    assert "every setting is the same" in read(visit(committed), "/policy").text


def test_the_first_policy_has_nothing_before_it(fresh: Project, visit: Visit) -> None:
    commits = fresh.git.log("main", "whet.toml")
    assert len(commits) <= 1
    change = policy_change(fresh)
    assert (change.previous, change.settings, change.problem) == (None, (), "")
    assert "Last change" in read(visit(fresh), "/policy").text


def test_a_secret_in_either_policy_is_not_shown(committed: Project, visit: Visit) -> None:
    tokens = ["gh" + "p_" + A[:36], "gh" + "p_" + A[:35] + "Z"]
    health = '[[sources.health]]\nname = "shop"\nurl = "http://127.0.0.1:1/health?token={}"\n'
    write(committed, health.format(tokens[0]))
    path = committed.git.root / "whet.toml"
    path.write_text(path.read_text().replace(tokens[0], tokens[1]))
    text = visit(committed).get("/policy").text
    assert not any(token in text for token in tokens)
    assert "differs in a part that is redacted" in text


def test_an_earlier_policy_that_cannot_be_read_is_said(committed: Project, visit: Visit) -> None:
    write(committed, "[of_another_version]\nkey = 1\n")
    path = committed.git.root / "whet.toml"
    path.write_text(path.read_text().partition("[of_another_version]")[0])
    write(committed, "")
    change = policy_change(committed.reloaded())
    assert "unknown key 'of_another_version'" in change.problem
    assert "cannot be compared" in read(visit(committed), "/policy").text


def test_a_branch_that_is_gone_is_a_problem_in_words(committed: Project) -> None:
    committed.git.text("branch", "-m", "main", "trunk")
    assert "does not exist" in policy_change(committed.reloaded()).problem
