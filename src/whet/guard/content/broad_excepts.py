"""Exception handlers that catch more than before, or that swallow what they catch."""

import ast
from collections import Counter
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.pyast.functions import functions

CODE = "widened_except"
# The empty name stands for a bare `except:`.
_BROAD = frozenset({"", "Exception", "BaseException"})
_Handler = ast.ExceptHandler | ast.Call
_Handlers = list[tuple[_Handler, frozenset[str]]]


def broad_excepts(passage: Passage) -> Iterator[Remark]:
    """Raise the tier if a narrow handler became broad, or a new broad handler swallows; report other handlers as notes.

    A handler is an `except` clause or a call of `contextlib.suppress`. A handler that raises again is never reported.
    """
    if passage.tree is None or passage.is_test:
        return
    before = functions(passage.old_tree)
    for name, function in functions(passage.tree).items():
        if name and not passage.touches(function):
            continue
        old, new = _handlers(before.get(name), passage), _handlers(function, passage)
        yield from _broad(old, new, passage)
        yield from _silent(old, new, passage)


def _broad(old: _Handlers, new: _Handlers, passage: Passage) -> Iterator[Remark]:
    """Yield remarks on broad handlers beyond the number that the function had before."""
    narrow_lost = Counter(caught for _, caught in old if not caught & _BROAD)
    narrow_lost.subtract(caught for _, caught in new if not caught & _BROAD)
    is_widened = any(count > 0 for count in narrow_lost.values())
    broad_before = sum(bool(caught & _BROAD) and not _raises(node) for node, caught in old)
    broad = [(node, caught) for node, caught in new if caught & _BROAD and not _raises(node)]
    for node, caught in broad[broad_before:]:
        if not passage.touches(node):
            continue
        if is_widened:
            yield Remark(node.lineno, "raise", CODE, f"catches {_shown(caught)} where it caught less before")
        elif _is_silent(node):
            yield Remark(node.lineno, "raise", CODE, f"catches {_shown(caught)} and ignores it")
        else:
            yield Remark(node.lineno, "note", CODE, f"catches {_shown(caught)}")


def _silent(old: _Handlers, new: _Handlers, passage: Passage) -> Iterator[Remark]:
    """Yield notes on narrow handlers that ignore an exception which the function did not catch before."""
    caught_before = {caught for _, caught in old}
    for node, caught in new:
        is_new = caught not in caught_before and passage.touches(node)
        if is_new and not caught & _BROAD and _is_silent(node):
            yield Remark(node.lineno, "note", CODE, f"ignores {_shown(caught)}")


def _handlers(function: ast.AST | None, passage: Passage) -> _Handlers:
    """Return the handlers of a function, each with the names of the exceptions that it catches."""
    handlers: _Handlers = []
    for node in ast.walk(function) if function else ():
        if isinstance(node, ast.ExceptHandler):
            handlers.append((node, _caught(node.type)))
        elif isinstance(node, ast.Call) and passage.name_of(node.func) in ("contextlib.suppress", "suppress"):
            handlers.append((node, frozenset(map(ast.unparse, node.args))))
    return handlers


def _caught(exceptions: ast.expr | None) -> frozenset[str]:
    if exceptions is None:
        return frozenset({""})
    return frozenset(map(ast.unparse, exceptions.elts if isinstance(exceptions, ast.Tuple) else [exceptions]))


def _raises(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Raise) for inner in ast.walk(node))


def _is_silent(node: _Handler) -> bool:
    """True if the handler does nothing: `suppress`, or a body of `pass`, `continue` and constants."""
    if isinstance(node, ast.Call):
        return True
    return all(
        isinstance(statement, ast.Pass | ast.Continue)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in node.body
    )


def _shown(caught: frozenset[str]) -> str:
    return ", ".join(sorted(f"`{name}`" if name else "everything" for name in caught))
