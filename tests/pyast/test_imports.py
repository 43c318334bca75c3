"""The names that imports bind."""

import ast

import pytest

from whet.pyast.imports import (
    absolute_module,
    bindings_of,
    dotted_name,
    import_bindings,
    imported_names,
    last_name,
    module_names,
    root_name,
)


def statement(text: str) -> ast.Import | ast.ImportFrom:
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.Import | ast.ImportFrom)
    return node


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("text", "bindings", "names"),
    [
        ("import os", [("os", "os")], ["os"]),
        ("import os.path", [("os", "os")], ["os.path"]),
        ("import os.path as p, re", [("p", "os.path"), ("re", "re")], ["os.path", "re"]),
        ("from os import path as p, sep", [("p", "os.path"), ("sep", "os.sep")], ["os.path", "os.sep"]),
        ("from ..a import b", [("b", "..a.b")], ["..a.b"]),
        ("from . import b", [("b", "..b")], ["..b"]),
        ("from os import *", [("*", "os.*")], ["os.*"]),
    ],
)
def test_an_import_binds_local_names_to_dotted_targets(
    text: str, bindings: list[tuple[str, str]], names: list[str]
) -> None:
    assert list(bindings_of(statement(text))) == bindings
    assert imported_names(statement(text)) == names


def test_imports_inside_functions_count_too() -> None:
    tree = ast.parse("import a\ndef f():\n    from b import c as d\n")
    assert dict(import_bindings(tree)) == {"a": "a", "d": "b.c"}


@pytest.mark.parametrize(
    ("text", "package", "module"),
    [
        ("from a.b import c", "x", "a.b"),
        ("from .a import c", "x.y", "x.y.a"),
        ("from ..a import c", "x.y", "x.a"),
        ("from . import c", "x.y", "x.y"),
        ("from .. import c", "x.y", "x"),
        ("from ...a import c", "x.y", None),
        ("from .a import c", "", None),
    ],
)
def test_a_relative_import_is_resolved_against_its_package(text: str, package: str, module: str | None) -> None:
    node = statement(text)
    assert isinstance(node, ast.ImportFrom)
    assert absolute_module(node, package) == module


def test_only_certain_modules_are_called_modules() -> None:
    tree = ast.parse("import a.b\nimport c as d\nfrom os import path, sep\nfrom .urllib import parse\n")
    assert set(module_names(tree)) == {"a", "d", "path"}


def test_dotted_names_follow_the_aliases() -> None:
    aliases = {"p": "os.path"}
    assert dotted_name(expression("p.join"), aliases) == "os.path.join"
    assert dotted_name(expression("a.b.c"), aliases) == "a.b.c"
    assert dotted_name(expression("f().b"), aliases) == ""
    assert root_name(expression("a.b.c")) == "a"
    assert root_name(expression("f().b")) is None
    assert [last_name(expression(text)) for text in ("a", "a.b", "f()")] == ["a", "b", ""]
