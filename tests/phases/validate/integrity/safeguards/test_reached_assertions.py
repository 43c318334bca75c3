"""A test that passes without executing its assertions is reported, by the lines that it ran."""

import ast

import pytest

from tests.support import MakeRepo
from whet.phases.validate.integrity.safeguards.reached_assertions import helper_functions, unreached_assertions

LOOP = "def test():\n    for x in f():\n        assert x > 0\n"
BOTH = "def test():\n    xs = f()\n    assert xs is not None\n    for x in xs:\n        y = x\n        assert y\n"
CHOICE = "def test():\n    for x in f():\n        if x:\n            assert x > 1\n"
RAISES = "def test():\n    with pytest.raises(ValueError):\n        f()\n"
METHOD = "def test(self):\n    for x in f():\n        self.assertEqual(x, 1)\n"
HELPER = "def test():\n    check(f())\n"
AVOIDS = "def test():\n    try:\n        f()\n    except ValueError:\n        pytest.fail('it raised')\n"
PROBLEMS = "def test():\n    for problem in f():\n        pytest.fail(problem)\n"
NEVER = "def test():\n    try:\n        f()\n    except ValueError:\n        assert False, 'it raised'\n"
HELPING = "def check(xs):\n    for x in xs:\n        assert x\n\ndef test():\n    check(f())\n"


@pytest.mark.parametrize(
    ("source", "ran"),
    [
        (LOOP, {2, 3}),
        (BOTH, {2, 3, 4, 5, 6}),
        (CHOICE, {2, 3, 4}),
        (RAISES, {2, 3}),
        (METHOD, {2, 3}),
        (HELPER, {2}),
        (AVOIDS, {2, 3}),
        (PROBLEMS, {2}),
        (NEVER, {2, 3}),
        ("def test():\n    if f():\n        for x in f():\n            assert x\n    assert g()\n", {2, 5}),
        ("def test():\n    assert (\n        f()\n    )\n", {3}),
    ],
)
def test_a_test_that_reaches_its_assertions_is_accepted(source: str, ran: set[int]) -> None:
    assert unreached_assertions(_function(source), ran) == ""


@pytest.mark.parametrize(
    ("source", "ran"), [(LOOP, {2}), (BOTH, {2, 3, 4}), (METHOD, {2}), (LOOP, set()), (CHOICE, {2, 3})]
)
def test_a_test_that_reaches_no_assertion_is_reported(source: str, ran: set[int]) -> None:
    assert unreached_assertions(_function(source), ran) != ""


@pytest.mark.parametrize(("ran", "reaches"), [({6, 2, 3}, True), ({6, 2}, False), ({6}, True)])
def test_the_loops_of_a_helper_count_for_the_test_that_calls_it(ran: set[int], reaches: bool) -> None:
    tree = ast.parse(HELPING)
    test = tree.body[1]
    assert isinstance(test, ast.FunctionDef)
    assert (unreached_assertions(test, ran, helper_functions(tree)) == "") is reaches


def _function(source: str) -> ast.FunctionDef:
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def test_a_patch_that_empties_the_iterable_of_a_tests_loop_is_not_accepted(make_repo: MakeRepo) -> None:
    right = "def evens(numbers):\n    for number in numbers:\n        if number % 2 == 0:\n            yield number\n"
    repo = make_repo({
        "whet.toml": "",
        "numbers_of.py": right.replace("== 0", "== 1"),
        "tests/test_it.py": "from numbers_of import evens\n\n\ndef test_evens():\n    numbers = [4, 7, 8]\n"
        "    for number in evens(numbers):\n        assert number % 2 == 0\n",
    })  # fmt: skip
    for name, text, code in (("cheat", right.replace("numbers:", "numbers[:0]:"), 7), ("fix", right, 0)):
        repo.sh("git", "checkout", "-q", "-b", name, "main")
        repo.commit({"numbers_of.py": text})
        repo.sh("git", "checkout", "-q", "main")
        result = repo.whet("prove", "--branch", name)
        assert result.code == code, result.out
    assert "assertions" in repo.whet("prove", "--branch", "cheat").out
