"""Patches without scars: no redundant parentheses, no `not x is None`, no doubled spaces."""

import ast
import io
import re
import tokenize
from itertools import islice, pairwise
from pathlib import Path

import pytest

from whet.domain.place import Place
from whet.phases.propose.repair.candidate import Replacement, apply
from whet.phases.propose.repair.generate import candidates
from whet.phases.propose.repair.hints import Hints
from whet.phases.propose.repair.tidy import Chunk, Tidier

BUGS = sorted((Path(__file__).parents[4] / "bench" / "bugs").glob("*/wrong.py"))


def edited(source: str, *edits: tuple[str, str]) -> tuple[str, str]:
    """Return the source with the first occurrence of each old text replaced by the new one: untidied, and tidied."""
    replacements = []
    for old, new in edits:
        start = source.index(old, source.index(":\n"))
        replacements.append(Replacement(start, start + len(old), new))
    changed = apply(source, replacements)
    return changed, Tidier(source).tidy(replacements, Chunk(changed))


def body(statement: str) -> str:
    return f"def f(a, b, c, values, x):\n    {statement}\n"


# statement, old text, new text, tidied statement
REDUNDANT = [
    ("return sum(values) / (len(values) + 1)", "len(values) + 1", "len(values)", "return sum(values) / len(values)"),
    ("return (a + b) * c", "*", "+", "return a + b + c"),
    ("return a * ( b + 1 )", "b + 1", "b", "return a * b"),
    ("return not (a and b)", "a and b", "a", "return not a"),
    ("return not(a and b)", "a and b", "a", "return not a"),
    ("return(a or b)and c", "a or b", "a", "return a and c"),
    ("x = a", "a", "(a)", "x = a"),
    ("x = a", "a", "(a * b) + (c)", "x = a * b + c"),
    ("x = a", "a", "((a))", "x = a"),
    ("return [(v - a) / b for v in values]", "v - a", "abs(v - a)", "return [abs(v - a) / b for v in values]"),
    ("x = a if (b or c) else 0", "b or c", "b", "x = a if b else 0"),
    ("while (a or b) and c: x += 1", "a or b", "a", "while a and c: x += 1"),
    ("x = values[(a + 1) * 2]", "* 2", "- 2", "x = values[a + 1 - 2]"),
    ("x = 'é' + (a + b)", "a + b", "a", "x = 'é' + a"),
]


@pytest.mark.parametrize(("statement", "old", "new", "tidied"), REDUNDANT)
def test_parentheses_that_the_edit_made_redundant_are_dropped(statement: str, old: str, new: str, tidied: str) -> None:
    untidied, result = edited(body(statement), (old, new))
    assert result == body(tidied)
    assert ast.dump(ast.parse(result)) == ast.dump(ast.parse(untidied))


NEEDED = [
    ("return (a + b) / 2", "+", "-"),
    ("return a - (b + c)", "+", "-"),
    ("return -(a * b)", "*", "+"),
    ("return not (a and b)", "and", "or"),
    ("return (a, b)", "a", "c"),
    ("return f(a)", "a", "b"),
    ("return (a + b).real", "+", "-"),
    ("return f((x for x in values), a)", "a", "b"),
    ("return (lambda: a)()", "a", "b"),
    ("x = (yield a) + 1", "a", "b"),
    ("return (\n        a\n        + b\n    )", "+", "-"),
    ("return (  # why\n        a + 1\n    ) * b", "a + 1", "a"),
]


@pytest.mark.parametrize(("statement", "old", "new"), NEEDED)
def test_parentheses_that_matter_stay(statement: str, old: str, new: str) -> None:
    untidied, result = edited(body(statement), (old, new))
    assert result == untidied


OWN_STYLE = [
    ("return (a + b)", "+", "-"),
    ("if (a):\n        return b", "a", "c"),
    ("x = (a) + (b * c)", "*", "/"),
    ("assert (a == b)", "==", "!="),
    ("return (a)", "a", "b"),
    ("x = (a)  # (why)", "a", "b"),
]


@pytest.mark.parametrize(("statement", "old", "new"), OWN_STYLE)
def test_parentheses_that_were_redundant_before_the_edit_stay(statement: str, old: str, new: str) -> None:
    untidied, result = edited(body(statement), (old, new))
    assert result == untidied


def test_other_statements_keep_their_parentheses() -> None:
    source = "def f(a, b):\n    x = (a)\n    y = (b + 1) * a\n    return (x + y)\n"
    _, result = edited(source, ("b + 1", "b"))
    assert result == "def f(a, b):\n    x = (a)\n    y = b * a\n    return (x + y)\n"


