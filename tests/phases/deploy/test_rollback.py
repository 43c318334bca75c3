"""A rollback is a single revert commit with the reason that keeps later commits, even if a process dies in between."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.phases.deploy.harness import MAIN, PROPOSAL, Harness, Untouched, status
from whet.domain.clock import now
from whet.domain.deployment import Deployment, Intent, RollbackIntent
from whet.domain.version import Mode, Split
from whet.errors import BaseMoved, Refused, WhetError
from whet.phases.deploy import Target
from whet.phases.deploy.merge import Merge
from whet.store.versions import Cause, Versions


def change_a(root: Path) -> None:
    path = root / "a.py"
    path.write_text(path.read_text().replace("line 5\n", "line five\n"))


@pytest.fixture
def deployment(harness: Harness) -> Deployment:
    return harness.land(change_a)


def lines(harness: Harness) -> list[str]:
    return (harness.repo.root / "a.py").read_text().splitlines()


def reverts(harness: Harness) -> int:
    return int(harness.repo.sh("git", "rev-list", "--count", "--grep=^Whet-Rollback:", MAIN))


def test_a_rollback_is_a_revert_with_the_reason(harness: Harness, deployment: Deployment) -> None:
    done = harness.roll_back(deployment, "latency doubled")
    text = harness.repo.sh("git", "log", "-1", "--format=%B", MAIN)
    assert text.startswith('Revert "Mend it"\n')
    assert f"This rolls back {deployment.after}: latency doubled" in text
    commit = harness.git.log(MAIN, limit=1)[0]
    assert commit.id == done.after
    assert commit.trailers["Whet-Rollback"] == deployment.id
    assert commit.trailers["Whet-Proposal"] == PROPOSAL
    assert commit.trailers["Whet-Ledger"]
    assert harness.repo.sh("git", "rev-parse", f"{done.after}^") == deployment.after
    assert harness.git.tree_of(done.after) == harness.git.tree_of(deployment.before)
    assert (done.before, done.reason, done.actor) == (deployment.after, "latency doubled", "tester")
    assert status(harness.repo) == ""


def test_a_rollback_ends_the_trial_that_a_dead_process_left(harness: Harness) -> None:
    staged = harness.deploy(harness.prepare(change_a, "branch"))
    versions, split = Versions(harness.kit.state), Split(mode=Mode.CANARY, share=0.1, salt="s")
    for module in ("a", "b"):
        versions.start_trial(
            module, f"{module}.py", b"1", b"2", split, Cause(why="trial", deployment=staged.id, at=now())
        )
    other = versions.start_trial("c", "c.py", b"1", b"2", split, Cause(why="trial", deployment="d-another", at=now()))
    harness.roll_back(staged)
    left = {name: manifest.candidate for name in "abc" if (manifest := versions.manifest(name))}
    assert left == {"a": None, "b": None, "c": other.candidate}


def test_later_commits_on_other_lines_and_files_are_kept(harness: Harness, deployment: Deployment) -> None:
    text = (harness.repo.root / "a.py").read_text()
    harness.repo.commit({"a.py": text.replace("line 1\n", "line one\n"), "b.py": "later\n", "c.py": "new\n"})
    (harness.repo.root / "b.py").chmod(0o755)
    harness.repo.commit({"d.py": "d\n"})
    harness.roll_back(deployment)
    assert lines(harness)[0] == "line one"
    assert lines(harness)[4] == "line 5"
    assert (harness.repo.root / "b.py").read_text() == "later\n"
    assert (harness.repo.root / "b.py").stat().st_mode & 0o100
    assert (harness.repo.root / "c.py").exists()
    assert status(harness.repo) == ""


def test_a_rollback_finds_lines_that_moved(harness: Harness, deployment: Deployment) -> None:
    text = (harness.repo.root / "a.py").read_text()
    harness.repo.commit({"a.py": "".join(f"before {n}\n" for n in range(40)) + text})
    harness.roll_back(deployment)
    assert lines(harness)[44] == "line 5"
    assert len(lines(harness)) == 50


@pytest.mark.parametrize("later", ["line five\n", "line 4\n", "line 6\n"], ids=["the line", "just above", "just below"])
def test_later_changes_of_the_same_lines_refuse_with_a_remedy(
    harness: Harness, deployment: Deployment, later: str
) -> None:
    text = (harness.repo.root / "a.py").read_text()
    harness.repo.commit({"a.py": text.replace(later, "rewritten\n")})
    before = Untouched.of(harness.repo)
    with pytest.raises(Refused) as refusal:
        harness.roll_back(deployment)
    assert deployment.id in refusal.value.message
    assert f"git revert {deployment.after[:10]}" in refusal.value.remedy
    assert Untouched.of(harness.repo) == before
    assert harness.ledger.entries(kind="RollbackIntent") == []


def test_a_rollback_refuses_if_the_file_was_deleted_later(harness: Harness, deployment: Deployment) -> None:
    harness.repo.sh("git", "rm", "--quiet", "a.py")
    harness.repo.sh("git", "commit", "--quiet", "--message", "gone")
    with pytest.raises(Refused):
        harness.roll_back(deployment)


def test_a_rollback_refuses_if_the_change_was_reverted_by_hand(harness: Harness, deployment: Deployment) -> None:
    harness.repo.sh("git", "revert", "--no-edit", "HEAD")
    with pytest.raises(Refused):
        harness.roll_back(deployment)
    assert reverts(harness) == 0


def test_a_change_can_be_deployed_and_rolled_back_twice(harness: Harness) -> None:
    for _ in range(2):
        deployment = harness.land(change_a)
        assert lines(harness)[4] == "line five"
        harness.roll_back(deployment)
        assert lines(harness)[4] == "line 5"
    assert reverts(harness) == 2


# ---- killed ---------------------------------------------------------------------------------------------------


class Died(BaseException):
    """Simulates the sudden death of the process."""


class DiesBefore(Merge):
    """Dies after the intent is recorded, before anything moves."""

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        raise Died


class DiesAfterTheRef(Merge):
    """Dies after the ref moved, before the checkout is updated."""

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        self._git.move_ref(ref, commit, head, "whet: rollback")
        raise Died


class DiesAfter(Merge):
    """Dies when all is done but the record."""

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        super().roll_back(ref, head, commit)
        raise Died


@pytest.mark.parametrize("dying", [DiesBefore, DiesAfterTheRef, DiesAfter])
def test_a_killed_rollback_is_finished_by_the_next_call(
    harness: Harness, deployment: Deployment, dying: type[Merge]
) -> None:
    killed: Mapping[str, Target] = {"merge": dying(harness.kit)}
    with pytest.raises(Died):
        harness.roll_back(deployment, "first", dict(killed))
    done = harness.roll_back(deployment, "second")
    assert done.after == harness.repo.head
    assert done.reason == ("second" if dying is DiesBefore else "first")  # what moved nothing is begun anew
    assert reverts(harness) == 1
    assert status(harness.repo) == ""
    assert lines(harness)[4] == "line 5"
    last = harness.ledger.latest("RollbackIntent")
    assert last is not None
    assert last.read(RollbackIntent).commit == done.after


def test_a_rollback_killed_twice_still_makes_one_revert(harness: Harness, deployment: Deployment) -> None:
    for dying in (DiesBefore, DiesBefore, DiesAfterTheRef, DiesAfter):
        with pytest.raises(Died):
            harness.roll_back(deployment, targets={"merge": dying(harness.kit)})
    harness.roll_back(deployment)
    assert reverts(harness) == 1
    assert status(harness.repo) == ""


def test_a_rollback_killed_before_the_ref_moved_starts_over_on_later_commits(
    harness: Harness, deployment: Deployment
) -> None:
    with pytest.raises(Died):
        harness.roll_back(deployment, "first", {"merge": DiesBefore(harness.kit)})
    later = harness.repo.commit({"b.py": "later\n"})
    done = harness.roll_back(deployment, "second")
    assert (done.before, done.reason) == (later, "second")
    assert (harness.repo.root / "b.py").read_text() == "later\n"
    assert reverts(harness) == 1


def test_a_branch_that_moves_during_a_rollback_is_not_touched(harness: Harness, deployment: Deployment) -> None:
    class MovesFirst(Merge):
        def roll_back(self, ref: str, head: str, commit: str) -> None:
            harness.repo.commit({"b.py": "theirs\n"})
            super().roll_back(ref, head, commit)

    with pytest.raises(BaseMoved):
        harness.roll_back(deployment, targets={"merge": MovesFirst(harness.kit)})
    assert reverts(harness) == 0
    harness.roll_back(deployment)
    assert reverts(harness) == 1
    assert (harness.repo.root / "b.py").read_text() == "theirs\n"


def test_an_intent_names_the_strategy_it_is_for(harness: Harness) -> None:
    merge, branch = (harness.prepare(change_a, strategy).intent for strategy in ("merge", "branch"))
    assert isinstance(merge, Intent)
    assert merge.id != branch.id


def test_an_unknown_strategy_is_an_error(harness: Harness, deployment: Deployment) -> None:
    with pytest.raises((WhetError, KeyError)):
        harness.roll_back(deployment, targets={"branch": harness.targets["branch"]})
    assert harness.repo.head == deployment.after
