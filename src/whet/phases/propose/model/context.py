"""The code that a model is shown: suspicious functions whole, by rank, then the failing tests, callers and imports."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from whet.conversation.prompt import Quotation
from whet.domain.place import Place
from whet.pyast.functions import Function

_SMALL_FILE_LINES = 150
_MOST_CALLERS = 10


@dataclass(frozen=True)
class Excerpt:
    """Consecutive lines of a file, with the name of what they define."""

    path: str
    name: str
    first: int
    last: int
    text: str

    @property
    def quotation(self) -> Quotation:
        where = f"lines {self.first} to {self.last}" if self.name else "the whole file"
        return Quotation.of(f"{self.path}, {where}{f': {self.name}' if self.name else ''}", self.text)


def suspicious_code(places: Sequence[Place], sources: Mapping[str, str]) -> list[Excerpt]:
    """Return the definitions around the suspicious lines, most suspicious first; small files are shown as a whole."""
    excerpts: dict[tuple[str, int], Excerpt] = {}
    for place in places:
        source = sources.get(place.path)
        if source is None:
            continue
        excerpt = _around(place.path, source, place.line)
        whole = excerpts.get((place.path, 1))
        if whole is None or whole.name:
            excerpts.setdefault((place.path, excerpt.first), excerpt)
    return list(excerpts.values())


def failing_tests(tests: Iterable[str], sources: Mapping[str, str]) -> list[Excerpt]:
    """Return the functions of the failing tests."""
    excerpts: dict[tuple[str, str], Excerpt] = {}
    for test in tests:
        path, _, name = test.partition("::")
        wanted = name.rpartition("::")[2].partition("[")[0]
        for excerpt in _definitions(path, sources.get(path, "")):
            if wanted and excerpt.name.rpartition(".")[2] == wanted:
                excerpts.setdefault((path, excerpt.name), excerpt)
    return list(excerpts.values())


def callers(shown: Sequence[Excerpt], sources: Mapping[str, str]) -> list[Excerpt]:
    """Return functions elsewhere that call a function that is shown already."""
    names = {excerpt.name.rpartition(".")[2] for excerpt in shown if excerpt.name}
    for excerpt in shown:
        if not excerpt.name:
            names |= {inner.name.rpartition(".")[2] for inner in _definitions(excerpt.path, excerpt.text)}
    known = {(excerpt.path, excerpt.name) for excerpt in shown}
    whole = {excerpt.path for excerpt in shown if not excerpt.name}
    found = [
        excerpt
        for path, source in sources.items()
        if path not in whole
        for excerpt in _definitions(path, source)
        if (path, excerpt.name) not in known and names & _called(excerpt.text)
    ]
    return found[:_MOST_CALLERS]


def imports(paths: Iterable[str], sources: Mapping[str, str]) -> list[Excerpt]:
    """Return the head of each file, up to its first definition."""
    heads = []
    for path in paths:
        source = sources.get(path, "")
        last = min((excerpt.first for excerpt in _definitions(path, source)), default=1) - 1
        if last > 0:
            heads.append(Excerpt(path, "imports and constants", 1, last, _lines(source, 1, last)))
    return heads


def _around(path: str, source: str, line: int) -> Excerpt:
    """Return the innermost top-level function or method around a line, or the whole of a small file."""
    total = source.count("\n") + 1
    if total <= _SMALL_FILE_LINES:
        return Excerpt(path, "", 1, total, source)
    for excerpt in _definitions(path, source):
        if excerpt.first <= line <= excerpt.last:
            return excerpt
    first, last = max(1, line - 20), min(total, line + 20)
    return Excerpt(path, "module level", first, last, _lines(source, first, last))


def _definitions(path: str, source: str) -> Iterator[Excerpt]:
    """Yield the functions and methods of a file, with their decorators."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    for prefix, node in _functions(tree, ""):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        last = node.end_lineno or node.lineno
        yield Excerpt(path, f"{prefix}{node.name}", first, last, _lines(source, first, last))


def _functions(parent: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, Function]]:
    for node in parent.body:
        if isinstance(node, Function):
            yield prefix, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{prefix}{node.name}.")


def _called(text: str) -> set[str]:
    """Return the names that a piece of source mentions before a parenthesis; a superset of the calls is enough."""
    names = set()
    for piece in text.split("(")[:-1]:
        name = piece[len(piece.rstrip("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")) :]
        names.add(name)
    return names


def _lines(source: str, first: int, last: int) -> str:
    return "\n".join(source.split("\n")[first - 1 : last])
