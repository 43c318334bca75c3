"""One word, one thing: some words may be part of a name only in the rooms that the thing belongs to (CONTRIBUTING.md)."""

import re
from functools import cache
from pathlib import Path

import pytest

import whet

SOURCE = Path(whet.__file__).parent
DEFINITION = re.compile(r"^\s*(?:async )?(?:def|class) (\w+)", re.MULTILINE)
RECORD = (
    "agent_proxy", "app", "cli", "config", "conversation", "errors.py", "guard/calls", "ledger", "phases/approve", "phases/deploy",
    "phases/observe/review", "web", "workflow",
)  # fmt: skip
ROOMS = {
    "record": RECORD,
    "captur": ("cases", "domain", "runtime"),
    "(?<!ex)plan(?!t)": ("domain/proposal.py", "workflow/release.py", "guard/change/self_change.py"),
    "canary": ("phases/deploy", "statistics"),
    "withdraw": ("app/approvals", "app/repository.py", "cli", "domain", "errors.py", "phases/approve", "workflow"),
    "rehears": ("domain", "phases/deploy", "workflow", "ledger"),
}


@cache
def names() -> list[tuple[str, str]]:
    """Return every file of the source and the names that it defines, its own name included."""
    files = [(path, path.relative_to(SOURCE).as_posix()) for path in SOURCE.rglob("*.py")]
    return [(place, name) for path, place in files for name in (path.stem, *DEFINITION.findall(path.read_text()))]


@pytest.mark.parametrize("word", ROOMS)
def test_a_word_is_part_of_a_name_only_where_its_thing_is(word: str) -> None:
    bearers = [(place, name) for place, name in names() if re.search(word, name, re.IGNORECASE)]
    assert bearers, "no name has this word any more: delete its row"
    assert not [bearer for bearer in bearers if not bearer[0].startswith(ROOMS[word])]
