"""Make inputs like those of a recorded call: neighbours of numbers, strings of the same shape, other lists and dates.

The same seed and arguments give the same variations in every process.
Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import datetime
import itertools
import random
import re
import string
import types

MOST, MOST_SAME_SHAPE = 44, 16
SAME_SHAPE = "same shape"
WORD = re.compile(r"[^\W_]+")
CALLABLES = (types.FunctionType, types.MethodType, types.BuiltinFunctionType)


class Probe(Exception):
    """The exception of a callable argument that was replaced, to see whether it is passed on."""


class Variation:
    """One varied call: its `kind`, and its arguments."""

    def __init__(self, kind, arguments, named):
        self.kind, self.arguments, self.named = kind, arguments, named


def variations(arguments, named, seed, words, places):
    """Return varied calls, the most telling kinds first. `places` are the arguments to vary: positions and names."""
    rng = random.Random(seed)
    by_place = [list(_at(arguments, named, place, rng, words)) for place in places]
    varied = [item for row in itertools.zip_longest(*by_place) for item in row if item is not None]
    same = [item for item in varied if item.kind == SAME_SHAPE]
    others = [item for item in varied if item.kind != SAME_SHAPE]
    return [*same[:MOST_SAME_SHAPE], *others][:MOST]


def another(arguments, named, rng, first=0):
    """Return arguments of the same shape with every number and text replaced."""
    changed = [*arguments[:first], *(_renewed(value, rng) for value in arguments[first:])]
    return changed, {name: _renewed(value, rng) for name, value in named.items()}


def _at(arguments, named, place, rng, words):
    value = named[place] if isinstance(place, str) else arguments[place]
    for kind, other in _similar(value, rng, words):
        if isinstance(place, str):
            yield Variation(kind, list(arguments), {**named, place: other})
        else:
            yield Variation(kind, [*arguments[:place], other, *arguments[place + 1 :]], dict(named))


def _similar(value, rng, words, depth=0):
    """Yield (kind, value) pairs like this value; none for unknown types."""
    kind = type(value)
    if kind is bool:
        yield "flipped", not value
    elif kind is int:
        for other in (value + 1, value - 1, 0, -value, value + 2, value - 2, 2 * value + 1, 10 * value + 7, 1_000_003):
            yield "number", other
        yield from (("number of the patch", word) for word in words if type(word) is int)
    elif kind is float:
        yield from (("number", other) for other in (value + 0.5, value - 1.0, 0.0, -value, 10 * value))
    elif kind is str:
        yield from _texts(value, rng, words)
    elif kind is bytes:
        text = value.decode("latin-1")
        pairs = _texts(text, rng, [])
        yield from ((what, other.encode("latin-1")) for what, other in pairs if other.isascii())
    elif kind in (list, tuple):
        yield from _sequences(value, kind, rng, words, depth)
    elif kind is dict:
        yield from _dicts(value, rng, words, depth)
    elif kind in (set, frozenset):
        yield "empty", kind()
        yield "shorter", kind(list(value)[1:])
    elif kind in (datetime.date, datetime.datetime):
        yield from _dates(value)
    elif kind is datetime.timedelta:
        yield from (("number", other) for other in (value * 2, -value, value + datetime.timedelta(days=1)))
    elif isinstance(value, CALLABLES):
        yield "raising", _raising


def _raising(*_arguments, **_named):
    raise Probe


def _texts(value, rng, words):
    if WORD.search(value):
        for _ in range(4):
            yield SAME_SHAPE, same_shape(value, rng)
        matches = list(WORD.finditer(value))
        for match in matches[:4] if len(matches) > 1 else []:
            other = same_shape(match.group(), rng)
            yield SAME_SHAPE, value[: match.start()] + other + value[match.end() :]
        for _ in range(2):
            yield SAME_SHAPE, same_shape(value, rng)
    yield "empty text", ""
    yield "longer text", value + value
    yield "longer text", value + " " + same_shape(value, rng)
    yield "shorter text", value[1:]
    yield "shorter text", value[:-1]
    yield "text in other case", value.swapcase()
    yield "text with spaces", f" {value} "
    yield from (("text of the patch", word) for word in words if type(word) is str)


def same_shape(value, rng):
    """Replace letters by letters of the same case and digits by digits; everything else stays."""
    return "".join(_same_kind(character, rng) for character in value)


def _same_kind(character, rng):
    if "a" <= character <= "z":
        return rng.choice(string.ascii_lowercase)
    if "A" <= character <= "Z":
        return rng.choice(string.ascii_uppercase)
    if "0" <= character <= "9":
        return rng.choice("123456789" if character != "0" else string.digits)
    return character


def _sequences(value, kind, rng, words, depth):
    items = list(value)
    if depth < 2:
        for place, item in list(enumerate(items))[:3]:
            inner = list(_similar(item, rng, words, depth + 1))
            for what, other in [pair for pair in inner if pair[0] == SAME_SHAPE][:3] or inner[:3]:
                yield "inner " + what, kind([*items[:place], other, *items[place + 1 :]])
    shuffled = rng.sample(items, len(items))
    changes = (("order", items[::-1]), ("order", shuffled), ("longer", items + items[:1]), ("longer", items + items))
    yield from ((what, kind(other)) for what, other in changes if items)
    yield "empty", kind()
    yield "shorter", kind(items[1:])
    yield "shorter", kind(items[:-1])


def _dicts(value, rng, words, depth):
    if depth < 2:
        for key in list(value)[:4]:
            inner = list(_similar(value[key], rng, words, depth + 1))
            for what, other in [pair for pair in inner if pair[0] == SAME_SHAPE][:3] or inner[:3]:
                yield "inner " + what, {**value, key: other}
    for key in list(value)[:3]:
        yield "shorter", {name: item for name, item in value.items() if name != key}
    yield "empty", {}


def _dates(value):
    for days in (1, -1, 31, 366, 10_000):
        try:
            yield "date", value + datetime.timedelta(days=days)
        except OverflowError:
            continue


def _renewed(value, rng, depth=0):
    kind = type(value)
    if kind is int:
        return value + rng.randrange(1, 100_000)
    if kind is float:
        return value + rng.random()
    if kind is str:
        return same_shape(value, rng) + rng.choice(string.ascii_lowercase)
    if kind in (list, tuple) and depth < 2:
        return kind([_renewed(item, rng, depth + 1) for item in value])
    if kind is dict and depth < 2:
        return {key: _renewed(item, rng, depth + 1) for key, item in value.items()}
    return value
