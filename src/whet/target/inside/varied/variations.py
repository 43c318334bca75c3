"""Make inputs like those of a call: neighbours of numbers, strings of the same shape, other lists and dates.

The same seed and arguments give the same variations in every process.
Loaded by its path in the target's interpreter (3.9 or later); standard library only.
"""

import copy
import datetime
import itertools
import pathlib
import random
import re
import string
import types

MOST, MOST_SAME_SHAPE = 48, 16
MOST_ATTRIBUTES, MOST_INNER = 6, 8
CHAIN, FILLED = 6, 5
LONG = 30
SAME_SHAPE = "same shape"
WORD, NUMBER = re.compile(r"[^\W_]+"), re.compile(r"[0-9]{1,9}")
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
    given = [item for item in (*arguments, *named.values()) if item is not value and type(item) in (int, float, str)]
    for kind, other in itertools.chain(_filled(value, given[:1]), _similar(value, rng, words)):
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
        numbers = [word for word in words if type(word) is int]
        yield from _spread(
            [("number", other) for other in (value + 1, value - 1, value + 2, value - 2)],
            [("far number", other) for other in (0, 1_000_003, -value, 2 * value + 1, 10 * value + 7)],
            [("number of the patch", number + more) for number in numbers for more in (0, 1, -1)],
            [("none", None)],
        )
    elif kind is float:
        yield from (("number", other) for other in (value + 0.5, value - 1.0))
        yield from (("far number", other) for other in (0.0, -value, 10 * value))
    elif kind is str:
        yield from _texts(value, rng, words)
    elif kind is bytes:
        text = value.decode("latin-1")
        pairs = _texts(text, rng, [])
        yield from ((what, other.encode("latin-1")) for what, other in pairs if other.isascii())
    elif kind is range:
        yield from _sequences(value, list, rng, words, depth)
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
    elif isinstance(value, pathlib.Path):
        yield from (("path", value.with_name(same_shape(value.name, rng))) for _ in range(6) if value.name)
        yield "folder", value.parent
    elif depth == 0:
        yield from of_object(value, rng, words)


def of_object(value, rng, words):
    """Yield (kind, copy) pairs of an instance in which one attribute is varied; none if it has no plain attributes."""
    own = getattr(value, "__dict__", None)
    if type(own) is not dict or isinstance(value, (type, types.ModuleType, BaseException)):
        return
    rows = [
        [(name, kind, other) for kind, other in _picked(_similar(item, rng, words, 1))]
        for name, item in list(own.items())[:MOST_ATTRIBUTES]
        if type(item) in (bool, int, float, str, list, tuple, dict)
    ]
    for name, kind, other in (item for row in itertools.zip_longest(*rows) for item in row if item is not None):
        try:
            changed = copy.copy(value)
            object.__setattr__(changed, name, other)
        except Exception:
            return
        yield f"attribute {kind}", changed


def _filled(value, items):
    """Yield copies of an instance in which an empty list holds items of the call: it may collect them."""
    own = getattr(value, "__dict__", None)
    if type(own) is not dict or not items or isinstance(value, (type, types.ModuleType, BaseException)):
        return
    for name in [name for name, item in own.items() if type(item) is list and not item][:2]:
        try:
            changed = copy.copy(value)
            object.__setattr__(changed, name, items * FILLED)
        except Exception:
            return
        yield "attribute longer", changed


def _spread(*rows):
    """Return the first of each row, then the second of each row, and so on."""
    return [item for row in itertools.zip_longest(*rows) for item in row if item is not None]


