"""Runs of a model's test: it must fail as stated in each of them."""

from dataclasses import dataclass, field
from typing import cast

import pytest

from whet.cases.from_review import StatedTest
from whet.domain.category import Category
from whet.domain.file_review import ReviewedDefect
from whet.domain.regression import Regression
from whet.domain.suite import Failure, Outcome, SuiteReport
from whet.kit import Kit
from whet.phases.observe.review.writing import failing_as_stated

PATH = "tests/test_whet_1.py"
TEST = f"{PATH}::test_x"
STATED = StatedTest(Regression(path=PATH, text="", red=(TEST,)), "AssertionError", "nothing costs nothing")
DEFECT = ReviewedDefect(
    path="shop.py", line=1, function="total", category=Category.BUG_FIX, reason="wrong", model="openai:m"
)
RED, GREEN, SKIPPED = Outcome.FAILED, Outcome.PASSED, Outcome.SKIPPED


@dataclass
class Runs:
    """A kit whose suite gives these outcomes one after the other; an outcome of None is a run that broke off."""

    outcomes: list[Outcome | None]
    ran: list[str] = field(default_factory=list)

    @property
    def git(self) -> "Runs":
        return self

    @property
    def suite(self) -> "Runs":
        return self

    def with_files(self, tree: str, files: dict[str, bytes]) -> str:
        return f"{tree} with {next(iter(files))}"

    def run(self, tree: str, ids: tuple[str, ...]) -> SuiteReport:
        self.ran.append(tree)
        outcome = self.outcomes.pop(0)
        failure = Failure(exception="AssertionError", message="nothing costs nothing", frames=(), text="")
        return SuiteReport(
            tree=tree,
            outcomes={ids[0]: outcome} if outcome else {},
            seconds=0.1,
            complete=outcome is not None,
            problem="" if outcome else "was ended after 60 s",
            failures={ids[0]: failure} if outcome is RED else {},
        )


@pytest.mark.parametrize(
    ("outcomes", "why"),
    [
        ([RED, RED, RED], ""),
        ([GREEN], "it passes: the program does what it expects"),
        ([RED, GREEN], "it fails only in some of 3 runs: it passes"),
        ([RED, RED, GREEN], "it fails only in some of 3 runs: it passes"),
        ([SKIPPED], "it is skipped"),
        ([None], "the test run was ended after 60 s"),
    ],
)
def test_a_test_shows_a_defect_only_if_it_fails_in_every_run(outcomes: list[Outcome | None], why: str) -> None:
    runs = Runs(list(outcomes))
    said, failure = failing_as_stated(STATED, DEFECT, "base", cast("Kit", runs))
    assert said.startswith(why) and bool(said) == bool(why)
    assert len(runs.ran) == len(outcomes)
    assert runs.ran[0] == f"base with {PATH}"
    assert (failure is not None) == (outcomes[-1] is RED)
