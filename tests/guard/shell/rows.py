"""Load the command tables in `must_refuse/`, `must_allow/` and `must_raise/`.

The header of a file ends at its first blank line.
"""

from pathlib import Path

_FOLDER = Path(__file__).parent
TABLES = ("core", "blind", "adversarial", "common", "rare", "escapes", "own", "holes", "benign", "named")


def must_refuse(table: str) -> list[tuple[str, str]]:
    """Return the (harm, command) rows of one table of commands that must be refused."""
    rows = []
    for line in _lines(_FOLDER / "must_refuse" / f"{table}.tsv"):
        harm, _, command = line.partition("\t")
        rows.append((harm, _decoded(command)))
    return rows


def must_allow(table: str) -> list[str]:
    """Return the rows of one table of commands that must be allowed."""
    return [_decoded(line) for line in _lines(_FOLDER / "must_allow" / f"{table}.tsv")]


def must_raise(table: str) -> list[str]:
    """Return the rows of one table of commands that must be raised to a person."""
    return [_decoded(line) for line in _lines(_FOLDER / "must_raise" / f"{table}.tsv")]


def _lines(path: Path) -> list[str]:
    _header, _, rows = path.read_text(encoding="utf-8").partition("\n\n")
    return rows.removesuffix("\n").split("\n")


def _decoded(command: str) -> str:
    return command.replace("␤", "\n").replace("␉", "\t")
