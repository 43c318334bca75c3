"""Accept one more value: `x == "a"` -> `x in ("a", "b")`, `isinstance(x, list)` -> `isinstance(x, (list, tuple))`."""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from whet.phases.propose.repair.candidate import Edit, replace, say
from whet.phases.propose.repair.hints import Hints
from whet.phases.propose.repair.scope import Scope
from whet.phases.propose.repair.templates.template import Template

_TYPES = ("str", "bytes", "int", "float", "list", "tuple", "set", "frozenset", "dict", "type(None)")
_TYPE_PAIRS = ("set, frozenset", "list, tuple", "str, bytes", "bytes, bytearray", "int, float")
_MOST = 24
_WORD = re.compile(r"\w+")


def add_member(node: ast.Tuple | ast.List | ast.Set, scope: Scope) -> Iterator[Edit]:
    """Add one more value to a collection of similar values."""
    if len(node.elts) < 2 or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    texts = [scope.module.text(element) for element in node.elts]
    end = scope.module.span(node.elts[-1])[1]
    for text, weight in _similar(node.elts, texts, scope):
        yield replace(end, end, f", {text}", say("Add {} to {}", text, scope.module.text(node)), weight)


def accept_values(node: ast.Compare, scope: Scope) -> Iterator[Edit]:
    """Compare with several values: `x == "a"` -> `x in ("a", "b")`."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return
    value = node.comparators[0]
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        return
    start, end = scope.module.span(node.left)[1], scope.module.span(value)[1]
    operator = "in" if isinstance(node.ops[0], ast.Eq) else "not in"
    text = scope.module.text(value)
    empty = 1.2 if "''" in scope.hints.constants else 0.5
    for other, weight in (*_similar([value], [text], scope), (scope.module.literal("''"), empty)):
        if other != text:
            made = f" {operator} ({text}, {other})"
            yield replace(start, end, made, say("Treat {} {here} like {}", other, text), weight)


def accept_type(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Accept another type: `isinstance(x, list)` -> `isinstance(x, (list, tuple))`."""
    if not isinstance(node.func, ast.Name) or node.func.id not in ("isinstance", "issubclass") or len(node.args) != 2:
        return
    kind = node.args[1]
    if not isinstance(kind, ast.Name | ast.Attribute):
        return
    text = scope.module.text(kind)
    start, end = scope.module.span(kind)
    for other, weight in _similar([kind], [text], scope):
        yield replace(start, end, f"({text}, {other})", say("Accept {} {here} as well as {}", other, text), weight)


def _similar(elements: list[ast.expr], texts: list[str], scope: Scope) -> Iterator[tuple[str, float]]:
    """Yield values similar to the elements and not among them, likeliest first."""
    if all(isinstance(element, ast.Constant) and isinstance(element.value, str) for element in elements):
        values = [element.value for element in elements if isinstance(element, ast.Constant)]
        choices = _texts([str(value) for value in values], scope)
    elif all(isinstance(element, ast.Attribute) for element in elements):
        choices = _attributes(texts, scope)
    elif all(isinstance(element, ast.Name) for element in elements):
        choices = _names(texts, scope)
    else:
        return
    known = set(texts)
    likeliest: dict[str, float] = {}
    for text, weight in choices:
        likeliest.setdefault(text, weight)
    for text, weight in list(likeliest.items())[:_MOST]:
        if not known.intersection(text.split(", ")):
            yield text, weight


def _texts(values: list[str], scope: Scope) -> Iterator[tuple[str, float]]:
    """Yield characters or words from the literals of the failing tests, in the case of the given values."""
    literals = _test_strings(scope.hints)
    if all(len(value) == 1 for value in values):
        parts = [sign for text in literals for sign in text if sign.isalnum() == values[0].isalnum()]
    else:
        parts = [
            *(text for text in literals if len(text) < 20),
            *(word for text in literals for word in _WORD.findall(text)),
        ]
    like = {part: 0.9 for part in parts if _same_case(part, values)}
    for part in [*parts, *(_as_text(text) for text in scope.constants)]:  # in another case, or from this file
        like.setdefault(_in_the_case_of(values, part), 0.4)
    for part, weight in like.items():
        if part and part not in values and (len(part) == 1) == (len(values[0]) == 1):
            yield scope.module.literal(repr(part)), weight


@lru_cache(maxsize=16)
def _test_strings(hints: Hints) -> Sequence[str]:
    values = map(ast.literal_eval, hints.constants)
    return [value for value in values if isinstance(value, str)]


def _as_text(literal: str) -> str:
    value = ast.literal_eval(literal)
    return value if isinstance(value, str) else ""


def _in_the_case_of(values: list[str], part: str) -> str:
    """Return a word in the upper or lower case that all the values have; empty if they have neither."""
    if not _WORD.fullmatch(part):
        return ""
    if all(map(str.isupper, values)):
        return part.upper()
    return part.lower() if all(map(str.islower, values)) else ""


def _same_case(part: str, values: list[str]) -> bool:
    for test in (str.isupper, str.islower, str.istitle):
        if all(test(value) for value in values):
            return test(part)
    return True


def _attributes(texts: list[str], scope: Scope) -> Iterator[tuple[str, float]]:
    """Yield attributes of the same owner, those that the failing tests mention first."""
    owner = texts[0].rpartition(".")[0]
    if any(text.rpartition(".")[0] != owner for text in texts):
        return
    capital = texts[0].rpartition(".")[2][:1].isupper()
    for name in scope.hints.names:
        left, _, right = name.rpartition(".")
        if left.rpartition(".")[2] == owner.rpartition(".")[2] and right[:1].isupper() == capital:
            yield f"{owner}.{right}", 1.0
    for attribute in scope.module.attributes.get(owner, ()):
        if attribute[:1].isupper() == capital:
            yield f"{owner}.{attribute}", 0.5


def _names(texts: list[str], scope: Scope) -> Iterator[tuple[str, float]]:
    """Yield replacements with their weights: other built-in types for a type, other classes of the file for a class."""
    if any(text in _TYPES for text in texts):
        mentioned = [name for name in scope.hints.names if name in _TYPES]
        yield from ((text, 1.0) for text in mentioned)
        yield from ((text, 0.6) for text in (*_TYPES, *_TYPE_PAIRS))
    if all(text[:1].isupper() for text in texts):
        mentioned = [name.rpartition(".")[2] for name in scope.hints.names]
        known = scope.module.classes
        yield from ((name, 1.0) for name in mentioned if name in known)
        yield from ((name, 0.5) for name in known)


def check_each(node: ast.Call, scope: Scope) -> Iterator[Edit]:
    """Check the type of each item: `isinstance(row, int)` -> `all(isinstance(item, int) for item in row)`."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=whole), kind], keywords=[]):
            item = "item" if whole != "item" else "part"
            check = f"isinstance({item}, {scope.module.text(kind)}) for {item} in {whole}"
            for quantifier, weight in (("all", 1.0), ("any", 0.6)):
                summary = say(f"Check the type of {quantifier} items of {{}}", whole)
                yield replace(*scope.module.span(node), f"{quantifier}({check})", summary, weight)


TEMPLATES = [
    Template("membership", 0.55, (ast.Tuple, ast.List, ast.Set), add_member),
    Template("membership", 0.5, (ast.Compare,), accept_values),
    Template("membership", 0.5, (ast.Call,), accept_type),
    Template("membership", 0.5, (ast.Call,), check_each),
]
