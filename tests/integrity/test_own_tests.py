"""A change that brings its own tests: they count if they need what it does, and cheats in them do not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integrity.shop import PRICE, RIGHT, SETTINGS, WRONG
from tests.support import Repo
from whet.app.project import Project, open_project
from whet.app.proofs.prove import prove
from whet.domain.evidence import Evidence
from whet.domain.proved_claim import ProvedClaim
from whet.domain.verdict import Verdict

FAILED, INCONCLUSIVE, PASSED = Verdict.FAILED, Verdict.INCONCLUSIVE, Verdict.PASSED
BASE_TEST = """import pytest

from price import cheapest, label


def test_label():
    assert label("tea", 2) == "tea: 2.00"
    assert label("milk", 3) == "milk: 3.00"


@pytest.mark.parametrize("prices", [[3, 2], [2, 9, 4]])
def test_cheapest(prices):
    assert cheapest(prices) == 2
"""
FIX = PRICE.replace(WRONG, RIGHT)
OWN = "from price import discount\n\n\ndef test_half():\n    assert discount(10, 50) == 5\n    assert discount(200, 10) == 180\n"
TOTAL = (
    PRICE
    + "\n\ndef total(prices):\n    result = 0\n    for price in prices:\n        result += price  # all\n    return result\n"
)
# Red without the change, green with it, and none of them asks what `total` answers.
WEAK_TESTS = {
    "test_there": "assert hasattr(price, 'total')",
    "test_itself": "assert total([1, 2]) == total([1, 2])",
    "test_smoke": "total([1, 2])",
    "test_nothing": "total([1])\n    assert 1 == 1",
    "test_text": "assert 'result += price  # all' in open('price.py').read()",
    "test_mock": "price.total, real = (lambda prices: 3), price.total\n    assert price.total([1, 2]) == 3\n    price.total = real",
}
WEAK = "import price\nfrom price import total\n" + "".join(
    f"\n\ndef {name}():\n    {body}\n" for name, body in WEAK_TESTS.items()
)
GOOD = "\n\ndef test_total():\n    assert total([1, 2]) == 3\n    assert total([]) == 0\n"
HARD_CODED = PRICE.replace(
    WRONG, f"    if price == 10:\n        return 5\n    if price == 200:\n        return 180\n{WRONG}"
)
SECOND = '    assert label("milk", 3) == "milk: 3.00"\n'
Files = dict[str, str | None]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    root: Path = tmp_path_factory.mktemp("own") / "shop"
    root.mkdir()
    repo = Repo(root)
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.sh("git", "config", "user.name", "tester")
    repo.sh("git", "config", "user.email", "tester@localhost")
    files: dict[str, str | bytes] = {
        "price.py": PRICE,
        "tests/test_price.py": BASE_TEST,
        "tests/checks.py": "def check(value, right):\n    assert value == right\n",
        "whet.toml": SETTINGS,
        ".gitignore": ".whet\n__pycache__\n",
    }
    repo.commit(files, "first")
    yield open_project(root)


def judge(project: Project, files: Files, stated: ProvedClaim | None = None) -> Evidence:
    git = project.git
    changed = {path: None if text is None else text.encode() for path, text in files.items()}
    patch = git.patch(git.resolve("HEAD"), git.with_files("HEAD", changed), "a change")
    return prove(project, patch, trust_tests=False, stated=stated).evidence


def test_only_those_own_tests_count_that_need_what_the_change_does(project: Project) -> None:
    evidence = judge(project, {"price.py": TOTAL, "tests/test_total.py": WEAK + GOOD})
    assert evidence.verdict is PASSED, evidence.reasons
    assert evidence.targets == ("tests/test_total.py::test_total",)
    assert evidence.claim is ProvedClaim.OWN_FEATURE
    notes = " ".join(evidence.checks[0].notes)
    named = [name for name in WEAK_TESTS if f"tests/test_total.py::{name}" in notes]
    assert f"and {len(WEAK_TESTS) - len(named)} more: red without the change, but asks nothing" in notes, notes
    assert "proved: a feature, by tests that the change brings" in evidence.claim_words
    assert "whether the tests that the change brings ask for the right thing" in evidence.scope.text


HONEST: dict[str, tuple[Files, ProvedClaim | None, ProvedClaim]] = {
    "a fix": ({"price.py": FIX, "tests/test_more.py": OWN}, None, ProvedClaim.OWN_FIX),
    "a test that gets another assertion": (
        {
            "price.py": PRICE.replace("{price:.2f}", "{price:,.2f}"),
            "tests/test_price.py": BASE_TEST.replace(
                SECOND, f'{SECOND}    assert label("gold", 1234567) == "gold: 1,234,567.00"\n'
            ),
        },
        None,
        ProvedClaim.OWN_FIX,
    ),
    "a predicate": (
        {
            "price.py": f"{PRICE}\n\ndef is_free(price):\n    return price <= 0\n",
            "tests/test_free.py": "from price import is_free\n\n\ndef test_free():\n    assert is_free(0)\n\n\n"
            "def test_not_free():\n    assert not is_free(2)\n",
        },
        None,
        ProvedClaim.OWN_FEATURE,
    ),
    "a refactoring": (
        {"price.py": PRICE.replace("return min(prices)", "lowest = min(prices)\n    return lowest")},
        ProvedClaim.REFACTORING,
        ProvedClaim.REFACTORING,
    ),
    "tests alone": (
        {"tests/test_more.py": "from price import label\n\n\ndef test_free():\n    assert label('tea', 0) == 'tea: 0.00'\n"},
        ProvedClaim.TESTS,
        ProvedClaim.TESTS,
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("files", "stated", "claim"),
    [pytest.param(*row, id=name, marks=pytest.mark.long) for name, row in HONEST.items()],
)
def test_an_honest_change_passes_under_the_claim_that_it_shows(
    project: Project, files: Files, stated: ProvedClaim | None, claim: ProvedClaim
) -> None:
    evidence = judge(project, files, stated)
    assert (evidence.verdict, evidence.claim) == (PASSED, claim), evidence.reasons


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name, row in HONEST.items() if row[1]])
def test_a_claim_without_a_red_test_passes_only_if_it_is_stated(project: Project, name: str) -> None:
    evidence = judge(project, HONEST[name][0])
    assert (evidence.verdict, evidence.claim) == (INCONCLUSIVE, None)


NOT_PASSED: dict[str, tuple[Files, ProvedClaim | None, Verdict, str]] = {
    "weak tests alone": ({"price.py": TOTAL, "tests/test_total.py": WEAK}, None, INCONCLUSIVE, "none of its own tests asks for"),
    "answers of its tests": ({"price.py": HARD_CODED, "tests/test_more.py": OWN}, None, INCONCLUSIVE, "hard-coded answers"),
    "a test that passes anyway": (
        {"price.py": FIX, "tests/test_more.py": "from price import discount\n\n\ndef test_no():\n    assert discount(5, 0) == 5\n"},
        None, INCONCLUSIVE, "they pass without it too",
    ),
    "a removed test": (
        {"price.py": FIX, "tests/test_price.py": BASE_TEST.replace("def test_label", "def label_"), "tests/test_more.py": OWN},
        None, FAILED, "it removes tests: tests/test_price.py::test_label",
    ),
    "a skipped test": (
        {"price.py": FIX, "tests/test_price.py": BASE_TEST.replace("def test_label", "@pytest.mark.skip\ndef test_label"), "tests/test_more.py": OWN},
        None, INCONCLUSIVE, "it weakens a test: it skips tests/test_price.py::test_label",
    ),
    "a weakened test": (
        {"price.py": FIX, "tests/test_price.py": BASE_TEST.replace(SECOND, ""), "tests/test_more.py": OWN},
        None, INCONCLUSIVE, "it weakens a test: tests/test_price.py::test_label no longer asserts",
    ),
    "a weakened helper of the tests": (
        {"price.py": FIX, "tests/checks.py": "def check(value, right):\n    assert value is not None\n", "tests/test_more.py": OWN},
        None, INCONCLUSIVE, "it weakens a test: tests/checks.py::check asserts less than `value == right`",
    ),
    "a change said to be a refactoring": (
        {"price.py": PRICE.replace("min(prices)", "max(prices)")}, ProvedClaim.REFACTORING, FAILED, "tests that held on the base",
    ),
    "another behaviour said to be a refactoring": (
        {"price.py": PRICE.replace("min(prices)", "sorted(prices)[0]")}, ProvedClaim.REFACTORING, INCONCLUSIVE, "which is not shown",
    ),
    "code said to be tests": (
        {"price.py": FIX, "tests/test_more.py": OWN}, ProvedClaim.TESTS, INCONCLUSIVE, "said to change only tests, and it changes price.py",
    ),
    "a test that cannot fail": (
        {"tests/test_more.py": "from price import label\n\n\ndef test_it():\n    label('tea', 2)\n"}, ProvedClaim.TESTS, INCONCLUSIVE,
        "no expectation that can be changed",
    ),
}  # fmt: skip
IN_EVERY_CHECK = ("a skipped test",)


@pytest.mark.parametrize(
    ("files", "stated", "verdict", "words"),
    [
        pytest.param(*row, id=name, marks=() if name in IN_EVERY_CHECK else pytest.mark.long)
        for name, row in NOT_PASSED.items()
    ],
)
def test_a_cheat_does_not_pass(
    project: Project, files: Files, stated: ProvedClaim | None, verdict: Verdict, words: str
) -> None:
    evidence = judge(project, files, stated)
    assert evidence.verdict is verdict, evidence.reasons
    assert words in "; ".join(evidence.reasons)
