"""Rewrites that often make a function faster: each gives a whole new text of the file. Whether it is faster, and still right, is
for the benchmark and the proof to say."""

import ast
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from whet.phases.propose.repair.module import Module
from whet.phases.propose.speed.purity import is_pure, stays_the_same
from whet.pyast.functions import Function, functions

Edits = list[tuple[int, int, str]]
_FEWEST_ITEMS = 3
_WORTH_HOISTING = {"sorted", "max", "min", "sum", "set", "frozenset", "len"}
_LOOPS = (ast.For, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class FasterText:
    """A file with one rewrite; `change` says which."""

    change: str
    text: str


def faster_versions(source: str, hot: Collection[str]) -> Iterator[FasterText]:
    """Yield the versions of a file with one rewrite in a function of `hot`, given by dotted names."""
    module = Module(source)
    seen = {source}
    for name, function in functions(module.tree).items():
        if name not in hot or not isinstance(function, Function):
            continue
        for template in TEMPLATES:
            for words, edits in template(module, function):
                if any("#" in source[start:end] for start, end, _ in edits):
                    continue  # it would lose a comment
                text = _applied(source, edits)
                if text not in seen and _is_python(text):
                    seen.add(text)
                    yield FasterText(f"{words} in {name}", text)


def _applied(source: str, edits: Edits) -> str:
    for start, end, new in sorted(edits, reverse=True):
        source = source[:start] + new + source[end:]
    return source


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _set_of_constants(module: Module, function: Function) -> Iterator[tuple[str, Edits]]:
    """`x in [1, 2, 3]` -> `x in {1, 2, 3}`."""
    for node in module.descendants(function):
        for right in _searched(node):
            if isinstance(right, ast.List | ast.Tuple) and _are_constants(right.elts):
                start, end = module.span(right)
                items = module.source[start + 1 : end - 1].rstrip(", ")
                yield "a set of constants", [(start, end, "{" + items + "}")]


def _are_constants(items: Sequence[ast.expr]) -> bool:
    return len(items) >= _FEWEST_ITEMS and all(isinstance(item, ast.Constant) for item in items)


def _local_set(module: Module, function: Function) -> Iterator[tuple[str, Edits]]:
    """A local list that is only appended to and searched becomes a set."""
    for statement in module.descendants(function):
        name = _empty_list(statement)
        if not name or not isinstance(statement, ast.Assign):
            continue
        edits: Edits = [(*module.span(statement.value), "set()")]
        uses = [node for node in module.descendants(function) if isinstance(node, ast.Name) and node.id == name]
        for use in uses:
            parent = module.parents[use]
            call = module.parents.get(parent)
            if isinstance(parent, ast.Attribute) and parent.attr == "append" and isinstance(call, ast.Call):
                start, end = module.span(parent)
                edits.append((start, end, f"{name}.add"))
            elif use not in _searched(parent) and use is not statement.targets[0]:
                break
        else:
            if len(edits) > 1 and len(edits) < len(uses):  # it is filled, and searched
                yield f"a set for {name}", edits


def _set_before_loop(module: Module, function: Function) -> Iterator[tuple[str, Edits]]:
    """`for x in xs: if x in ys` -> a set of `ys`, made once before the loop."""
    for node in module.descendants(function):
        for right in _searched(node):
            loop = _outermost_loop(module, right, function)
            if isinstance(right, ast.Name) and loop and stays_the_same(right.id, loop, module):
                new = _free_name(f"{right.id}_set", function)
                searched = [
                    module.span(other)
                    for inner in module.descendants(loop)
                    for other in _searched(inner)
                    if isinstance(other, ast.Name) and other.id == right.id
                ]
                before = _before(module, loop, f"{new} = set({right.id})")
                if before:
                    yield f"a set of {right.id}", [before, *((start, end, new) for start, end in searched)]


def _call_before_loop(module: Module, function: Function) -> Iterator[tuple[str, Edits]]:
    """A call whose result is the same in every turn is made once before the loop."""
    for node in module.descendants(function):
        if (
            not isinstance(node, ast.Call)
            or len(node.args) != 1
            or node.keywords
            or not isinstance(node.func, ast.Name)
        ):
            continue
        argument, loop = node.args[0], _outermost_loop(module, node, function)
        if node.func.id in _WORTH_HOISTING and isinstance(argument, ast.Name) and loop:
            if not stays_the_same(argument.id, loop, module):
                continue
            new = _free_name(f"{node.func.id}_of_{argument.id}", function)
            calls = [
                module.span(other)
                for other in module.descendants(loop)
                if isinstance(other, ast.Call) and ast.dump(other) == ast.dump(node)
            ]
            before = _before(module, loop, f"{new} = {module.text(node)}")
            if before:
                yield f"{module.text(node)} before the loop", [before, *((start, end, new) for start, end in calls)]


def _cached(module: Module, function: Function) -> Iterator[tuple[str, Edits]]:
    """A recursive function without effects remembers its results."""
    calls_itself = any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name
        for node in module.descendants(function)
    )
    indent = module.indent(function)
    if not calls_itself or function.decorator_list or indent is None or not is_pure(function, module):
        return
    start = module.line_start(function.lineno)
    edits: Edits = [(start, start, f"{indent}@functools.cache{module.newline}")]
    if not any(
        isinstance(node, ast.Import) and any(item.name == "functools" and not item.asname for item in node.names)
        for node in module.tree.body
    ):
        place = _first_import_or_code(module)
        alone = isinstance(module.tree.body[0] if module.tree.body else None, ast.Import | ast.ImportFrom)
        edits.append((place, place, f"import functools{module.newline}{'' if alone else module.newline * 2}"))
    yield "remember results", edits


