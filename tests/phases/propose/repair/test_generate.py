import ast
from itertools import islice
from pathlib import Path

import pytest

from whet.domain.place import Place
from whet.phases.propose.repair import generate
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.generate import candidates
from whet.phases.propose.repair.hints import Hints

SOURCE = '''\
"""A module."""
import math

LIMIT = 10  # the most


class Cart:
    def __init__(self, items=None):
        self.items = items or []

    def total(self, rate: float = 0.1) -> float:
        """The sum."""
        total = 0
        for item in self.items:
            if item.price > LIMIT and not item.free:
                total += item.price * (1 + rate)
            elif item.price in (1, 2): total += 1; total -= 0
        return f"{total:.2f} of {len(self.items) - 1}"
'''


def everywhere(source: str, suspicion: float = 1.0) -> list[Place]:
    lines = range(1, source.count("\n") + 2)
    return [Place(path="m.py", line=line, function="", suspicion=suspicion, why="") for line in lines]


def offered(source: str, hints: Hints | None = None) -> list[Candidate]:
    return list(candidates("m.py", source, everywhere(source), hints or Hints()))


def test_every_candidate_parses_differs_and_comes_once() -> None:
    found = offered(SOURCE)
    assert len(found) > 300
    for candidate in found:
        ast.parse(candidate.source)
        assert candidate.source != SOURCE
    assert len({candidate.source for candidate in found}) == len(found)


def test_expressions_over_several_lines_are_edited() -> None:
    source = (
        "def f(a, b):\n    return a * (\n        int(b)\n            + int(a)\n            + (1 if a else 0)\n    )\n"
    )
    found = offered(source)
    assert found
    for candidate in found:
        ast.parse(candidate.source)


def test_candidates_of_a_large_real_source_parse() -> None:
    source = Path(generate.__file__).read_text()
    taken = list(islice(candidates("m.py", source, everywhere(source), Hints()), 0, 2500, 25))
    assert len(taken) == 100
    for candidate in taken:
        ast.parse(candidate.source)


def test_candidates_come_best_first() -> None:
    ranks = [candidate.rank for candidate in offered(SOURCE)]
    assert ranks == sorted(ranks, reverse=True)


def test_the_more_suspicious_line_comes_first() -> None:
    source = "def f(a, b):\n    c = a < b\n    return c < b\n"
    places = [
        Place(path="m.py", line=2, function="f", suspicion=0.2, why=""),
        Place(path="m.py", line=3, function="f", suspicion=0.9, why=""),
    ]
    assert next(candidates("m.py", source, places, Hints())).line == 3


def test_a_division_by_zero_brings_guards_to_the_front() -> None:
    source = "def f(a, b):\n    return a / b\n"
    hinted = offered(source, Hints(exceptions=("ZeroDivisionError",)))
    assert {candidate.template for candidate in hinted[:3]} & {"guard", "optional"}
    assert offered(source)[0].template not in ("guard", "optional")


def test_a_literal_of_the_test_ranks_below_one_of_the_code() -> None:
    source = "def f(a):\n    b = 7\n    return a + 3\n"
    found = [c for c in offered(source, Hints(expected=("99",))) if c.line == 3 and c.template == "constant"]
    place = {candidate.source.splitlines()[2].strip(): candidate for candidate in found}
    assert place["return a + 7"].naturalness > place["return a + 99"].naturalness


def test_lines_without_suspicion_are_not_edited() -> None:
    place = Place(path="m.py", line=3, function="f", suspicion=1.0, why="")
    source = "def f(a):\n    b = a + 1\n    return b\n\n\ndef g(a):\n    return a\n"
    for candidate in candidates("m.py", source, [place], Hints()):
        assert "    b = a + 1\n" in candidate.source
        assert candidate.source.endswith("def g(a):\n    return a\n")


