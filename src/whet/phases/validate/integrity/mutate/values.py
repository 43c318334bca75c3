"""Mutate an expected value into another one that could have been expected just as well."""

import ast
import random
from collections.abc import Sequence
from string import ascii_lowercase, digits

_random = random.SystemRandom()
_DISTANCES = 3
_IMMENSE = 10**17


def different_value(value: object) -> object:
    """Return a value of the same type that differs a little."""
    match value:
        case bool():
            return not value
        case int():
            return value + _step()
        case float() | complex():
            return _add(value, _step())
        case str():
            return _replace_character(value)
        case bytes():
            return _replace_character(value.decode("latin-1")).encode("latin-1", "replace")
        case list():
            return _different_items(value)
        case tuple():
            return tuple(_different_items(value))
        case set() | frozenset():
            return type(value)(_different_set(value))
        case dict():
            return _different_dict(value)
    return 0


def distant_values(value: object) -> list[object]:
    """Return values at growing distance from `value`, for a comparison that is not exact; none for an empty value.

    One of them may still agree by chance or within a tolerance; code that agrees with all of them checks nothing. Numbers
    only grow: an unbounded iterator that is searched for a smaller number would never end.
    """
    if not value and not isinstance(value, int | float):
        return []
    return [_distant(value, distance) for distance in range(_DISTANCES)]


def unreachable_bounds(value: int | float) -> list[int | float]:
    """Return an upper and a lower bound such that no number can satisfy an inequality against both."""
    return [value + _IMMENSE + _step(), value - _IMMENSE + _step()]


def literal_node(value: object) -> ast.expr | None:
    """Return the value as a literal; None if it has no literal form."""
    try:
        node = ast.parse(repr(value), mode="eval").body
        ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return node


def _distant(value: object, distance: int) -> object:
    match value:
        case bool() | None:
            return different_value(value)
        case int() | float() | complex():
            return _add(value, abs(value) * 3 * distance + _random.randint(7, 19) * 10**distance)
        case str():
            return (_replace_character(value), value + _letters(3), _letters(8))[distance]
        case bytes():
            return (different_value(value), value + _letters(3).encode(), _letters(8).encode())[distance]
        case list() | tuple():
            return type(value)(_distant(item, distance) for item in value)
        case set() | frozenset():
            return type(value)(_distant(item, distance) for item in value)
        case dict():
            return {key: _distant(item, distance) for key, item in value.items()}
    return different_value(value)


def _add(value: complex, step: complex) -> complex:
    """Add `step`; halve the value if it is too large to change by that, and replace infinity by 0.5."""
    moved = value + step
    if moved != value:
        return moved
    return value / 2 if abs(value) < float("inf") else 0.5


def _step() -> int:
    return _random.choice((-1, 1)) * _random.choice((1, 1, 2, 3))


def _replace_character(text: str) -> str:
    """Replace one letter or digit by another; append letters to a text without any."""
    places = [place for place, letter in enumerate(text) if letter in ascii_lowercase + digits]
    if not places:
        places = [place for place, letter in enumerate(text) if letter.isalnum()]
    if not places:
        return text + _letters(2)
    place = _random.choice(places)
    alphabet = digits if text[place] in digits else ascii_lowercase
    others = [letter for letter in alphabet if letter != text[place].lower()]
    return text[:place] + _random.choice(others) + text[place + 1 :]


def _letters(count: int) -> str:
    return "".join(_random.choices(ascii_lowercase, k=count))


def _different_items(items: Sequence[object]) -> list[object]:
    """Mutate one item. The length stays: a change of it would fail even for items that are equal to everything."""
    changed = list(items) or [0]
    place = _random.randrange(len(changed))
    changed[place] = different_value(changed[place])
    return changed


def _different_set(items: set[object] | frozenset[object]) -> set[object]:
    if not items:
        return {_random.randint(1, 9)}
    removed = _random.choice(sorted(items, key=repr))
    added = different_value(removed)
    rest = set(items) - {removed}
    return rest if added in items else rest | {added}


def _different_dict(items: dict[object, object]) -> dict[object, object]:
    if not items:
        return {"name": _random.randint(1, 9)}
    key = _random.choice(list(items))
    return {**items, key: different_value(items[key])}
