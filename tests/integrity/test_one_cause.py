"""A fix of a part of the cause, and a fix that breaks an example in a docstring, need human review."""

from pathlib import Path

import pytest

from tests.support import Repo
from whet.app.project import open_project
from whet.app.proofs.prove import prove
from whet.domain.evidence import Evidence
from whet.domain.verdict import Verdict

WORDS = '''"""Words."""

import socket


def plural(number, word):
    """Return the word for a number of things.

    >>> plural(0, "cat")
    'cat'
    """
    return word


def price(number, word):
    return f"{number} {plural(1, word)} for nothing"


def order(number, word):
    text = plural(number, word)
    socket.create_connection(("192.0.2.1", 80), timeout=0.1)
    return text
'''
TESTS = """from words import order, plural, price


def test_one():
    assert plural(1, "cat") == "cat"


def test_one_dog():
    assert plural(1, "dog") == "dog"


def test_two():
    assert plural(2, "cat") == "cats"


def test_box():
    assert plural(2, "box") == "boxes"


def test_price():
    assert price(2, "cat") == "2 cats for 5"


def test_order():
    assert order(2, "cat") == "cats"
"""
PART = '    return word if number < 2 else word + "s"\n'
WHOLE = '    return word if number < 2 else word + ("es" if word.endswith("x") else "s")\n'


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    folder: Path = tmp_path_factory.mktemp("words")
    repo = Repo(folder)
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    repo.commit(
        {"words.py": WORDS, "tests/test_words.py": TESTS, "whet.toml": "", ".gitignore": ".whet\n__pycache__\n"},
        "first",
    )
    return repo


def proof(repo: Repo, body: str) -> Evidence:
    text = WORDS.replace("    return word\n", body)
    patch = repo.git.patch(repo.head, repo.git.with_files("HEAD", {"words.py": text.encode()}), "a fix")
    return prove(open_project(repo.root), patch, trust_tests=False).evidence


def test_a_red_test_of_the_same_cause_that_stays_red_needs_human_review(repo: Repo) -> None:
    evidence = proof(repo, PART)
    assert evidence.verdict is Verdict.INCONCLUSIVE
    [reason] = [reason for reason in evidence.reasons if "other red tests" in reason]
    assert "tests/test_words.py::test_box also runs plural() and is red before and after: AssertionError" in reason
    assert "test_price" not in reason
    assert "test_order" not in reason


def test_red_tests_with_other_causes_that_run_the_changed_function_do_not_count(repo: Repo) -> None:
    evidence = proof(repo, WHOLE)
    assert evidence.verdict is Verdict.PASSED, evidence.reasons
    words = {result.name: result.words for check in evidence.checks for result in check.safeguards}
    assert words["other red tests"] == "2 of 2 other red tests compared; none of them points to the changed functions"
    assert words["uncollected doctests"] == "1 doctest that the suite does not collect still pass"


def test_a_fix_that_breaks_an_example_in_a_docstring_needs_human_review(repo: Repo) -> None:
    evidence = proof(repo, WHOLE.replace("number < 2", "number == 1"))
    assert evidence.verdict is Verdict.INCONCLUSIVE
    [reason] = [reason for reason in evidence.reasons if "uncollected doctests" in reason]
    assert "words.py::words.plural passes on the base and not with the patch" in reason
