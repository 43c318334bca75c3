"""Handlers that catch more than before, or that say nothing about what they caught."""

import ast
from collections import Counter
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.pyast.functions import functions

CODE = "widened_except"
_BROAD = frozenset({"", "Exception", "BaseException"})
_Handlers = list[tuple[ast.ExceptHandler | ast.Call, frozenset[str]]]


def excepts(passage: Passage) -> Iterator[Remark]:
    """A narrow handler that became a broad one asks for a reader; so does a new one that swallows everything."""
    if passage.tree is None or passage.is_test:
        return
    before = functions(passage.old_tree)
    for name, place in functions(passage.tree).items():
        if name and not passage.touches(place):
            continue
        old = _handlers(before.get(name), passage)
        narrow = Counter(caught for _, caught in old if not caught & _BROAD)
        broad = sum(bool(caught & _BROAD) and not _hands_on(node) for node, caught in old)
        new = _handlers(place, passage)
        narrow.subtract(caught for _, caught in new if not caught & _BROAD)
        wide = [(node, caught) for node, caught in new if caught & _BROAD and not _hands_on(node)]
        for node, caught in wide[broad:]:
            if not passage.touches(node):
                continue
            if any(count > 0 for count in narrow.values()):
                yield _remark(node, "raise", f"catches {_shown(caught)} where it caught less before")
            elif _is_silent(node):
                yield _remark(node, "raise", f"catches {_shown(caught)} and says nothing")
            else:
                yield _remark(node, "note", f"catches {_shown(caught)}")
        for node, caught in new:
            if (
                not caught & _BROAD
                and _is_silent(node)
                and passage.touches(node)
                and caught not in {one for _, one in old}
            ):
                yield _remark(node, "note", f"passes over {_shown(caught)}")


def _handlers(place: ast.AST | None, passage: Passage) -> _Handlers:
    found: _Handlers = []
    for node in ast.walk(place) if place else ():
        if isinstance(node, ast.ExceptHandler):
            found.append((node, _caught(node.type)))
        elif isinstance(node, ast.Call) and passage.name_of(node.func) in ("contextlib.suppress", "suppress"):
            found.append((node, frozenset(ast.unparse(one) for one in node.args)))
    return found


def _caught(kind: ast.expr | None) -> frozenset[str]:
    if kind is None:
        return frozenset({""})
    return frozenset(map(ast.unparse, kind.elts if isinstance(kind, ast.Tuple) else [kind]))


def _hands_on(node: ast.AST) -> bool:
    return any(isinstance(one, ast.Raise) for one in ast.walk(node))


def _is_silent(node: ast.ExceptHandler | ast.Call) -> bool:
    if isinstance(node, ast.Call):
        return True
    return all(
        isinstance(one, ast.Pass | ast.Continue) or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
        for one in node.body
    )


def _shown(caught: frozenset[str]) -> str:
    return ", ".join(sorted(one or "everything" for one in caught))


def _remark(node: ast.ExceptHandler | ast.Call, severity: str, what: str) -> Remark:
    return Remark(node.lineno, "raise" if severity == "raise" else "note", CODE, what)
