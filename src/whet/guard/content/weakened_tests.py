"""Tests that check less than before: removed, skipped, or with fewer or trivial assertions."""

import ast
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.pyast.functions import functions

CODE = "weakened_test"
_SKIPS = ("skip", "skipif", "skipIf", "skipUnless", "xfail", "expectedFailure", "SkipTest", "importorskip", "skipTest")


def weakened_tests(passage: Passage) -> Iterator[Remark]:
    if not passage.is_test or passage.tree is None:
        return
    before, after = functions(passage.old_tree), functions(passage.tree)
    for test, function in before.items():
        if not _is_test(test):
            continue
        if test not in after:
            yield Remark(1, "raise", CODE, f"removes `{test}`")
            continue
        old_count, new_count = _count_assertions(function), _count_assertions(after[test])
        if new_count < old_count:
            line = int(getattr(after[test], "lineno", 1))
            yield Remark(line, "raise", CODE, f"has fewer assertions in `{test}`: {new_count}, {old_count} before")
    for name in passage.touched(ast.Name):
        if name.id in _SKIPS and passage.is_new(name):
            yield Remark(name.lineno, "raise", CODE, f"skips a test: `{name.id}`")
    for attribute in passage.touched(ast.Attribute):
        if attribute.attr in _SKIPS and passage.is_new(attribute):
            yield Remark(attribute.lineno, "raise", CODE, f"skips a test: `{attribute.attr}`")
    for assertion in passage.touched(ast.Assert):
        is_trivial = isinstance(assertion.test, ast.Constant) or _compares_with_itself(assertion.test)
        if is_trivial and passage.is_new(assertion):
            what = f"has an assertion that cannot fail: `{ast.unparse(assertion)[:40]}`"
            yield Remark(assertion.lineno, "raise", CODE, what)


def _is_test(name: str) -> bool:
    return name.rpartition(".")[2].startswith("test")


def _count_assertions(function: ast.AST) -> int:
    """Count assert statements, calls of `assert...` methods, and `raises` and its like."""
    return sum(isinstance(node, ast.Assert) or _calls_an_assertion(node) for node in ast.walk(function))


def _calls_an_assertion(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = ast.unparse(node.func).rpartition(".")[2]
    return called.startswith("assert") or called in ("raises", "warns", "fail", "deprecated_call")


def _compares_with_itself(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is() | ast.LtE() | ast.GtE()], comparators=[right]):
            return ast.dump(left) == ast.dump(right)
    return False
