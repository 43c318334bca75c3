"""One source file as the templates see it: its tree, exact spans, and the ingredients at hand."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from whet.phases.propose.repair.hints import Hints

Function = ast.FunctionDef | ast.AsyncFunctionDef
_NEWLINE = re.compile(r"\r\n|\r|\n")
_ATOMS = (
    ast.Name,
    ast.Constant,
    ast.Attribute,
    ast.Subscript,
    ast.Call,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.ListComp,
)


class Module:
    """Raises SyntaxError for a source that does not parse."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source.removeprefix("\ufeff"))
        self.newline = found.group() if (found := _NEWLINE.search(source)) else "\n"
        first = 1 if source.startswith("\ufeff") else 0
        self._starts = [first, *(match.end() for match in _NEWLINE.finditer(source))]
        self._ascii = source.isascii()
        self._inside: dict[ast.AST, Sequence[ast.AST]] = {}
        self.parents: dict[ast.AST, ast.AST] = {}
        for parent in ast.walk(self.tree):
            for child in ast.iter_child_nodes(parent):
                self.parents[child] = parent

    def offset(self, line: int, column: int) -> int:
        """Character offset of a position as `ast` gives it: columns there count UTF-8 bytes."""
        start = self._starts[line - 1]
        if self._ascii:
            return start + column
        end = self._starts[line] if line < len(self._starts) else len(self.source)
        return start + len(self.source[start:end].encode()[:column].decode(errors="ignore"))

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.excepthandler | ast.keyword) -> tuple[int, int]:
        last, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self.offset(node.lineno, node.col_offset), self.offset(last, column)

    def text(self, node: ast.expr | ast.stmt | ast.arg | ast.excepthandler | ast.keyword) -> str:
        start, end = self.span(node)
        return self.source[start:end]

    def closed(self, node: ast.expr) -> str:
        """The node's text, in brackets where it could not stand as an operand."""
        return self.text(node) if isinstance(node, _ATOMS) else f"({self.text(node)})"

    def chunk(self, statement: ast.stmt) -> tuple[int, int]:
        """Offsets of the lines of the outermost function around a statement, or of the whole source."""
        outermost = self._outermost(statement)
        if outermost is None or self.indent(outermost) is None:
            return 0, len(self.source)
        return self.line_start(outermost.lineno), self.line_end(outermost.end_lineno or outermost.lineno)

    def body_start(self, statement: ast.stmt) -> int:
        """Where the body of the outermost function around a statement begins; the end of the source if there is none."""
        outermost = self._outermost(statement)
        return len(self.source) if outermost is None else self.line_start(outermost.body[0].lineno)

    def _outermost(self, statement: ast.stmt) -> Function | None:
        node: ast.AST = statement
        outermost = statement if isinstance(statement, Function) else None
        while (parent := self.parents.get(node)) is not None:
            outermost = parent if isinstance(parent, Function) else outermost
            node = parent
        return outermost

    def literal(self, text: str) -> str:
        """A literal in the quotes that this file uses."""
        if text.startswith("'") and '"' not in text and self._prefers_double_quotes:
            return f'"{text[1:-1]}"'
        return text

    @cached_property
    def _prefers_double_quotes(self) -> bool:
        return self.source.count('"') > self.source.count("'")

    def inside(self, node: ast.AST) -> Sequence[ast.AST]:
        """The node and everything below it; asked for again and again of the same few functions."""
        if node not in self._inside:
            self._inside[node] = list(ast.walk(node))
        return self._inside[node]

    def line_start(self, line: int) -> int:
        return self._starts[line - 1]

    def line_end(self, line: int) -> int:
        """Offset just after the line's end mark."""
        return self._starts[line] if line < len(self._starts) else len(self.source)

    def indent(self, statement: ast.stmt) -> str | None:
        """The white space before a statement; None where it does not begin its line (`a; b`, `elif`)."""
        start, _ = self.span(statement)
        before = self.source[self.line_start(statement.lineno) : start]
        return None if before.strip() or self.source.startswith("elif", start) else before

    @cached_property
    def step(self) -> str:
        """One level of indentation, as this file does it."""
        for node in ast.walk(self.tree):
            if isinstance(node, Function | ast.ClassDef):
                inner, outer = self.indent(node.body[0]), self.indent(node)
                if inner and outer is not None and inner.startswith(outer) and inner != outer:
                    return inner[len(outer) :]
        return "    "

    def enclosing(self, node: ast.AST, *kinds: type[ast.AST]) -> ast.AST | None:
        while (parent := self.parents.get(node)) is not None:
            if isinstance(parent, kinds):
                return parent
            node = parent
        return None

    def function_of(self, node: ast.AST) -> Function | None:
        found = self.enclosing(node, ast.FunctionDef, ast.AsyncFunctionDef)
        return found if isinstance(found, Function) else None

    @cached_property
    def functions(self) -> tuple[str, ...]:
        return tuple(node.name for node in self.tree.body if isinstance(node, Function))

    def is_never_none(self, name: str) -> bool:
        """Whether this file gives parameters of that name a value where none is given, and never None."""
        defaults = self._defaults.get(name, ())
        return bool(defaults) and None not in defaults

    @cached_property
    def _defaults(self) -> dict[str, list[object]]:
        """The plain values that parameters have where none is given, by name."""
        found: dict[str, list[object]] = {}
        for arguments in [node.args for node in ast.walk(self.tree) if isinstance(node, Function)]:
            placed = [*arguments.posonlyargs, *arguments.args]
            pairs = [*zip(placed[::-1], arguments.defaults[::-1], strict=False)]
            pairs += [
                (one, value) for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value
            ]
            for argument, value in pairs:
                if isinstance(value, ast.Constant):
                    found.setdefault(argument.arg, []).append(value.value)
        return found

    @cached_property
    def globals(self) -> tuple[str, ...]:
        """Names bound by assignments at module level; those that only Python and packagers read are left out."""
        names = [
            target.id
            for statement in self.tree.body
            if isinstance(statement, ast.Assign | ast.AnnAssign)
            for target in (statement.targets if isinstance(statement, ast.Assign) else [statement.target])
            if isinstance(target, ast.Name) and not target.id.startswith("__")
        ]
        return tuple(dict.fromkeys(names))

    def imports(self, name: str) -> bool:
        """Whether `import name` stands at the top of this file."""
        return any(
            alias.name == name and alias.asname is None
            for node in self.tree.body
            if isinstance(node, ast.Import)
            for alias in node.names
        )

    def names_in(self, mentioned: Sequence[str]) -> list[str]:
        """Those of these names that this file knows at its top: its own, and what it brings in."""
        known = {*self.functions, *self.globals, *self.classes}
        return [name for name in dict.fromkeys(text.rpartition(".")[2] for text in mentioned) if name in known]

    @cached_property
    def decorators(self) -> tuple[tuple[Function, str, bool], ...]:
        """Every function with a decorator, the decorator's text, and whether the function is a method."""
        return tuple(
            (node, self.text(decorator), isinstance(self.parents.get(node), ast.ClassDef))
            for node in ast.walk(self.tree)
            if isinstance(node, Function)
            for decorator in node.decorator_list
        )

    @cached_property
    def calls_alone(self) -> dict[str, frozenset[str]]:
        """One-line calls that stand alone, and the names they mention."""
        found = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.end_lineno == node.lineno:
                names = frozenset(inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))
                found[self.text(node)] = names
        return dict(list(found.items())[:12])

    @cached_property
    def applied(self) -> dict[str, tuple[str, ...]]:
        """Text of a name or attribute -> what the file calls with it alone: `self._clean(key)`, `normalise(path)`."""
        found: dict[str, dict[str, None]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
                callee = ast.unparse(node.func)
                if callee.count(".") <= 1 and "(" not in callee:
                    found.setdefault(ast.unparse(node.args[0]), {})[callee] = None
        return {argument: tuple(callees)[:5] for argument, callees in found.items()}

    @cached_property
    def signatures(self) -> dict[str, tuple[str, ...]]:
        """Name of a function or method of this file -> the parameters that it can be given by name."""
        found: dict[str, tuple[str, ...]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                found[node.name] = (*found.get(node.name, ()), *parameters(node))
            elif isinstance(node, ast.ClassDef):
                makers = [item for item in node.body if isinstance(item, Function) and item.name == "__init__"]
                found[node.name] = (
                    *found.get(node.name, ()),
                    *(name for maker in makers for name in parameters(maker)),
                )
        return found

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """Names that look like classes: defined here, or brought in."""
        found = [node.name for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)]
        for node in self.tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                found += [(alias.asname or alias.name) for alias in node.names]
        return tuple(dict.fromkeys(name for name in found if name[:1].isupper()))

    @cached_property
    def attributes(self) -> dict[str, tuple[str, ...]]:
        """Text of an object (`self`, `order.items`) -> the attributes that the file uses on it."""
        seen: dict[str, dict[str, None]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute):
                seen.setdefault(ast.unparse(node.value), {})[node.attr] = None
            elif isinstance(node, ast.ClassDef):
                methods = seen.setdefault("self", {})
                methods |= {item.name: None for item in node.body if isinstance(item, Function)}
        return {owner: tuple(names) for owner, names in seen.items()}

    @cached_property
    def constants(self) -> tuple[str, ...]:
        return _constants(self.tree)


@dataclass(frozen=True)
class Scope:
    """What a template is given beside the node: file, function and statement around it, and the hints."""

    module: Module
    function: Function | None
    statement: ast.stmt
    hints: Hints
    _bound: dict[str, int] = field(default_factory=dict)

    def names(self) -> Iterator[str]:
        """Local names that are bound before this statement, parameters first."""
        line = self.statement.end_lineno or self.statement.lineno
        for name, bound in self._bound.items():
            if bound <= line:
                yield name

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        if self.function is None:
            return ()
        return tuple(name for name in parameters(self.function) if name not in ("self", "cls"))

    @cached_property
    def unused(self) -> frozenset[str]:
        """Parameters that the function never reads: somebody forgot them."""
        return frozenset(self.parameters) - self.read

    @cached_property
    def read(self) -> frozenset[str]:
        """Every name that the function mentions in its body."""
        if self.function is None:
            return frozenset(self.parameters)
        return frozenset(node.id for node in self.module.inside(self.function) if isinstance(node, ast.Name))

    @cached_property
    def constants(self) -> tuple[str, ...]:
        """Literals of the function, then of the file, as source text."""
        near = _constants(self.function) if self.function is not None else ()
        return tuple(dict.fromkeys((*near, *self.module.constants)))

    @cached_property
    def in_loop(self) -> bool:
        loop = self.module.enclosing(self.statement, ast.For, ast.While, ast.AsyncFor, ast.FunctionDef)
        return isinstance(loop, ast.For | ast.While | ast.AsyncFor)


def first_statement(function: Function) -> ast.stmt:
    """The first that does something."""
    documented = ast.get_docstring(function) is not None and len(function.body) > 1
    return function.body[1] if documented else function.body[0]


def parameters(function: Function) -> tuple[str, ...]:
    arguments = function.args
    return tuple(item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))


def bindings(function: Function | None) -> dict[str, int]:
    """Local name -> line from which it is bound; parameters are bound from the start."""
    if function is None:
        return {}
    bound = dict.fromkeys(parameters(function), 0)
    inside = [inner for node in ast.walk(function) if isinstance(node, ast.comprehension) for inner in ast.walk(node)]
    hidden = {node for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in hidden:
            bound[node.id] = min(node.lineno, bound.get(node.id, node.lineno))
    return bound


def _constants(tree: ast.AST) -> tuple[str, ...]:
    texts = [
        repr(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str | int | float | bool | None)
        and len(repr(node.value)) < 60
    ]
    return tuple(dict.fromkeys(texts))


def function_at(source: str, line: int) -> str:
    """The name of the outermost function around a line, or nothing."""
    around = [
        node
        for node in ast.walk(ast.parse(source.removeprefix("\ufeff")))
        if isinstance(node, Function) and node.lineno <= line <= (node.end_lineno or line)
    ]
    return min(around, key=lambda node: node.lineno).name if around else ""
