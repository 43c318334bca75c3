"""Every requirement of the five source documents names code, settings and tests that exist."""

import re
from collections import Counter
from functools import cache

import pytest

from tests.docs.console import ROOT
from whet.config import Config

PAGE = (ROOT / "docs" / "requirements.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if re.match(r"\| [FNMCR]\d", line)
]
CODE = re.compile(r"`([^`]+)`")
STATUS = re.compile(r"(met|differs: .+|partly: .+|missing)(, .+|: .+)?")


@cache
def functions_in(path: str) -> set[str]:
    return set(re.findall(r"^\s*(?:async )?def (test_\w+)", (ROOT / "tests" / path).read_text(), re.MULTILINE))


def exists(name: str) -> bool:
    """True if a name in the third column is a path of the source, or a setting."""
    if (ROOT / "src" / "whet" / name).exists():
        return True
    table, _, key = name.partition(".")
    section = Config.model_fields.get(table)
    return section is not None and key in getattr(section.annotation, "model_fields", {})


def test_every_requirement_has_a_number_of_its_own_a_status_and_a_place() -> None:
    assert [row[0] for row in ROWS] == [f"{letter}{number}" for letter, last in Counter(row[0][0] for row in ROWS).items()
                                        for number in range(1, last + 1)]  # fmt: skip
    assert {row[0][0] for row in ROWS} == set("FNMCR")
    for number, _, status, places, _ in ROWS:
        assert STATUS.fullmatch(status), f"{number}: {status}"
        assert places, number


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_every_path_setting_and_test_exists(row: list[str]) -> None:
    _, _, _, places, shown = row
    assert [name for name in CODE.findall(places) if not exists(name)] == []
    named = CODE.findall(shown)
    assert named
    for test in named:
        path, _, function = test.partition("::")
        assert (ROOT / "tests" / path).is_file(), test
        assert not function or function in functions_in(path), test


def test_what_is_only_partly_there_is_listed_at_the_end() -> None:
    missing = set(re.findall(r"^- ([FNMCR]\d+):", PAGE, re.MULTILINE))
    assert {row[0] for row in ROWS if row[2].startswith(("partly", "missing"))} <= missing