def test_docstrings_and_annotations_are_not_edited() -> None:
    for candidate in offered(SOURCE):
        assert '"""The sum."""' in candidate.source
        assert "rate: float" in candidate.source


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("def f(a):\r\n    return a > 1\r\n", "def f(a):\r\n    return a >= 1\r\n"),
        ("def f(a):\n\tif a:\n\t\treturn a > 1\n", "def f(a):\n\tif a:\n\t\treturn a >= 1\n"),
        ("def f(ä):\n    return 'né' + ä > 'ü'\n", "def f(ä):\n    return 'né' + ä >= 'ü'\n"),
        ("\ufeffdef f(a): return a > 1\n", "\ufeffdef f(a): return a >= 1\n"),
        ("def f(a):\n    return a > 1", "def f(a):\n    return a >= 1"),
        ("def f(a):\n    x = '\x0c'\n    return a > 1\n", "def f(a):\n    x = '\x0c'\n    return a >= 1\n"),
    ],
    ids=["CRLF", "tabs", "unicode", "byte order mark", "no final newline", "form feed"],
)
def test_unusual_sources_are_edited_at_the_right_spot(source: str, fixed: str) -> None:
    assert fixed in {candidate.source for candidate in offered(source)}


def test_inserted_lines_use_the_indentation_and_newlines_of_the_file() -> None:
    source = "def f(a):\r\n\treturn a.b\r\n"
    hints = Hints(exceptions=("AttributeError",), messages=("'NoneType' object",))
    guards = [candidate for candidate in offered(source, hints) if candidate.template == "guard"]
    assert "def f(a):\r\n\tif a is None:\r\n\t\treturn None\r\n\treturn a.b\r\n" in {c.source for c in guards}


def test_a_source_that_does_not_parse_gives_nothing() -> None:
    assert offered("def f(:\n") == []


SLOW = {
    "def f(a, b=1):\n    return a * b\n": ("b=2", 0.4),
    "RATE = 1\n\n\ndef f(a):\n    return a * RATE\n": ("RATE = 2", 0.4),
    "def f(a):\n    b = 1\n    return a * b\n": ("b = 2", 1.0),
    "def f(a):\n    return a * 2\n": ("if isinstance(a, str)", 1.0),
    "def f(a):\n    def g(b=1):\n        return a * b\n    return g()\n": ("b=2", 1.0),
}


@pytest.mark.parametrize("source", SLOW)
def test_an_edit_that_needs_a_new_import_of_the_project_is_tried_later(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The position of the edit counts, not the node that the template looks at."""
    text, share = SLOW[source]

    def rank() -> float:
        return next(candidate.rank for candidate in offered(source) if text in candidate.source)

    now = rank()
    monkeypatch.setattr(generate, "_SLOW", 1.0)
    assert now == pytest.approx(share * rank())


@pytest.mark.parametrize("pointless", ["n - 0", "n + 0", "n * 1", "n // 1", "n ** 1"])
def test_an_operation_without_effect_is_not_offered(pointless: str) -> None:
    source = f"def f(n):\n    return {pointless.replace('0', '3').replace('1', '3')}\n"
    assert not [item for item in offered(source) if f"return {pointless}\n" in item.source]


def test_conditions_and_tables_before_a_suspicious_line_are_suspicious_too() -> None:
    source = (
        "def f(x):\n    kinds = ('a', 'b')\n    other = ('d', 'e')\n    if x in kinds:\n        return True\n"
        "    elif x == 'c':\n        return True\n    else:\n        return False\n"
    )
    places = [Place(path="m.py", line=9, function="f", suspicion=1.0, why="")]
    ranks: dict[int, float] = {}
    for item in candidates("m.py", source, places, Hints(constants=("'z'",))):
        ranks[item.line] = max(item.rank, ranks.get(item.line, 0.0))
    assert {2, 4, 6, 9} <= ranks.keys()
    assert 3 not in ranks
    assert ranks[9] > ranks[6] > ranks[2]
