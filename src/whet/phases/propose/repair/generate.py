"""Turn suspicious places into complete candidate sources, likeliest first."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from operator import itemgetter
from types import MappingProxyType

from whet.domain.place import Place
from whet.phases.propose.repair.candidate import SUBJECT_WIDTH, Candidate, Edit, Replacement, apply
from whet.phases.propose.repair.degenerate import count_degenerate
from whet.phases.propose.repair.hints import Hints, template_boosts
from whet.phases.propose.repair.module import Function, Module, Scope, bindings
from whet.phases.propose.repair.templates import TEMPLATES
from whet.phases.propose.repair.templates.template import Template
from whet.phases.propose.repair.tidy import Chunk, Tidier

# A function's head (its defaults) and the constants that it reads run at import, not in a test; conditions and tables run
# in many tests. Coverage alone clears them, so they inherit suspicion from the lines that depend on them.
_HEAD = 0.85
_READ_CONSTANT = 0.6
_LEADS_TO = 0.6
_TABLES = (ast.Tuple, ast.List, ast.Set, ast.Dict)
_BORROWED = 0.35
_SLOW = 0.4  # outside a function's body: each such candidate imports the project again
_PAIRED = 60
_MOST_NODES = 300  # a larger statement is a table of data, of which only the first part is edited
_BOTH, _APART = 0.3, 0.6
_NO_PRIORS: Mapping[str, float] = MappingProxyType({})


def candidates(
    path: str, source: str, places: Sequence[Place], hints: Hints, priors: Mapping[str, float] = _NO_PRIORS
) -> Iterator[Candidate]:
    """Yield every single edit that the templates know at the places in this file, likeliest first, without duplicates.

    Each candidate parses and differs from the source. Text that an edit does not touch stays byte for byte. A source
    that does not parse yields nothing.
    """
    factors = _factors(hints, priors)
    for draft, changed in _distinct(source, places, hints, factors):
        yield Candidate(
            path=path,
            source=changed,
            template=draft.template.name,
            line=draft.line,
            summary=draft.edit.summary.render(draft.function or path),
            rank=draft.rank(factors),
            naturalness=draft.naturalness(factors),
        )


def pairs(
    path: str, source: str, places: Sequence[Place], hints: Hints, priors: Mapping[str, float] = _NO_PRIORS
) -> Iterator[Candidate]:
    """Yield combinations of two of the likeliest edits, likeliest first.

    Two edits in one function, or the same edit in two functions, rank above other combinations.
    """
    factors = _factors(hints, priors)
    likeliest = [draft for draft, _ in islice(_distinct(source, places, hints, factors), _PAIRED)]
    combined = []
    for first, second in combinations(likeliest, 2):
        near = first.chunk == second.chunk or first.edit.summary == second.edit.summary
        if not _overlap(first.edit, second.edit):
            share = _BOTH if near else _BOTH * _APART
            combined.append((first.rank(factors) * second.rank(factors) * share, first, second))
    combined.sort(key=itemgetter(0), reverse=True)
    seen, chunks = {source}, _Chunks(source)
    for rank, first, second in combined:
        chunk = first.chunk if first.chunk == second.chunk else (0, len(source))
        changed = chunks.apply((*first.edit.replacements, *second.edit.replacements), chunk)
        if changed is None or changed in seen:
            continue
        seen.add(changed)
        yield Candidate(
            path=path,
            source=changed,
            template=f"{first.template.name}+{second.template.name}",
            line=min(first.line, second.line),
            summary=_joint_summary(first, second, path),
            rank=rank,
            naturalness=first.naturalness(factors) * second.naturalness(factors) * _BOTH,
        )


def _joint_summary(first: "_Draft", second: "_Draft", path: str) -> str:
    here, there = first.function or path, second.function or path
    if first.edit.summary == second.edit.summary:
        return first.edit.summary.render(here if here == there else f"{here} and {there}")
    other = second.edit.summary.render("" if here == there else there, SUBJECT_WIDTH // 2)
    start = first.edit.summary.render(here, SUBJECT_WIDTH - len(other) - 2)
    return f"{start}; {other[:1].lower()}{other[1:]}"


def _factors(hints: Hints, priors: Mapping[str, float]) -> dict[str, float]:
    """Return, for each template, how much the failures and the repository's history raise its likelihood."""
    by_failure = template_boosts(hints)
    return {name: by_failure.get(name, 1.0) * priors.get(name, 1.0) for name in {*by_failure, *priors}}


def _overlap(one: Edit, other: Edit) -> bool:
    return any(
        (first.start < second.end and second.start < first.end) or first.start == second.start
        for first in one.replacements
        for second in other.replacements
    )


def _distinct(
    source: str, places: Sequence[Place], hints: Hints, factors: dict[str, float]
) -> Iterator[tuple["_Draft", str]]:
    """Yield each draft with the source it leads to, likeliest first; drafts that lead to a known source are skipped."""
    try:
        module = Module(source)
    except (SyntaxError, ValueError):
        return
    drafts = list(_drafts(module, places, hints))
    drafts.sort(key=lambda draft: draft.rank(factors), reverse=True)
    seen, chunks = {source}, _Chunks(source)
    for draft in drafts:
        changed = chunks.apply(draft.edit.replacements, draft.chunk)
        if changed is not None and changed not in seen:
            seen.add(changed)
            yield draft, changed


