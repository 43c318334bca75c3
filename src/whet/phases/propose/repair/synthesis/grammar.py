"""The expressions that synthesis combines at one hole, and the text of a combination."""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from whet.phases.propose.repair.grammar.kinds import Kind
from whet.phases.propose.repair.module import Module
from whet.phases.propose.repair.synthesis.hole import Hole, HoleRole
from whet.pyast.functions import parameters

_MOST_ATOMS, _MOST_ITEMS, _MOST_CONSTANTS, _LARGEST, _LONGEST = 64, 12, 10, 40, 16
_MOST_OPERATIONS = 4
_MOST_ATTRIBUTES, _MOST_FUNCTIONS, _MOST_CLASSES = 14, 6, 8
_CHANGING = frozenset(
    ("append", "extend", "insert", "pop", "popleft", "popitem", "remove", "discard", "clear", "add", "update", "sort",
     "reverse", "setdefault", "write", "close", "send", "put")
)  # fmt: skip
_VALUES = (
    "len(a)", "-a", "a + 1", "a - 1", "a[0]", "a[-1]", "a[1:]", "a[:-1]", "a[::-1]", "abs(a)", "sum(a)", "max(a)",
    "min(a)", "sorted(a)", "list(a)", "set(a)", "tuple(a)", "str(a)", "int(a)", "a * 2", "a // 2", "a % 2", "a.lower()",
    "a.strip()", "[a]",
)  # fmt: skip
_TRUTHS = ("not a", "a is None", "a is not None", "a < 0", "a > 0", "a == 0", "len(a) == 1", "len(a) > 1")
_PAIRS = (
    "a + b", "a - b", "a * b", "a // b", "a / b", "a % b", "a[b]", "min(a, b)", "max(a, b)", "a[b:]", "a[:b]", "a or b",
    "a.get(b)", "b + a", "a & b", "a | b", "a ^ b",
)  # fmt: skip
_RELATIONS = (
    "a == b", "a != b", "a < b", "a <= b", "a in b", "a not in b", "a is b", "a.startswith(b)", "a.endswith(b)",
    "isinstance(a, b)",
)  # fmt: skip
_RARE = frozenset(
    ("abs(a)", "sum(a)", "max(a)", "min(a)", "set(a)", "tuple(a)", "int(a)", "str(a)", "a * 2", "a // 2", "a % 2", "a[::-1]",
     "[a]", "a / b", "a // b", "a % b", "a & b", "a | b", "a ^ b", "b + a", "a or b")
)  # fmt: skip
_PER_OPERATION, _PER_RARE_OPERATION, _WITHOUT_ORIGINAL = 0.75, 0.4, 0.7


class Grammar:
    """The atoms and forms for one hole. The sandbox answers with numbers, so that no text comes out of it."""

    def __init__(self, hole: Hole) -> None:
        self._truth = hole.role is not HoleRole.VALUE
        self._atoms = list(dict.fromkeys(_atoms(hole)))[:_MOST_ATOMS]
        of_file = tuple(_forms_of_file(hole.scope.module))
        self._unary = (*_VALUES, *of_file, *(_TRUTHS if self._truth else ()))
        self._binary = (*_PAIRS, *(_RELATIONS if self._truth else ()))

    @property
    def _forms(self) -> tuple[str, ...]:
        return (*self._unary, *self._binary)

    def request(self, failing: Sequence[str]) -> dict[str, Any]:
        return {
            "atoms": self._atoms, "unary": self._unary, "binary": self._binary, "truth": self._truth,
            "failing": failing,
        }  # fmt: skip

    def expression(self, structure: object) -> ast.expr:
        """Return the expression of a structure. Raise ValueError if the structure is malformed."""
        match structure:
            case int(number) if 0 <= number < len(self._atoms):
                return _parsed(self._atoms[number])
            case [str(word), first, second] if word in ("and", "or"):
                operator = ast.And() if word == "and" else ast.Or()
                return ast.BoolOp(operator, [self.expression(first), self.expression(second)])
            case [int(number), *parts] if 0 <= number < len(self._unary) + len(self._binary):
                form = self._forms[number]
                if len(parts) == (1 if number < len(self._unary) else 2):
                    values = dict(zip("ab", map(self.expression, parts), strict=False))
                    filled: ast.expr = _Filled(values).visit(ast.parse(form, mode="eval").body)
                    return filled
        raise ValueError(structure)

    def likelihood(self, structure: object) -> float:
        """Return how likely an expression is. Every operation lowers it, and so does the absence of the original expression."""
        numbers = list(_operations(structure))
        rare = sum(number is not None and self._forms[number] in _RARE for number in numbers)
        share = _PER_RARE_OPERATION**rare * _PER_OPERATION ** (len(numbers) - rare)
        return share if _has_original(structure) else share * _WITHOUT_ORIGINAL

    def text(self, structure: object) -> str:
        """Return the source text of a structure; empty if the sandbox's answer is not a valid structure.

        It is also empty for a constant, which in the place of an expression would only answer the tested case.
        """
        try:
            small = sum(1 for _ in _operations(structure)) <= _MOST_OPERATIONS
            made = self.expression(structure) if small else ast.Constant(None)
        except (ValueError, RecursionError):
            return ""
        return "" if isinstance(made, ast.Constant) else ast.unparse(made)


