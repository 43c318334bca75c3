"""A fix becomes a rule: what stays, what becomes a metavariable, and what is no rule at all."""

import socket
import sys

import pytest

from whet.config import ProposePolicy
from whet.domain.fix_example import FixExample
from whet.domain.pattern import Rule
from whet.errors import EnvironmentProblem
from whet.knowledge.anti_unify import anti_unify
from whet.knowledge.examples import example_from
from whet.knowledge.generalise import specificity
from whet.knowledge.library import rule_of
from whet.knowledge.rewrite import applications
from whet.knowledge.similarity import similarity_of, trigram_similarity


def example(before: str, after: str) -> FixExample | None:
    return example_from(before, after, "shop.py", proposal="p-1", engine="repair")


def rule(before: str, after: str) -> Rule | None:
    found = example(before, after)
    return rule_of(found) if found else None


def function(body: str, parameters: str = "a, b, xs, d, k") -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"def f({parameters}):\n{lines}"


@pytest.mark.parametrize(
    ("before", "after", "search", "rewrite"),
    [
        ("return a + b", "return a - b", "$A + $B", "$A - $B"),
        ("return sum(xs) / len(xs)", "return sum(xs) / len(xs) if xs else 0", "sum($A) / len($A)", "sum($A) / len($A) if $A else 0"),
        ("return d[k]", "return d.get(k)", "$A[$B]", "$A.get($B)"),
        ("return d['a']", "return d.get('a', 0)", "$A[$B]", "$A.get($B, 0)"),
        ("return range(2, a)", "return range(2, a + 1)", "range($A, $B)", "range($A, $B + 1)"),
        ("return a.split(',')", "return a.split(',', 1)", "$A.split($B)", "$A.split($B, 1)"),
        ("return xs[0]", "if not xs:\n    return None\nreturn xs[0]", "return $A[$B]", "if not $A:\n    return None\nreturn $A[$B]"),
        ("return LIMIT - a", "return LIMIT + a", "LIMIT - $A", "LIMIT + $A"),
    ],
)  # fmt: skip
def test_variables_and_shared_literals_become_metavariables_and_the_rest_stays(
    before: str, after: str, search: str, rewrite: str
) -> None:
    assert rule(function(before), function(after)) == Rule(search, rewrite)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return a", "return b"),  # another variable: nothing says which one it would be elsewhere
        ("return a", "return a"),
        ("x = a + 1\ny = b * 2\nreturn x + y", "x = a - 1\ny = b / 2\nreturn x + y"),  # two places
        ("print(a)\nreturn a", "return a"),  # code that was only removed
        ("return (a", "return a"),  # not Python
    ],
)
def test_a_change_without_one_general_form_gives_no_rule(before: str, after: str) -> None:
    assert rule(function(before), function(after)) is None


def test_code_that_is_nested_too_deeply_gives_no_rule() -> None:
    deep = "x = " + "-" * 5000
    assert rule(f"{deep}1\n", f"{deep}2\n") is None
    assert list(applications(Rule("f($A)", "g($A)"), f"f(1)\n{deep}1\n")) == []


def test_two_fixes_with_other_names_have_the_same_rule() -> None:
    one = rule("def f(xs):\n    return xs[0] - 1\n", "def f(xs):\n    return xs[0] + 1\n")
    other = rule("def g(rows):\n    return rows[0] - 1\n", "def g(rows):\n    return rows[0] + 1\n")
    assert one == other is not None


def test_two_fixes_of_one_shape_are_anti_unified() -> None:
    left = example(function("return a.options[k]"), function("return a.options.get(k)"))
    right = example(function("return rows(b)[k]"), function("return rows(b).get(k)"))
    assert left and right
    assert anti_unify(left, right) == Rule("$A[$B]", "$A.get($B)")
    unrelated = example(function("return a + b"), function("return a - b"))
    assert unrelated
    assert anti_unify(left, unrelated) is None


def test_a_rewrite_keeps_its_meaning_with_parentheses_only_where_they_are_needed() -> None:
    guard = Rule("total($A)", "$A * 2")
    [hit] = applications(guard, "y = total(a + b)\n")
    assert hit.source == "y = (a + b) * 2\n"
    [hit] = applications(Rule("total($A)", "sum($A)"), "y = total(a + b)\n")
    assert hit.source == "y = sum(a + b)\n"


def test_code_that_was_rewritten_already_is_left_alone() -> None:
    found = rule(function("return xs[0]"), function("if not xs:\n    return None\nreturn xs[0]"))
    assert found
    assert list(applications(found, function("if not xs:\n    return None\n\nreturn xs[0]"))) == []
    [hit] = applications(found, "def g(rows):\n    if rows:\n        return rows[0]\n")
    assert (
        hit.source
        == "def g(rows):\n    if rows:\n        if not rows:\n            return None\n        return rows[0]\n"
    )


def test_a_rewrite_that_is_not_python_is_not_offered() -> None:
    assert list(applications(Rule("f($A)", "f($A"), "f(1)\n")) == []
    assert list(applications(Rule("", "x"), "f(1)\n")) == []


def test_names_and_literals_make_a_rule_specific() -> None:
    assert specificity(Rule("$A + $B", "$A - $B")) == 0
    assert specificity(Rule("return sum($A) / len($A)", "")) == 2


def test_similar_failures_differ_only_in_numbers_and_words() -> None:
    assert trigram_similarity("list index 3 out of range", "list index 17 out of range") == 1.0
    assert trigram_similarity("division by zero", "list index out of range") < 0.5
    assert trigram_similarity("", "division by zero") == 0.0


def test_embeddings_need_no_network_and_compare_in_the_same_range(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    similar = similarity_of(ProposePolicy(similarity="embeddings", similarity_threshold=0.7))
    assert similar("list index 3 out of range", "list index 17 out of range") >= 0.99
    assert similar("division by zero", "list index out of range") == 0.0, "below the threshold"
    assert similar("", "division by zero") == 0.0


def test_embeddings_without_their_package_are_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    with pytest.raises(EnvironmentProblem) as refused:
        similarity_of(ProposePolicy(similarity="embeddings"))
    assert "whet[embeddings]" in refused.value.remedy
