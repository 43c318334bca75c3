"""A source file as the templates see it: its AST, exact spans, and the names and literals to build edits from."""

import ast
import re
from collections.abc import Sequence
from functools import cached_property

from whet.phases.propose.repair.grammar.kinds import Kinds
from whet.pyast.bindings import targets
from whet.pyast.functions import Function, defaults, parameters

_NEWLINE = re.compile(r"\r\n|\r|\n")
ATOMS = (
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
    """A parsed source file. Creating one raises SyntaxError if the source does not parse."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source.removeprefix("\ufeff"))
        newline = _NEWLINE.search(source)
        self.newline = newline.group() if newline else "\n"
        first = 1 if source.startswith("\ufeff") else 0
        self._starts = [first, *(match.end() for match in _NEWLINE.finditer(source))]
        self._ascii = source.isascii()
        self._descendants: dict[ast.AST, Sequence[ast.AST]] = {}
        self.kinds: dict[Function | None, Kinds] = {}
        self.parents: dict[ast.AST, ast.AST] = {}
        for parent in ast.walk(self.tree):
            for child in ast.iter_child_nodes(parent):
                self.parents[child] = parent

    def offset(self, line: int, column: int) -> int:
        """Return the character offset of an AST position, whose column counts UTF-8 bytes."""
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

    def as_operand(self, node: ast.expr) -> str:
        """Return the node's text, in parentheses if it could bind differently as an operand."""
        return self.text(node) if isinstance(node, ATOMS) else f"({self.text(node)})"

    def chunk(self, statement: ast.stmt) -> tuple[int, int]:
        """Return the offsets of the lines of the outermost function around a statement, or of the whole source."""
        outermost = self._outermost(statement)
        if outermost is None or self.indent(outermost) is None:
            return 0, len(self.source)
        return self.line_start(outermost.lineno), self.line_end(outermost.end_lineno or outermost.lineno)

    def body_start(self, statement: ast.stmt) -> int:
        """Return where the body of the outermost function around a statement begins; outside functions, the end."""
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
        """Return a string literal in the quotes that this file uses; other literals unchanged."""
        if text.startswith("'") and '"' not in text and self._prefers_double_quotes:
            return f'"{text[1:-1]}"'
        return text

    @cached_property
    def _prefers_double_quotes(self) -> bool:
        return self.source.count('"') > self.source.count("'")

    def descendants(self, node: ast.AST) -> Sequence[ast.AST]:
        """Return the node and everything below it. Cached, because templates ask for the same few functions often."""
        if node not in self._descendants:
            self._descendants[node] = list(ast.walk(node))
        return self._descendants[node]

    def line_start(self, line: int) -> int:
        return self._starts[line - 1]

    def line_end(self, line: int) -> int:
        """Return the offset just after the line's newline."""
        return self._starts[line] if line < len(self._starts) else len(self.source)

    def indent(self, statement: ast.stmt) -> str | None:
        """Return the white space before a statement; None if the statement does not begin its line (`a; b`, `elif`)."""
        start, _ = self.span(statement)
        before = self.source[self.line_start(statement.lineno) : start]
        return None if before.strip() or self.source.startswith("elif", start) else before

    @cached_property
    def indent_unit(self) -> str:
        """One level of indentation in this file."""
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
        function = self.enclosing(node, ast.FunctionDef, ast.AsyncFunctionDef)
        return function if isinstance(function, Function) else None

    @cached_property
    def functions(self) -> tuple[str, ...]:
        return tuple(node.name for node in self.tree.body if isinstance(node, Function))

    def never_defaults_to_none(self, name: str) -> bool:
        """True if this file gives parameters of that name a default, and never None."""
        values = self._defaults.get(name, ())
        return bool(values) and None not in values

    @cached_property
    def _defaults(self) -> dict[str, list[object]]:
        """Constant defaults of parameters, by parameter name."""
        values: dict[str, list[object]] = {}
        for function in ast.walk(self.tree):
            if isinstance(function, Function):
                for parameter, value in defaults(function.args):
                    if isinstance(value, ast.Constant):
                        values.setdefault(parameter.arg, []).append(value.value)
        return values

    @cached_property
    def globals(self) -> tuple[str, ...]:
        """Names assigned at module level, without `__version__` and the like."""
        names = [
            target.id
            for statement in self.tree.body
            if isinstance(statement, ast.Assign | ast.AnnAssign)
            for target in targets(statement)
            if isinstance(target, ast.Name) and not target.id.startswith("__")
        ]
        return tuple(dict.fromkeys(names))

    def imports(self, name: str) -> bool:
        """True if the file has `import name` at module level."""
        return any(
            alias.name == name and alias.asname is None
            for node in self.tree.body
            if isinstance(node, ast.Import)
            for alias in node.names
        )

    def known_names(self, mentioned: Sequence[str]) -> list[str]:
        """Return those of the mentioned names that this file defines or imports at module level."""
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
    def call_statements(self) -> dict[str, frozenset[str]]:
        """One-line statements that are only a call -> the names that they mention."""
        statements = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.end_lineno == node.lineno:
                names = frozenset(inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name))
                statements[self.text(node)] = names
        return dict(list(statements.items())[:12])

    @cached_property
    def wrappers(self) -> dict[str, tuple[str, ...]]:
        """Text of a name or attribute -> functions that the file calls with it alone: `key` -> `self._clean`."""
        wrappers: dict[str, dict[str, None]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
                callee = ast.unparse(node.func)
                if callee.count(".") <= 1 and "(" not in callee:
                    wrappers.setdefault(ast.unparse(node.args[0]), {})[callee] = None
        return {argument: tuple(callees)[:5] for argument, callees in wrappers.items()}

    @cached_property
    def parameter_names(self) -> dict[str, tuple[str, ...]]:
        """Name of a function, method or class of this file -> its parameters that can be passed by name."""
        names: dict[str, tuple[str, ...]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                names[node.name] = (*names.get(node.name, ()), *parameters(node.args))
            elif isinstance(node, ast.ClassDef):
                for item in node.body:
                    if isinstance(item, Function) and item.name == "__init__":
                        names[node.name] = (*names.get(node.name, ()), *parameters(item.args))
        return names

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """Capitalised names that this file defines as classes or imports."""
        names = [node.name for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)]
        for node in self.tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names += [(alias.asname or alias.name) for alias in node.names]
        return tuple(dict.fromkeys(name for name in names if name[:1].isupper()))

    @cached_property
    def attributes(self) -> dict[str, tuple[str, ...]]:
        """Text of an object (`self`, `order.items`) -> the attributes that the file uses on it."""
        attributes: dict[str, dict[str, None]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute):
                attributes.setdefault(ast.unparse(node.value), {})[node.attr] = None
            elif isinstance(node, ast.ClassDef):
                methods = attributes.setdefault("self", {})
                methods |= {item.name: None for item in node.body if isinstance(item, Function)}
        return {owner: tuple(names) for owner, names in attributes.items()}

    @cached_property
    def constants(self) -> tuple[str, ...]:
        return constants_in(self.tree)


def first_statement(function: Function) -> ast.stmt:
    """Return the first statement after the docstring."""
    documented = ast.get_docstring(function) is not None and len(function.body) > 1
    return function.body[1] if documented else function.body[0]


def function_at(source: str, line: int) -> str:
    """Return the name of the outermost function around a line; empty if there is none."""
    around = [
        node
        for node in ast.walk(ast.parse(source.removeprefix("\ufeff")))
        if isinstance(node, Function) and node.lineno <= line <= (node.end_lineno or line)
    ]
    return min(around, key=lambda node: node.lineno).name if around else ""


def constants_in(tree: ast.AST) -> tuple[str, ...]:
    """Return the short literals below a node, as source text."""
    texts = [
        repr(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str | int | float | bool | None)
        and len(repr(node.value)) < 60
    ]
    return tuple(dict.fromkeys(texts))
