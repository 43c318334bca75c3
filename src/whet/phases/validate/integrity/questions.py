"""A test taken apart: what it asks of the code, to be sent inside, and what it expects, which stays outside."""

import ast
import copy
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from whet.phases.validate.integrity.test_ids import Function, functions
from whet.phases.validate.integrity.vocabulary import Vocabulary, altered, bound, is_fixture, read_names

_SET_UP_EACH = ("setUp", "setup_method")
_SET_UP = (*_SET_UP_EACH, "setUpClass", "setup_class", "asyncSetUp", "setup")
_EQUAL = ("assertEqual", "assertEquals", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual")
_COMPARED: dict[str, type[ast.cmpop]] = {
    "assertIn": ast.In, "assertNotIn": ast.NotIn, "assertIs": ast.Is, "assertIsNot": ast.IsNot,
    "assertNotEqual": ast.NotEq, "assertGreater": ast.Gt, "assertGreaterEqual": ast.GtE,
    "assertLess": ast.Lt, "assertLessEqual": ast.LtE,
} | dict.fromkeys(_EQUAL, ast.Eq)  # fmt: skip
_NONE: dict[str, type[ast.cmpop]] = {"assertIsNone": ast.Is, "assertIsNotNone": ast.IsNot}
_CLOSE = ("allclose", "assert_allclose", "assert_almost_equal", "assert_array_almost_equal")
_ARRAYS = ("array_equal", "assert_array_equal")
_HARMLESS_MARKS = ("pytest.mark.asyncio", "pytest.mark.anyio")
_MOST_ROWS = 100
_DEEPEST_HELPER = 3


class How(StrEnum):
    """How an answer is held against what is expected."""

    EQUAL = "equal"
    NEAR = "near"  # but for rounding
    RAISES = "raises"  # `expected` is the name of the exception
    MATCHES = "matches"  # `expected` is a pattern for its words
    KEPT = "kept"  # what the test gives to the code and then compares with: it should stay what it was
    SEEN = "seen"  # a side of a comparison that is made inside; `expected` is the key of the other side
    ALL = "all"  # the same, where nothing at all would agree with everything
    FIXED = "fixed"  # what the test works out without the code: it is what it was on the base


@dataclass(frozen=True)
class Expectation:
    """`now_and_then` is asked in a loop or a branch: it counts where the base came to it as well."""

    key: str
    shown: str
    expected: object
    how: How = How.EQUAL
    now_and_then: bool = False

    @property
    def side(self) -> bool:
        """Whether it is only a part of what a test asks."""
        return self.how in (How.KEPT, How.SEEN, How.ALL, How.FIXED)


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


def take_apart(source: bytes, package: str, above: Sequence[bytes] = ()) -> Asked | None:
    """The file's functions as cases; those that need the runner or a set-up that is more than assignments are left out.

    `above` are the conftest files that hold for it, the outermost first.
    """
    try:
        tree = ast.parse(source)
        words = Vocabulary(tree, package, [ast.parse(one) for one in above])
    except (SyntaxError, ValueError, RecursionError):
        return None
    asked = Asked(imports="")
    if words.sets_up:
        return asked
    mark = hashlib.sha256(source).hexdigest()[:8]
    for name, node in functions(tree):
        if node.name.startswith("test") and (cases := list(_cases(name, node, words, mark))):
            asked.cases[name] = cases
    used = read_names([ast.parse(case.source) for cases in asked.cases.values() for case in cases])
    asked.imports = words.imports(used)
    return asked


def _cases(name: str, node: Function, words: Vocabulary, mark: str) -> Iterator[Case]:
    own = _own(name, words)
    rows = _rows(node, words)
    if own is None or rows is None or any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(node)):
        return
    for number, row in enumerate(rows):
        taking = _Taking(words, own, row, hashlib.sha256(f"{mark}:{name}:{number}".encode()).hexdigest()[:12])
        yield taking.case(node) or Case("", [])


@dataclass(frozen=True)
class _Own:
    """What `self` is in a test: statements that fill it, its attributes, and methods that may be called."""

    filling: list[ast.stmt] = field(default_factory=list)
    attributes: dict[str, ast.expr] = field(default_factory=dict)
    methods: dict[str, Function] = field(default_factory=dict)


