"""The functions that a patch changes, and the tests that may call them."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from whet.pyast.functions import Function, docstrings, functions, parameters
from whet.target.varied.calls import WatchedFunction

MOST_FUNCTIONS = 12
_MOST_WORDS = 8
_MOST_TESTS, _MOST_PER_FILE = 80, 40
_LONGEST_WORD = 40
_BROAD = ("Exception", "BaseException")


@dataclass(frozen=True)
class ChangedFunction:
    """A function that both trees have and that the patch may make answer differently.

    `edited` is false for a function that only calls one which the patch changes. `raises` are the exceptions that the
    new text raises by name. `catches_all` if the patch adds a handler of every exception that does not pass it on.
    `measures` if the patch adds a comparison of a length with a number. `calls_edited` if it uses the name of another
    function that the patch edits. `last` is the last line of the new text,
    `known_globals` are the names that the module assigns on the base.
    """

    path: str
    name: str
    before: WatchedFunction
    after: WatchedFunction
    edited: bool = True
    raises: frozenset[str] = frozenset()
    catches_all: bool = False
    measures: bool = False
    last: int = 0
    known_globals: frozenset[str] = frozenset()
    calls_edited: bool = False

    @property
    def method(self) -> bool:
        return self.after.method


def changed_functions(files: Mapping[str, tuple[str, str]]) -> list[ChangedFunction]:
    """Return the functions whose text differs, and those that read a changed name of their module."""
    found = [function for path, (old, new) in files.items() for function in _of_file(path, old, new)]
    return sorted(found, key=lambda function: not function.edited)[:MOST_FUNCTIONS]


def in_version(changed: Sequence[ChangedFunction], path: str, source: str) -> list[ChangedFunction]:
    """Return the changed functions with their places in another version of the file `path`; none if one is missing."""
    tree = _parsed(source)
    known = functions(tree)
    moved = []
    for function in changed:
        if function.path == path:
            node = known.get(function.name)
            if not isinstance(node, Function):
                return []
            function = replace(function, after=_watched(path, function.name, node, function.after.parameters))
        moved.append(function)
    return moved


def words_of_patch(files: Mapping[str, tuple[str, str]]) -> list[str | int]:
    """Return short texts and whole numbers that only the new files contain as literals."""
    words: dict[str | int, None] = {}
    for old, new in files.values():
        known = {repr(value) for value in _literals(old)}
        words.update(dict.fromkeys(value for value in _literals(new) if repr(value) not in known))
    return list(words)[:_MOST_WORDS]


def chosen_tests(
    targets: Sequence[str], passing: Iterable[str], sources: Mapping[str, str], changed: Sequence[ChangedFunction]
) -> list[str]:
    """Return the targets, then passing tests of files that name a changed function or its module, nearest first.

    `sources` are the texts of the test files.
    """
    files_of_targets = {test.partition("::")[0] for test in targets}
    words = {function.name.rpartition(".")[2] for function in changed}
    words |= {re.sub(r"(/__init__)?\.py$", "", function.path).rpartition("/")[2] for function in changed}
    named = re.compile(r"\b(?:" + "|".join(map(re.escape, sorted(words))) + r")\b")
    chosen = dict.fromkeys(targets)
    by_file: dict[str, list[str]] = {}
    for test in sorted(passing):
        by_file.setdefault(test.partition("::")[0], []).append(test)
    near = [path for path in by_file if path in files_of_targets or named.search(sources.get(path, ""))]
    for path in sorted(near, key=lambda path: (path not in files_of_targets, path)):
        chosen.update(dict.fromkeys(by_file[path][:_MOST_PER_FILE]))
    return list(chosen)[:_MOST_TESTS]


def _of_file(path: str, old: str, new: str) -> Iterator[ChangedFunction]:
    before, after = _parsed(old), _parsed(new)
    if before is None or after is None:
        return
    old_functions, new_functions = functions(before), functions(after)
    changed_names = {name for name, _ in _bound_names(before) ^ _bound_names(after)}
    edited_names = {
        name.rpartition(".")[2]
        for name, node in new_functions.items()
        if name in old_functions and ast.dump(node) != ast.dump(old_functions[name])
    }
    new_state = _state_names(after) - _state_names(before)
    called = {name.rpartition(".")[2] for name in {*old_functions, *new_functions}}
    for name, node in new_functions.items():
        earlier = old_functions.get(name)
        if not isinstance(node, Function) or not isinstance(earlier, Function):
            continue
        edited = ast.dump(node) != ast.dump(earlier) or _reads(node, changed_names - called)
        if edited or _reads(node, changed_names):
            common = tuple(part for part in parameters(earlier.args) if part in parameters(node.args))
            watched = _watched(path, name, earlier, common), _watched(path, name, node, common)
            if _reads(node, new_state) or _changeable_defaults(node) > _changeable_defaults(earlier):
                watched = replace(watched[0], stateful=True), replace(watched[1], stateful=True)
            yield ChangedFunction(
                path,
                name,
                *watched,
                edited,
                _raised(node),
                catches_all=_broad_handlers(node) > _broad_handlers(earlier),
                measures=not _measured(node) <= _measured(earlier),
                last=node.end_lineno or node.lineno,
                calls_edited=_reads(node, edited_names - {name.rpartition(".")[2]}),
                known_globals=frozenset(bound for bound, _ in _bound_names(before)),
            )


def _watched(path: str, name: str, node: Function, common: tuple[str, ...]) -> WatchedFunction:
    line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    first = [*node.args.posonlyargs, *node.args.args][:1]
    return WatchedFunction(path, name, line, bool(first) and first[0].arg in ("self", "cls"), common)


def _state_names(tree: ast.Module) -> set[str]:
    """Return the names that a module or its classes give a value that can change, or assign again."""
    constant = ast.Constant | ast.Tuple | ast.JoinedStr | ast.UnaryOp | ast.BinOp
    scopes = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    return {
        target.id
        for body in scopes
        for node in body
        if isinstance(node, ast.Assign | ast.AnnAssign) and not isinstance(node.value, constant | None)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    } | {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}


def _changeable_defaults(node: Function) -> int:
    defaults = (*node.args.defaults, *node.args.kw_defaults)
    return sum(isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call) for default in defaults)


def _bound_names(tree: ast.Module) -> set[tuple[str, str]]:
    """Return the names that a module or its classes assign or define, each with the text of its statement."""
    bound = set()
    scopes: list[ast.Module | ast.ClassDef] = [tree]
    while scopes:
        for node in scopes.pop().body:
            match node:
                case ast.Assign(targets=targets):
                    names = [
                        inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)
                    ]
                case ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)):
                    names = [name]
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    names = [name]
                case ast.ClassDef():
                    scopes.append(node)
                    continue
                case _:
                    continue
            bound |= {(name, ast.dump(node)) for name in names}
    return bound


def _reads(node: ast.AST, names: set[str]) -> bool:
    return any(
        (isinstance(inner, ast.Name) and inner.id in names)
        or (isinstance(inner, ast.Attribute) and inner.attr in names)
        for inner in ast.walk(node)
    )


def _raised(node: ast.AST) -> frozenset[str]:
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Raise) and inner.exc is not None:
            raised = inner.exc.func if isinstance(inner.exc, ast.Call) else inner.exc
            names.add(ast.unparse(raised).rpartition(".")[2])
    return frozenset(names)


def _broad_handlers(node: ast.AST) -> int:
    """Return the number of handlers that catch every exception and do not raise it again as it is."""
    return sum(
        _catches_all(inner) and not any(isinstance(part, ast.Raise) and part.exc is None for part in ast.walk(inner))
        for inner in ast.walk(node)
        if isinstance(inner, ast.ExceptHandler)
    ) + sum(
        any(ast.unparse(argument) in _BROAD for argument in inner.args)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call) and ast.unparse(inner.func) in ("suppress", "contextlib.suppress")
    )


def _catches_all(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or ast.unparse(kind) in _BROAD for kind in kinds)


def _measured(node: ast.AST) -> set[str]:
    """Return the comparisons of `len(...)` with a number above 1, as text."""
    found = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Compare):
            sides = [inner.left, *inner.comparators]
            lengths = [side for side in sides if isinstance(side, ast.Call) and ast.unparse(side.func) == "len"]
            numbers = [side.value for side in sides if isinstance(side, ast.Constant) and type(side.value) is int]
            if lengths and any(number > 1 for number in numbers):
                found.add(ast.unparse(inner))
    return found


def _literals(text: str) -> Iterator[str | int]:
    tree = _parsed(text)
    if tree is None:
        return
    documents = {id(node) for node in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documents:
            value = node.value
            if (isinstance(value, str) and 0 < len(value) <= _LONGEST_WORD) or type(value) is int:
                yield value


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
