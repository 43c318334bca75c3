import pytest

from whet.phases.propose.repair.red_flags import drops, left_idle, swallows

BEFORE = """def shop(items):
    total = 0
    for item in items:
        total += item.price
        if item.gift:
            total += 2
    return total


def other():
    return 1
"""


def changed(old: str, new: str) -> str:
    assert BEFORE.count(old) == 1
    return BEFORE.replace(old, new)


@pytest.mark.parametrize("leaving", ["pass", "continue", "break", "return", "return total"])
def test_a_new_handler_that_only_leaves_is_a_doubt(leaving: str) -> None:
    after = changed(
        "        total += item.price\n",
        f"        try:\n            total += item.price\n        except AttributeError:\n            {leaving}\n",
    )
    assert swallows(BEFORE, after) == "it passes over AttributeError in silence"


@pytest.mark.parametrize("doing", ["raise ValueError(item)", "total = -1", "log(item)"])
def test_a_handler_that_does_something_is_none(doing: str) -> None:
    after = changed(
        "        total += item.price\n",
        f"        try:\n            total += item.price\n        except AttributeError:\n            {doing}\n",
    )
    assert swallows(BEFORE, after) == ""


def test_a_handler_that_was_there_is_none() -> None:
    silent = "try:\n    import fast\nexcept ImportError:\n    pass\n"
    assert swallows(silent + BEFORE, silent + changed("return total", "return total + 1")) == ""


def test_a_handler_that_was_for_another_exception_is_none() -> None:
    silent = "try:\n    n = int(text)\nexcept KeyError:\n    pass\n"
    assert swallows(silent, silent.replace("KeyError", "ValueError")) == ""


RAN = {2, 3, 4, 5, 6, 7}


def test_lines_that_the_tests_no_longer_run_are_a_doubt() -> None:
    after = changed("    total = 0\n", "    if items:\n        return 5\n    total = 0\n")
    assert left_idle(BEFORE, after, 2, RAN, {2, 3}) == "with it no test runs line 2 any more, and 5 others"


def test_lines_that_moved_still_run() -> None:
    after = changed("    total = 0\n", "    if not items:\n        return 0\n    total = 0\n")
    assert left_idle(BEFORE, after, 2, RAN, {2, 4, 5, 6, 7, 8, 9}) == ""


def test_one_branch_that_no_test_comes_to_any_more_is_a_doubt() -> None:
    after = changed("if item.gift:", "if not item:")
    assert left_idle(BEFORE, after, 5, RAN, {2, 3, 4, 5, 7}) == "with it no test runs line 6 any more"


def test_a_line_that_is_replaced_does_not_count() -> None:
    after = changed("        if item.gift:\n            total += 2\n", "        total += 2 * item.gift\n")
    assert left_idle(BEFORE, after, 5, RAN, {2, 3, 4, 5, 6}) == ""


def test_other_functions_do_not_count() -> None:
    assert left_idle(BEFORE, changed("    total = 0\n", "    total = 1\n"), 2, RAN | {11}, RAN) == ""


def test_a_run_of_which_nothing_is_known_says_nothing() -> None:
    assert left_idle(BEFORE, changed("    total = 0\n", "    return 5\n"), 2, RAN, set()) == ""
    assert left_idle(BEFORE, changed("    total = 0\n", "    return 5\n"), 2, set(), {2}) == ""


def test_the_head_of_a_function_runs_when_it_is_imported() -> None:
    before = BEFORE.replace("def shop(items):", "def shop(items,\n         rate=1):")
    after = before.replace("return total", "return total + 1")
    assert left_idle(before, after, 8, {2, 3, 4, 5, 6, 7, 8}, {3, 4, 5, 6, 7, 8}) == ""


def test_to_drop_the_line_that_the_failure_comes_from_is_a_doubt() -> None:
    after = changed("        total += item.price\n", "")
    assert drops(BEFORE, after, {4}) == "it drops line 4, which the failure comes from"


def test_to_drop_another_line_is_none() -> None:
    assert drops(BEFORE, changed("        total += item.price\n", ""), {2, 6}) == ""


def test_to_change_the_line_is_none() -> None:
    assert drops(BEFORE, changed("total += item.price", "total += 1"), {4}) == ""


def test_to_drop_a_check_that_raises_is_none() -> None:
    check = "    if not items:\n        raise ValueError(items)\n"
    before = changed("    total = 0\n", f"    total = 0\n{check}")
    assert drops(before, BEFORE, {4}) == ""
