"""A fix has no business in the files that tests compare with."""

import pytest

from tests.integrity.shop import Shop, open_shop
from whet.domain.verdict import Verdict
from whet.phases.validate.integrity.expected_data import NAME, reached_for, words
from whet.target.tracer import FileAccess, TracedTest

TEST, CODE, CONFTEST, GOLDEN, INPUT = "tests/test_a.py", "pkg/a.py", "tests/conftest.py", "tests/a.html", "tests/a.md"
TREE = {GOLDEN, INPUT}


def found(*openings: FileAccess) -> set[FileAccess]:
    return reached_for([TracedTest("tests/test_a.py::test_a", "passed", {}, {}, frozenset(openings))], {TEST}, TREE)


READS, WRITES = FileAccess(CODE, GOLDEN, writes=False), FileAccess(CODE, GOLDEN, writes=True)
ALLOWED = {
    "the test reads what it compares with": [FileAccess(TEST, GOLDEN, writes=False)],
    "the code reads its input": [FileAccess(CODE, INPUT, writes=False), FileAccess(TEST, GOLDEN, writes=False)],
    "a fixture writes": [FileAccess(CONFTEST, GOLDEN, writes=True)],
    "the code writes what is not in the tree": [FileAccess(CODE, "out/a.html", writes=True)],
}
REFUSED = {
    "the code reads what the test compares with": [READS, FileAccess(TEST, GOLDEN, writes=False)],
    "the code reads what a fixture has read": [READS, FileAccess(CONFTEST, GOLDEN, writes=False)],
    "the code writes it": [WRITES],
}


@pytest.mark.parametrize("openings", ALLOWED.values(), ids=ALLOWED.keys())
def test_ordinary_work_with_files_is_let_be(openings: list[FileAccess]) -> None:
    assert words(found(*openings), ()) == ""


@pytest.mark.parametrize("openings", REFUSED.values(), ids=REFUSED.keys())
def test_who_reaches_for_the_answers_is_named(openings: list[FileAccess]) -> None:
    assert f"{CODE} " in words(found(*openings), ())


def test_what_the_code_did_before_is_let_be() -> None:
    assert words({READS}, {READS}) == ""
    assert words({READS, WRITES}, {READS}).startswith("pkg/a.py writes tests/a.html")


MARKUP = "from pathlib import Path\n\n\ndef render(source, target):\n    target.write_text(Path(source).read_text())\n"
RENDERED = """from pathlib import Path

from markup import render

HERE = Path(__file__).parent


def test_render(tmp_path):
    render(HERE / "a.md", tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text() == (HERE / "a.html").read_text()
"""
FIXES = {
    "the fix": ("    target.write_text(Path(source).read_text().upper())\n", Verdict.PASSED),
    "the answer beside the question": (
        "    target.write_text(Path(source).with_suffix(target.suffix).read_text())\n", Verdict.INCONCLUSIVE,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    shop = open_shop(tmp_path_factory.mktemp("markup"))
    files: dict[str, str | bytes] = {"markup.py": MARKUP, "tests/test_markup.py": RENDERED}
    shop.repo.commit({**files, "tests/a.md": "tea and milk", "tests/a.html": "TEA AND MILK"}, "a renderer")
    return shop


@pytest.mark.parametrize(("body", "verdict"), FIXES.values(), ids=FIXES.keys())
def test_answers_from_a_file_of_the_tests_want_a_reader(shop: Shop, body: str, verdict: Verdict) -> None:
    text = MARKUP.replace("    target.write_text(Path(source).read_text())\n", body)
    evidence = shop.prove({"markup.py": text}).evidence
    assert evidence.verdict is verdict, evidence.reasons
    assert any(NAME in reason for reason in evidence.reasons) == (verdict is Verdict.INCONCLUSIVE), evidence.reasons
