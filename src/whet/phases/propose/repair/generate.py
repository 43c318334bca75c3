"""From suspicious places to whole candidate sources, the likeliest first."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from operator import itemgetter
from types import MappingProxyType

from whet.domain.place import Place
from whet.phases.propose.repair.candidate import Candidate, Edit, apply
from whet.phases.propose.repair.degenerate import nonsense
from whet.phases.propose.repair.hints import Hints, boosts
from whet.phases.propose.repair.module import Function, Module, Scope, bindings
from whet.phases.propose.repair.templates import TEMPLATES
from whet.phases.propose.repair.templates.template import Template

# A function's head (its defaults) and the constants it reads do not run in a test, and a condition or a table runs in
# many: they are suspected because of the lines that they lead to.
_HEAD = 0.85
_READ_CONSTANT = 0.6
_LEADS_TO = 0.6
_TABLES = (ast.Tuple, ast.List, ast.Set, ast.Dict)
_BORROWED = 0.35
_SLOW = 0.4  # outside a function's body: for each, the project is imported again
_PAIRED = 60
_MOST_NODES = 300  # what is larger is a table, not a statement: only a part of it is looked at
_BOTH, _APART = 0.3, 0.6
_NOTHING_LEARNED: Mapping[str, float] = MappingProxyType({})


def candidates(
    path: str, source: str, places: Sequence[Place], hints: Hints, likelier: Mapping[str, float] = _NOTHING_LEARNED
) -> Iterator[Candidate]:
    """Every single edit the templates know at the places in this file, best first, each one once.

    Each candidate parses and differs from the source; whatever an edit does not touch stays byte for byte.
    Nothing for a source that does not parse.
    """
    factors = _factors(hints, likelier)
    for draft, changed in _distinct(source, places, hints, factors):
        yield Candidate(
            path=path,
            source=changed,
            template=draft.template.name,
            line=draft.line,
            description=draft.edit.description,
            rank=draft.rank(factors),
            naturalness=draft.naturalness(factors),
        )


def pairs(
    path: str, source: str, places: Sequence[Place], hints: Hints, likelier: Mapping[str, float] = _NOTHING_LEARNED
) -> Iterator[Candidate]:
    """Two of the likeliest edits at once, best first; in one function, or the same thing in two, before others."""
    factors = _factors(hints, likelier)
    likeliest = [draft for draft, _ in islice(_distinct(source, places, hints, factors), _PAIRED)]
    found = []
    for one, other in combinations(likeliest, 2):
        near = one.chunk == other.chunk or one.edit.description == other.edit.description
        if not _overlap(one.edit, other.edit):
            share = _BOTH if near else _BOTH * _APART
            found.append((one.rank(factors) * other.rank(factors) * share, one, other))
    found.sort(key=itemgetter(0), reverse=True)
    seen, chunks = {source}, _Chunks(source)
    for rank, one, other in found:
        changed = apply(source, (*one.edit.changes, *other.edit.changes))
        chunk = one.chunk if one.chunk == other.chunk else (0, len(source))
        if changed in seen or not chunks.takes(changed, chunk):
            continue
        seen.add(changed)
        yield Candidate(
            path=path,
            source=changed,
            template=f"{one.template.name}+{other.template.name}",
            line=min(one.line, other.line),
            description=f"{one.edit.description}; {other.edit.description}",
            rank=rank,
            naturalness=one.naturalness(factors) * other.naturalness(factors) * _BOTH,
        )


def _factors(hints: Hints, likelier: Mapping[str, float]) -> dict[str, float]:
    """What the failures say of each template, times what was learned about it."""
    by_failure = boosts(hints)
    return {name: by_failure.get(name, 1.0) * likelier.get(name, 1.0) for name in {*by_failure, *likelier}}


def _overlap(one: Edit, other: Edit) -> bool:
    return any(
        (first.start < second.end and second.start < first.end) or first.start == second.start
        for first in one.changes
        for second in other.changes
    )


def _distinct(
    source: str, places: Sequence[Place], hints: Hints, factors: dict[str, float]
) -> Iterator[tuple["_Draft", str]]:
    try:
        module = Module(source)
    except (SyntaxError, ValueError):
        return
    drafts = list(_drafts(module, places, hints))
    drafts.sort(key=lambda draft: draft.rank(factors), reverse=True)
    seen, chunks = {source}, _Chunks(source)
    for draft in drafts:
        changed = apply(source, draft.edit.changes)
        if changed not in seen and chunks.takes(changed, draft.chunk):
            seen.add(changed)
            yield draft, changed


@dataclass(frozen=True, slots=True)
class _Draft:
    template: Template
    edit: Edit
    line: int
    suspicion: float
    chunk: tuple[int, int]
    in_body: bool

    def rank(self, factors: dict[str, float]) -> float:
        """What decides when it is tried: how likely it is, and how long it takes."""
        return self.suspicion * self._likelihood(factors) * (1.0 if self.in_body else _SLOW)

    def _likelihood(self, factors: dict[str, float]) -> float:
        likelihood = self.template.prior * self.edit.weight * factors.get(self.template.name, 1.0)
        return likelihood * (_BORROWED if self.edit.borrowed else 1.0)

    def naturalness(self, factors: dict[str, float]) -> float:
        """As the rank, but small edits count for more and the place for less."""
        size = sum(max(change.end - change.start, len(change.text)) for change in self.edit.changes)
        return self._likelihood(factors) * (0.5 + 0.5 * self.suspicion) / (1 + size / 120)


def _drafts(module: Module, places: Sequence[Place], hints: Hints) -> Iterator[_Draft]:
    scopes: dict[ast.AST | None, dict[str, int]] = {}
    for statement, suspicion in _suspects(module, places):
        function = statement if isinstance(statement, Function) else module.function_of(statement)
        bound = scopes.setdefault(function, bindings(function))
        scope = Scope(module, function, statement, hints, bound)
        chunk = module.chunk(statement)
        body_start = module.body_start(statement)
        for node in islice(_own_nodes(statement, module), _MOST_NODES):
            for template in TEMPLATES:
                if isinstance(node, template.kinds):
                    for edit in template.edits(node, scope):
                        line = getattr(node, "lineno", statement.lineno)
                        in_body = all(change.start >= body_start for change in edit.changes)
                        yield _Draft(template, edit, line, suspicion, chunk, in_body)


def _suspects(module: Module, places: Sequence[Place]) -> Iterator[tuple[ast.stmt, float]]:
    """Statements and how suspicious they are, by the lines of their own that the places name."""
    by_line = {place.line: place.suspicion for place in reversed(places)}
    suspicions: dict[ast.stmt, float] = {}
    for statement in ast.walk(module.tree):
        if isinstance(statement, ast.stmt) and not isinstance(statement, Function | ast.ClassDef):
            lines = range(statement.lineno, _last_line(statement) + 1)
            suspicions[statement] = max((by_line.get(line, 0.0) for line in lines), default=0.0)
    for branching in reversed(list(suspicions)):  # from the inside outwards
        if isinstance(branching, ast.If | ast.While):
            led_to = max(suspicions.get(inner, 0.0) for inner in (*branching.body, *branching.orelse))
            suspicions[branching] = max(suspicions[branching], led_to * _LEADS_TO)
    _suspect_tables(module, suspicions)
    for node in ast.walk(module.tree):
        if isinstance(node, Function):
            inside = max(
                (suspicions.get(inner, 0.0) for inner in ast.walk(node) if isinstance(inner, ast.stmt)),
                default=0.0,
            )
            suspicions[node] = inside * _HEAD
    _suspect_constants(module, suspicions)
    for statement, suspicion in suspicions.items():
        if suspicion > 0 and not _is_docstring(statement):
            yield statement, suspicion


def _suspect_tables(module: Module, suspicions: dict[ast.stmt, float]) -> None:
    """Collections that a function writes down inherit from the statements that read them by name."""
    read: dict[tuple[tuple[int, int], str], float] = {}
    for statement, suspicion in suspicions.items():
        if suspicion > 0:
            for node in _own_nodes(statement, module):
                if isinstance(node, ast.Name):
                    key = module.chunk(statement), node.id
                    read[key] = max(suspicion, read.get(key, 0.0))
    for statement in suspicions:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, _TABLES) and module.function_of(statement):
            names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            inherited = max((read.get((module.chunk(statement), name), 0.0) for name in names), default=0.0)
            suspicions[statement] = max(suspicions[statement], inherited * _READ_CONSTANT)


def _suspect_constants(module: Module, suspicions: dict[ast.stmt, float]) -> None:
    """Assignments outside functions inherit from the suspicious functions that read their names."""
    read: dict[str, float] = {}
    for function, suspicion in list(suspicions.items()):
        if isinstance(function, Function) and suspicion > 0:
            for node in ast.walk(function):
                name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
                read[name] = max(suspicion, read.get(name, 0.0))
    for statement in suspicions:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and module.function_of(statement) is None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            inherited = max((read.get(node.id, 0.0) for node in targets if isinstance(node, ast.Name)), default=0.0)
            suspicions[statement] = max(suspicions[statement], inherited * _READ_CONSTANT)


def _last_line(statement: ast.stmt) -> int:
    """The last line that is the statement's own, not that of a statement inside it."""
    body = getattr(statement, "body", None)
    if isinstance(body, list) and isinstance(body[0], ast.stmt):
        return max(statement.lineno, body[0].lineno - 1)
    return statement.end_lineno or statement.lineno


