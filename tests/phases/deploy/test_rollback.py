"""Taking a deployment back: a revert with the reason, that keeps what came later, once, whatever dies in between."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.phases.deploy.yard import MAIN, PROPOSAL, Untouched, Yard, status
from whet.domain.deployment import Deployment, Intent, RollbackIntent
from whet.errors import BaseMoved, Refused, WhetError
from whet.phases.deploy import Target
from whet.phases.deploy.merge import Merge


def change_a(root: Path) -> None:
    path = root / "a.py"
    path.write_text(path.read_text().replace("line 5\n", "line five\n"))


@pytest.fixture
def deployment(yard: Yard) -> Deployment:
    return yard.land(change_a)


def lines(yard: Yard) -> list[str]:
    return (yard.repo.root / "a.py").read_text().splitlines()


def reverts(yard: Yard) -> int:
    return int(yard.repo.sh("git", "rev-list", "--count", "--grep=^Whet-Rollback:", MAIN))


def test_a_rollback_is_a_revert_with_the_reason(yard: Yard, deployment: Deployment) -> None:
    done = yard.roll_back(deployment, "latency doubled")
    text = yard.repo.sh("git", "log", "-1", "--format=%B", MAIN)
    assert text.startswith('Revert "Mend it"\n')
    assert f"This rolls back {deployment.after}: latency doubled" in text
    commit = yard.git.log(MAIN, limit=1)[0]
    assert commit.id == done.after
    assert commit.trailers["Whet-Rollback"] == deployment.id
    assert commit.trailers["Whet-Proposal"] == PROPOSAL
    assert commit.trailers["Whet-Ledger"]
    assert yard.repo.sh("git", "rev-parse", f"{done.after}^") == deployment.after
    assert yard.git.tree_of(done.after) == yard.git.tree_of(deployment.before)
    assert (done.before, done.reason, done.actor) == (deployment.after, "latency doubled", "tester")
    assert status(yard.repo) == ""


def test_later_commits_on_other_lines_and_files_are_kept(yard: Yard, deployment: Deployment) -> None:
    text = (yard.repo.root / "a.py").read_text()
    yard.repo.commit({"a.py": text.replace("line 1\n", "line one\n"), "b.py": "later\n", "c.py": "new\n"})
    (yard.repo.root / "b.py").chmod(0o755)
    yard.repo.commit({"d.py": "d\n"})
    yard.roll_back(deployment)
    assert lines(yard)[0] == "line one"
    assert lines(yard)[4] == "line 5"
    assert (yard.repo.root / "b.py").read_text() == "later\n"
    assert (yard.repo.root / "b.py").stat().st_mode & 0o100
    assert (yard.repo.root / "c.py").exists()
    assert status(yard.repo) == ""


def test_lines_that_moved_are_found(yard: Yard, deployment: Deployment) -> None:
    text = (yard.repo.root / "a.py").read_text()
    yard.repo.commit({"a.py": "".join(f"before {n}\n" for n in range(40)) + text})
    yard.roll_back(deployment)
    assert lines(yard)[44] == "line 5"
    assert len(lines(yard)) == 50


@pytest.mark.parametrize("later", ["line five\n", "line 4\n", "line 6\n"], ids=["the line", "just above", "just below"])
def test_later_changes_of_the_same_lines_refuse_with_a_way_out(yard: Yard, deployment: Deployment, later: str) -> None:
    text = (yard.repo.root / "a.py").read_text()
    yard.repo.commit({"a.py": text.replace(later, "rewritten\n")})
    before = Untouched.of(yard.repo)
    with pytest.raises(Refused) as refusal:
        yard.roll_back(deployment)
    assert deployment.id in refusal.value.message
    assert f"git revert {deployment.after[:10]}" in refusal.value.remedy
    assert Untouched.of(yard.repo) == before
    assert yard.ledger.entries(kind="RollbackIntent") == []


def test_a_file_that_was_deleted_later_refuses(yard: Yard, deployment: Deployment) -> None:
    yard.repo.sh("git", "rm", "--quiet", "a.py")
    yard.repo.sh("git", "commit", "--quiet", "--message", "gone")
    with pytest.raises(Refused):
        yard.roll_back(deployment)


def test_a_change_that_was_reverted_by_hand_refuses(yard: Yard, deployment: Deployment) -> None:
    yard.repo.sh("git", "revert", "--no-edit", "HEAD")
    with pytest.raises(Refused):
        yard.roll_back(deployment)
    assert reverts(yard) == 0


def test_a_deployment_can_be_taken_back_and_made_again_and_taken_back_again(yard: Yard) -> None:
    for _ in range(2):
        deployment = yard.land(change_a)
        assert lines(yard)[4] == "line five"
        yard.roll_back(deployment)
        assert lines(yard)[4] == "line 5"
    assert reverts(yard) == 2


# ---- killed ---------------------------------------------------------------------------------------------------


class Died(BaseException):
    """The power went."""


class DiesBefore(Merge):
    """The intent is recorded; nothing moved."""

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        raise Died


class DiesAfterTheRef(Merge):
    """The ref moved; the checkout did not follow."""

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        self._git.move_ref(ref, commit, head, "whet: rollback")
        raise Died


class DiesAfter(Merge):
    """All is done but recorded."""

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        super().roll_back(ref, head, commit)
        raise Died


@pytest.mark.parametrize("dying", [DiesBefore, DiesAfterTheRef, DiesAfter])
def test_a_rollback_that_was_killed_is_finished_by_the_next_call(
    yard: Yard, deployment: Deployment, dying: type[Merge]
) -> None:
    killed: Mapping[str, Target] = {"merge": dying(yard.kit)}
    with pytest.raises(Died):
        yard.roll_back(deployment, "first", dict(killed))
    done = yard.roll_back(deployment, "second")
    assert done.after == yard.repo.head
    assert done.reason == ("second" if dying is DiesBefore else "first")  # what moved nothing is begun anew
    assert reverts(yard) == 1
    assert status(yard.repo) == ""
    assert lines(yard)[4] == "line 5"
    last = yard.ledger.latest("RollbackIntent")
    assert last is not None
    assert last.read(RollbackIntent).commit == done.after


def test_a_rollback_killed_twice_still_makes_one_revert(yard: Yard, deployment: Deployment) -> None:
    for dying in (DiesBefore, DiesBefore, DiesAfterTheRef, DiesAfter):
        with pytest.raises(Died):
            yard.roll_back(deployment, targets={"merge": dying(yard.kit)})
    yard.roll_back(deployment)
    assert reverts(yard) == 1
    assert status(yard.repo) == ""


def test_a_rollback_killed_before_it_moved_starts_anew_on_later_commits(yard: Yard, deployment: Deployment) -> None:
    with pytest.raises(Died):
        yard.roll_back(deployment, "first", {"merge": DiesBefore(yard.kit)})
    later = yard.repo.commit({"b.py": "later\n"})
    done = yard.roll_back(deployment, "second")
    assert (done.before, done.reason) == (later, "second")
    assert (yard.repo.root / "b.py").read_text() == "later\n"
    assert reverts(yard) == 1


def test_a_branch_that_moves_under_a_rollback_is_left_alone(yard: Yard, deployment: Deployment) -> None:
    class MovesFirst(Merge):
        def roll_back(self, ref: str, head: str, commit: str) -> None:
            yard.repo.commit({"b.py": "theirs\n"})
            super().roll_back(ref, head, commit)

    with pytest.raises(BaseMoved):
        yard.roll_back(deployment, targets={"merge": MovesFirst(yard.kit)})
    assert reverts(yard) == 0
    yard.roll_back(deployment)
    assert reverts(yard) == 1
    assert (yard.repo.root / "b.py").read_text() == "theirs\n"


def test_an_intent_names_the_strategy_it_is_for(yard: Yard) -> None:
    merge, branch = (yard.prepare(change_a, strategy).intent for strategy in ("merge", "branch"))
    assert isinstance(merge, Intent)
    assert merge.id != branch.id


def test_a_strategy_nobody_serves_is_an_error(yard: Yard, deployment: Deployment) -> None:
    with pytest.raises((WhetError, KeyError)):
        yard.roll_back(deployment, targets={"branch": yard.targets["branch"]})
    assert yard.repo.head == deployment.after
