"""The functions to ask and the tests to run are chosen from the texts of the patch and of the tests."""

from whet.phases.validate.integrity.neighbours.changed_functions import (
    ChangedFunction,
    changed_functions,
    chosen_tests,
    words_of_patch,
)

OLD = """import re
RATE = 10


def price(n):
    return n * RATE


def same(n):
    return n


class Box:
    @property
    def size(self):
        return 1

    def label(self):
        return same("x")


def helped(n):
    return n


def twice(n):
    return 2 * helped(n)
"""
NEW = """import re
RATE = 100


def price(n):
    return n * RATE


def same(n):
    return n


class Box:
    @property
    def size(self):
        if self.n > 77:
            raise ValueError("large")
        return 2

    def label(self):
        return same("x")


def helped(n):
    return help(n)


def twice(n):
    return 2 * helped(n)


def help(n):
    return "word"
"""


def test_parameters_that_only_one_tree_has_are_not_varied() -> None:
    [function] = changed_functions({"a.py": ("def f(a, b):\n    return a\n", "def f(b, a, c=1):\n    return a\n")})
    assert function.before.parameters == function.after.parameters == ("a", "b")


def test_edited_functions_come_first_then_their_callers() -> None:
    functions = changed_functions({"a.py": (OLD, NEW)})
    assert [(function.name, function.edited, function.method) for function in functions] == [
        ("price", True, False),
        ("Box.size", True, True),
        ("helped", True, False),
        ("twice", False, False),
    ]
    size = functions[1]
    assert (size.before.line, size.after.line) == (14, 14)
    assert size.raises == {"ValueError"}


def test_a_new_function_and_a_file_that_is_not_python_cannot_be_compared() -> None:
    assert changed_functions({"a.py": ("", "def f():\n    return 1\n")}) == []
    assert changed_functions({"a.py": ("def f(:", "def f(): pass")}) == []


def test_the_literals_of_the_patch_are_inputs() -> None:
    assert set(words_of_patch({"a.py": (OLD, NEW)})) == {100, 77, "large", "word"}


def test_targets_run_first_then_tests_that_name_a_changed_function() -> None:
    changed = changed_functions({"shop/prices.py": (OLD, NEW)})
    sources = {"t/test_a.py": "import x", "t/test_b.py": "from shop import prices", "t/test_c.py": "import y"}
    passing = ["t/test_b.py::test_b", "t/test_c.py::test_c", "t/test_a.py::test_z"]
    assert chosen_tests(["t/test_a.py::test_red"], passing, sources, changed) == [
        "t/test_a.py::test_red",
        "t/test_a.py::test_z",
        "t/test_b.py::test_b",
    ]


def changed(old: str, new: str) -> ChangedFunction:
    [function] = changed_functions({"a.py": (old, new)})
    return function


def test_a_handler_of_every_exception_is_noticed() -> None:
    old = "TABLE = {}\n\n\ndef f(x):\n    return x\n"
    broad = "TABLE = {}\n\n\ndef f(x):\n    try:\n        return x\n    except Exception:\n        return None\n"
    assert changed(old, broad).catches_all
    assert not changed(old, broad.replace("Exception", "KeyError")).catches_all
    assert not changed(old, broad.replace("return None", "raise")).catches_all
    assert not changed(broad, broad.replace("None", "1")).catches_all
    suppressing = "TABLE = {}\n\n\ndef f(x):\n    with suppress(Exception):\n        return x\n"
    assert changed(old, suppressing).catches_all
    assert changed(old, broad).known_globals == {"TABLE", "f"}


def test_a_comparison_of_a_length_with_a_number_is_noticed() -> None:
    old = "def f(x):\n    return x\n"
    assert changed(old, "def f(x):\n    if len(x) == 2:\n        return 1\n    return x\n").measures
    assert not changed(old, "def f(x):\n    if len(x) > 1:\n        return 1\n    return x\n").measures


def test_a_function_that_may_remember_calls_where_the_base_does_not_is_stateful() -> None:
    old = "LIMIT = 3\nknown = {}\n\n\ndef f(n):\n    return n + len(known)\n"

    def stateful(new: str) -> bool:
        [function] = changed_functions({"a.py": (old, new)})
        return function.after.stateful

    assert stateful(old.replace("known = {}", "known = {}\ncalls = [0]").replace("return n", "return calls[0] + n"))
    assert stateful(old.replace("f(n)", "f(n, seen=[])").replace("return n", "return len(seen) + n"))
    assert stateful(old.replace("    return", "    global LIMIT\n    LIMIT = n + LIMIT\n    return"))
    assert not stateful(old.replace("LIMIT = 3", "LIMIT = 3\nMORE = 4").replace("return n", "return MORE + n"))
    assert not stateful(old.replace("return n", "return n + 1"))


def test_a_function_that_calls_another_edited_one_is_told_apart() -> None:
    old = "def f(n):\n    return g(n)\n\n\ndef g(n):\n    return n\n"
    both = changed_functions(
        {"a.py": (old, old.replace("return g(n)", "return g(n) + 1").replace("return n", "return -n"))}
    )
    assert [(function.name, function.calls_edited) for function in both] == [("f", True), ("g", False)]
    [alone] = changed_functions({"a.py": (old, old.replace("return g(n)", "return g(n) + 1"))})
    assert not alone.calls_edited