def _picked(pairs):
    """Return a few of these pairs, the first of every kind before the second of any."""
    by_kind = {}
    for kind, other in pairs:
        by_kind.setdefault(kind, []).append((kind, other))
    return _spread(*by_kind.values())[:MOST_INNER]


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
        if len(value) > 1:
            yield "alike", alike(value, rng)
        for match in list(NUMBER.finditer(value))[:2]:
            for other in (f"{match.group()}0", str(int(match.group()) + 1)):
                yield "number", value[: match.start()] + other + value[match.end() :]
        if value != value.swapcase():
            yield "text in other case", value.swapcase()
        yield "more words", WORD.sub(lambda word: f"{word.group()} {same_shape(word.group(), rng)}", value)
    yield "longer text", value + value
    yield "longer text", value + " " + same_shape(value, rng)
    yield "longer text", "".join(character * 3 for character in value[:LONG])
    yield "longer text", WORD.sub(lambda word: word.group() * 2, value)
    yield "empty text", ""
    yield "long text", " ".join([value] * (1 + LONG // (1 + len(value.split()))))
    yield "none", None
    for word in words:
        if type(word) is str:
            yield from (("text of the patch", text) for text in (word, value + word, word + value))
    yield "shorter text", value[1:]
    yield "shorter text", value[:-1]
    yield "text with spaces", f" {value} "


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
    inner = []
    if depth < 2:
        for place, item in list(enumerate(items))[:3]:
            pairs = _inner(item, rng, words, depth)
            inner.append(
                [("inner " + what, kind([*items[:place], other, *items[place + 1 :]])) for what, other in pairs]
            )
    shuffled = rng.sample(items, len(items))
    changes = [("longer", items + items[:1]), ("order", items[::-1]), ("longer", items + items), ("order", shuffled)]
    changes += [("long", items * (1 + LONG // len(items)))] if items else []
    if items:
        changes += [("longer", [item for item in items for _ in range(3)])]
        changes += [("longer", [*items, other]) for other in (alike(items[0], rng),) if other is not None]
    whole = [(what, kind(other)) for what, other in changes if items]
    less = [("empty", kind()), ("shorter", kind(items[1:])), ("shorter", kind(items[:-1]))]
    yield from _spread(*inner, whole, less)


def alike(item, rng):
    """Return an item that is easily confused with this one: its first text has another end, or a number is the next one.

    None if it has neither.
    """
    if type(item) is str and len(item) > 1:
        return item[:1] + same_shape(item[1:], rng)
    if type(item) in (int, float):
        return item + 1
    if type(item) in (list, tuple):
        for place, inner in enumerate(item):
            if type(inner) is str and len(inner) > 1:
                return type(item)([*item[:place], alike(inner, rng), *item[place + 1 :]])
        return None
    own = getattr(item, "__dict__", None)
    for name, inner in own.items() if type(own) is dict and not isinstance(item, (type, types.ModuleType)) else ():
        if type(inner) is str and len(inner) > 1:
            try:
                changed = copy.copy(item)
                object.__setattr__(changed, name, alike(inner, rng))
            except Exception:
                return None
            return changed
    return None


def _dicts(value, rng, words, depth):
    inner = []
    if depth < 2:
        for key in list(value)[:4]:
            pairs = _inner(value[key], rng, words, depth)
            inner.append([("inner " + what, {**value, key: other}) for what, other in pairs])
    more = []
    if value and all(type(key) is str for key in value):
        (*_, (key, item)) = value.items()
        more = [("longer", {**value, same_shape(key, rng) + "x": item})]
        items = list(itertools.islice(itertools.cycle(value.values()), LONG))
        more += [("long", {**value, **{f"{key}{number}": other for number, other in enumerate(items)}})]
        if all(type(item) in (list, tuple, set, frozenset) for item in value.values()):
            chain = [f"{key}{number}" for number in range(CHAIN)]
            links = {name: type(item)([needed]) for name, needed in zip(chain, [*chain[1:], key])}  # noqa: B905
            more += [("long", {**links, **value})]
    less = [("shorter", {name: item for name, item in value.items() if name != key}) for key in list(value)[:3]]
    yield from _spread(*inner, more, [*less, ("empty", {})])


def _inner(item, rng, words, depth):
    """Return variations of an item within a collection: texts of the same shape first, then one of each kind."""
    pairs = list(_similar(item, rng, words, depth + 1))
    same = [pair for pair in pairs if pair[0] == SAME_SHAPE][:2]
    return [*same, *_picked(pair for pair in pairs if pair[0] != SAME_SHAPE)]


def _dates(value):
    for days in (1, -1, 31, 366, 10_000):
        try:
            yield "date", value + datetime.timedelta(days=days)
        except OverflowError:
            continue


def _renewed(value, rng, depth=0):
    kind = type(value)
    if kind is int:
        return value + rng.randrange(1, 600)
    if kind is float:
        return value + rng.random()
    if kind is str:
        return same_shape(value, rng) + rng.choice(string.ascii_lowercase)
    if kind in (list, tuple) and depth < 2:
        return kind([_renewed(item, rng, depth + 1) for item in value])
    if kind is dict and depth < 2:
        return {key: _renewed(item, rng, depth + 1) for key, item in value.items()}
    return value
