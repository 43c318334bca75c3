"""Tests that ask less than before: skipped, emptied, without their assertions."""

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
    before, now = functions(passage.old_tree), functions(passage.tree)
    for test, place in before.items():
        if not _is_test(test):
            continue
        if test not in now:
            yield Remark(1, "raise", CODE, f"no longer has {test}")
        elif _asks(now[test]) < _asks(place):
            line = int(getattr(now[test], "lineno", 1))
            yield Remark(
                line, "raise", CODE, f"asks less in {test}: {_asks(now[test])} assertions, {_asks(place)} before"
            )
    for name in passage.touched(ast.Name):
        if name.id in _SKIPS and passage.is_new(name):
            yield Remark(name.lineno, "raise", CODE, f"skips a test ({name.id})")
    for attribute in passage.touched(ast.Attribute):
        if attribute.attr in _SKIPS and passage.is_new(attribute):
            yield Remark(attribute.lineno, "raise", CODE, f"skips a test ({attribute.attr})")
    for assertion in passage.touched(ast.Assert):
        always = isinstance(assertion.test, ast.Constant) or _compares_itself(assertion.test)
        if always and passage.is_new(assertion):
            yield Remark(assertion.lineno, "raise", CODE, f"asserts what is always so ({ast.unparse(assertion)[:40]})")


def _is_test(name: str) -> bool:
    return name.rpartition(".")[2].startswith("test")


def _asks(place: ast.AST) -> int:
    """Assertions, by statement, by a method called `assert...`, by `raises` and its like."""
    return sum(isinstance(node, ast.Assert) or _calls_an_assertion(node) for node in ast.walk(place))


def _calls_an_assertion(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    word = ast.unparse(node.func).rpartition(".")[2]
    return word.startswith("assert") or word in ("raises", "warns", "fail", "deprecated_call")


def _compares_itself(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is() | ast.LtE() | ast.GtE()], comparators=[right]):
            return ast.dump(left) == ast.dump(right)
    return False
