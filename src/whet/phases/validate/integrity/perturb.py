"""The same tests, expecting something else: now each must fail, unless somebody else decides what they say."""

import ast
import secrets
from collections.abc import Iterator, Sequence

from whet.phases.validate.integrity.names import Function, functions

_HELPERS = """
class {never}(BaseException):
    pass

def {other}(value):
    kind = type(value)
    if kind is bool:
        return not value
    if kind is int:
        return value + {number}
    if kind is float:
        return value * 2 + {number} if value == value and abs(value) < 1e300 else 0.5
    if kind is str:
        return value + {text!r}
    if kind is bytes:
        return value + {text!r}.encode()
    if kind in (list, tuple):
        return kind([{other}(value[0]), *value[1:]]) if value else kind([{number}])
    if kind is dict:
        first = next(iter(value), {number})
        return {{**value, first: {other}(value.get(first))}}
    if kind in (set, frozenset):
        return value | {{{number}}}
    return {number} if value is None else {never}
"""
_OPPOSITE = {
    "assertTrue": "assertFalse", "assertFalse": "assertTrue", "assertIs": "assertIsNot", "assertIsNot": "assertIs",
    "assertIsNone": "assertIsNotNone", "assertIsNotNone": "assertIsNone", "assertIn": "assertNotIn",
    "assertNotIn": "assertIn", "assertIsInstance": "assertNotIsInstance", "assertNotIsInstance": "assertIsInstance",
    "assertGreater": "assertLessEqual", "assertLessEqual": "assertGreater", "assertLess": "assertGreaterEqual",
    "assertGreaterEqual": "assertLess", "assertRegex": "assertNotRegex", "assertNotRegex": "assertRegex",
    "assertAlmostEqual": "assertNotAlmostEqual", "assertNotAlmostEqual": "assertAlmostEqual",
    "assertNotEqual": "assertEqual", "assert_": "assertFalse",
}  # fmt: skip
_EQUAL = frozenset({
    "assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
    "assertSequenceEqual", "assertMultiLineEqual", "assertCountEqual",
})  # fmt: skip
_RAISES = frozenset({"raises", "warns", "deprecated_call", "assertRaises", "assertRaisesRegex", "assertWarns"})


def perturbed(source: bytes) -> tuple[bytes, frozenset[str]] | None:
    """The file with every expectation changed, and the functions that must fail in it; None where it is not Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    names = {name: f"_{secrets.token_hex(5)}" for name in ("never", "other")}
    certain = frozenset(name for name, node in functions(tree) if _must_fail(node.body))
    changed = _Perturb(names["never"], names["other"]).visit(tree)
    text, number = secrets.token_hex(3), 1000 + secrets.randbelow(9000)
    helpers = ast.parse(_HELPERS.format(**names, text=text, number=number))
    at = _beginning(changed.body)
    changed.body[at:at] = helpers.body
    return ast.unparse(ast.fix_missing_locations(changed)).encode(), certain


def _beginning(body: Sequence[ast.stmt]) -> int:
    """After the docstring and what must come first."""
    at = 0
    for number, node in enumerate(body):
        document = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if document or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            at = number + 1
    return at


def _must_fail(body: Sequence[ast.stmt]) -> bool:
    """Whether an expectation is met for sure by a test that gets to its end."""
    for node in body:
        if _expects(node):
            return True
        if isinstance(node, ast.With | ast.AsyncWith) and not _swallows(node) and _must_fail(node.body):
            return True
        if any(isinstance(inner, ast.Return) for inner in _own(node)):
            return False
    return False


def _expects(node: ast.stmt) -> bool:
    if isinstance(node, ast.With | ast.AsyncWith):
        return any(_called(item.context_expr) in _RAISES for item in node.items)
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(node, ast.Assert) or _called(call) in {*_OPPOSITE, *_EQUAL, *_RAISES}


def _swallows(node: ast.With | ast.AsyncWith) -> bool:
    return any(_called(item.context_expr) in ("suppress", "subTest", "subtests") for item in node.items)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is in it, without the functions it defines."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Function | ast.Lambda):
            yield from _own(child)


def _written(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _called(node: ast.expr | None) -> str:
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


class _Perturb(ast.NodeTransformer):
    def __init__(self, never: str, other: str) -> None:
        self._never, self._other = never, other

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        return ast.Assert(test=self._otherwise(node.test), msg=None)

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        name = _called(node)
        if name in _RAISES and (node.args or name == "deprecated_call"):
            kept = [word for word in node.keywords if word.arg not in ("match", "check")]
            if name == "assertRaisesRegex" and isinstance(node.func, ast.Attribute):
                plainly = ast.Attribute(node.func.value, "assertRaises", ast.Load())
                return ast.Call(plainly, [self._name(self._never), *node.args[2:]], kept)
            return ast.Call(func=node.func, args=[self._name(self._never), *node.args[1:]], keywords=kept)
        if isinstance(node.func, ast.Attribute) and name in _OPPOSITE:
            return ast.Call(ast.Attribute(node.func.value, _OPPOSITE[name], ast.Load()), node.args, node.keywords)
        if isinstance(node.func, ast.Attribute) and name in _EQUAL and len(node.args) > 1:
            return ast.Call(node.func, [*self._unequal(*node.args[:2]), *node.args[2:]], node.keywords)
        return node

    def _otherwise(self, test: ast.expr) -> ast.expr:
        """False where `test` was true of honest values; true where they equal whatever they are held against."""
        match test:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                left, right = self._unequal(left, right)
                return ast.Compare(left, [ast.Eq()], [right])
            case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
                return ast.Compare(left, [ast.Eq()], [right])
            case ast.BoolOp(op=ast.And(), values=values):
                return ast.BoolOp(ast.Or(), [self._otherwise(value) for value in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return operand
        return ast.UnaryOp(ast.Not(), test)

    def _unequal(self, left: ast.expr, right: ast.expr) -> tuple[ast.expr, ast.expr]:
        """What is expected becomes something else: the side that is written down, or the right one."""
        if _written(left) and not _written(right):
            return ast.Call(self._name(self._other), [left], []), right
        return left, ast.Call(self._name(self._other), [right], [])

    @staticmethod
    def _name(name: str) -> ast.Name:
        return ast.Name(name, ast.Load())
