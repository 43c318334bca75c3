"""A `find` expression is evaluated for a path: which paths reach an action, and by which test."""

import pytest

from whet.guard.shell.output.fd_matches import protected_by_fd
from whet.guard.shell.output.find_expression import reaches_action
from whet.guard.shell.output.find_matches import matched_by_find

# The expression, the path, whether an action is reached, and whether a test for the name selected the path.
EXPRESSIONS = [
    ("-name *.py -delete", "./a.py", True, True),
    ("-name *.py -delete", "./a.txt", False, False),
    ("-delete -name *.py", "./a.txt", True, False),
    ("! -name *.py -delete", "./a.txt", True, False),
    ("-name a -o -name b", "./b", True, True),
    ("-name a -print -o -name b -delete", "./b", True, True),
    ("( -name a -o -name b ) -delete", "./a", True, True),
    ("( -name a -o -name b ) -type f -delete", "./c", False, False),
    ("-path ./x -prune -o -name *.py -delete", "./x", False, False),
    ("-path ./x -prune -o -name *.py -delete", "./x/a.py", False, False),
    ("-path ./x -prune -o -name *.py -delete", "./y/a.py", True, True),
    ("-not ( -path ./x -prune ) -name *.py -delete", "./x/a.py", False, False),
    ("-regex .*/[ab]\\.py -delete", "./x/a.py", True, True),
    ("-iname *.PY -exec rm -name {} ;", "./a.py", True, True),
    ("-name a -exec echo {} ; -o -delete", "./b", True, False),
    ("-mtime +3 -delete", "./a", True, False),
    ("", "./a", True, False),
]


@pytest.mark.parametrize(("expression", "path", "reached", "by_name"), EXPRESSIONS)
def test_an_expression_is_evaluated_in_order(expression: str, path: str, *, reached: bool, by_name: bool) -> None:
    assert reaches_action(expression.split(), path) == (reached, by_name)


def test_a_pattern_that_may_take_too_long_counts_as_a_match() -> None:
    assert reaches_action(["-regex", "(.*)*x", "-delete"], "./a") == (True, True)
    assert reaches_action(["-regex", "[[a]", "-delete"], "./a") == (True, True)


def test_find_yields_the_protected_paths_that_a_name_selects() -> None:
    assert "./.git" in matched_by_find([".", "-name", ".g*", "-delete"])
    assert "./whet.toml" in matched_by_find([".", "-name", "*.toml"])


def test_a_pruned_folder_is_printed_itself_unless_an_action_is_named() -> None:
    pruned = [".", "-path", "./.git", "-prune", "-o", "-name", "*.pyc"]
    assert "./.git" in matched_by_find(pruned)
    assert not any(".git" in path for path in matched_by_find([*pruned, "-print"]))


def test_fd_needs_an_option_to_select_hidden_files() -> None:
    assert protected_by_fd(["git"]) == []
    assert "./.git" in protected_by_fd(["-H", "^\\.git$"])
    assert protected_by_fd(["-e", "toml"]) == ["./whet.toml"]
    assert protected_by_fd(["-g", "*.toml"]) == ["./whet.toml"]
    assert protected_by_fd([".", ".whet"]) == [".whet/*"]
