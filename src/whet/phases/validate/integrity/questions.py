"""A test taken apart: what it asks of the code, to be sent inside, and what it expects, which stays outside."""

import ast
import builtins
import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from whet.phases.validate.integrity.names import Function, functions

_RUNNERS = ("pytest", "_pytest", "unittest", "hypothesis", "mock", "nose", "doctest")
_SET_UP = ("setUp", "setUpClass", "setup_method", "setup_class", "asyncSetUp", "setup")
_EQUAL = ("assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual")


@dataclass(frozen=True)
class Expectation:
    """`expected` is the value, or the name of the exception where `raises`; `near` allows for rounding.

    With `kept` it is what the test gives to the code and then compares with: it should stay what it was.
    """

    key: str
    shown: str
    expected: object
    near: bool = False
    raises: bool = False
    kept: bool = False


@dataclass
class Case:
    """One run of one test function: a generator that yields a value for each question."""

    source: str
    questions: list[Expectation]


@dataclass
class Asked:
    """What a test file can be asked: cases by function and number of the parameter set, in its order."""

    imports: str
    cases: dict[str, list[Case]] = field(default_factory=dict)


def take_apart(source: bytes, package: str) -> Asked | None:
    """The file's functions as cases; those that need a fixture, the runner or a set-up are left out."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    module = _Module(tree, package)
    asked = Asked(imports=module.imports)
    for name, node in functions(tree):
        if node.name.startswith("test") and module.can_run(name, node) and (cases := list(_cases(node, module))):
            asked.cases[name] = cases
    return asked


class _Module:
    """The names that a test may use: imports without the runner, constants, and helpers of its own file."""

    def __init__(self, tree: ast.Module, package: str) -> None:
        self._classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        kept = [found for node in tree.body if (found := _kept(node, package)) is not None]
        self._star = any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in kept)
        everything = {name for node in tree.body for name in _bound(node)}
        while True:
            self.names = {name for node in kept for name in _bound(node)}
            self._left_out = everything - self.names
            if all(self._has(_free(node)) for node in kept):
                break
            kept = [node for node in kept if self._has(_free(node))]  # what a helper needs must be there too
        self.imports = "\n".join(map(ast.unparse, kept))

    def can_run(self, name: str, node: Function) -> bool:
        if isinstance(node, ast.AsyncFunctionDef) or any(
            isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node)
        ):
            return False
        above = self._classes.get(name.partition("::")[0]) if "::" in name else None
        if name.count("::") > 1 or ("::" in name and above is None):
            return False
        return above is None or not any(_sets_up(one) for one in above.body)

    def resolves(self, nodes: Sequence[ast.stmt]) -> bool:
        made = {name for node in nodes for name in _bound(node)}
        return self._has({name for node in nodes for name in _free(node)} - made)

    def _has(self, names: set[str]) -> bool:
        """After `import *` any name may be there, but for those that were left out here."""
        return not names & self._left_out if self._star else not names - self.names - _BUILT_IN


def _sets_up(node: ast.stmt) -> bool:
    if not isinstance(node, Function):
        return False
    return node.name in _SET_UP or any("fixture" in ast.unparse(one) for one in node.decorator_list)


def _kept(node: ast.stmt, package: str) -> ast.stmt | None:
    if isinstance(node, ast.Import):
        names = [alias for alias in node.names if alias.name.partition(".")[0] not in _RUNNERS]
        return ast.Import(names) if names else None
    if isinstance(node, ast.ImportFrom):
        return _absolute(node, package)
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        helper = not node.name.lower().startswith("test") and not node.decorator_list
        return node if helper else None
    return node if isinstance(node, ast.Assign) else None


def _absolute(node: ast.ImportFrom, package: str) -> ast.ImportFrom | None:
    module = node.module or ""
    if node.level:
        parts = package.split(".") if package else []
        if node.level > len(parts):
            return None
        module = ".".join([*parts[: len(parts) - node.level + 1], *([module] if module else [])])
    return None if module.partition(".")[0] in _RUNNERS else ast.ImportFrom(module, node.names, 0)


def _cases(node: Function, module: _Module) -> Iterator[Case]:
    rows = _rows(node)
    if rows is None:
        return
    for number, row in enumerate(rows):
        case = _case(node, row, f"{node.name}:{node.lineno}:{number}", module)
        yield case or Case("", [])


def _rows(node: Function) -> list[dict[str, ast.expr]] | None:
    """The sets of parameters; one empty set for a test without any; None where they are not written down."""
    names = [argument.arg for argument in node.args.args if argument.arg != "self"]
    if node.args.kwonlyargs or node.args.vararg or node.args.kwarg:
        return None
    if not node.decorator_list:
        return None if names else [{}]
    match node.decorator_list:
        case [
            ast.Call(
                func=ast.Attribute(attr="parametrize"), args=[ast.Constant(value=str() as text), rows], keywords=[]
            )
        ]:
            wanted = [one.strip() for one in text.split(",")]
        case [
            ast.Call(func=ast.Attribute(attr="parametrize"), args=[ast.List() | ast.Tuple() as some, rows], keywords=[])
        ]:
            wanted = [one.value for one in some.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        case _:
            return None
    if sorted(wanted) != sorted(names) or not isinstance(rows, ast.List | ast.Tuple):
        return None
    found = [_row(one, wanted) for one in rows.elts]
    return None if any(row is None for row in found) else [row for row in found if row is not None]


def _row(node: ast.expr, names: Sequence[str]) -> dict[str, ast.expr] | None:
    if isinstance(node, ast.Call):
        if not (isinstance(node.func, ast.Attribute) and node.func.attr == "param"):
            return {names[0]: node} if len(names) == 1 else None
        if any(word.arg == "marks" for word in node.keywords):
            return None
        values: Sequence[ast.expr] = node.args
    elif len(names) == 1:
        values = [node]
    else:
        values = node.elts if isinstance(node, ast.Tuple | ast.List) else ()
    if len(values) != len(names) or any(isinstance(value, ast.Starred) for value in values):
        return None
    return dict(zip(names, values, strict=True))


def _case(node: Function, row: dict[str, ast.expr], key: str, module: _Module) -> Case | None:
    body = [copy.deepcopy(one) for one in node.body if not _is_text(one)]
    known = {**row, **_constants(body)}
    questions: list[Expectation] = []

    def ask(shown: ast.expr, expected: object, *, near: bool = False, raises: bool = False, kept: bool = False) -> str:
        questions.append(Expectation(f"{key}:{len(questions)}", ast.unparse(shown), expected, near, raises, kept))
        return questions[-1].key

    rest = [part for one in body for part in _statement(one, known, ask)]
    if questions:
        rest += [_yield(ask(name, value, kept=True), name) for name, value in _on_both_sides(body, known)]
    used = {
        one.id for part in rest for one in ast.walk(part) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    }
    rest = [part for part in rest if not _only_expected(part, known, used)]
    given = [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in row.items() if name in used]
    whole: list[ast.stmt] = [*given, *rest]
    if not questions or not module.resolves(whole):
        return None
    function = ast.parse("def case():\n    yield")
    function.body[0].body = whole  # type: ignore[attr-defined]
    return Case(ast.unparse(ast.fix_missing_locations(function)), questions)


Ask = Callable[..., str]


def _statement(node: ast.stmt, known: dict[str, ast.expr], ask: Ask) -> list[ast.stmt]:
    """The statement as it goes inside: an expectation becomes a question."""
    match node:
        case ast.Assert(test=test):
            return [_asked(test, known, ask)]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=args)):
            return _by_method(name, args, ask, known)
        case ast.With(
            items=[ast.withitem(context_expr=ast.Call(func=function, args=[kind, *_]), optional_vars=None)], body=body
        ):
            called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if called in ("raises", "assertRaises", "assertRaisesRegex"):
                return [_raising(body, kind, ask)]
    return [node]


def _asked(test: ast.expr, known: dict[str, ast.expr], ask: Ask) -> ast.stmt:
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
        left, right = test.left, test.comparators[0]
        for actual, expected in ((left, right), (right, left)):
            found, near = _value(expected, known)
            if found is not _UNKNOWN and _value(actual, known)[0] is _UNKNOWN:
                return _yield(ask(actual, found, near=near), actual)
    return _yield(ask(test, expected=True), ast.Call(ast.Name("bool", ast.Load()), [test], []))


def _by_method(name: str, args: list[ast.expr], ask: Ask, known: dict[str, ast.expr]) -> list[ast.stmt]:
    if name in _EQUAL and len(args) > 1:
        return [_asked(ast.Compare(args[0], [ast.Eq()], [args[1]]), known, ask)]
    if name in ("assertTrue", "assertFalse") and args:
        return [_yield(ask(args[0], name == "assertTrue"), ast.Call(ast.Name("bool", ast.Load()), [args[0]], []))]
    if name == "assertRaises" and len(args) > 1:
        return [_raising([ast.Expr(ast.Call(args[1], args[2:], []))], args[0], ask)]
    if name == "assertIn" and len(args) > 1:
        return [_asked(ast.Compare(args[0], [ast.In()], [args[1]]), known, ask)]
    return [ast.Expr(ast.Name("self", ast.Load()))]  # not known here: the name makes the case unanswerable


def _raising(body: list[ast.stmt], kind: ast.expr, ask: Ask) -> ast.stmt:
    wanted = ast.unparse(kind).rpartition(".")[2]
    last = body[-1]
    key = ask(last.value if isinstance(last, ast.Expr) else kind, wanted, raises=True)
    names = ast.parse("[one.__name__ for one in type(problem).__mro__]", mode="eval").body
    handler = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), "problem", [_yield(key, names)])
    return ast.Try(body, [handler], [_yield(key, ast.List([], ast.Load()))], [])


def _yield(key: str, value: ast.expr) -> ast.stmt:
    return ast.Expr(ast.Yield(ast.Tuple([ast.Constant(key), value], ast.Load())))


_UNKNOWN = object()


def _value(node: ast.expr, known: dict[str, ast.expr]) -> tuple[object, bool]:
    """What an expected value is, and whether it is meant roughly."""
    if isinstance(node, ast.Name) and node.id in known:
        node = known[node.id]
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("approx") and node.args and not node.keywords:
        return _value(node.args[0], known)[0], True
    try:
        return ast.literal_eval(node), False
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _UNKNOWN, False


def _constants(body: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """Names that hold one written-down value throughout."""
    stored = [
        node.id
        for one in body
        for node in ast.walk(one)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return {
        one.targets[0].id: one.value
        for one in body
        if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name)
        and stored.count(one.targets[0].id) == 1 and _value(one.value, {})[0] is not _UNKNOWN
    }  # fmt: skip


def _on_both_sides(body: Sequence[ast.stmt], known: dict[str, ast.expr]) -> list[tuple[ast.Name, object]]:
    """Lists and the like that an equation has on both sides: emptied by the code, they would agree with anything."""
    found: dict[str, object] = {}
    for one in (node for part in body for node in ast.walk(part)):
        if isinstance(one, ast.Compare) and len(one.ops) == 1 and isinstance(one.ops[0], ast.Eq):
            for name in _read(one.left) & _read(one.comparators[0]) & known.keys():
                value, _ = _value(known[name], {})
                if isinstance(value, list | dict | set):
                    found[name] = value
    return [(ast.Name(name, ast.Load()), value) for name, value in found.items()]


def _read(node: ast.expr) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _only_expected(node: ast.stmt, known: dict[str, ast.expr], used: set[str]) -> bool:
    """A constant that was held against a value and is needed for nothing else stays outside."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in known and name not in used
    return False


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, Function | ast.ClassDef):
        return {node.name}
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    names |= {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    names |= {one.name for one in ast.walk(node) if isinstance(one, ast.ExceptHandler) and one.name}
    return names | {one.name for one in ast.walk(node) if isinstance(one, Function | ast.ClassDef)}


def _free(node: ast.stmt) -> set[str]:
    """Names it needs from outside, roughly: those it uses and does not make itself."""
    used = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    made = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    made |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    inner = {one.name for one in ast.walk(node) if isinstance(one, Function | ast.ClassDef)}
    return used - made - inner


_BUILT_IN = frozenset(dir(builtins))
