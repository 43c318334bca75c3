"""The parts of a Python file that a change adds, removes or puts under another condition.

A unit is a statement without the statements inside it: of `if` the condition, of `def` the name, the parameters and the
decorators. Comments, formatting and docstrings make no difference. A unit that moves to another line is unchanged, unless
other conditions now lead to it or its order within a function changes: a check after `return` checks nothing. A unit in
which a name is imported from another place than before is changed, too.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from whet.guard.content.added import lines_of
from whet.pyast.functions import Function
from whet.pyast.imports import dotted_name, import_bindings

_BODIES = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})
_FLOW = (ast.Return, ast.Raise, ast.If, ast.While, ast.Try, ast.Break, ast.Continue, ast.Match, ast.Assert)
_DEFINITION = Function | ast.ClassDef
_Key = tuple[str, ...]


@dataclass(frozen=True)
class Unit:
    """A statement without its inner statements. `scopes` are the functions and classes around it, outermost first."""

    statement: ast.stmt
    parts: tuple[ast.AST, ...]
    scopes: tuple[ast.stmt, ...]
    aliases: dict[str, str] = field(compare=False)

    @property
    def line(self) -> int:
        return self.statement.lineno

    @property
    def is_flow(self) -> bool:
        """True if the statement can decide whether a later one runs."""
        return isinstance(self.statement, _FLOW)

    def nodes(self) -> Iterator[ast.AST]:
        return (node for part in self.parts for node in ast.walk(part))

    def names(self) -> Iterator[str]:
        """Yield the full names of all names and attributes in the unit, imports resolved."""
        yield from self.names_of(self.parts)

    def names_of(self, parts: Iterable[ast.AST]) -> Iterator[str]:
        for node in (node for part in parts for node in ast.walk(part)):
            if isinstance(node, ast.Name | ast.Attribute):
                yield dotted_name(node, self.aliases) or getattr(node, "attr", "")

    def texts(self) -> Iterator[str]:
        """Yield the string constants of the unit."""
        yield from (
            node.value for node in self.nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str)
        )

    def calls(self) -> Iterator[tuple[ast.Call, str]]:
        """Yield the calls of the unit with the full name of the called function, or the name of the method."""
        for node in self.nodes():
            if isinstance(node, ast.Call):
                yield node, dotted_name(node.func, self.aliases) or getattr(node.func, "attr", "")


@dataclass(frozen=True)
class UnitChanges:
    """The changed units of a file, all units of the definitions around them, and the names that the file imports."""

    around: tuple[Unit, ...]
    changed: tuple[Unit, ...]
    imported: frozenset[str]


def unit_changes(old: str, new: str) -> UnitChanges | None:
    """Return the changed units of a file; None if either text is not Python."""
    try:
        trees = ast.parse(old), ast.parse(new)
    except (SyntaxError, ValueError, RecursionError):
        return None
    sources = [_Source(tree, text) for tree, text in zip(trees, (old, new), strict=True)]
    rebound = _rebound(*(source.aliases for source in sources))
    same = Counter() if rebound else sources[0].definitions & sources[1].definitions
    before, after = (list(source.units(same, rebound)) for source in sources)
    removed = Counter(key for key, _ in before) - Counter(key for key, _ in after)
    added = Counter(key for key, _ in after) - Counter(key for key, _ in before)
    changed = (*_take(before, removed), *_take(after, added), *_reordered(before, after))
    around = tuple(unit for _, unit in (*before, *after))
    return UnitChanges(around, changed, frozenset(name for source in sources for name in source.aliases.values()))


def _rebound(old: Mapping[str, str], new: Mapping[str, str]) -> frozenset[str]:
    """Return the names that the two versions import from different places."""
    return frozenset(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def _take(units: list[tuple[_Key, Unit]], counts: Counter[_Key]) -> Iterator[Unit]:
    left = counts.copy()
    for key, unit in units:
        if left[key] > 0:
            left[key] -= 1
            yield unit


def _reordered(before: list[tuple[_Key, Unit]], after: list[tuple[_Key, Unit]]) -> Iterator[Unit]:
    """Yield the units whose place differs in functions that have the same units in another order."""
    old, new = _by_scope(before), _by_scope(after)
    for scope in old.keys() & new.keys():
        keys, new_keys = [key for key, _ in old[scope]], [key for key, _ in new[scope]]
        if keys != new_keys and Counter(keys) == Counter(new_keys):
            for (key, unit), (new_key, new_unit) in zip(old[scope], new[scope], strict=True):
                yield from (unit, new_unit) if key != new_key else ()


def _by_scope(units: list[tuple[_Key, Unit]]) -> dict[str, list[tuple[_Key, Unit]]]:
    """Return the units by the dotted name of the function around them; those outside of functions are left out."""
    scopes: dict[str, list[tuple[_Key, Unit]]] = {}
    for key, unit in units:
        if unit.scopes and isinstance(unit.scopes[-1], Function):
            name = ".".join(getattr(scope, "name", "") for scope in unit.scopes)
            scopes.setdefault(name, []).append((key, unit))
    return scopes


class _Source:
    """One version of a file. Definitions that both versions have in the same words are not looked into."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        self._tree, self._lines = tree, lines_of(text)
        self.aliases = dict(import_bindings(tree))
        members = [member for node in tree.body if isinstance(node, ast.ClassDef) for member in node.body]
        self.definitions = Counter(
            self._words(node) for node in (*tree.body, *members) if isinstance(node, _DEFINITION)
        )

    def _words(self, node: ast.stmt) -> str:
        first = min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", ()))])
        return "\n".join(self._lines[first - 1 : node.end_lineno])

    def units(self, same: Counter[str], rebound: frozenset[str]) -> Iterator[tuple[_Key, Unit]]:
        self._skipped, self._rebound = same.copy(), rebound
        yield from self._below(self._tree, (), ())

    def _sources(self, parts: Iterable[ast.AST]) -> set[str]:
        """Return where the names in the parts come from, of those that another version imports from another place."""
        names = (node.id for part in parts for node in ast.walk(part) if isinstance(node, ast.Name))
        return {f"{name} is {self.aliases.get(name, name)}" for name in names if name in self._rebound}

    def _is_skipped(self, node: ast.stmt, scopes: tuple[ast.stmt, ...]) -> bool:
        if len(scopes) > 1 or not isinstance(node, _DEFINITION):
            return False
        words = self._words(node)
        self._skipped[words] -= 1
        return self._skipped[words] >= 0

    def _below(self, parent: ast.AST, conditions: _Key, scopes: tuple[ast.stmt, ...]) -> Iterator[tuple[_Key, Unit]]:
        """Yield the units below a node, each with a key of the conditions above it and its own content."""
        for name, value in ast.iter_fields(parent):
            for child in value if name in _BODIES and isinstance(value, list) else ():
                if isinstance(child, ast.stmt):
                    yield from self._statement(child, (*conditions, name), scopes)
                else:  # an except handler or a case
                    head = [part for _, part in ast.iter_fields(child) if isinstance(part, ast.expr | ast.pattern)]
                    yield from self._below(child, (*conditions, *map(ast.dump, head)), scopes)

    def _statement(
        self, statement: ast.stmt, conditions: _Key, scopes: tuple[ast.stmt, ...]
    ) -> Iterator[tuple[_Key, Unit]]:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if is_text or self._is_skipped(statement, scopes):
            return
        parts = tuple(_parts(statement))
        sources = sorted(self._sources(parts))
        own = "\n".join((type(statement).__name__, getattr(statement, "name", ""), *map(ast.dump, parts), *sources))
        yield (*conditions, own), Unit(statement, parts, scopes, self.aliases)
        if isinstance(statement, _DEFINITION):
            # A definition is known by its name alone: another decorator does not change the statements inside.
            inner = f"{type(statement).__name__} {statement.name}"
            yield from self._below(statement, (*conditions, inner), (*scopes, statement))
        else:
            yield from self._below(statement, (*conditions, own), scopes)


def _parts(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the expressions of a statement without the statements inside it; of a handler its exception types."""
    if not hasattr(statement, "body"):
        yield statement
        return
    for name, value in ast.iter_fields(statement):
        if name not in _BODIES:
            yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, ast.AST))
    for handler in getattr(statement, "handlers", ()):
        if handler.type is not None:
            yield handler.type