class _Filled(ast.NodeTransformer):
    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._values.get(node.id, node)


def _operations(structure: object) -> Iterator[int | None]:
    """Yield the form of each operation in a structure; None for `and` and `or`."""
    match structure:
        case [head, *parts]:
            yield head if isinstance(head, int) else None
            for part in parts:
                yield from _operations(part)


def _has_original(structure: object) -> bool:
    """True if the first atom, which is the original expression, is a part of a structure."""
    return structure == 0 or (isinstance(structure, list) and any(map(_has_original, structure[1:])))


@cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _atoms(hole: Hole) -> Iterator[str]:
    """Yield the expressions to begin with, the likeliest first: the old one, then names, constants, items, others."""
    scope, vocabulary = hole.scope, hole.scope.vocabulary
    yield hole.original
    yield from vocabulary.names
    yield from _parts_of(hole.original)
    yield from ("0", "1", "None")
    yield from [text for text in scope.constants if _is_likely(text)][:_MOST_CONSTANTS]
    yield from vocabulary.items[:_MOST_ITEMS]
    yield from (text for text in vocabulary.expressions if len(text) <= _LARGEST)
    yield from (name for name, kind in vocabulary.by_name.items() if kind is Kind.UNKNOWN)
    yield from scope.module.globals[:6]
    yield from scope.module.classes[:_MOST_CLASSES]
    yield from ("str", "int", "list", "dict", "''", "[]", "2", "-1")


def _forms_of_file(module: Module) -> Iterator[str]:
    """Yield forms with what the file itself uses: attributes, one by one and over a collection, and its functions."""
    read = Counter(
        node.attr
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and not isinstance(module.parents.get(node), ast.Call)
    )
    for attribute in [name for name, _ in read.most_common(_MOST_ATTRIBUTES) if not name.startswith("__")]:
        yield f"a.{attribute}"
        yield f"all(item.{attribute} for item in a)"
        yield f"any(item.{attribute} for item in a)"
    functions = [node for node in module.tree.body if isinstance(node, ast.FunctionDef) and node.name not in "ab"]
    for function in [node for node in functions if len(parameters(node.args)) == 1 and not _mutates(node)][
        :_MOST_FUNCTIONS
    ]:
        yield f"{function.name}(a)"


def _mutates(function: ast.FunctionDef) -> bool:
    """True if a call could change its argument or something global."""
    return any(
        isinstance(node, ast.Yield | ast.YieldFrom | ast.Global | ast.Delete)
        or (isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING)
        for node in ast.walk(function)
    )


def _is_likely(constant: str) -> bool:
    """True for numbers and short texts; longer ones are docstrings and messages."""
    return len(constant) <= _LONGEST and constant not in ("True", "False")


def _parts_of(text: str) -> Iterator[str]:
    """Yield the expressions inside another one."""
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call) and isinstance(
            getattr(node, "ctx", ast.Load()), ast.Load
        ):
            yield ast.unparse(node)
