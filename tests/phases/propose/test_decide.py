"""A person's decision becomes a test, and the test chooses the patch."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support import MakeRepo, Repo
from whet.domain.approval import Ruling, Vote, Voter
from whet.domain.build import Build
from whet.domain.clock import now
from whet.domain.patch import Patch
from whet.domain.proof import Assurance, OsProof
from whet.domain.regression import Regression
from whet.domain.undecided_call import PossibleAnswer, UndecidedCall
from whet.phases.propose.decide import decide

SOURCE = "def key(name):\n    return name.lower()\n"
TEST = "tests/test_whet_%s.py"


class FakeSuite:
    """Runs nothing; the tests in `passed` pass."""

    def __init__(self) -> None:
        self.passed: set[str] = set()

    def run(self, tree: str, ids: tuple[str, ...]) -> Any:
        return SimpleNamespace(passed=self.passed & set(ids) if tree else set())


class Disputed:
    """A repository with three patches: two answer the call differently, the answer of the third is not known."""

    def __init__(self, repo: Repo) -> None:
        self.git, self.suite = repo.git, FakeSuite()
        policy = SimpleNamespace(tests=SimpleNamespace(runner="pytest"))
        self.kit: Any = SimpleNamespace(
            git=self.git, suite=self.suite, policy=policy, is_test=lambda path: path.startswith("tests/")
        )
        first, second, third = (self._patch(repo.head, body) for body in ("str(name)", "(name or '')", "name or 'x'"))
        self.patches = (first, second, third)
        answers = (
            PossibleAnswer(text="'none'", patches=(first.digest,)), PossibleAnswer(text="''", patches=(second.digest,)),
        )  # fmt: skip
        self.call = UndecidedCall(call="key(None)", function="key", path="customers.py", answers=answers)
        self.build = Build(
            patch=first,
            rivals=(second, third),
            note="found",
            disputed=(self.call,),
            made_by={second.digest: "guard", first.digest: "coercion"},
        )
        self.searched: list[tuple[Regression, ...]] = []
        self.found = Build(patch=None, note="9 edits tried")

    def _patch(self, base: str, name: str) -> Patch:
        source = SOURCE.replace("name.lower", f"{name}.lower")
        tree = self.git.with_files(self.git.tree_of(base), {"customers.py": source.encode()})
        return self.git.patch(base, tree, f"Use {name}")

    def ruling(self, answer: str) -> Ruling:
        vote = Vote(statement="", proof=OsProof(uid=1, user="ann"), via="test", at=now())
        call = self.call
        return Ruling(
            undecided=call.id, call=call.call, function=call.function, path=call.path, answer=answer, vote=vote,
            voter=Voter(who="ann", assurance=Assurance.OS),
        )  # fmt: skip

    def search(self, decided: tuple[Regression, ...]) -> Build:
        self.searched.append(decided)
        return self.found

    def decide(self, answer: str) -> Build:
        return decide(self.build, self.ruling(answer), self.search, self.kit)

    @property
    def test(self) -> str:
        return TEST % self.call.id.removeprefix("q-")


@pytest.fixture
def disputed(make_repo: MakeRepo) -> Disputed:
    return Disputed(make_repo({"customers.py": SOURCE, "tests/test_a.py": ""}))


def test_the_patch_that_agrees_is_chosen_and_brings_the_test(disputed: Disputed) -> None:
    built = disputed.decide('""')
    assert built.patch
    assert (built.patch.summary, built.patch.paths) == ("Use (name or '')", ("customers.py", disputed.test))
    assert "assert key(None) == " in built.patch.diff
    assert built.trusted_tests == (disputed.test,)
    assert [test.red for test in built.decided] == [(f"{disputed.test}::test_key_decided_{disputed.call.id[2:]}",)]
    assert built.made_by == {built.patch.digest: "guard"}
    assert (disputed.searched, built.undecided) == ([], None)


def test_patches_whose_answer_is_not_known_come_after_those_that_agree(disputed: Disputed) -> None:
    assert [patch.summary for patch in disputed.decide("''").patches] == ["Use (name or '')", "Use name or 'x'"]


def test_a_test_that_the_base_passes_is_held_and_no_target(disputed: Disputed) -> None:
    disputed.suite.passed = {f"{disputed.test}::test_key_decided_{disputed.call.id[2:]}"}
    (test,) = disputed.decide("''").decided
    assert (test.red, test.held) == ((), tuple(disputed.suite.passed))


def test_an_answer_that_no_patch_gives_is_searched_for_with_the_test(disputed: Disputed) -> None:
    disputed.found = replace(disputed.build, trusted_tests=("tests/test_own.py",))
    built = disputed.decide("raise ValueError")
    ((test,),) = disputed.searched
    assert "with pytest.raises(ValueError):" in test.text
    assert (built.decided, built.trusted_tests) == ((test,), ("tests/test_own.py", disputed.test))


def test_a_search_without_a_result_ends_with_a_sentence(disputed: Disputed) -> None:
    built = disputed.decide("7")
    assert (built.patch, built.note) == (None, "no patch was found with which key(None) should be 7: 9 edits tried")


def test_a_second_decision_keeps_the_test_of_the_first(disputed: Disputed) -> None:
    earlier = Regression(path="tests/test_first.py", text="", red=("tests/test_first.py::test_it",))
    disputed.build = replace(disputed.build, decided=(earlier,), trusted_tests=(earlier.path,))
    assert disputed.decide("''").trusted_tests == (earlier.path, disputed.test)
    disputed.decide("7")
    assert disputed.searched[0][0] == earlier


def test_a_decision_of_another_call_changes_nothing(disputed: Disputed) -> None:
    other = replace(disputed.ruling("''"), undecided="q-00000000")
    assert decide(disputed.build, other, disputed.search, disputed.kit) == disputed.build
