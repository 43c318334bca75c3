import hashlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from whet import path_lists
from whet.config import Config


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Copy the lists into a folder that the test may change, and forget what was read."""

    def forget() -> None:
        for function in (path_lists.rows, path_lists.lines, path_lists.digest):
            function.cache_clear()

    for name in path_lists.NAMES:
        source = Path(path_lists.__file__).parent / f"{name}.tsv"
        (tmp_path / source.name).write_text(source.read_text())
    monkeypatch.setattr(pkgutil, "get_data", lambda _, name: (tmp_path / name).read_bytes())
    forget()
    yield tmp_path
    forget()


@pytest.mark.parametrize("name", path_lists.NAMES)
def test_every_row_has_a_reason_and_a_public_source(name: str) -> None:
    rows = path_lists.rows(name)
    assert rows
    for row in rows:
        assert row.source.startswith("https://"), row
        assert row.reason.strip() == row.reason, row


def test_no_pattern_is_listed_twice() -> None:
    lines = path_lists.lines(*path_lists.PROTECTED)
    assert len(set(lines)) == len(lines)


def test_the_pattern_for_hidden_files_is_the_last(folder: Path) -> None:
    """An earlier place would hide the reasons of the patterns after it."""
    assert path_lists.lines(*path_lists.PROTECTED)[-1] == ".*"


@pytest.mark.parametrize("name", path_lists.NAMES)
def test_the_digest_of_the_policy_covers_every_list(name: str, folder: Path) -> None:
    before = Config().digest
    with (folder / f"{name}.tsv").open("a") as file:
        file.write("x.py\ta reason\thttps://example.org\n")
    path_lists.digest.cache_clear()
    assert Config().digest != before


def test_the_recorded_policy_names_the_lists_that_decided() -> None:
    assert Config().recorded["path_lists"] == path_lists.digest()
    assert len(path_lists.digest()) == len(hashlib.sha256().hexdigest())


@pytest.mark.parametrize(
    "line", ["x.py", "x.py\ta reason", "x.py\ta reason\t", "\ta reason\thttps://x", "a\tb\tc\td", ""]
)
def test_a_damaged_list_is_an_error_and_protects_no_less(line: str, folder: Path) -> None:
    (folder / "protected.tsv").write_text(f"{line}\n")
    with pytest.raises(ValueError, match="needs a pattern, a reason and a source"):
        path_lists.rows("protected")


def test_a_missing_list_is_an_error(folder: Path) -> None:
    (folder / "protected.tsv").unlink()
    with pytest.raises(FileNotFoundError):
        path_lists.rows("protected")
