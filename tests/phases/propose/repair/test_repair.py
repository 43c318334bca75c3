"""The repair engine on a real repository, with real sandboxes."""

from dataclasses import replace
from textwrap import dedent

import pytest

from tests.support import MakeRepo, Repo
from whet.app.cycles.repair import RepairSearch, search
from whet.app.project import open_project
from whet.phases.propose.repair.search import SearchResult, why_none

TESTS = "from stats import mean\n\n\ndef test_mean():\n    assert mean([1, 3]) == 2\n\n\ndef test_one():\n    assert mean([5]) == 5\n"
POLICY = '[tests]\nfolders = ["tests"]\n'


def searched(repo: Repo) -> RepairSearch:
    return search(open_project(repo.root), ["tests/test_stats.py"], 30.0)


def test_a_patch_has_a_sentence_as_summary_and_no_redundant_parentheses(make_repo: MakeRepo) -> None:
    source = "def mean(values):\n    return sum(values) / (len(values) + 1)\n"
    repo = make_repo({"stats.py": source, "tests/test_stats.py": TESTS, "whet.toml": POLICY})
    built = searched(repo).build
    assert built.patch is not None, built.note
    assert built.patch.summary == "Use len(values) instead of `len(values) + 1` in mean()"
    assert "+    return sum(values) / len(values)\n" in built.patch.diff
    assert "turned the targets green" in built.note


def test_a_search_without_a_fix_says_how_much_it_tried(make_repo: MakeRepo) -> None:
    repo = make_repo(
        {
            "stats.py": "def mean(values):\n    return None\n",
            "tests/test_stats.py": TESTS.replace("== 2", "== 2.125e3"),
            "whet.toml": POLICY,
        }
    )
    built = searched(repo).build
    assert built.patch is None
    assert "edits tried" in built.note


def test_a_search_that_tried_nothing_says_why() -> None:
    nothing = SearchResult((), 0, 0, 1.0)
    assert why_none(nothing) == "no edit tried: no edit is known for the suspicious lines"
    assert "took all the time" in why_none(replace(nothing, out_of_time=True))


@pytest.mark.long
def test_a_condition_that_no_edit_makes_is_synthesised_from_values(make_repo: MakeRepo) -> None:
    source = """\
        def billable(entries, limit, kind):
            names = []
            for name, amount, state in entries:
                if amount > limit:
                    names.append(name)
            return names
        """
    tests = """\
        from stats import billable


        def test_plain():
            assert billable([("a", 5, "open"), ("b", 1, "open")], 3, "open") == ["a"]


        def test_kind():
            assert billable([("a", 5, "open"), ("b", 9, "done"), ("c", 8, "open")], 3, "open") == ["a", "c"]


        def test_none():
            assert billable([("a", 2, "done"), ("b", 9, "done"), ("c", 1, "open")], 3, "done") == ["b"]
        """
    repo = make_repo({"stats.py": dedent(source), "tests/test_stats.py": dedent(tests), "whet.toml": POLICY})
    patch = search(open_project(repo.root), ["tests/test_stats.py"], 240.0).build.patch
    assert patch is not None
    assert "+        if amount > limit and kind == state:\n" in patch.diff
