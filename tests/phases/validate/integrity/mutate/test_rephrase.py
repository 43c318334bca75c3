"""Rephrased tests have another text and the same meaning."""

import ast

from whet.phases.validate.integrity.mutate.rephrase import rephrase

TESTS = b'''"""Doc."""
import pytest


@pytest.mark.skip
def test_a():
    """Doc."""
    x = 1
    assert x


class TestB:
    def test_c(self): assert True

    async def test_d(self):
        @property
        def inner(): pass
        assert "\xc3\xa4"
'''


def test_a_rephrased_test_has_the_same_meaning_and_another_text() -> None:
    changed = rephrase(TESTS, {"test_a", "TestB::test_c", "TestB::test_d"})
    assert changed is not None
    assert changed != TESTS
    old, new = ast.parse(TESTS), ast.parse(changed)
    for node in ast.walk(new):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [
                part for part in node.body if not (isinstance(part, ast.Assign) and ast.unparse(part).startswith("_"))
            ]
    assert ast.dump(old) == ast.dump(new)
    assert changed.count(b" = ") == TESTS.count(b" = ") + 2
    assert rephrase(TESTS, {"test_a"}) != rephrase(TESTS, {"test_a"})
