"""The names that statements bind, read and need."""

import ast

import pytest

from whet.pyast.bindings import (
    assigned_texts,
    assigned_values,
    bound_names,
    first_bound_lines,
    free_names,
    is_literal,
    read_names,
)
from whet.pyast.functions import Function, defaults, docstrings, functions, own_returns, parameters


def statement(text: str) -> ast.stmt:
    return ast.parse(text).body[0]


def function(text: str) -> Function:
    node = statement(text)
    assert isinstance(node, Function)
    return node


@pytest.mark.parametrize(
    ("text", "bound", "free"),
    [
        ("a = b", {"a"}, {"b"}),
        ("a, (b, *c) = d", {"a", "b", "c"}, {"d"}),
        ("a.b = c", set(), {"a", "c"}),
        ("import a.b, c as d", {"a", "d"}, set()),
        ("from a import b", {"b"}, set()),
        ("def f(a, b=c):\n    d = a\n    return e", {"f"}, {"c", "e"}),
        ("class A(B):\n    c = 1", {"A"}, {"B"}),
        ("try:\n    a = 1\nexcept B as c:\n    pass", {"a", "c"}, {"B"}),
        ("for a in b:\n    c = [d for d in a]", {"a", "c", "d"}, {"b"}),
        ("x = lambda y: y + z", {"x", "y"}, {"z"}),
        ("if (a := b):\n    def f():\n        pass", {"a", "f"}, {"b"}),
    ],
)
def test_a_statement_binds_and_needs_names(text: str, bound: set[str], free: set[str]) -> None:
    assert bound_names(statement(text)) == bound
    assert free_names(statement(text)) == free


def test_read_names_are_those_that_are_loaded() -> None:
    assert read_names([statement("a = b + c.d"), statement("e[f] = 1")]) == {"b", "c", "e", "f"}


def test_assigned_values_are_kept_by_the_last_part_of_the_target() -> None:
    values = assigned_values(ast.parse("a = b = 1\nx.b = 2\nc: int = 3\nd: int\nif (e := 4):\n    pass\n"))
    assert {name: [ast.unparse(value) for value in found] for name, found in values.items()} == {
        "a": ["1"],
        "b": ["1", "2"],
        "c": ["3"],
        "e": ["4"],
    }


def test_assigned_texts_are_string_literals_of_plain_names() -> None:
    assert assigned_texts(ast.parse("a = 'x'\nb = 1\nc.d = 'y'\n")) == {"a": "x"}


def test_a_name_with_another_value_has_no_known_text() -> None:
    """A command could be run before the name gets a harmless text."""
    assert assigned_texts(ast.parse("a = 'rm -rf /'\nrun(a)\na = 'ls'\n")) == {}
    assert assigned_texts(ast.parse("a = input()\nrun(a)\na = 'ls'\n")) == {}


def test_local_names_are_bound_from_their_first_line() -> None:
    node = function("def f(a, *, b):\n    c = 1\n    [d for d in a]\n    c = 2\n    a = 3\n")
    assert first_bound_lines(node) == {"a": 0, "b": 0, "c": 2}


@pytest.mark.parametrize(
    ("text", "is_written"), [("1", True), ("[1, ('a', {2: b'c'})]", True), ("a", False), ("f()", False)]
)
def test_a_literal_is_written_down_completely(text: str, is_written: bool) -> None:
    assert is_literal(ast.parse(text, mode="eval").body) is is_written


def test_parameters_and_their_defaults() -> None:
    node = function("def f(a, /, b=1, *args, c, d=2, **kwargs):\n    pass\n")
    assert parameters(node.args) == ("a", "b", "c", "d")
    assert {parameter.arg: ast.unparse(value) for parameter, value in defaults(node.args)} == {"b": "1", "d": "2"}


def test_returns_of_inner_functions_are_not_its_own() -> None:
    node = function("def f():\n    def g():\n        return 1\n    if g():\n        return 2\n    return\n")
    assert [ast.unparse(found) for found in own_returns(node)] == ["return 2", "return"]


def test_functions_are_named_with_their_classes() -> None:
    tree = ast.parse(
        "x = 1\ndef f():\n    def inner(): pass\nclass A:\n    class B:\n        async def g(self): pass\n"
    )
    assert list(functions(tree)) == ["", "f", "A.B.g"]
    assert ast.unparse(functions(tree)[""]) == "x = 1"
    conditional = ast.parse("class B:\n    async def c(self): pass\nif x:\n    def g(): pass\n")
    assert set(functions(conditional)) == {"", "B.c", "g"}
    assert functions(None) == {}


def test_texts_that_stand_alone_are_docstrings() -> None:
    tree = ast.parse("'a'\nx = 'b'\ndef f():\n    'c'\n    return 'd'\n")
    assert [found.value for found in docstrings(tree)] == ["a", "c"]