def _comprehension(module: Module, function: Function) -> Iterator[tuple[str, Edits]]:
    """`r = []` and a loop that only appends -> a comprehension."""
    for first, second in _neighbours(module, function):
        name = _empty_list(first)
        if not name or not isinstance(second, ast.For) or second.orelse or len(second.body) != 1:
            continue
        inner, condition = second.body[0], ""
        if isinstance(inner, ast.If) and not inner.orelse and len(inner.body) == 1:
            condition, inner = f" if {module.text(inner.test)}", inner.body[0]
        item = _appended(inner, name)
        uses = [node for node in module.descendants(second) if isinstance(node, ast.Name) and node.id == name]
        if item is not None and len(uses) == 1:
            loop = f"for {module.text(second.target)} in {module.text(second.iter)}"
            start, end = module.span(first)[0], module.span(second)[1]
            yield f"a comprehension for {name}", [(start, end, f"{name} = [{module.text(item)} {loop}{condition}]")]


def _joined(module: Module, function: Function) -> Iterator[tuple[str, Edits]]:
    """`s = ""` and a loop that only adds to it -> `"".join(...)`."""
    for first, second in _neighbours(module, function):
        if not (
            isinstance(first, ast.Assign) and isinstance(first.targets[0], ast.Name) and isinstance(second, ast.For)
        ):
            continue
        name = first.targets[0].id
        if (
            not (isinstance(first.value, ast.Constant) and first.value.value == "")
            or second.orelse
            or len(second.body) != 1
        ):
            continue
        added = second.body[0]
        uses = [node for node in module.descendants(second) if isinstance(node, ast.Name) and node.id == name]
        if (
            isinstance(added, ast.AugAssign)
            and isinstance(added.op, ast.Add)
            and isinstance(added.target, ast.Name)
            and len(uses) == 1
        ):
            loop = f"for {module.text(second.target)} in {module.text(second.iter)}"
            start, end = module.span(first)[0], module.span(second)[1]
            yield f"join for {name}", [(start, end, f'{name} = "".join({module.as_operand(added.value)} {loop})')]


def _generator(module: Module, function: Function) -> Iterator[tuple[str, Edits]]:
    """`any([...])` stops at the first hit if it gets a generator."""
    for node in module.descendants(function):
        called = node.func if isinstance(node, ast.Call) and len(node.args) == 1 else None
        if isinstance(called, ast.Name) and called.id in ("any", "all") and isinstance(node, ast.Call):
            [argument] = node.args
            if isinstance(argument, ast.ListComp):
                start, end = module.span(argument)
                yield f"a generator for {called.id}", [(start, end, module.source[start + 1 : end - 1])]


def _searched(node: ast.AST) -> list[ast.expr]:
    """Return what `in` and `not in` search in a comparison."""
    if not isinstance(node, ast.Compare):
        return []
    return [
        right
        for operator, right in zip(node.ops, node.comparators, strict=True)
        if isinstance(operator, ast.In | ast.NotIn)
    ]


def _empty_list(statement: ast.AST) -> str:
    """Return the name that a statement binds to a new empty list; empty for another statement."""
    if not (
        isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
    ):
        return ""
    value = statement.value
    is_list = isinstance(value, ast.List) and not value.elts
    is_call = isinstance(value, ast.Call) and ast.unparse(value) == "list()"
    return statement.targets[0].id if is_list or is_call else ""


def _appended(statement: ast.stmt, name: str) -> ast.expr | None:
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and ast.unparse(call.func) == f"{name}.append" and len(call.args) == 1:
        return call.args[0]
    return None


def _neighbours(module: Module, function: Function) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    for node in module.descendants(function):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list):
                yield from pairwise(body)


def _outermost_loop(module: Module, node: ast.AST, function: Function) -> ast.AST | None:
    """Return the outermost loop or comprehension in the function that runs a node again and again."""
    found: ast.AST | None = None
    child = node
    while child is not function and (parent := module.parents.get(child)) is not None:
        if isinstance(parent, Function | ast.Lambda) and parent is not function:
            return None
        if isinstance(parent, _LOOPS) and child is not getattr(parent, "iter", None):
            found = parent
        if isinstance(parent, _COMPREHENSIONS) and not _is_first_iterable(node, parent):
            found = parent
        child = parent
    return found


def _is_first_iterable(
    node: ast.AST, comprehension: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
) -> bool:
    return any(inner is node for inner in ast.walk(comprehension.generators[0].iter))


def _before(module: Module, loop: ast.AST, line: str) -> tuple[int, int, str] | None:
    """Return the edit that puts a line before the statement of a loop; None if it does not begin its line."""
    statement: ast.AST | None = loop
    while statement is not None and not isinstance(statement, ast.stmt):
        statement = module.parents.get(statement)
    if not isinstance(statement, ast.stmt) or (indent := module.indent(statement)) is None:
        return None
    start = module.line_start(statement.lineno)
    return start, start, f"{indent}{line}{module.newline}"


def _free_name(name: str, function: Function) -> str:
    taken = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} | {
        node.arg for node in ast.walk(function) if isinstance(node, ast.arg)
    }
    while name in taken:
        name += "_"
    return name


def _first_import_or_code(module: Module) -> int:
    """Return where an import may stand: after the docstring and the imports from __future__."""
    for statement in module.tree.body:
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not text and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            first = min([statement.lineno, *(item.lineno for item in getattr(statement, "decorator_list", []))])
            return module.line_start(first)
    return len(module.source)


TEMPLATES: tuple[Callable[[Module, Function], Iterator[tuple[str, Edits]]], ...] = (
    _set_of_constants, _local_set, _set_before_loop, _call_before_loop, _cached, _comprehension, _joined, _generator,
)  # fmt: skip