def _own(name: str, words: Vocabulary) -> _Own | None:
    """None where a class does more than assign before its tests run, or is not there."""
    if "::" not in name:
        return _Own()
    if name.count("::") > 1 or (above := words.classes.get(name.partition("::")[0])) is None:
        return None
    own = _Own()
    for kind in _with_bases(above, words):
        for one in kind.body:
            if is_fixture(one) or (isinstance(one, Function) and one.name in _SET_UP and not _only_assigns(one)):
                return None
            if isinstance(one, ast.FunctionDef) and one.name not in _SET_UP:
                own.methods[one.name] = one
            for target, value in _assigned(one):
                own.attributes[target] = value
                attribute = ast.Attribute(ast.Name("self", ast.Load()), target, ast.Store())
                own.filling.append(ast.Assign([attribute], value))
    return own


def _with_bases(kind: ast.ClassDef, words: Vocabulary) -> list[ast.ClassDef]:
    """The class after those of the file that it comes from, each once."""
    found = [kind]
    for one in found:
        bases = [words.classes.get(base.id) for base in one.bases if isinstance(base, ast.Name)]
        found += [base for base in bases if base is not None and base not in found]
    return found[::-1]


def _only_assigns(node: Function) -> bool:
    return node.name in _SET_UP_EACH and all(
        ast.unparse(one) in ("super().setUp()", "pass") or _is_text(one) or (_assigned_to_self(one) is not None)
        for one in node.body
    )


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """What a class's own assignments and those of its set-up put on `self`."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.FunctionDef(name=name, body=body) if name in _SET_UP_EACH:
            yield from (found for one in body if (found := _assigned_to_self(one)) is not None)


def _assigned_to_self(node: ast.stmt) -> tuple[str, ast.expr] | None:
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
            return name, value
    return None


def _rows(node: Function, words: Vocabulary) -> list[dict[str, ast.expr]] | None:
    """The sets of parameters; one empty set for a test without any; None where they are not written down."""
    names = [argument.arg for argument in node.args.args if argument.arg != "self"]
    if node.args.kwonlyargs or node.args.vararg or node.args.kwarg:
        return None
    decorators = [one for one in node.decorator_list if not ast.unparse(one).startswith(_HARMLESS_MARKS)]
    wanted, rows = _table(decorators, words)
    if wanted is None or not set(wanted) <= set(names):
        return None
    made = {name: words.fixture(name) for name in names if name not in wanted}
    found = [_row(one, wanted) for one in rows] if wanted else [{}]
    if any(row is None for row in found) or any(one is None for one in made.values()):
        return None
    given = {name: one for name, one in made.items() if one is not None}
    return [{**given, **row} for row in found if row is not None]


def _table(decorators: Sequence[ast.expr], words: Vocabulary) -> tuple[list[str] | None, list[ast.expr]]:
    """The names and rows of the one table that a test has; no names without one, None for what is not understood."""
    match decorators:
        case []:
            return [], []
        case [ast.Call(func=ast.Attribute(attr="parametrize"), args=[ast.Constant(value=str() as text), table])]:
            wanted = [one.strip() for one in text.split(",")]
        case [ast.Call(func=ast.Attribute(attr="parametrize"), args=[ast.List() | ast.Tuple() as some, table])]:
            wanted = [one.value for one in some.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        case _:
            return None, []
    (call,) = decorators
    if not isinstance(call, ast.Call) or any(word.arg != "ids" for word in call.keywords):
        return None, []
    table = words.constants.get(table.id, table) if isinstance(table, ast.Name) else table
    return (wanted, table.elts) if isinstance(table, ast.List | ast.Tuple) else (None, [])


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


class _Cannot(Exception):
    """The test does something that has no meaning outside its runner."""


class _Taking:
    """One run of a test, while it is taken apart."""

    def __init__(self, words: Vocabulary, own: _Own, row: dict[str, ast.expr], key: str) -> None:
        self._words, self._own, self._row, self._key = words, own, row, key
        self._known: dict[str, ast.expr] = {}
        self._questions: list[Expectation] = []
        self._now_and_then = False
        self._temporary = self._depth = 0

    def case(self, node: Function) -> Case | None:
        body = [copy.deepcopy(one) for one in node.body if not _is_text(one)]
        stored = {name for one in body for name in bound(one)}
        stored |= altered(body)
        constants = {name: one for name, one in self._words.constants.items() if name not in stored}
        self._known = {**constants, **self._row, **_constants(body)}
        try:
            rest = self._statements(body)
        except _Cannot:
            return None
        if self._questions:
            rest += self._given_and_compared(body)
        return self._whole(rest, "async def" if isinstance(node, ast.AsyncFunctionDef) else "def")

    def _whole(self, rest: list[ast.stmt], define: str) -> Case | None:
        used = read_names(rest)
        rest = [part for part in rest if not _only_expected(part, self._known, used)]
        given = [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in self._row.items() if name in used]
        own = self._filling(rest) if "self" in used else []
        whole: list[ast.stmt] = [*given, *own, *rest]
        if not self._questions or own is None or not self._words.resolves(whole):
            return None
        function = ast.parse(f"{define} case():\n    yield")
        function.body[0].body = whole  # type: ignore[attr-defined]
        return Case(ast.unparse(ast.fix_missing_locations(function)), self._questions)

    def _filling(self, rest: Sequence[ast.stmt]) -> list[ast.stmt]:
        """What makes `self`, as far as the test reads it; a name that nothing gives where it reads more than is known."""
        inner = [one for part in rest for one in ast.walk(part)]
        of_self = [one for one in inner if isinstance(one, ast.Attribute) and _is_of_self(one)]
        read = {one.attr for one in of_self if isinstance(one.ctx, ast.Load)}
        written = {one.attr for one in of_self if isinstance(one.ctx, ast.Store)}
        bare = sum(isinstance(one, ast.Name) and one.id == "self" for one in inner)
        if bare != len(of_self) or read - written - self._own.attributes.keys():
            return [ast.Expr(ast.Name("_nothing_gives_this", ast.Load()))]
        made = ast.parse("self = type('Own', (), {})()").body
        return [*made, *(one for one in self._own.filling if _needed(one, read, self._own))]

    def _ask(self, shown: ast.expr, expected: object, how: How = How.EQUAL) -> str:
        key = f"{self._key}:{len(self._questions)}"
        self._questions.append(Expectation(key, ast.unparse(shown), expected, how, self._now_and_then))
        return key

    def _statements(self, nodes: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [part for one in nodes for part in self._statement(one)]

    def _statement(self, node: ast.stmt) -> list[ast.stmt]:
        """The statement as it goes inside: an expectation becomes a question."""
        match node:
            case ast.Assert(test=test):
                return self._asserted(test)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)) as call):
                return self._by_method(name, call)
            case ast.Expr(value=ast.Call(func=ast.Name(id=name)) as call) if _asserts(self._words.helpers.get(name)):
                return self._by_helper(self._words.helpers[name], call, method=False)
            case ast.Expr(value=ast.Call(func=ast.Attribute(), args=[_, _]) as call) if _close(call):
                return self._asserted(call)
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as call, optional_vars=None)], body=body):
                return self._within(node, call, body)
            case ast.For(orelse=[]):
                return self._loop(node)
            case ast.If():
                names = bound(node)
                return [ast.If(node.test, self._sometimes(node.body, names), self._sometimes(node.orelse, names))]
        return [node]

    def _within(self, node: ast.With, call: ast.Call, body: list[ast.stmt]) -> list[ast.stmt]:
        called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if called == "subTest":
            return self._statements(body)
        if called in ("raises", "assertRaises", "assertRaisesRegex") and call.args:
            return [self._raising(body, call.args[0], _pattern(called, call))]
        return [ast.With(node.items, self._statements(body))]

    def _loop(self, node: ast.For) -> list[ast.stmt]:
        """Over a table that is written down each row is asked for itself; else what is in it is asked now and then."""
        rows = self._table(node.iter)
        names = [node.target] if isinstance(node.target, ast.Name) else getattr(node.target, "elts", [])
        words = [one.id for one in names if isinstance(one, ast.Name)]
        found = [_row(one, words) for one in rows or []]
        left = any(isinstance(one, ast.Break | ast.Continue) for one in ast.walk(node))
        if not found or left or len(found) > _MOST_ROWS or len(words) != len(names) or None in found:
            return [ast.For(node.target, node.iter, self._sometimes(node.body, bound(node)), [])]
        parts: list[ast.stmt] = []
        for row in found:
            self._known |= row or {}
            parts += [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in (row or {}).items()]
            parts += self._statements([copy.deepcopy(one) for one in node.body])
        return parts

    def _table(self, node: ast.expr) -> list[ast.expr] | None:
        if isinstance(node, ast.Attribute) and _is_of_self(node):
            node = self._own.attributes.get(node.attr, node)
        if isinstance(node, ast.Name):
            node = self._known.get(node.id, self._words.constants.get(node.id, node))
        return node.elts if isinstance(node, ast.List | ast.Tuple) else None

    def _sometimes(self, body: Sequence[ast.stmt], unsure: set[str]) -> list[ast.stmt]:
        before, self._now_and_then = self._now_and_then, True
        known, self._known = self._known, {name: one for name, one in self._known.items() if name not in unsure}
        try:
            return self._statements(body)
        finally:
            self._now_and_then, self._known = before, known

    def _asserted(self, test: ast.expr) -> list[ast.stmt]:
        sides = _sides(test)
        if sides is not None:
            for actual, expected in (sides, sides[::-1]):
                found, near = _value(expected, self._known)
                if found is not _UNKNOWN and _value(actual, self._known)[0] is _UNKNOWN:
                    how = How.NEAR if near or _close(test) else How.EQUAL
                    return [_yield(self._ask(actual, found, how), actual)]
        if (
            isinstance(test, ast.Call)
            and _close(test)
            and ast.unparse(test.func).rpartition(".")[2].startswith("assert")
        ):
            raise _Cannot
        return self._compared(test)

    def _compared(self, test: ast.expr) -> list[ast.stmt]:
        """The comparison is made inside; what it is made of is looked at as well."""
        before: list[ast.stmt] = []
        after: list[ast.stmt] = []
        shown = copy.deepcopy(test)
        asked = self._ask(shown, expected=True)
        match test:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                made = [self._side(one, op, number, before) for number, one in enumerate((left, right))]
                test = ast.Compare(made[0][0], [op], [made[1][0]])
                keys = [
                    self._ask(one, "", how) if how else "" for one, (_, how) in zip((left, right), made, strict=True)
                ]
                for key, other, node, (name, how) in zip(keys, keys[::-1], (left, right), made, strict=True):
                    if how in (How.SEEN, How.ALL):
                        self._replace(key, other)
                    if key:
                        after.append(_yield(key, name, done=not isinstance(node, ast.Name)))
            case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp(generators=[first, *_]) as over]):
                name = self._hoisted(first.iter, before)
                after.append(_yield(self._ask(first.iter, "", How.ALL), name))
                over.generators[0].iter = name
            case ast.Call(func=ast.Attribute(value=value, attr="all") as called, args=[], keywords=[]):
                called.value = self._hoisted(value, before)
                after.append(_yield(self._ask(value, "", How.ALL), called.value))
        whole = ast.Call(ast.Name("bool", ast.Load()), [test], [])
        return [*before, _yield(asked, whole), *after]

    def _side(self, node: ast.expr, op: ast.cmpop, number: int, before: list[ast.stmt]) -> tuple[ast.expr, How | None]:
        """A side of a comparison under a name of its own, and how to look at it; no way for what is written down."""
        if _value(node, self._known)[0] is not _UNKNOWN:
            return node, None
        name = self._hoisted(node, before)
        if read_names([node]) <= self._words.without_the_code and any(
            isinstance(one, ast.Call) for one in ast.walk(node)
        ):
            return name, How.FIXED
        smaller = (ast.LtE, ast.Lt) if number == 0 else (ast.GtE, ast.Gt)
        return name, How.ALL if isinstance(op, smaller) else How.SEEN

    def _hoisted(self, node: ast.expr, before: list[ast.stmt]) -> ast.Name:
        self._temporary += 1
        name = f"_given_{self._temporary}"
        before.append(ast.Assign([ast.Name(name, ast.Store())], node))
        return ast.Name(name, ast.Load())

    def _replace(self, key: str, expected: object) -> None:
        place = next(number for number, one in enumerate(self._questions) if one.key == key)
        old = self._questions[place]
        self._questions[place] = Expectation(key, old.shown, expected, old.how, old.now_and_then)

    def _by_method(self, name: str, call: ast.Call) -> list[ast.stmt]:
        args = call.args
        if name in _COMPARED and len(args) > 1 and not call.keywords:
            return self._asserted(ast.Compare(args[0], [_COMPARED[name]()], [args[1]]))
        if name in _NONE and args:
            return self._asserted(ast.Compare(args[0], [_NONE[name]()], [ast.Constant(None)]))
        if name in ("assertTrue", "assertFalse") and args:
            test = args[0] if name == "assertTrue" else ast.UnaryOp(ast.Not(), args[0])
            return self._asserted(test)
        if name == "assertRaises" and len(args) > 1:
            return [self._raising([ast.Expr(ast.Call(args[1], args[2:], call.keywords))], args[0], None)]
        if _asserts(self._own.methods.get(name)):
            return self._by_helper(self._own.methods[name], call, method=True)
        raise _Cannot

    def _by_helper(self, helper: Function, call: ast.Call, *, method: bool) -> list[ast.stmt]:
        """A function of the file that asserts becomes a part of the case, with questions of its own."""
        if self._depth >= _DEEPEST_HELPER or isinstance(helper, ast.AsyncFunctionDef) or helper.decorator_list:
            raise _Cannot
        if any(isinstance(one, ast.Return | ast.Yield | ast.Await) for one in ast.walk(helper)):
            raise _Cannot
        self._depth += 1
        self._temporary += 1
        name, known = f"_helper_{self._temporary}", self._known
        own = {one.arg for one in ast.walk(helper.args) if isinstance(one, ast.arg)} | bound_in(helper)
        self._known = {word: value for word, value in self._words.constants.items() if word not in own}
        body = self._statements([copy.deepcopy(one) for one in helper.body if not _is_text(one)])
        self._depth, self._known = self._depth - 1, known
        arguments = copy.deepcopy(helper.args)
        arguments.args = arguments.args[1:] if method else arguments.args
        made = ast.FunctionDef(name, arguments, body, [], None, None, lineno=1)
        called = ast.Call(ast.Name(name, ast.Load()), call.args, call.keywords)
        turn = ast.For(ast.Name("_said", ast.Store()), called, [ast.Expr(ast.Yield(ast.Name("_said", ast.Load())))], [])
        return [made, turn]

    def _raising(self, body: list[ast.stmt], kind: ast.expr, pattern: ast.expr | None) -> ast.stmt:
        wanted = ast.unparse(kind).rpartition(".")[2]
        last = body[-1]
        shown = last.value if isinstance(last, ast.Expr) else kind
        key = self._ask(shown, wanted, How.RAISES)
        said = [_yield(key, ast.parse("[one.__name__ for one in type(problem).__mro__]", mode="eval").body)]
        text, _ = _value(pattern, self._known) if pattern is not None else (_UNKNOWN, False)
        if isinstance(text, str):
            words = ast.parse("str(problem)[:2000]", mode="eval").body
            said.append(_yield(self._ask(shown, text, How.MATCHES), words))
        handler = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), "problem", said)
        return ast.Try(body, [handler], [_yield(key, ast.List([], ast.Load()))], [])

    def _given_and_compared(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Lists and the like that an equation has on both sides: emptied by the code, they would agree with anything."""
        found: dict[str, object] = {}
        for one in (node for part in body for node in ast.walk(part)):
            if isinstance(one, ast.Compare) and len(one.ops) == 1 and isinstance(one.ops[0], ast.Eq):
                for name in read_names([one.left]) & read_names([one.comparators[0]]) & self._known.keys():
                    value, _ = _value(self._known[name], {})
                    if isinstance(value, list | dict | set):
                        found[name] = value
        names = {name: ast.Name(name, ast.Load()) for name in found}
        return [_yield(self._ask(names[name], value, How.KEPT), names[name]) for name, value in found.items()]


