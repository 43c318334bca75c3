"""Code that opens the files that tests compare with is reported, unless it did so before the patch."""

import pytest

from tests.integrity.shop import Shop, open_shop
from whet.domain.verdict import Verdict
from whet.phases.validate.integrity.safeguards.expected_data import NAME, describe_new, suspect_openings
from whet.target.tracer import FileAccess, TracedTest

TEST, CODE, CONFTEST, GOLDEN, INPUT = "tests/test_a.py", "pkg/a.py", "tests/conftest.py", "tests/a.html", "tests/a.md"
TREE = {GOLDEN, INPUT}


def suspect(*openings: FileAccess) -> set[FileAccess]:
    return suspect_openings(
        [TracedTest("tests/test_a.py::test_a", "passed", {}, {}, frozenset(openings))], {TEST}, TREE
    )


READS, WRITES = FileAccess(CODE, GOLDEN, writes=False), FileAccess(CODE, GOLDEN, writes=True)
ALLOWED = {
    "the test reads the file that it compares with": [FileAccess(TEST, GOLDEN, writes=False)],
    "the code reads its input": [FileAccess(CODE, INPUT, writes=False), FileAccess(TEST, GOLDEN, writes=False)],
    "a fixture writes": [FileAccess(CONFTEST, GOLDEN, writes=True)],
    "the code writes a file that is not in the tree": [FileAccess(CODE, "out/a.html", writes=True)],
}
REFUSED = {
    "the code reads the file that the test compares with": [READS, FileAccess(TEST, GOLDEN, writes=False)],
    "the code reads a file that a fixture reads": [READS, FileAccess(CONFTEST, GOLDEN, writes=False)],
    "the code writes it": [WRITES],
}


@pytest.mark.parametrize("openings", ALLOWED.values(), ids=ALLOWED.keys())
def test_ordinary_use_of_files_is_not_reported(openings: list[FileAccess]) -> None:
    assert describe_new(suspect(*openings), ()) == ""


@pytest.mark.parametrize("openings", REFUSED.values(), ids=REFUSED.keys())
def test_code_that_opens_the_expected_data_is_named(openings: list[FileAccess]) -> None:
    assert f"{CODE} " in describe_new(suspect(*openings), ())


def test_an_opening_that_happened_before_the_patch_is_not_reported() -> None:
    assert describe_new({READS}, {READS}) == ""
    assert describe_new({READS, WRITES}, {READS}).startswith("pkg/a.py writes tests/a.html")


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
    "the expected file is copied": (
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
def test_a_patch_that_copies_the_expected_file_is_inconclusive(shop: Shop, body: str, verdict: Verdict) -> None:
    text = MARKUP.replace("    target.write_text(Path(source).read_text())\n", body)
    evidence = shop.prove({"markup.py": text}).evidence
    assert evidence.verdict is verdict, evidence.reasons
    assert any(NAME in reason for reason in evidence.reasons) == (verdict is Verdict.INCONCLUSIVE), evidence.reasons
