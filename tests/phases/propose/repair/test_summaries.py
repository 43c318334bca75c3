"""The summary of a candidate, which becomes the subject of its commit."""

import pytest

from whet.domain.place import Place
from whet.phases.propose.repair.candidate import SUBJECT_WIDTH, Candidate, say
from whet.phases.propose.repair.generate import candidates, pairs
from whet.phases.propose.repair.hints import Hints

NO_HINTS = Hints()


def offered(source: str, hints: Hints = NO_HINTS) -> list[Candidate]:
    lines = range(1, source.count("\n") + 1)
    places = [Place(path="stats.py", line=line, function="", suspicion=1.0, why="") for line in lines]
    return list(candidates("stats.py", source, places, hints))


MEAN = "def mean(values):\n    return sum(values) / len(values)\n"
ROWS = [
    ("def clamp(x, n):\n    return x < n\n", "x <= n", "Use <= instead of < in clamp()", NO_HINTS),
    (MEAN, "if not values:\n        return 0\n", "Return 0 in mean() when values is empty", NO_HINTS),
    ("def lookup(d, k):\n    return d[k]\n", "except KeyError:\n        return None", "Catch KeyError in lookup() and return None", Hints(exceptions=("KeyError",))),
    ("def lookup(d, k):\n    d.pop(k)\n", "d.pop(k, None)", "Use None as the default of pop() in lookup()", NO_HINTS),
    ("def power(a, b):\n    return pow(b, a)\n", "pow(a, b)", "Swap b and a in power()", NO_HINTS),
    ("def last(xs):\n    return xs[0]\n", "xs[-1]", "Use -1 instead of 0 in last()", NO_HINTS),
    ("RATE = 2\n\n\ndef f(a):\n    return a * RATE\n", "RATE = 3", "Use 3 instead of 2 in stats.py", NO_HINTS),
    ("def f(a=[]):\n    return a\n", "a=None", "Give each call its own default for a in f()", NO_HINTS),
    ("def check(a):\n    return a\n", "raise ValueError('a must not be negative')", "Raise ValueError in check() when a is negative", Hints(raises=("ValueError",))),
    ("class C:\n    def area(self, a, b):\n        return a + b\n", "a * b", "Use * instead of + in area()", NO_HINTS),
]  # fmt: skip


@pytest.mark.parametrize(("source", "text", "summary", "hints"), ROWS, ids=[row[2] for row in ROWS])
def test_the_summary_says_what_the_edit_does_and_where(source: str, text: str, summary: str, hints: Hints) -> None:
    assert summary in {item.summary for item in offered(source, hints) if text in item.source}


def test_summaries_fit_a_commit_subject_and_begin_with_a_verb() -> None:
    source = (
        "def sum_of_numbers(numbers, minimum=0):\n    result = 0\n"
        "    for number in sorted(numbers, key=lambda number: (number % 7, number), reverse=True):\n"
        "        if number is not None and number > minimum and not isinstance(number, (str, bytes)):\n"
        "            result += number if number in numbers else len('a literal that is rather long')\n"
        "    return round(result / len(numbers), 2)\n"
    )
    hints = Hints(exceptions=("KeyError", "TypeError"), actual=("'a b'",), expected=("'a literal'",))
    for item in offered(source, hints):
        assert len(item.summary) <= SUBJECT_WIDTH, item.summary
        assert item.summary[0].isupper()
        assert "\n" not in item.summary
        assert "in sum_of_numbers()" in item.summary


def test_a_combination_names_its_function_once() -> None:
    source = "def f(a, b):\n    c = a < b\n    return c + 1\n"
    places = [Place(path="m.py", line=line, function="f", suspicion=1.0, why="") for line in (2, 3)]
    summaries = [item.summary for item in pairs("m.py", source, places, NO_HINTS)]
    assert "Use <= instead of < in f(); use c instead of `c + 1`" in summaries
    assert all(len(summary) <= SUBJECT_WIDTH for summary in summaries)


def test_the_same_edit_in_two_functions_is_one_sentence() -> None:
    source = "def f(a, b):\n    return a < b\n\n\ndef g(a, b):\n    return a < b\n"
    places = [Place(path="m.py", line=line, function="f", suspicion=1.0, why="") for line in (2, 6)]
    assert "Use <= instead of < in f() and g()" in {item.summary for item in pairs("m.py", source, places, NO_HINTS)}


def test_long_code_is_cut_and_code_with_spaces_is_quoted() -> None:
    summary = say("Use {} instead of {}", "n", "first_long_name + second_long_name * third_long_name - fourth")
    assert summary.render("f()") == "Use n instead of `first_long_name + second_long_name *...` in f()"
    assert say("Add {} {here} earlier", "seen.add(\n    x)").render("f()") == "Add `seen.add( x)` in f() earlier"
    assert say("Add {} {here} earlier", "x").render() == "Add x earlier"
