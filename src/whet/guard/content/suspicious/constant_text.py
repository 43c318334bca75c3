"""What a text is that is put together from parts which are all written down."""

import ast
import re
from collections.abc import Callable, Iterator
from itertools import islice, product

Values = Callable[[ast.expr], list[ast.expr]]
_DEEPEST = 8
_MOST = 8
_MOST_NAMES = 40
_LONGEST = 400
# No widths: nobody should be able to make whet write a text of a gigabyte.
_PERCENT = re.compile(r"([^%]|%[srd%])*")
_BRACES = re.compile(r"([^{}]|\{\{|\}\}|\{\w*\})*")
_PLAIN_METHODS = frozenset({
    "upper", "lower", "swapcase", "title", "capitalize", "strip", "lstrip", "rstrip", "replace", "removeprefix",
    "removesuffix", "casefold",
})  # fmt: skip


def texts(node: ast.expr, values: Values) -> list[str]:
    """Every text that an expression can be, as far as `values` knows what its names are given; none if that is unclear."""
    asked = 0

    def some(name: ast.expr) -> list[ast.expr]:
        nonlocal asked
        asked += 1
        return values(name)[:_MOST] if asked <= _MOST_NAMES else []

    return [one for one in islice(_every(node, some, _DEEPEST), _MOST) if isinstance(one, str)]


def _every(node: ast.expr, values: Values, depth: int) -> Iterator[object]:
    if depth == 0:
        return
    for found in _folded(node, values, depth - 1):
        if not isinstance(found, str | bytes | list) or len(found) <= _LONGEST:
            yield found


def _folded(node: ast.expr, values: Values, depth: int) -> Iterator[object]:
    match node:
        case ast.Constant(value=str() | int() as value):
            yield value
        case ast.Name() | ast.Attribute():
            for given in values(node):
                yield from _every(given, values, depth)
        case ast.JoinedStr(values=parts):
            for chosen in _choices(parts, values, depth):
                yield "".join(map(str, chosen))
        case ast.FormattedValue(value=value, format_spec=None):
            yield from _every(value, values, depth)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            yield from (list(chosen) for chosen in _choices(parts, values, depth))
        case ast.BinOp(left=left, op=op, right=right):
            for one, other in _choices([left, right], values, depth):
                yield from _joined(one, op, other)
        case ast.Subscript(value=value, slice=place):
            for whole in _every(value, values, depth):
                yield from _part(whole, place)
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=args, keywords=[]):
            for chosen in _choices([value, *args], values, depth):
                yield from _turned(chosen[0], name, list(chosen[1:]))
        case ast.Call(func=ast.Name(id="str" | "format"), args=[value]):
            yield from (str(one) for one in _every(value, values, depth))
        case ast.Call(func=ast.Name(id="chr"), args=[value]):
            yield from (chr(one) for one in _every(value, values, depth) if isinstance(one, int) and 0 <= one < 0x10000)


def _choices(parts: list[ast.expr], values: Values, depth: int) -> Iterator[tuple[object, ...]]:
    return islice(product(*(list(islice(_every(one, values, depth), _MOST)) for one in parts)), _MOST)


def _joined(one: object, op: ast.operator, other: object) -> Iterator[object]:
    match op, one, other:
        case (ast.Add(), str(), str()) | (ast.Add(), list(), list()):
            yield one + other  # type: ignore[operator]
        case (ast.Mult(), str(), int(times)) | (ast.Mult(), int(times), str()) if 0 <= times <= _LONGEST:
            yield one * other  # type: ignore[operator]
        case ast.Mod(), str(), _ if _PERCENT.fullmatch(one):
            given = tuple(other) if isinstance(other, list) else (other,)
            if len(given) == len(re.findall("%[srd]", one.replace("%%", ""))):
                yield re.sub("%d", "%s", one) % given


def _part(whole: object, place: ast.expr) -> Iterator[object]:
    if not isinstance(whole, str | list):
        return
    match place:
        case ast.Constant(value=int() as number) if -len(whole) <= number < len(whole):
            yield whole[number]
        case ast.Slice(lower=lower, upper=upper, step=step):
            ends = [_number(end) for end in (lower, upper, step)]
            if ends[2] != 0:
                yield whole[ends[0] : ends[1] : ends[2]]


def _number(node: ast.expr | None) -> int | None:
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
            return -number
    return None


def _turned(whole: object, name: str, given: list[object]) -> Iterator[object]:
    if not isinstance(whole, str):
        return
    words = [one for one in given if isinstance(one, str)]
    if name == "format" and _BRACES.fullmatch(whole):
        places = re.findall(r"(?<!\{)\{(\w*)\}", whole)
        by_number = [int(place) for place in places if place.isdecimal()]
        by_order = places.count("")
        known = len(by_number) + by_order == len(places) and not (by_number and by_order)
        if known and max([*by_number, by_order - 1], default=0) < max(len(given), 1):
            yield whole.format(*given)
    elif name == "join" and len(given) == 1 and isinstance(given[0], str | list):
        yield whole.join(map(str, given[0]))
    elif name in _PLAIN_METHODS and len(words) == len(given) and len(whole) <= _LONGEST:
        try:
            yield getattr(whole, name)(*words)
        except (TypeError, ValueError):
            return
    elif name == "split" and len(words) == len(given) <= 1 and words != [""]:
        yield whole.split(words[0] if words else None)
