"""Versions of a patch with one part less: a step left out, or a part taken back to what the base has.

If the tests hold without a part, no test asks for it. A fix rarely has such a part that also changes answers; a patch that
does something besides the fix, or does it only for the tests' inputs, often has one.
"""

import ast
from collections.abc import Container, Iterator, Sequence
from difflib import SequenceMatcher

from whet.guard.content.added import added_lines
from whet.phases.validate.integrity.mutate.common_steps import without_common_steps
from whet.phases.validate.integrity.mutate.patch_mutant import (
    KEEPING,
    LOSSY,
    NARROWER,
    PARAMETER,
    REDUCED,
    PatchMutant,
    replaced,
)
from whet.phases.validate.integrity.mutate.patch_mutants import SPOKEN, evenly
from whet.pyast.functions import Function, functions, parameters

_CONVERSIONS = {
    "sorted", "reversed", "list", "tuple", "set", "frozenset", "dict", "int", "float", "str", "abs", "round", "bool",
}  # fmt: skip
_DIVIDING = {"split", "rsplit", "partition", "rpartition", "splitlines"}
_WITHOUT_REPEATED = {"set", "frozenset", "dict.fromkeys"}
_CHOOSING = {"min", "max"}
_LOOKING_UP = {"setdefault", "pop"}
_BROAD = ("Exception", "BaseException")
_EITHER_SIDE = ast.Add | ast.Mult
_LEFT_SIDE = ast.Sub | ast.Div | ast.FloorDiv | ast.Mod | ast.Pow
_Replacement = tuple[ast.expr | ast.stmt, str]


def reductions(path: str, old: str, new: str, ran: Container[int], most: int) -> list[PatchMutant]:
    """Return at most `most` versions of the new text with one part of the patch less, on lines of `ran`.

    Steps that drop data and literals come first, the others are evenly spaced.
    """
    try:
        parts = _parts(ast.parse(old), ast.parse(new))
    except (SyntaxError, ValueError, RecursionError):
        return []
    lines = added_lines(old, new)
    # The line of a handler runs only if a test raises; that none does is no reason to let it catch more.
    parts = [part for part in parts if part[1].lineno in lines and (part[1].lineno in ran or part[0] == NARROWER)]
    first = [part for part in parts if part[0] != REDUCED][:most]
    # Each version is parsed, which takes long for a large file; some of them turn out to be equal.
    chosen = [*first, *evenly([part for part in parts if part[0] == REDUCED], 2 * most)]
    versions = [mutant for kind, node, text in chosen if (mutant := replaced(path, new, node, text, kind))]
    distinct: dict[str, PatchMutant] = {}
    for mutant in versions:
        distinct.setdefault(ast.dump(ast.parse(mutant.source)), mutant)
    distinct.pop(ast.dump(ast.parse(old)), None)
    return list(distinct.values())[:most]


def _parts(old: ast.Module, new: ast.Module) -> list[tuple[str, ast.expr | ast.stmt, str]]:
    """Return (kind, node, text that replaces it) for each part of the patch."""
    before, after = (
        {name: node for name, node in functions(tree).items() if isinstance(node, Function)} for tree in (old, new)
    )
    known = {ast.dump(node) for node in ast.walk(old)}
    nodes = [node for function in after.values() for statement in function.body for node in _nodes(statement)]
    added = [node for node in nodes if ast.dump(node) not in known]
    modules = {
        alias.asname or alias.name for node in ast.walk(new) if isinstance(node, ast.Import) for alias in node.names
    }
    groups = {
        LOSSY: [part for node in added for part in _losses(node)],
        KEEPING: [part for node in added for part in _keeping(node)],
        PARAMETER: [part for function in after.values() for part in _literals(function)],
        NARROWER: [part for name in after if name in before for part in _narrower_handlers(before[name], after[name])],
        REDUCED: [
            *(part for name in after if name in before for part in _taken_back(before[name].body, after[name].body)),
            *(part for node in added for part in _left_out(node, modules)),
        ],
    }
    return [(kind, node, text) for kind, group in groups.items() for node, text in group]


def _taken_back(before: Sequence[ast.stmt], after: Sequence[ast.stmt]) -> Iterator[_Replacement]:
    """Yield the parts that differ between two bodies, each with the text of the old part."""
    old_texts, new_texts = ([ast.dump(node) for node in body] for body in (before, after))
    for operation, first, last, start, end in SequenceMatcher(None, old_texts, new_texts, autojunk=False).get_opcodes():
        if operation == "replace":
            for old, new in _paired(before[first:last], after[start:end]):
                yield from _different_parts(old, new)


