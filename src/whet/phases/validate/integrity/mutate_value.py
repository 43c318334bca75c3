"""Another value than the one that is expected, which looks like it could have been expected."""

import ast
import random
from collections.abc import Sequence
from string import ascii_lowercase, digits

_chance = random.SystemRandom()
_FURTHER = 3
_IMMENSE = 10**17


def another(value: object) -> object:
    """A value of the same kind, a little different."""
    match value:
        case bool():
            return not value
        case int():
            return value + _step()
        case float() | complex():
            return _moved(value, _step())
        case str():
            return _exchanged(value)
        case bytes():
            return _exchanged(value.decode("latin-1")).encode("latin-1", "replace")
        case list():
            return _other_items(value)
        case tuple():
            return tuple(_other_items(value))
        case set() | frozenset():
            return type(value)(_other_set(value))
        case dict():
            return _other_dict(value)
    return 0


def further(value: object) -> list[object]:
    """Values that get further and further away, for a comparison that is not exact; none for what has no contents.

    What holds for one of them may hold by chance or within a tolerance; what holds for all of them says nothing.
    Numbers only grow: who goes through all of them in order to find a smaller one never comes back.
    """
    return [_far(value, how) for how in range(_FURTHER)] if value or isinstance(value, int | float) else []


def beyond(value: int | float) -> list[int | float]:
    """Bounds that no value is on the right side of both of."""
    return [value + _IMMENSE + _step(), value - _IMMENSE + _step()]


def as_node(value: object) -> ast.expr | None:
    """How the value is written, where it can be."""
    try:
        node = ast.parse(repr(value), mode="eval").body
        ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return node


def _far(value: object, how: int) -> object:
    match value:
        case bool() | None:
            return another(value)
        case int() | float() | complex():
            return _moved(value, abs(value) * 3 * how + _chance.randint(7, 19) * 10**how)
        case str():
            return (_exchanged(value), value + _letters(3), _letters(8))[how]
        case bytes():
            return (another(value), value + _letters(3).encode(), _letters(8).encode())[how]
        case list() | tuple():
            return type(value)(_far(item, how) for item in value)
        case set() | frozenset():
            return type(value)(_far(item, how) for item in value)
        case dict():
            return {key: _far(item, how) for key, item in value.items()}
    return another(value)


def _moved(value: complex, by: complex) -> complex:
    """Where the number is so large that a step is lost in it, it is halved; without end, it ends."""
    moved = value + by
    if moved != value:
        return moved
    return value / 2 if abs(value) < float("inf") else 0.5


def _step() -> int:
    return _chance.choice((-1, 1)) * _chance.choice((1, 1, 2, 3))


def _exchanged(text: str) -> str:
    """One letter or digit for another; a text without any gets one."""
    places = [place for place, letter in enumerate(text) if letter in ascii_lowercase + digits]
    places = places or [place for place, letter in enumerate(text) if letter.isalnum()]
    if not places:
        return text + _letters(2)
    place = _chance.choice(places)
    alphabet = digits if text[place] in digits else ascii_lowercase
    others = [letter for letter in alphabet if letter != text[place].lower()]
    return text[:place] + _chance.choice(others) + text[place + 1 :]


def _letters(count: int) -> str:
    return "".join(_chance.choices(ascii_lowercase, k=count))


def _other_items(items: Sequence[object]) -> list[object]:
    """As many as before: by their number alone, a list whose items agree with everything would be told apart."""
    changed = list(items) or [0]
    place = _chance.randrange(len(changed))
    changed[place] = another(changed[place])
    return changed


def _other_set(items: set[object] | frozenset[object]) -> set[object]:
    if not items:
        return {_chance.randint(1, 9)}
    kept = set(items)
    gone = _chance.choice(sorted(kept, key=repr))
    new = another(gone)
    return kept - {gone} if new in kept else (kept - {gone}) | {new}


def _other_dict(items: dict[object, object]) -> dict[object, object]:
    if not items:
        return {"name": _chance.randint(1, 9)}
    key = _chance.choice(list(items))
    return {**items, key: another(items[key])}