@pytest.mark.parametrize(
    ("condition", "plain"),
    [
        ("not (x is None)", "x is not None"),
        ("not x is not None", "x is None"),
        ("not (x in values)", "x not in values"),
        ("not (x not in values)", "x in values"),
        ("not (a == b)", "a != b"),
        ("not ((a or b) == c)", "(a or b) != c"),
        ("c and not (x is None)", "c and x is not None"),
        ("not (a < b)", "not a < b"),
        ("not (a or b)", "not (a or b)"),
    ],
)
def test_a_negated_comparison_is_written_with_the_opposite_operator(condition: str, plain: str) -> None:
    _, result = edited(body("return a"), ("return a", f"return {condition}"))
    assert result == body(f"return {plain}")


def test_a_negated_comparison_of_the_file_itself_stays() -> None:
    source = "def f(a, b):\n    return not a is None and b > 1\n"
    assert edited(source, (">", ">="))[1] == "def f(a, b):\n    return not a is None and b >= 1\n"


def test_an_elif_and_a_method_are_tidied_too() -> None:
    source = "class C:\n    def f(self, a, b):\n        if a:\n            pass\n        elif b * (a + 1):\n            pass\n"
    start = source.index("    def f")
    chunk = source[start:]
    replacement = Replacement(chunk.index("a + 1"), chunk.index("a + 1") + 5, "a")
    assert "elif b * a:" in Tidier(chunk).tidy([replacement], Chunk(apply(chunk, [replacement])))


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("def mean(values):\n    return sum(values) / (len(values) + 1)\n", "return sum(values) / len(values)\n"),
        (
            "def f(xs):\n    for x in xs:\n        return x is None\n",
            "        if x is not None:\n            return False\n",
        ),
        ("def f(xs):\n    for x in xs:\n        return x > 1\n", "        if x <= 1:\n            return False\n"),
        ("def f(xs):\n    for x in xs:\n        return not x\n", "        if x:\n            return False\n"),
        ("def f(a, b):\n    return not (a is None and b)\n", "return a is not None\n"),
        ("def f(a, b):\n    return a== b\n", "return a in b\n"),
    ],
)
def test_candidates_are_tidy(source: str, fixed: str) -> None:
    places = [Place(path="m.py", line=line, function="f", suspicion=1.0, why="") for line in range(1, 5)]
    assert any(item.source.endswith(fixed) for item in candidates("m.py", source, places, Hints()))


@pytest.mark.parametrize("path", BUGS[::12], ids=lambda path: path.parent.name)
def test_no_candidate_of_a_real_source_has_scars(path: Path) -> None:
    source = path.read_text()
    places = [
        Place(path="m.py", line=line, function="", suspicion=1.0, why="") for line in range(1, source.count("\n") + 1)
    ]
    for candidate in islice(candidates("m.py", source, places, Hints(raises=("ValueError",))), 0, None, 9):
        assert doubled_spaces(candidate.source) <= doubled_spaces(source), candidate.summary
        assert redundant_pairs(candidate.source) <= redundant_pairs(source), candidate.summary
        assert candidate.source.count("not (") <= source.count("not (") or not re.search(
            r"not \([\w.]+ (is|in|==) [\w.]+\)", candidate.source
        )


def doubled_spaces(source: str) -> int:
    """Return how many tokens, other than comments, stand two or more spaces behind the one before on their line."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    return sum(
        left.end[0] == right.start[0] and right.start[1] - left.end[1] > 1
        for left, right in pairwise(tokens)
        if right.type not in (tokenize.COMMENT, tokenize.NEWLINE)
        and left.type not in (tokenize.INDENT, tokenize.DEDENT)
    )


def redundant_pairs(source: str) -> int:
    """Return how many pairs of parentheses can be taken out without a change of the AST, found token by token."""
    dump, count = ast.dump(ast.parse(source)), 0
    starts = [0, *(match.end() for match in re.finditer("\n", source))]
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        offset = starts[token.start[0] - 1] + token.start[1] if token.start[0] <= len(starts) else len(source)
        if token.string == "(":
            opened.append(offset)
        elif token.string == ")":
            left = opened.pop()
            if source[left - 1 : left].isalnum():
                continue
            without = f"{source[:left]} {source[left + 1 : offset]} {source[offset + 1 :]}"
            try:
                count += ast.dump(ast.parse(without)) == dump
            except SyntaxError:
                continue
    return count
