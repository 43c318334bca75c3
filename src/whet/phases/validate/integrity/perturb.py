"""The same tests, expecting something else: now each must fail, unless somebody else decides what they say.

One assertion at a time, since one that fails hides what those after it would have said: the test itself gets one of its
assertions changed, copies of it beside it get the others.
"""

import ast
import random
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

from whet.phases.validate.integrity.expectations import Expectations, called
from whet.phases.validate.integrity.identifiers import Naming
from whet.phases.validate.integrity.test_ids import Function, functions

_CLASSES = ["IndexError", "NotImplementedError", "OverflowError", "RecursionError", "TimeoutError", "ZeroDivisionError"]
_WARNINGS = ["BytesWarning", "ImportWarning", "ResourceWarning", "UnicodeWarning"]
_OTHER = """
def {other}(value):
    import enum
    import numbers

    kind = type(value)
    kinds = value if kind is tuple and value else (value,)
    if all(isinstance(one, type) for one in kinds):
        names = ({warnings}) if any(issubclass(one, Warning) for one in kinds) else ({classes})
        apart = [one for one in names if not any(issubclass(one, kind) or issubclass(kind, one) for kind in kinds)]
        return apart[0] if apart else GeneratorExit
    if kind is bool:
        return not value
    if kind is str:
        return value[:-1] + ({letter!r} if value[-1:] != {letter!r} else "e")
    if kind is bytes:
        return value[:-1] + bytes([value[-1] ^ 1]) if value else {letter!r}.encode()
    if kind in (list, tuple):
        return kind([*value[:-1], {other}(value[-1])]) if value else kind([{number}])
    if kind is dict:
        last = list(value)[-1] if value else {letter!r}
        return {{**value, last: {other}(value.get(last))}}
    if kind in (set, frozenset):
        return kind(list(value)[1:]) if value else kind([{number}])
    if isinstance(value, enum.Enum):
        return next((one for one in kind if one != value), None)
    if isinstance(value, numbers.Number):
        return value + {number} if value + {number} != value else 0.5
    if hasattr(value, "dtype") and getattr(value, "size", 0):
        return value + {number}
    return {number} if value is None else None
"""
_chance = random.SystemRandom()
_Body = list[ast.stmt]


@dataclass(frozen=True)
class Variation:
    """A test in which one assertion expects something else: the name it is there under, and the lines which that was.

    `certain`: a test that gets to its end has met this assertion.
    """

    test: str
    name: str
    lines: frozenset[int]
    certain: bool


@dataclass(frozen=True)
class Varied:
    text: bytes
    variations: tuple[Variation, ...]


@dataclass(frozen=True)
class _Site:
    """A statement that expects something: the way to it from the body of its function, and what takes its place."""

    way: tuple[int | str, ...]
    instead: Sequence[ast.stmt]
    lines: frozenset[int]
    certain: bool


def varied(source: bytes, most: Mapping[str, int]) -> Varied | None:
    """The file with these tests, and up to so many copies of each, expecting something else.

    None where it is not Python. A test stays what it is where none of its assertions is certain to be met.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    naming = Naming(tree)
    other = naming.fresh()
    expectations = Expectations(tree, other)
    found: list[Variation] = []
    for name, node in [*functions(tree)]:
        if name in most:
            found += _vary(tree, name, node, _Plan(naming, [*_sites(node.body, expectations)], most[name]))
    at = _beginning(tree.body)
    tree.body[at:at] = ast.parse(_helper(other)).body
    return Varied(ast.unparse(ast.fix_missing_locations(tree)).encode(), tuple(found))


@dataclass(frozen=True)
class _Plan:
    naming: Naming
    sites: Sequence[_Site]
    most: int


def _vary(tree: ast.Module, name: str, node: Function, plan: _Plan) -> Iterator[Variation]:
    """The test itself with one of its certain assertions changed, by lot; for the others, a copy of it each."""
    certain = [site for site in plan.sites if site.certain]
    own = _chance.choice(certain) if certain else None
    rest = [site for site in plan.sites if site is not own]
    chosen = rest if len(rest) <= plan.most else _chance.sample(rest, plan.most)
    above = name.rpartition("::")[0]
    body = _body_of(tree, above)
    for site in chosen:
        copy = deepcopy(node)
        copy.name = plan.naming.like(node.name)
        _replace(copy.body, site)
        body.insert(body.index(node) + 1, copy)
        yield Variation(name, f"{above}::{copy.name}" if above else copy.name, site.lines, site.certain)
    if own:
        _replace(node.body, own)
        yield Variation(name, name, own.lines, certain=True)


def _sites(
    body: Sequence[ast.stmt], expectations: Expectations, way: tuple[int | str, ...] = (), *, certain: bool = True
) -> Iterator[_Site]:
    """What the body expects, but for what it may catch itself; what follows a way out is not certain any more."""
    for number, node in enumerate(body):
        here = (*way, number)
        if instead := expectations.otherwise(node):
            yield _Site(here, instead, _head(node), certain)
        elif isinstance(node, ast.With | ast.AsyncWith) and not _swallows(node):
            yield from _sites(node.body, expectations, (*here, "body"), certain=certain)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While | ast.If):
            for part in ("body", "orelse"):
                yield from _sites(getattr(node, part), expectations, (*here, part), certain=False)
        certain = certain and not any(isinstance(inner, ast.Return) for inner in _own(node))


def _replace(body: _Body, site: _Site) -> None:
    at: _Body = body
    *above, last = site.way
    for number, part in zip(above[::2], above[1::2], strict=True):
        at = getattr(at[int(number)], str(part))
    at[int(last) : int(last) + 1] = deepcopy(list(site.instead))


def _body_of(tree: ast.Module, above: str) -> _Body:
    """Where the tests of this class are, or of the module."""
    body: _Body = tree.body
    for name in filter(None, above.split("::")):
        body = next(node.body for node in reversed(body) if isinstance(node, ast.ClassDef) and node.name == name)
    return body


def _head(node: ast.stmt) -> frozenset[int]:
    """The lines of the statement, without those of what is below it."""
    items = node.items if isinstance(node, ast.With | ast.AsyncWith) else []
    last = max([item.context_expr.end_lineno or 0 for item in items], default=node.end_lineno or node.lineno)
    return frozenset(range(node.lineno, last + 1))


def _helper(other: str) -> str:
    classes, warnings = (_chance.sample(names, len(names)) for names in (_CLASSES, _WARNINGS))
    number, letter = _chance.choice((1, 2, 3)), _chance.choice("abcdstuv")
    return _OTHER.format(
        other=other, classes=", ".join(classes), warnings=", ".join(warnings), number=number, letter=letter
    )


def _beginning(body: Sequence[ast.stmt]) -> int:
    """After the docstring and what must come first."""
    at = 0
    for number, node in enumerate(body):
        document = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if document or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            at = number + 1
    return at


def _swallows(node: ast.With | ast.AsyncWith) -> bool:
    return any(called(item.context_expr) in ("suppress", "subTest", "subtests", "test") for item in node.items)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is in it, without the functions it defines."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Function | ast.Lambda):
            yield from _own(child)
