"""What the code said when it was asked: text from an untrusted process, read as data and never run."""

import ast
import datetime
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

Said = Sequence[Mapping[str, Any]] | None
LIBRARY = "library"


def _fraction(numerator: object, denominator: object) -> Fraction:
    """As it is shown. Of a text it would also be made, and one of ten characters can ask for gigabytes."""
    if not (isinstance(numerator, int) and isinstance(denominator, int)):
        raise TypeError("a fraction of something else than two whole numbers")
    return Fraction(numerator, denominator)


_MADE: dict[str, Callable[..., object]] = {
    "Decimal": Decimal, "Fraction": _fraction, "datetime.date": datetime.date, "datetime.datetime": datetime.datetime,
    "datetime.time": datetime.time, "datetime.timedelta": datetime.timedelta, "set": set,
}  # fmt: skip
_NAMED = {"datetime.timezone.utc": datetime.UTC}
_BROKEN = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, ArithmeticError)


@dataclass(frozen=True)
class Kind:
    """A class by its place (a path of the tree, `library`, or nothing where no module holds it) and its name there."""

    place: str
    name: str


@dataclass(frozen=True)
class Answer:
    """`text` is plain data as it is written, None for anything else; then `kind` is the class that is not plain."""

    text: str | None
    kind: Kind
    array: bool = False

    @property
    def opaque(self) -> bool:
        return self.text is None

    @property
    def speaks_against(self) -> bool:
        """In a loop a question is asked more than once: such an answer is not made good by a later one."""
        return self.opaque or self.text == "False"

    @property
    def hollow(self) -> bool:
        """Nothing is in it: it agrees with all that is said of everything in it."""
        try:
            value = self.value
        except _BROKEN:
            return False
        return isinstance(value, list | tuple | set | dict | str) and not value

    @property
    def value(self) -> object:
        return _value(ast.parse(self.text or "", mode="eval").body)

    def is_(self, expected: object, *, near: bool) -> bool:
        """No where the text is not data, or data that cannot be compared."""
        try:
            return self._is(self.value, expected, near=near)
        except _BROKEN:
            return False

    def _is(self, value: object, expected: object, *, near: bool) -> bool:
        if self.array and not isinstance(expected, list | tuple):
            return all(_near(one, expected) if near else one == expected for one in _flat(value) or [None])
        return _near(value, expected) if near else _same(value, expected, listed=self.array)

    def says(self, pattern: str) -> bool:
        """Whether it is text that a pattern is found in."""
        try:
            return re.search(pattern, str(self.value)) is not None
        except (*_BROKEN, re.error):
            return False


@dataclass(frozen=True)
class Answers:
    """Of one tree in one world: the files whose imports worked, and the answer to each question that got one."""

    imported: frozenset[str]
    values: Mapping[str, Answer]

    @property
    def kinds(self) -> frozenset[Kind]:
        return frozenset(answer.kind for answer in self.values.values())


def read_answers(events: Said, files: Sequence[str]) -> Answers | None:
    """`files` are those that were asked, in the order of the request; None where the process did not get to its end."""
    if events is None:
        return None
    fine = {str(event.get("module")) for event in events if event.get("event") == "import" and not event.get("problem")}
    said = [event for event in events if event.get("event") == "value"]
    values: dict[str, Answer] = {}
    for event in said:
        key, answer = str(event.get("key")), _answer(event)
        if key not in values or not values[key].speaks_against:
            values[key] = answer
    return Answers(frozenset(path for number, path in enumerate(files) if str(number) in fine), values)


def _answer(event: Mapping[str, Any]) -> Answer:
    text = event.get("value")
    kind = Kind(str(event.get("place", "")), str(event.get("kind", "")))
    return Answer(text if isinstance(text, str) else None, kind, event.get("array") is True)


def _value(node: ast.expr) -> object:
    """Literals, and numbers and times of the standard library as their `repr` shows them."""
    match node:
        case ast.List(elts=items):
            return [_value(one) for one in items]
        case ast.Tuple(elts=items):
            return tuple(_value(one) for one in items)
        case ast.Set(elts=items):
            return {_value(one) for one in items}
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {_value(key): _value(one) for key, one in zip(keys, values, strict=True) if key is not None}
        case ast.Call(func=function, args=args, keywords=words) if (name := ast.unparse(function)) in _MADE:
            return _MADE[name](*map(_value, args), **{str(word.arg): _value(word.value) for word in words})
        case ast.Attribute() if (name := ast.unparse(node)) in _NAMED:
            return _NAMED[name]
    return ast.literal_eval(node)


def _same(value: object, expected: object, *, listed: bool) -> bool:
    if listed and isinstance(value, list) and isinstance(expected, list | tuple):
        return len(value) == len(expected) and all(
            _same(*both, listed=True) for both in zip(value, expected, strict=True)
        )
    return bool(value == expected)


def _flat(value: object) -> list[object]:
    return [part for one in value for part in _flat(one)] if isinstance(value, list) else [value]


def _near(value: object, expected: object) -> bool:
    if isinstance(expected, list | tuple) and isinstance(value, list | tuple) and len(value) == len(expected):
        return all(map(_near, value, expected))
    if isinstance(expected, int | float) and isinstance(value, int | float | Decimal | Fraction):
        return math.isclose(value, expected, rel_tol=1e-5, abs_tol=1e-9)
    return isinstance(expected, dict | str) or value == expected
