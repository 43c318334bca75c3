"""Restoring a file to one of its versions, as a commit on the branch."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.phases.deploy.harness import proposal
from tests.support import MakeRepo, Repo
from whet.app.deployments.rollback import compare, history, restore
from whet.app.project import Project, open_project
from whet.app.views.proposal_view import view_proposal
from whet.domain.deployment import Intent, Rollback
from whet.domain.lesson import Ending
from whet.errors import Refused, Stopped, UsageError, WorktreeNotClean
from whet.phases.deploy.merge import Merge
from whet.phases.learn.step import learn

POLICY = '[target]\nbranch = "main"\n[deploy]\nstrategy = "merge"\n'


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    """`a.py` in five versions: created, changed, deleted, created again as a script, changed."""
    made = make_repo({"whet.toml": POLICY, "a.py": "one\n", "ab.py": "x\n"})
    made.commit({"a.py": "two\n"}, "second")
    made.sh("git", "rm", "--quiet", "a.py")
    made.sh("git", "commit", "--quiet", "--message", "third: gone")
    made.write({"a.py": "four\n"})
    (made.root / "a.py").chmod(0o755)
    made.commit({}, "fourth: back")
    made.commit({"a.py": "five\n", "b.py": "b\n"}, "fifth")
    return made


@pytest.fixture
def project(repo: Repo) -> Iterator[Project]:
    opened = open_project(repo.root)
    yield opened
    opened.store.close()


def test_the_history_lists_every_version_and_the_oldest_is_one(project: Project) -> None:
    versions = history(project, "a.py")
    assert [(version.number, version.subject) for version in versions] == [
        (5, "fifth"), (4, "fourth: back"), (3, "third: gone"), (2, "second"), (1, "first"),
    ]  # fmt: skip
    assert "-one" in compare(project, "a.py", 1, 5)


@pytest.mark.parametrize(
    ("number", "content", "mode"), [(1, "one\n", 0o644), (2, "two\n", 0o644), (4, "four\n", 0o755)]
)
def test_a_file_is_restored_byte_for_byte(repo: Repo, project: Project, number: int, content: str, mode: int) -> None:
    head = repo.head
    done = restore(project, "a.py", number, "it was better")
    assert (repo.root / "a.py").read_text() == content
    assert (repo.root / "a.py").stat().st_mode & 0o700 == mode & 0o700
    assert (repo.root / "b.py").read_text() == "b\n"
    assert (done.before, done.after) == (head, repo.head)
    assert repo.dirt() == ""
    text = repo.sh("git", "log", "-1", "--format=%B")
    assert text.startswith(f"Restore a.py to version {number}\n\nit was better\n")
    assert project.git.log("main", limit=1)[0].trailers["Whet-Rollback"] == done.deployment
    assert project.ledger.entries(kind="Rollback")[-1].read(Rollback) == done


def test_restoring_a_deleted_version_deletes_the_file(repo: Repo, project: Project) -> None:
    restore(project, "a.py", 3, "it should not be there")
    assert not (repo.root / "a.py").exists()
    assert repo.dirt() == ""
    restore(project, "a.py", 5, "it should")
    assert (repo.root / "a.py").read_text() == "five\n"
    assert repo.dirt() == ""
    assert [version.number for version in history(project, "a.py")] == [7, 6, 5, 4, 3, 2, 1]


def test_a_deleted_file_is_restored(repo: Repo, project: Project) -> None:
    repo.sh("git", "rm", "--quiet", "a.py")
    repo.sh("git", "commit", "--quiet", "--message", "gone again")
    restore(project, "a.py", 1, "needed after all")
    assert (repo.root / "a.py").read_text() == "one\n"


def test_a_path_with_wildcards_is_taken_literally(repo: Repo, project: Project) -> None:
    repo.commit({"a*.py": "star\n"}, "a star")
    assert [version.subject for version in history(project, "a*.py")] == ["a star"]


@pytest.mark.parametrize("number", [6, 99])
def test_an_unknown_version_is_a_usage_error(repo: Repo, project: Project, number: int) -> None:
    head = repo.head
    with pytest.raises(UsageError, match="has versions 1 to 5"):
        restore(project, "a.py", number, "x")
    assert repo.head == head


def test_restoring_the_current_version_is_refused(project: Project) -> None:
    with pytest.raises(Refused, match="already"):
        restore(project, "a.py", 5, "x")


def test_a_path_without_history_is_a_usage_error(project: Project) -> None:
    with pytest.raises(UsageError, match="no history"):
        restore(project, "nowhere.py", 1, "x")


def test_a_dirty_checkout_is_refused_until_it_is_clean(repo: Repo, project: Project) -> None:
    head = repo.head
    repo.write({"b.py": "mine\n"})
    with pytest.raises(WorktreeNotClean):
        restore(project, "a.py", 1, "x")
    assert (repo.root / "b.py").read_text() == "mine\n"
    assert repo.head == head
    repo.sh("git", "checkout", "--", "b.py")
    assert restore(project, "a.py", 1, "x").after == repo.head


def test_the_kill_switch_prevents_a_restore(repo: Repo, project: Project) -> None:
    _ = project.store
    (project.state / "STOP").write_text("incident\n")
    with pytest.raises(Stopped):
        restore(project, "a.py", 1, "x")


def test_a_policy_without_merging_refuses_a_restore(repo: Repo) -> None:
    repo.commit({"whet.toml": '[deploy]\nstrategy = "branch"\n'})
    opened = open_project(repo.root)
    with pytest.raises(Refused, match="may not move the branch"):
        restore(opened, "a.py", 1, "x")
    opened.store.close()


class Died(BaseException):
    """A simulated power failure."""


@pytest.mark.parametrize("when", ["before the ref", "after the ref", "after the checkout"])
def test_a_killed_restore_is_completed_by_the_next_call(
    repo: Repo, project: Project, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, original = repo.head, Merge.deploy

    def dying(target: Merge, intent: Intent, commit: str) -> None:
        if when == "after the ref":
            project.git.move_ref(intent.ref, commit, intent.before, "x")
        if when == "after the checkout":
            original(target, intent, commit)
        raise Died

    with monkeypatch.context() as patched:
        patched.setattr(Merge, "deploy", dying)
        with pytest.raises(Died):
            restore(project, "a.py", 1, "first")
    done = restore(project, "a.py", 1, "first")
    assert (done.before, done.after) == (head, repo.head)
    assert (repo.root / "a.py").read_text() == "one\n"
    assert repo.dirt() == ""
    assert repo.sh("git", "rev-list", "--count", f"{head}..main") == "1"
    assert len(project.ledger.entries(kind="Rollback")) == 1


def test_two_files_of_one_commit_are_restored_separately(repo: Repo, project: Project, tmp_path: Path) -> None:
    repo.commit({"a.py": "six\n", "b.py": "b6\n"}, "sixth")
    first = restore(project, "a.py", 5, "x")
    repo.sh("git", "reset", "--quiet", "--hard", first.before)
    second = restore(project, "b.py", 1, "x")
    assert first.deployment != second.deployment
    assert (repo.root / "b.py").read_text() == "b\n"
    assert (repo.root / "a.py").read_text() == "six\n"


def test_a_change_of_whet_s_that_a_restoration_takes_back_is_remembered(repo: Repo, project: Project) -> None:
    """Else `list` goes on to say that it is merged, and the same patch is proposed again."""
    mine = proposal(project.git.resolve(project.ref))
    repo.commit({"a.py": "six\n"}, f"Mend it\n\nWhet-Proposal: {mine.id}")
    project.ledger.append("propose", mine, subject=mine.id, key=f"{mine.id}/proposal")
    lesson = learn(mine, Ending.MERGED, "merged", "fine", "d" * 64)
    project.ledger.append("learn", lesson, subject=mine.id, key=f"{mine.id}/learn/learn")
    restore(project, "a.py", 5, "slower than before")
    view = view_proposal(project.ledger, mine.id)
    assert view.status == "rolled_back"
    assert view.lesson
    assert view.lesson.summary == "a.py was restored to version 5: slower than before"
    restore(project, "a.py", 1, "older still")
    assert len([entry for entry in project.ledger.entries(kind="Lesson") if entry.subject == mine.id]) == 2
