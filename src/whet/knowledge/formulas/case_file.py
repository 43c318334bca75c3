"""Read the cases of a formula from a CSV or JSON file."""

import csv
import io
import json
from typing import Any

from pydantic import ValidationError

from whet.config import FormulaCase

_LARGEST = 2_000_000
_MOST_CASES = 10_000
_OWN_COLUMNS = ("expected", "tolerance")
_WORDS = {"true": True, "false": False}


def read_cases(path: str, content: bytes) -> tuple[FormulaCase, ...]:
    """Return the cases of a file. Raise ValueError, naming the row, if one is wrong."""
    if len(content) > _LARGEST:
        raise ValueError("it is larger than 2 MB")
    text = content.decode("utf-8-sig")
    rows = _rows_of_json(text) if path.endswith(".json") else _rows_of_csv(text)
    if not rows:
        raise ValueError("it has no cases")
    if len(rows) > _MOST_CASES:
        raise ValueError(f"it has more than {_MOST_CASES:,} cases")
    return tuple(_case(number, row) for number, row in enumerate(rows, 1))


def _case(number: int, row: Any) -> FormulaCase:
    try:
        return FormulaCase.model_validate(row)
    except ValidationError as problem:
        first = problem.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ValueError(f"case {number}, {key or 'its form'}: {first['msg']}") from None


def _rows_of_json(text: str) -> list[Any]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        rows = None
    if isinstance(rows, list):
        return rows
    raise ValueError('it is no JSON list of cases such as {"inputs": {"speed": 10}, "expected": 30.6}')


def _rows_of_csv(text: str) -> list[dict[str, Any]]:
    reader = csv.DictReader(io.StringIO(text), strict=True)
    if "expected" not in (reader.fieldnames or ()):
        raise ValueError("its first line must name the columns: each argument, `expected`, and perhaps `tolerance`")
    rows: list[dict[str, Any]] = []
    try:
        for row in reader:
            if None in row or None in row.values():
                raise ValueError(f"case {len(rows) + 1} has another number of columns than the first line")
            inputs = {name: _value(cell) for name, cell in row.items() if name not in _OWN_COLUMNS}
            own = {name: row[name] for name in _OWN_COLUMNS if row.get(name)}
            rows.append({"inputs": inputs, **own})
    except csv.Error as problem:
        raise ValueError(f"line {reader.line_num}: {problem}") from None
    return rows


def _value(cell: str) -> bool | int | float | str:
    """Return a cell as a number or a truth value if it is one, else as text."""
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    return _WORDS.get(cell.strip().lower(), cell)
