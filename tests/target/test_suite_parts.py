"""Parts of a suite: how it is divided, and how the reports are put together."""

from dataclasses import replace

import pytest

from whet.domain.suite import Outcome, SuiteReport
from whet.target.suite_parts import divide_suite, join_parts

P, F, E = Outcome.PASSED, Outcome.FAILED, Outcome.ERROR
FILES = {"a.py": 8.0, "b.py": 3.0, "c.py": 3.0, "d.py": 2.0}


def base(seconds: float = 20.0, files: dict[str, float] | None = None) -> SuiteReport:
    return SuiteReport(tree="t", outcomes={}, seconds=seconds, complete=True, file_seconds=files or FILES)


def report(outcomes: dict[str, Outcome], **fields: object) -> SuiteReport:
    return replace(SuiteReport(tree="t", outcomes=outcomes, seconds=1.0, complete=True), **fields)  # type: ignore[arg-type]


def test_the_time_of_the_tests_is_divided() -> None:
    assert divide_suite(base(), 2) == [{"skip": ["b.py", "c.py", "d.py"]}, {"keep": ["b.py", "c.py", "d.py"]}]


@pytest.mark.parametrize(
    ("seconds", "files", "most"),
    [
        (20.0, FILES, 1),
        (7.0, FILES, 2),
        (20.0, {"a.py": 8.0, "b.py": 8.0}, 2),
        (20.0, {"a.py": 17.0, "b.py": 1.0, "c.py": 1.0, "d.py": 1.0}, 2),
        (20.0, {"a.py": 1.0, "b.py": 1.0, "c.py": 1.0, "d.py": 1.0}, 2),
    ],
    ids=["one at a time", "a short suite", "few files", "one long file", "most of the time is collecting"],
)
def test_a_suite_that_would_gain_little_stays_in_one_piece(seconds: float, files: dict[str, float], most: int) -> None:
    assert divide_suite(base(seconds, files), most) == []


def test_parts_make_one_report() -> None:
    joined = join_parts(
        [
            report({"a::x": P, "p::planted": F, "broken.py": E}, looks={"json": "1", "a.py": "2"}, seconds=3.0),
            report({"b::x": F, "p::planted": F, "broken.py": E}, looks={"json": "1", "a.py": "2"}, exit_code=1),
        ],
        {"p"},
    )
    assert joined.outcomes == {"a::x": P, "p::planted": F, "broken.py": E, "b::x": F}
    assert (joined.complete, joined.seconds, joined.exit_code) == (True, 3.0, 1)
    assert joined.looks == {"json": "1", "a.py": "2"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (report({"a::x": P}), report({"a::x": P})),
        (report({"p::planted": F}), report({"p::planted": P})),
        (report({"broken.py": E}), report({"broken.py": P})),
        (report({"a::x": P}), report({}, complete=False, problem="died")),
    ],
    ids=["a test in two parts", "planted tests differ", "collection differs", "one part died"],
)
def test_parts_that_do_not_fit_together_are_no_run(first: SuiteReport, second: SuiteReport) -> None:
    joined = join_parts([first, second], {"p"})
    assert not joined.complete
    assert joined.problem


def test_a_library_that_only_one_part_changes_counts_as_changed() -> None:
    joined = join_parts([report({}, looks={"json": "1"}), report({}, looks={"json": "2"})], ())
    assert joined.looks["json"] not in ("1", "2")