@dataclass(frozen=True, slots=True)
class _Draft:
    """An edit that was not applied yet. `function` is the name of the function around it, as `mean()`."""

    template: Template
    edit: Edit
    line: int
    function: str
    suspicion: float
    chunk: tuple[int, int]
    in_body: bool

    def rank(self, factors: dict[str, float]) -> float:
        """Return the likelihood, reduced for edits that are slow to try."""
        return self.suspicion * self._likelihood(factors) * (1.0 if self.in_body else _SLOW)

    def _likelihood(self, factors: dict[str, float]) -> float:
        likelihood = self.template.prior * self.edit.weight * factors.get(self.template.name, 1.0)
        return likelihood * (_BORROWED if self.edit.borrowed else 1.0)

    def naturalness(self, factors: dict[str, float]) -> float:
        """Return the likelihood, raised for small edits and less dependent on the place than the rank."""
        size = sum(max(item.end - item.start, len(item.text)) for item in self.edit.replacements)
        return self._likelihood(factors) * (0.5 + 0.5 * self.suspicion) / (1 + size / 120)


def _drafts(module: Module, places: Sequence[Place], hints: Hints) -> Iterator[_Draft]:
    scopes: dict[ast.AST | None, dict[str, int]] = {}
    for statement, suspicion in _suspects(module, places):
        function = statement if isinstance(statement, Function) else module.function_of(statement)
        bound = scopes.setdefault(function, bindings(function))
        scope = Scope(module, function, statement, hints, bound)
        chunk = module.chunk(statement)
        body_start = module.body_start(statement)
        name = f"{function.name}()" if function is not None else ""
        for node in islice(_own_nodes(statement, module), _MOST_NODES):
            for template in TEMPLATES:
                if isinstance(node, template.kinds):
                    for edit in template.edits(node, scope):
                        line = getattr(node, "lineno", statement.lineno)
                        in_body = all(item.start >= body_start for item in edit.replacements)
                        yield _Draft(template, edit, line, name, suspicion, chunk, in_body)


def _suspects(module: Module, places: Sequence[Place]) -> Iterator[tuple[ast.stmt, float]]:
    """Yield each suspicious statement with its suspicion: the highest of the places on its own lines."""
    by_line = {place.line: place.suspicion for place in reversed(places)}
    suspicions: dict[ast.stmt, float] = {}
    for statement in ast.walk(module.tree):
        if isinstance(statement, ast.stmt) and not isinstance(statement, Function | ast.ClassDef):
            lines = range(statement.lineno, _last_line(statement) + 1)
            suspicions[statement] = max((by_line.get(line, 0.0) for line in lines), default=0.0)
    for branching in reversed(list(suspicions)):  # inner statements first
        if isinstance(branching, ast.If | ast.While):
            inner_suspicion = max(suspicions.get(inner, 0.0) for inner in (*branching.body, *branching.orelse))
            suspicions[branching] = max(suspicions[branching], inner_suspicion * _LEADS_TO)
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
    """Raise the suspicion of collections assigned in a function to that of the statements that read their names."""
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
    """Raise the suspicion of assignments outside functions to that of the functions that read their names."""
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
    """Return the last line that belongs to the statement itself and not to a statement inside it."""
    body = getattr(statement, "body", None)
    if isinstance(body, list) and isinstance(body[0], ast.stmt):
        return max(statement.lineno, body[0].lineno - 1)
    return statement.end_lineno or statement.lineno


def _own_nodes(statement: ast.stmt, module: Module) -> Iterator[ast.AST]:
    """Yield the statement and its expressions, without inner statements, annotations and decorators."""
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
    """True if the AST gives the right position for this part of an f-string, which before Python 3.12 it may not."""
    if not isinstance(value, ast.FormattedValue):
        return False
    try:
        parsed = ast.parse(module.text(value.value), mode="eval").body
    except (SyntaxError, ValueError, IndexError):
        return False
    return ast.unparse(parsed) == ast.unparse(value.value)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class _Chunks:
    """The functions of a source, for applying edits to.

    An edit stays inside its function, so parsing the changed function alone tells whether the whole source still parses,
    and is faster.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._degenerate: dict[tuple[int, int], int] = {}
        self._tidiers: dict[tuple[int, int], Tidier] = {}
        self._applied: set[tuple[tuple[int, int], str]] = set()

    def apply(self, replacements: Sequence[Replacement], span: tuple[int, int]) -> str | None:
        """Return the source with the edit, tidied; None if that does not parse, is degenerate or came up before."""
        if any(item.start < span[0] or item.end > span[1] for item in replacements):
            span = 0, len(self._source)  # a decorator stands above the first line of its function
        start, end = span
        before = self._source[start:end]
        if span not in self._tidiers:
            tree = Chunk(before).tree
            self._degenerate[span] = count_degenerate(tree) if tree is not None else 0
            self._tidiers[span] = Tidier(before)
        local = [Replacement(item.start - start, item.end - start, item.text) for item in replacements]
        after = apply(before, local)
        if (span, after) in self._applied:
            return None
        self._applied.add((span, after))
        chunk = Chunk(after)
        if chunk.tree is None or count_degenerate(chunk.tree) > self._degenerate[span]:
            return None
        return self._source[:start] + self._tidiers[span].tidy(local, chunk) + self._source[end:]
