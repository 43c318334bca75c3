import json
from typing import Any

import pytest

from whet.cases.python_literals import Literals, Unwritable

ROWS = [
    ("1", "1"),
    ('"it\'s"', '"it\'s"'),
    ("[1, [2.5, null]]", "[1, [2.5, None]]"),
    ('{"a": {"$tuple": [1]}}', "{'a': (1,)}"),
    ('{"$tuple": []}', "()"),
    ('{"$dict": [[1, "x"], [{"$tuple": [1, 2]}, true]]}', "{1: 'x', (1, 2): True}"),
    ('{"$set": []}', "set()"),
    ('{"$set": [2, 1]}', "{1, 2}"),
    ('{"$frozenset": [1]}', "frozenset({1})"),
    ('{"$bytes": "AAE="}', "b'\\x00\\x01'"),
    ('{"$int": "ff"}', "0xff"),
    ('{"$int": "-ff"}', "-0xff"),
    ('{"$float": "inf"}', "float('inf')"),
    ('{"$complex": [1.0, -2.0]}', "complex(1.0, -2.0)"),
    ('{"$date": "2026-01-02"}', "date.fromisoformat('2026-01-02')"),
    ('{"$timedelta": [1, 2, 3]}', "timedelta(1, 2, 3)"),
    ('{"$decimal": "1.10"}', "Decimal('1.10')"),
    ('{"$path": "a/b"}', "Path('a/b')"),
    ('{"$record": ["shop.cart:Item", {"price": {"$decimal": "2"}}]}', "Item(price=Decimal('2'))"),
    ('{"$namedtuple": ["shop:Pair", [1, 2]]}', "Pair(1, 2)"),
    ('{"$enum": ["shop:Colour", "RED"]}', "Colour.RED"),
    ('{"$type": "builtins:int"}', "int"),
]

REFUSED = [
    '{"$opaque": "x:Y"}',
    '{"$redacted": true}',
    '{"$cut": ["str", 5000, "abc"]}',
    '{"$enum": ["shop:Colour", "RED.x"]}',
    '{"$record": ["shop; import os:Item", {}]}',
    '{"$record": ["shop:f.<locals>.Item", {}]}',
    '{"$record": ["shop:Item", {"x=os.system": 1}]}',
    '{"$nobody knows": 1}',
    "NaN",
    '{"$int": "0); import os; (1"}',
    '{"$bytes": 5}',
    '{"$record": 7}',
    '{"$tuple": null}',
]


@pytest.mark.parametrize(("recorded", "text"), ROWS)
def test_a_recorded_value_is_written_as_python(recorded: str, text: str) -> None:
    assert Literals().write(json.loads(recorded)) == text


@pytest.mark.parametrize("recorded", REFUSED)
def test_a_value_without_source_text_is_refused(recorded: str) -> None:
    with pytest.raises(Unwritable):
        Literals().write(json.loads(recorded))


def test_the_imports_are_collected() -> None:
    writer = Literals()
    value: Any = {"$record": ["shop.cart:Item", {"when": {"$datetime": "2026-01-02T03:04:05"}}]}
    assert writer.arguments([value], {"n": 1}) == "Item(when=datetime.fromisoformat('2026-01-02T03:04:05')), n=1"
    assert writer.imports == {("shop.cart", "Item"), ("datetime", "datetime")}
