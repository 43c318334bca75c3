"""Constant text: the strings that an expression can be, if all its parts are written down in the file."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, product

# Returns the expressions that a name or attribute is assigned.
Values = Callable[[ast.expr], list[ast.expr]]

# Limits on the work that a hostile file can cause: nesting, alternatives per part, names looked up, length of a text.
_DEEPEST = 8
_MOST_ALTERNATIVES = 8
_MOST_NAMES = 40
_LONGEST = 400
# Formats without widths: `"%999999999d" % 1` would make whet build a text of a gigabyte.
_PERCENT = re.compile(r"([^%]|%[srd%])*")
_BRACES = re.compile(r"([^{}]|\{\{|\}\}|\{\w*\})*")
_PURE_METHODS = frozenset({
    "upper", "lower", "swapcase", "title", "capitalize", "strip", "lstrip", "rstrip", "replace", "removeprefix",
    "removesuffix", "casefold",
})  # fmt: skip


def possible_texts(node: ast.expr, values: Values) -> list[str]:
    """Return the strings that `node` can be, given the `values` of its names; none if a part is unknown."""
    lookups = 0

    def limited(name: ast.expr) -> list[ast.expr]:
        nonlocal lookups
        lookups += 1
        return values(name)[:_MOST_ALTERNATIVES] if lookups <= _MOST_NAMES else []

    constants = islice(_constants(node, limited, _DEEPEST), _MOST_ALTERNATIVES)
    return [constant for constant in constants if isinstance(constant, str)]


def text_with_holes(node: ast.expr, texts: Mapping[str, str], hole: str) -> str:
    """Return `node` as text, `hole` in place of every part that is not a constant or a name in `texts`."""
    match node:
        case ast.Constant(value=bytes() as data):
            return data.decode(errors="replace")
        case ast.Constant(value=value):
            return str(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{text_with_holes(operand, texts, hole)}"
        case ast.Name(id=name):
            return texts.get(name, hole)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return text_with_holes(left, texts, hole) + text_with_holes(right, texts, hole)
        case ast.JoinedStr(values=parts):
            return "".join(text_with_holes(part, texts, hole) for part in parts)
    return hole


def _constants(node: ast.expr, values: Values, depth: int) -> Iterator[object]:
    if depth == 0:
        return
    for constant in _folded(node, values, depth - 1):
        if not isinstance(constant, str | bytes | list) or len(constant) <= _LONGEST:
            yield constant


def _folded(node: ast.expr, values: Values, depth: int) -> Iterator[object]:
    """Yield every constant that `node` can be: a str, an int, or a list of constants."""
    match node:
        case ast.Constant(value=str() | int() as value):
            yield value
        case ast.Name() | ast.Attribute():
            for assigned in values(node):
                yield from _constants(assigned, values, depth)
        case ast.JoinedStr(values=parts):
            for chosen in _combinations(parts, values, depth):
                yield "".join(map(str, chosen))
        case ast.FormattedValue(value=value, format_spec=None):
            yield from _constants(value, values, depth)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            yield from (list(chosen) for chosen in _combinations(parts, values, depth))
        case ast.BinOp(left=left_node, op=op, right=right_node):
            for left, right in _combinations([left_node, right_node], values, depth):
                yield from _operation(left, op, right)
        case ast.Subscript(value=value, slice=index):
            for whole in _constants(value, values, depth):
                yield from _item(whole, index)
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=args, keywords=[]):
            for text, *arguments in _combinations([value, *args], values, depth):
                yield from _method(text, method, arguments)
        case ast.Call(func=ast.Name(id="str" | "format"), args=[value]):
            yield from (str(constant) for constant in _constants(value, values, depth))
        case ast.Call(func=ast.Name(id="chr"), args=[value]):
            for number in _constants(value, values, depth):
                if isinstance(number, int) and 0 <= number < 0x10000:
                    yield chr(number)


def _combinations(parts: list[ast.expr], values: Values, depth: int) -> Iterator[tuple[object, ...]]:
    alternatives = [list(islice(_constants(part, values, depth), _MOST_ALTERNATIVES)) for part in parts]
    return islice(product(*alternatives), _MOST_ALTERNATIVES)


def _operation(left: object, op: ast.operator, right: object) -> Iterator[object]:
    match op, left, right:
        case (ast.Add(), str(), str()) | (ast.Add(), list(), list()):
            yield left + right  # type: ignore[operator]
        case (ast.Mult(), str(), int(times)) | (ast.Mult(), int(times), str()) if 0 <= times <= _LONGEST:
            yield left * right  # type: ignore[operator]
        case ast.Mod(), str(), _ if _PERCENT.fullmatch(left):
            arguments = tuple(right) if isinstance(right, list) else (right,)
            if len(arguments) == len(re.findall("%[srd]", left.replace("%%", ""))):
                yield re.sub("%d", "%s", left) % arguments


def _item(whole: object, index: ast.expr) -> Iterator[object]:
    if not isinstance(whole, str | list):
        return
    match index:
        case ast.Constant(value=int() as number) if -len(whole) <= number < len(whole):
            yield whole[number]
        case ast.Slice(lower=lower, upper=upper, step=step):
            start, stop, stride = (_number(end) for end in (lower, upper, step))
            if stride != 0:
                yield whole[start:stop:stride]


def _number(node: ast.expr | None) -> int | None:
    match node:
        case ast.Constant(value=int() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
            return -number
    return None


def _method(text: object, method: str, arguments: list[object]) -> Iterator[object]:
    """Yield the result of `text.method(*arguments)` for the string methods that are safe to call."""
    if not isinstance(text, str):
        return
    strings = [argument for argument in arguments if isinstance(argument, str)]
    only_strings = len(strings) == len(arguments)
    if method == "format":
        if _can_format(text, len(arguments)):
            yield text.format(*arguments)
    elif method == "join" and len(arguments) == 1 and isinstance(arguments[0], str | list):
        yield text.join(map(str, arguments[0]))
    elif method in _PURE_METHODS and only_strings and len(text) <= _LONGEST:
        try:
            yield getattr(text, method)(*strings)
        except (TypeError, ValueError):
            return
    elif method == "split" and only_strings and len(arguments) <= 1 and strings != [""]:
        yield text.split(strings[0] if strings else None)


def _can_format(template: str, count: int) -> bool:
    """True if `template.format` works with `count` arguments: no widths, no names, no mix of `{}` and `{0}`."""
    if not _BRACES.fullmatch(template):
        return False
    fields = re.findall(r"\{(\w*)\}", template.replace("{{", "").replace("}}", ""))
    numbered = [int(field) for field in fields if field.isdecimal()]
    automatic = fields.count("")
    if len(numbered) + automatic != len(fields) or (numbered and automatic):
        return False
    return max([*numbered, automatic - 1]) < count