def _own_nodes(statement: ast.stmt, module: Module) -> Iterator[ast.AST]:
    """The statement and its expressions: no inner statements, annotations or decorators."""
    yield statement
    stack = [child for name, child in _fields(statement) if name not in ("annotation", "returns", "decorator_list")]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            continue
        if isinstance(node, ast.JoinedStr):
            stack += [value for value in node.values if _is_placed(value, module)]
            continue
        yield node
        stack += [child for name, child in _fields(node) if name not in ("annotation", "format_spec")]


def _fields(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for name, value in ast.iter_fields(node):
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield name, item


def _is_placed(value: ast.expr, module: Module) -> bool:
    """Before Python 3.12 the positions inside an f-string may be wrong; such parts are left alone."""
    if not isinstance(value, ast.FormattedValue):
        return False
    try:
        read = ast.parse(module.text(value.value), mode="eval").body
    except (SyntaxError, ValueError, IndexError):
        return False
    return ast.unparse(read) == ast.unparse(value.value)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class _Chunks:
    """Whether a changed stretch of source parses and makes sense.

    Edits stay inside their chunk, so what is true of that is true of the whole, and is told sooner.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._nonsense: dict[tuple[int, int], int] = {}

    def takes(self, changed: str, chunk: tuple[int, int]) -> bool:
        if chunk not in self._nonsense:
            before = _parsed(self._source[chunk[0] : chunk[1]])
            self._nonsense[chunk] = nonsense(before) if before else 0
        start, end = chunk
        tree = _parsed(changed[start : end + len(changed) - len(self._source)])
        return tree is not None and nonsense(tree) <= self._nonsense[chunk]


def _parsed(text: str) -> ast.AST | None:
    text = text.removeprefix("\ufeff")
    try:
        return ast.parse(f"if 1:\n{text}" if text[:1].isspace() else text)
    except (SyntaxError, ValueError):
        return None