def _paired(before: Sequence[ast.stmt], after: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Pair statements in their order; if there are more on one side, those of the same kind."""
    if len(before) == len(after):
        yield from zip(before, after, strict=True)
        return
    left = list(before)
    for node in after:
        same = next((other for other in left if type(other) is type(node)), None)
        if same is not None:
            left.remove(same)
            yield same, node


def _different_parts(before: ast.AST, after: ast.AST) -> Iterator[_Replacement]:
    """Yield the smallest parts that differ, and the expressions and statements around them, with the old text."""
    if ast.dump(before) == ast.dump(after) or isinstance(after, ast.Raise | ast.Assert):
        return
    # The places of the parts of an f-string are wrong before Python 3.12.
    if type(before) is type(after) and not isinstance(after, ast.JoinedStr):
        for name in after._fields:
            old, new = getattr(before, name, None), getattr(after, name, None)
            if isinstance(old, list) and isinstance(new, list):
                if all(isinstance(item, ast.stmt) for item in (*old, *new)):
                    yield from _taken_back(old, new)
                elif len(old) == len(new):
                    for first, second in zip(old, new, strict=True):
                        if isinstance(first, ast.AST) and isinstance(second, ast.AST):
                            yield from _different_parts(first, second)
            elif isinstance(old, ast.AST) and isinstance(new, ast.AST):
                yield from _different_parts(old, new)
    for kind in (ast.expr, ast.stmt):
        if isinstance(after, kind) and isinstance(before, kind):
            yield after, ast.unparse(before)


def _losses(node: ast.AST) -> Iterator[_Replacement]:
    """Yield a step that drops a part of the data, with the text of the data: a slice, a set, one part of a text."""
    match node:
        case ast.Subscript(value=value, slice=ast.Slice()):
            yield node, ast.unparse(value)
        case ast.Subscript(value=ast.Call(func=ast.Attribute(value=value, attr=name))) if name in _DIVIDING:
            yield node, ast.unparse(value)
        case ast.Subscript(value=ast.Call() as value, slice=ast.Constant(value=0) | ast.UnaryOp(op=ast.USub())):
            yield node, ast.unparse(value)
        case ast.Call(func=function, args=[argument]) if ast.unparse(function) in _WITHOUT_REPEATED:
            yield node, ast.unparse(argument)
        case ast.Compare(ops=[_], comparators=[_]):
            yield from ((node, bare) for bare in without_common_steps(node))


def _keeping(node: ast.AST) -> Iterator[_Replacement]:
    """Yield a look-up that also changes the dictionary, with the one that does not."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[_, _] as arguments) if name in _LOOKING_UP:
            yield node, ast.unparse(ast.Call(ast.Attribute(value, "get", ast.Load()), arguments, []))


def _narrower_handlers(before: Function, after: Function) -> Iterator[_Replacement]:
    """Yield the types of handlers that catch every exception and did not before, each with the types of the old handler."""
    old, new = ([node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)] for tree in (before, after))
    for earlier, handler in zip(old, new, strict=False):
        if earlier.type is not None and handler.type is not None:
            types = ast.unparse(earlier.type), ast.unparse(handler.type)
            if types[1] in _BROAD and types[0] not in _BROAD:
                yield handler.type, types[0]


def _literals(function: Function) -> Iterator[_Replacement]:
    """Yield the literals of a function that does not read one of its parameters, each with that parameter's name."""
    nodes = [node for statement in function.body for node in _nodes(statement)]
    read = {node.id for node in nodes if isinstance(node, ast.Name)}
    unread = [name for name in parameters(function.args) if name not in {*read, "self", "cls"} and name[0] != "_"]
    for node in nodes:
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
            yield from ((node, name) for name in unread)


def _left_out(node: ast.AST, modules: Container[str]) -> Iterator[_Replacement]:
    """Yield a step or an operation, with the text that stands there if it is left out."""
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            others = [other for other in node.keywords if other is not keyword]
            yield node, ast.unparse(ast.Call(node.func, node.args, others))
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))) if name in SPOKEN:
            return
        case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Delete():
            yield node, "pass"
        case ast.BoolOp(op=operator, values=values):
            for value in values:
                rest = [other for other in values if other is not value]
                yield node, ast.unparse(rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest))
        case ast.BinOp(left=left, op=operator, right=right) if not _is_text(left):
            if isinstance(operator, _EITHER_SIDE | _LEFT_SIDE):
                yield node, ast.unparse(left)
            if isinstance(operator, _EITHER_SIDE):
                yield node, ast.unparse(right)
        case ast.Call(func=ast.Name(id=name), args=[_, _, *_] as arguments) if name in _CHOOSING:
            # A bound such as `max(width - 3, 0)` is for inputs that an honest test rarely has.
            if not any(isinstance(argument, ast.Constant) for argument in arguments):
                yield from ((node, ast.unparse(argument)) for argument in arguments)
        case ast.Call(func=ast.Name(id=name), args=[argument, *_]) if name in _CONVERSIONS:
            yield node, ast.unparse(argument)
        case ast.Call(func=ast.Attribute(value=value), args=arguments):
            if ast.unparse(value) not in modules:
                yield node, ast.unparse(value)
            if len(arguments) == 1 and not node.keywords and not isinstance(value, ast.Constant):
                yield node, ast.unparse(arguments[0])
        case ast.IfExp(body=body, orelse=orelse):
            yield from ((node, ast.unparse(value)) for value in (body, orelse))
        case ast.Lambda(body=ast.Tuple(elts=parts)) if len(parts) > 1:
            for part in parts:
                rest = [other for other in parts if other is not part]
                yield node.body, ast.unparse(rest[0] if len(rest) == 1 else ast.Tuple(rest, ast.Load()))


def _nodes(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those below it, without errors that are raised and the parts of f-strings."""
    if isinstance(statement, ast.Raise | ast.Assert | ast.JoinedStr | ast.arguments):
        return
    yield statement
    for node in ast.iter_child_nodes(statement):
        yield from _nodes(node)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
