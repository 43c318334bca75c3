import pytest

from whet.phases.propose.repair.red_flags import (
    borrowed_characters,
    dropped_line,
    swallowed_exception,
    unreached_lines,
)

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
def test_a_new_handler_that_only_leaves_is_flagged(leaving: str) -> None:
    after = changed(
        "        total += item.price\n",
        f"        try:\n            total += item.price\n        except AttributeError:\n            {leaving}\n",
    )
    assert swallowed_exception(BEFORE, after) == "it silently ignores AttributeError"


@pytest.mark.parametrize("doing", ["raise ValueError(item)", "total = -1", "log(item)"])
def test_a_handler_that_does_something_is_not_flagged(doing: str) -> None:
    after = changed(
        "        total += item.price\n",
        f"        try:\n            total += item.price\n        except AttributeError:\n            {doing}\n",
    )
    assert swallowed_exception(BEFORE, after) == ""


def test_a_handler_that_was_there_before_is_not_flagged() -> None:
    handler = "try:\n    import fast\nexcept ImportError:\n    pass\n"
    assert swallowed_exception(handler + BEFORE, handler + changed("return total", "return total + 1")) == ""


def test_a_handler_that_changes_its_exception_is_not_flagged() -> None:
    handler = "try:\n    n = int(text)\nexcept KeyError:\n    pass\n"
    assert swallowed_exception(handler, handler.replace("KeyError", "ValueError")) == ""


RAN = {2, 3, 4, 5, 6, 7}


def test_lines_that_no_test_runs_any_more_are_flagged() -> None:
    after = changed("    total = 0\n", "    if items:\n        return 5\n    total = 0\n")
    assert unreached_lines(BEFORE, after, 2, RAN, {2, 3}) == "with it no test runs line 2 and 5 others any more"


def test_moved_lines_that_still_run_are_not_flagged() -> None:
    after = changed("    total = 0\n", "    if not items:\n        return 0\n    total = 0\n")
    assert unreached_lines(BEFORE, after, 2, RAN, {2, 4, 5, 6, 7, 8, 9}) == ""


def test_a_branch_that_no_test_reaches_any_more_is_flagged() -> None:
    after = changed("if item.gift:", "if not item:")
    assert unreached_lines(BEFORE, after, 5, RAN, {2, 3, 4, 5, 7}) == "with it no test runs line 6 any more"


def test_a_replaced_line_is_not_flagged_as_unreached() -> None:
    after = changed("        if item.gift:\n            total += 2\n", "        total += 2 * item.gift\n")
    assert unreached_lines(BEFORE, after, 5, RAN, {2, 3, 4, 5, 6}) == ""


def test_lines_of_other_functions_are_not_flagged() -> None:
    assert unreached_lines(BEFORE, changed("    total = 0\n", "    total = 1\n"), 2, RAN | {11}, RAN) == ""


def test_nothing_is_flagged_without_coverage() -> None:
    assert unreached_lines(BEFORE, changed("    total = 0\n", "    return 5\n"), 2, RAN, set()) == ""
    assert unreached_lines(BEFORE, changed("    total = 0\n", "    return 5\n"), 2, set(), {2}) == ""


def test_the_head_of_a_function_is_not_flagged_because_it_runs_at_import() -> None:
    before = BEFORE.replace("def shop(items):", "def shop(items,\n         rate=1):")
    after = before.replace("return total", "return total + 1")
    assert unreached_lines(before, after, 8, {2, 3, 4, 5, 6, 7, 8}, {3, 4, 5, 6, 7, 8}) == ""


def test_deleting_the_failing_line_is_flagged() -> None:
    after = changed("        total += item.price\n", "")
    assert dropped_line(BEFORE, after, {4}) == "it deletes line 4, where the failure comes from"


def test_deleting_another_line_is_not_flagged() -> None:
    assert dropped_line(BEFORE, changed("        total += item.price\n", ""), {2, 6}) == ""


def test_changing_the_failing_line_is_not_flagged() -> None:
    assert dropped_line(BEFORE, changed("total += item.price", "total += 1"), {4}) == ""


def test_deleting_a_check_that_raises_is_not_flagged() -> None:
    check = "    if not items:\n        raise ValueError(items)\n"
    before = changed("    total = 0\n", f"    total = 0\n{check}")
    assert dropped_line(before, BEFORE, {4}) == ""


SEARCH = 'DAYS = "(Mon|Tue|Wed)"\nMARKS = "oO"\n\n\ndef is_octal(text):\n    return text[1] in "0O"\n'


@pytest.mark.parametrize(
    ("literal", "flagged"),
    [('"(Mon|Tue|Wed)"', True), ('"oO"', False), ('"xyz0O"', False), ("DAYS", False)],
    ids=["a text of another place", "a text like it", "a new text", "a name"],
)
def test_a_search_in_a_text_of_another_place_is_flagged(literal: str, flagged: bool) -> None:
    after = SEARCH.replace('in "0O"', f"in {literal}")
    assert bool(borrowed_characters(SEARCH, after)) is flagged
    assert borrowed_characters(SEARCH, SEARCH) == ""
