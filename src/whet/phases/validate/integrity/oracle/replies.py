"""The values that the code gave: text from an untrusted process, parsed as data and never evaluated."""

import ast
import datetime
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

Events = Sequence[Mapping[str, Any]] | None
LIBRARY = "library"


def _fraction(numerator: object, denominator: object) -> Fraction:
    """Make a fraction of two integers only: `Fraction("1e999999999")` would take gigabytes."""
    if not (isinstance(numerator, int) and isinstance(denominator, int)):
        raise TypeError("a fraction needs two integers")
    return Fraction(numerator, denominator)


_CONSTRUCTORS: dict[str, Callable[..., object]] = {
    "Decimal": Decimal, "Fraction": _fraction, "datetime.date": datetime.date, "datetime.datetime": datetime.datetime,
    "datetime.time": datetime.time, "datetime.timedelta": datetime.timedelta, "set": set,
}  # fmt: skip
_NAMED_VALUES = {"datetime.timezone.utc": datetime.UTC}
UNREADABLE = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, ArithmeticError)


@dataclass(frozen=True)
class ClassRef:
    """A class by its place (a path of the tree, `library`, or empty if no module holds it) and its name there."""

    place: str
    name: str


@dataclass(frozen=True)
class Reply:
    """A value that the code gave. `text` is the value written as a literal; None if the value is not plain data.

    `class_ref` names the class, `is_array` marks the value of an array library, which is written as nested lists.
    """

    text: str | None
    class_ref: ClassRef
    is_array: bool = False

    @property
    def opaque(self) -> bool:
        """True if the value is not plain data, so that only its class is known."""
        return self.text is None

    @property
    def is_negative(self) -> bool:
        """True if the reply counts against the patch: in a loop, a later reply must not replace it."""
        return self.opaque or self.text == "False"

    @property
    def is_empty(self) -> bool:
        """True for an empty container or text: any assertion about all of its items holds."""
        try:
            value = self.value
        except UNREADABLE:
            return False
        return isinstance(value, list | tuple | set | dict | str) and not value

    @property
    def value(self) -> object:
        return _parse_value(ast.parse(self.text or "", mode="eval").body)

    def equals(self, expected: object, *, near: bool) -> bool:
        """True if the value is the expected one; False if the text is not data, or data that cannot be compared."""
        try:
            return self._equals(self.value, expected, near=near)
        except UNREADABLE:
            return False

    def _equals(self, value: object, expected: object, *, near: bool) -> bool:
        if self.is_array and not isinstance(expected, list | tuple):  # every element is compared with the scalar
            items = _flatten(value) or [None]
            return all(_is_near(item, expected) if near else item == expected for item in items)
        return _is_near(value, expected) if near else _is_equal(value, expected, as_array=self.is_array)

    def has_same_value(self, other: "Reply") -> bool:
        try:
            return bool(self.value == other.value)
        except UNREADABLE:
            return self.text == other.text

    def matches(self, pattern: str) -> bool:
        """True if the regular expression is found in the value."""
        try:
            return re.search(pattern, str(self.value)) is not None
        except (*UNREADABLE, re.error):
            return False


@dataclass(frozen=True)
class Replies:
    """The replies of one tree in one environment: the files whose imports worked, and the reply to each query."""

    imported: frozenset[str]
    values: Mapping[str, Reply]

    @property
    def classes(self) -> frozenset[ClassRef]:
        return frozenset(reply.class_ref for reply in self.values.values())


def read_replies(events: Events, files: Sequence[str]) -> Replies | None:
    """Read the events of the process, which had `files` in the order of the request; None if it did not finish."""
    if events is None:
        return None
    values: dict[str, Reply] = {}
    imported: set[str] = set()
    for event in events:
        if event.get("event") == "import" and not event.get("problem"):
            imported.add(str(event.get("module")))
        elif event.get("event") == "value":
            key = str(event.get("key"))
            if key not in values or not values[key].is_negative:
                values[key] = _read_reply(event)
    return Replies(frozenset(path for number, path in enumerate(files) if str(number) in imported), values)


def _read_reply(event: Mapping[str, Any]) -> Reply:
    text = event.get("value")
    class_ref = ClassRef(str(event.get("place", "")), str(event.get("kind", "")))
    return Reply(text if isinstance(text, str) else None, class_ref, event.get("array") is True)


def _parse_value(node: ast.expr) -> object:
    """Return the value of a literal, or of a number or time of the standard library as its `repr` shows it."""
    match node:
        case ast.List(elts=items):
            return [_parse_value(item) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_parse_value(item) for item in items)
        case ast.Set(elts=items):
            return {_parse_value(item) for item in items}
        case ast.Dict(keys=keys, values=values) if None not in keys:
            pairs = zip(keys, values, strict=True)
            return {_parse_value(key): _parse_value(value) for key, value in pairs if key is not None}
        case ast.Call(func=function, args=args, keywords=keywords) if (name := ast.unparse(function)) in _CONSTRUCTORS:
            named = {str(keyword.arg): _parse_value(keyword.value) for keyword in keywords}
            return _CONSTRUCTORS[name](*map(_parse_value, args), **named)
        case ast.Attribute() if (name := ast.unparse(node)) in _NAMED_VALUES:
            return _NAMED_VALUES[name]
    return ast.literal_eval(node)


def _is_equal(value: object, expected: object, *, as_array: bool) -> bool:
    """Compare; an array is written as lists, so a list equals a tuple in it."""
    if as_array and isinstance(value, list) and isinstance(expected, list | tuple):
        return len(value) == len(expected) and all(
            _is_equal(item, other, as_array=True) for item, other in zip(value, expected, strict=True)
        )
    return bool(value == expected)


def _flatten(value: object) -> list[object]:
    if not isinstance(value, list):
        return [value]
    return [part for item in value for part in _flatten(item)]


def _is_near(value: object, expected: object) -> bool:
    """Compare numbers within a tolerance. The items of dicts and texts are not compared here."""
    if isinstance(expected, list | tuple) and isinstance(value, list | tuple) and len(value) == len(expected):
        return all(map(_is_near, value, expected))
    if isinstance(expected, int | float) and isinstance(value, int | float | Decimal | Fraction):
        return math.isclose(value, expected, rel_tol=1e-5, abs_tol=1e-9)
    return isinstance(expected, dict | str) or value == expected
