"""What the names of a file stand for."""

import ast
import time

import pytest

from whet.pyast.resolve import NameResolver
from whet.pyast.scopes import Scopes


def last_value(tree: ast.Module) -> ast.expr:
    last = tree.body[-1]
    assert isinstance(last, ast.Expr | ast.Assign)
    return last.value


def meanings(source: str, *, passed: bool = False) -> set[str]:
    tree = ast.parse(source)
    return set(NameResolver(tree).meanings(last_value(tree), passed=passed))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os as o\no.path.join", {"os.path.join"}),
        ("from json import dumps\ndumps", {"json.dumps"}),
        ("len", {"len"}),
        ("len = 3\nlen", set()),
        ("import os\na = os\nb = a\nb.sep", {"os.sep"}),
        ("import os, sys\na = os if 1 else sys\na", {"os", "sys"}),
        ("import os\na, b = 1, os\nb", {"os"}),
        ("import os\n{'x': os}['x']", {"os"}),
        ("import os\n[os].pop()", {"os"}),
        ("import os\nfor x in (os,):\n    pass\nx", {"os"}),
        ("import os\ndef f():\n    return os\nf().sep", {"os.sep"}),
        ("import os\ngetattr(os, 'sep')", {"os.sep"}),
        ("import os, operator\noperator.attrgetter('sep')(os)", {"os.sep"}),
        ("import os\nclass A:\n    kit = os\nA.kit", {"os"}),
        ("import os, copy\ncopy.copy(os)", {"os"}),
        ("a = b\nb = a\na", set()),
    ],
)
def test_a_name_is_followed_to_what_it_stands_for(source: str, expected: set[str]) -> None:
    assert meanings(source) == expected


def test_arguments_and_defaults_are_followed_only_if_asked_for() -> None:
    tree = ast.parse("import os, re\ndef f(kit=os):\n    return kit\nf(re)\n")
    resolver = NameResolver(tree)
    function = tree.body[1]
    assert isinstance(function, ast.FunctionDef)
    returned = function.body[0]
    assert isinstance(returned, ast.Return)
    assert returned.value is not None
    assert resolver.meanings(returned.value) == frozenset()
    assert resolver.meanings(returned.value, passed=True) == {"os", "re"}
    assert resolver.is_parameter(returned.value)
    assert resolver.enclosing_function(returned.value) == "f"


def test_a_parameter_hides_an_import_of_the_same_name() -> None:
    tree = ast.parse("import os\ndef f(os):\n    os.sep\n")
    use = next(node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    assert NameResolver(tree).meanings(use) == frozenset()


def test_foreign_names_are_not_built_in() -> None:
    tree = ast.parse("import os\nos if 1 else len\n")
    assert NameResolver(tree).foreign(last_value(tree)) == ["os"]


def test_a_name_declared_global_belongs_to_the_file() -> None:
    tree = ast.parse("def f():\n    global a\n    a = 1\ndef g():\n    a = 2\n")
    scopes = Scopes(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            scopes.bind(node.targets[0], node.value)
    values = scopes.values("a", tree, passed=False)
    assert [ast.unparse(value) for value in values] == ["1"]


def test_names_that_stand_for_each_other_take_little_time() -> None:
    names = [f"n{number}" for number in range(40)]
    circle = "".join(f"{a} = {b} or {c}\n" for a in names for b in names[:6] for c in names[:3])
    tree = ast.parse(circle)
    resolver = NameResolver(tree)
    started = time.process_time()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            resolver.meanings(node)
    assert time.process_time() - started < 20
