"""A clone of a mended bug is called with plain values; the test expects what the fix answers."""

import json

from whet.cases.from_clone import Called, callable_at, clone_as_test, command, read_calls

SOURCE = "LIMIT = 3\n\n\ndef average(stars, digits=2):\n    return sum(stars) / len(stars)\n\n\nclass A:\n    def f(self, x):\n        return x\n"


def test_a_function_at_the_top_of_a_module_is_called_with_the_plainest_values_first() -> None:
    target = callable_at(SOURCE, 5)
    assert target
    assert (target[0], target[1][:3]) == ("average", ["[]", "{}", "''"])
    two = callable_at("def f(a, b):\n    return a / b\n", 2)
    assert two
    assert (two[1][0], len(two[1])) == ("[], []", 80)


def test_what_cannot_be_called_plainly_is_left_alone() -> None:
    assert callable_at(SOURCE, 1) is None  # no function
    assert callable_at(SOURCE, 10) is None  # a method
    assert callable_at("def f():\n    return 1\n", 2) is None
    assert callable_at("def f(a, *, b):\n    return a\n", 2) is None
    assert callable_at("async def f(a):\n    return a\n", 2) is None


def test_only_lines_that_describe_a_call_are_read() -> None:
    row = {"call": "[]", "exception": "ZeroDivisionError", "message": "m", "lines": [["/w/ratings.py", 5]]}
    others = ["hello", "{}", "[1]", '{"call": "x", "lines": 3}', '{"call": "x", "lines": [["a", 1e999]]}']
    wrong = [{**row, "call": "__import__('os')"}, {**row, "value": 3}, {**row, "exception": None}, {**row, "call": []}]
    [call] = read_calls("\n".join([*others, *map(json.dumps, wrong), json.dumps(row)]), ["[]", "x"])
    assert call.fails_at("ZeroDivisionError", "ratings.py", 5, 5)
    assert not call.fails_at("ZeroDivisionError", "other_ratings.py", 5, 5)
    assert not call.fails_at("ZeroDivisionError", "ratings.py", 6, 9)
    assert not call.fails_at("KeyError", "ratings.py", 5, 5)


def test_the_test_expects_plain_values_of_the_fix_and_nothing_else() -> None:
    calls = [
        Called("[]", value="0"),
        Called("{}", value="<object at 0x1>"),
        Called("()", value="nan"),
        Called("''", "KeyError"),
    ]
    paths = ["ratings.py", "tests/test_ratings.py"]
    regression = clone_as_test(
        "src/ratings.py", "average", calls, "stats.py", paths, lambda path: path.startswith("tests/")
    )
    assert regression
    assert regression.path.startswith("tests/test_whet_")
    assert (
        "from ratings import average\n\n\ndef test_average_as_mended():\n    assert average([]) == 0\n"
        in regression.text
    )
    assert len(regression.red) == 1
    assert clone_as_test("a.py", "f", calls[1:], "b.py", paths, lambda path: False) is None


def test_the_command_names_the_module_the_function_and_the_calls() -> None:
    assert command("src/pkg/a.py", "f", ["[]"])[-3:] == ["pkg.a", "f", '["[]"]']