def bound_in(node: Function) -> set[str]:
    return {name for one in node.body for name in bound(one)}


def _is_of_self(node: Any) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _needed(node: ast.stmt, read: set[str], own: _Own) -> bool:
    """Whether an assignment to `self` is read, by the test or by another one that is."""
    wanted = set(read)
    for one in reversed(own.filling):
        name = one.targets[0].attr  # type: ignore[attr-defined]
        if name in wanted:
            wanted |= {inner.attr for inner in ast.walk(one) if isinstance(inner, ast.Attribute) and _is_of_self(inner)}
    return node.targets[0].attr in wanted  # type: ignore[attr-defined]


def _asserts(node: Function | None) -> bool:
    """Whether a function of the test file holds something against an expectation."""
    if node is None:
        return False
    methods = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute) and _is_of_self(one)}
    return any(isinstance(one, ast.Assert) for one in ast.walk(node)) or any(
        one.startswith("assert") for one in methods
    )


def _sides(test: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return left, right
        case ast.Call(args=[left, right], keywords=[]) if _close(test):
            return left, right
    return None


def _close(node: ast.expr) -> bool:
    """A call of the array libraries that holds one thing against another."""
    name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    return name in (*_CLOSE, *_ARRAYS)


def _pattern(called: str, call: ast.Call) -> ast.expr | None:
    if called == "assertRaisesRegex":
        return call.args[1] if len(call.args) > 1 else None
    return next((word.value for word in call.keywords if word.arg == "match"), None)


def _yield(key: str, value: ast.expr, *, done: bool = False) -> ast.stmt:
    marked = [ast.Constant(value=True)] if done else []
    return ast.Expr(ast.Yield(ast.Tuple([ast.Constant(key), value, *marked], ast.Load())))


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
    worked_on = altered(body)
    return {
        one.targets[0].id: one.value
        for one in body
        if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name)
        and stored.count(one.targets[0].id) == 1 and one.targets[0].id not in worked_on
        and _value(one.value, {})[0] is not _UNKNOWN
    }  # fmt: skip


def _only_expected(node: ast.stmt, known: dict[str, ast.expr], used: set[str]) -> bool:
    """A constant that was held against a value and is needed for nothing else stays outside."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in known and name not in used
    return False


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
