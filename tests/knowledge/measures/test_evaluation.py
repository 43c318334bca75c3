"""The scores of an evaluation are read from lines of JSON; what is missing or doubled is said."""

import json

import pytest

from whet.errors import EnvironmentProblem
from whet.knowledge.measures.evaluation import is_held_out, read_scores


def lines(*entries: object) -> str:
    return "\n".join(["loading", *map(json.dumps, entries), "{not json}", "done"])


def test_scores_are_read_and_other_lines_left_alone() -> None:
    scores = read_scores(
        "triage", lines({"case": "a", "score": 1}, {"case": "b", "score": 0.25, "got": "x"}, {"loss": 3})
    )
    assert (scores.by_case, scores.why_not_complete) == ({"a": 1.0, "b": 0.25}, "")


def test_a_case_without_a_score_makes_the_run_incomplete() -> None:
    scores = read_scores(
        "triage", lines({"case": "a", "score": 1}, {"case": "b", "score": None, "why": "no recorded answer"})
    )
    assert scores.why_not_complete == "1 of 2 cases have no score, such as b: no recorded answer"


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("nothing", "printed no scores"),
        (
            lines({"case": "a", "score": 1}, {"case": "a", "score": 0}),
            "twice",
        ),  # the text under test may print a line itself
        (lines({"case": "a", "score": "high"}), "'high'"),
        (lines({"case": "a", "score": True}), "True"),
        ('{"case": "a", "score": NaN}', "nan"),
        ('{"case": "a", "score": 1e308}', "1e.308"),
        (f'{{"case": "a", "score": {10**400}}}', "1000"),
    ],
)
def test_scores_that_cannot_be_trusted_are_refused(output: str, words: str) -> None:
    with pytest.raises(EnvironmentProblem, match=words):
        read_scores("triage", output)


def test_about_half_of_the_cases_are_held_out_and_always_the_same_ones() -> None:
    names = [f"case {number}" for number in range(400)]
    held = list(filter(is_held_out, names))
    assert 160 < len(held) < 240
    assert held == list(filter(is_held_out, names))
