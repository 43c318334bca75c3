"""Judge the text of a test that a language model wrote, before it runs anywhere.

Such a test ships with a fix, and people run it outside the sandbox later. So it may only call code of the project and a few
modules that can neither reach files, processes and the network nor change other tests. Everything else is refused.
"""

import ast
import importlib
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass

from whet.cases.own_objects import own_objects, root_name
from whet.domain.sanitize import sanitize
from whet.pyast.functions import Function

# Modules of the standard library that a test may use, and the names in them; an empty set allows all that are not modules.
PURE: dict[str, frozenset[str]] = {
    **dict.fromkeys(("cmath", "datetime", "fractions", "json", "math", "re", "textwrap"), frozenset()),
    "collections": frozenset({"Counter", "OrderedDict", "defaultdict", "deque"}),
    "copy": frozenset({"copy", "deepcopy"}),
    "dataclasses": frozenset({"asdict", "astuple", "replace"}),
    "decimal": frozenset({"Decimal", "InvalidOperation", "ROUND_DOWN", "ROUND_HALF_EVEN", "ROUND_HALF_UP", "ROUND_UP"}),
    "enum": frozenset({"Enum", "Flag", "IntEnum", "IntFlag", "StrEnum", "auto"}),
    "functools": frozenset({"partial", "reduce"}),
    "io": frozenset({"BytesIO", "StringIO"}),
    "itertools": frozenset(),
    "types": frozenset({"SimpleNamespace"}),
    "unittest": frozenset({"TestCase"}),
    "uuid": frozenset({"UUID"}),
    "pytest": frozenset({"approx", "raises"}),
}  # fmt: skip
_FORBIDDEN = frozenset(
    {
        "__import__", "breakpoint", "compile", "delattr", "eval", "exec", "exit", "getattr", "globals", "help", "input",
        "locals", "memoryview", "open", "quit", "setattr", "super", "vars",
    }
)  # fmt: skip
# Attributes that lead from a value to a stack frame, and from there to everything.
_FRAMES = frozenset(
    {
        "ag_code", "ag_frame", "cr_code", "cr_frame", "eval", "exec_", "f_back", "f_builtins", "f_code", "f_globals", "f_locals",
        "frame", "gi_code", "gi_frame", "tb", "tb_frame", "tb_next", "traceback",
    }
)  # fmt: skip
_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Assert, ast.For, ast.If, ast.With, ast.Return, ast.Raise, ast.Pass)  # fmt: skip
_SUNDER = re.compile(r"_[^_].*_")  # methods of enumerations for the library itself: `_convert_` reads any module
_MOST_LINES = 80
_READ = "<read>"
Defines = Callable[[str], frozenset[str]]
"""Return the names that a module of the project defines itself; none for a module that the project does not have."""


class NotPlain(Exception):
    """The text is no test that may be run; the message says why, for the model."""


@dataclass(frozen=True)
class PlainTest:
    """A test that may be run: its text without a docstring, its name, and the modules whose names it calls."""

    text: str
    name: str
    calls: frozenset[str]
    texts: tuple[str, ...]


def plain_test(text: str, defines: Defines, runner: str) -> PlainTest:
    """Return the test in a module's text. Raise NotPlain unless it has one test and can do nothing but call and compare."""
    if sanitize(text) != text or text.count("\n") > _MOST_LINES:
        raise NotPlain(f"the test must be plain text of at most {_MOST_LINES} lines")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as problem:
        raise NotPlain(f"the test is not Python: {problem}") from None
    body, below = tree.body, ""
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        below = "\n".join(text.split("\n")[body[0].end_lineno :])
        body = body[1:]
    checker = _Checker(defines)
    name = checker.module(body, runner)
    texts = tuple(
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return PlainTest(f"{(below or text).strip()}\n", name, frozenset(checker.called), texts)


class _Checker:
    """Walks through the module. `origin` has the module of each imported name, `modules` the modules imported whole."""

    def __init__(self, defines: Defines) -> None:
        self._defines = defines
        self._origin: dict[str, str] = {}
        self._modules: dict[str, str] = {}
        self.called: set[str] = set()

    def module(self, body: list[ast.stmt], runner: str) -> str:
        """Check the statements of the module and return the name of its test, as the runner shows it."""
        tests = []
        for statement in body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                self._import(statement)
            elif isinstance(statement, ast.FunctionDef):
                self._function(statement, frozenset())
                tests += [statement.name] if statement.name.startswith("test") else []
            elif isinstance(statement, ast.ClassDef) and runner == "unittest":
                tests += self._case(statement)
            elif isinstance(statement, ast.Assign) and _is_literal(statement.value) and _is_name(statement.targets):
                continue
            else:
                raise NotPlain(f"line {statement.lineno}: only imports, constants and functions at the top of the test")
        if len(tests) != 1 or (runner == "unittest") != ("::" in tests[0]):
            form = "method of one unittest.TestCase" if runner == "unittest" else "function"
            raise NotPlain(f"the test must have exactly one {form} whose name begins with test")
        return tests[0]

    def _case(self, case: ast.ClassDef) -> list[str]:
        if case.decorator_list or case.keywords or [ast.unparse(base) for base in case.bases] != ["unittest.TestCase"]:
            raise NotPlain(f"line {case.lineno}: the class must be a plain unittest.TestCase")
        names = []
        for member in case.body:
            if not isinstance(member, ast.FunctionDef) or not member.name.startswith("test"):
                raise NotPlain(f"line {member.lineno}: the class may only have test methods")
            self._function(member, frozenset({"self"}))
            names.append(f"{case.name}::{member.name}")
        return names

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        if isinstance(statement, ast.ImportFrom):
            module = statement.module or ""
            if statement.level or any(alias.name == "*" for alias in statement.names):
                raise NotPlain(f"line {statement.lineno}: name what is imported, and its module in full")
            for alias in statement.names:
                self._require(module, alias.name, statement.lineno)
                self._origin[alias.asname or alias.name] = module
            return
        for alias in statement.names:
            if alias.name not in PURE:
                raise NotPlain(
                    f"line {statement.lineno}: {alias.name} may not be imported so; write `from ... import name`"
                )
            self._modules[alias.asname or alias.name] = alias.name

    def _require(self, module: str, name: str, line: int) -> None:
        """Refuse a name that a module does not define itself, or that is not among those that a test may use."""
        if module in PURE:
            allowed = PURE[module]
            if name in allowed or (not allowed and _is_own(module, name)):
                return
        elif name in self._defines(module):
            return
        raise NotPlain(f"line {line}: a test may not use {module}.{name}")

    def _function(self, function: ast.FunctionDef, allowed: frozenset[str]) -> None:
        arguments = function.args
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        if function.decorator_list or function.name.startswith(
            ("pytest_", "_", "setUp", "tearDown", "setup", "teardown")
        ):
            raise NotPlain(f"line {function.lineno}: no decorators and no hooks of the test runner")
        if function.name.startswith("test") and (set(names) != allowed or arguments.vararg or arguments.kwarg):
            raise NotPlain(f"line {function.lineno}: the test takes no arguments and no fixtures")
        fresh = {_READ, *own_objects(function, lambda name: name in self._origin and self._origin[name] not in PURE)}
        for part in (arguments, function.returns, *getattr(function, "type_params", ())):
            if part is not None:  # defaults and annotations run when the module is imported
                self._expressions(part, fresh)
        for statement in function.body:
            self._statement(statement, fresh)

    def _statement(self, statement: ast.stmt, fresh: set[str]) -> None:
        if isinstance(statement, ast.FunctionDef) and not statement.decorator_list:
            pass
        elif not isinstance(statement, _STATEMENTS):
            raise NotPlain(f"line {statement.lineno}: a test may not contain `{type(statement).__name__.lower()}`")
        if isinstance(statement, ast.Assert) and not any(
            isinstance(node, ast.Name) for node in ast.walk(statement.test)
        ):
            raise NotPlain(f"line {statement.lineno}: the assertion compares nothing")
        if isinstance(statement, ast.With):
            self._context(statement)
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                self._statement(child, fresh)
            else:
                self._expressions(child, fresh)

    def _context(self, statement: ast.With) -> None:
        for item in statement.items:
            if not ast.unparse(item.context_expr).startswith(("pytest.raises(", "raises(", "self.assertRaises")):
                raise NotPlain(f"line {statement.lineno}: `with` is only for an exception that must be raised")

    def _expressions(self, root: ast.AST, fresh: set[str]) -> None:
        held = {id(node.value) for node in ast.walk(root) if isinstance(node, ast.Attribute)}
        for node in ast.walk(root):
            if isinstance(node, ast.Name) and node.id in self._modules and id(node) not in held:
                raise NotPlain(f"line {node.lineno}: the module {node.id} may only be used as {node.id}.name")
            if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | Function):
                raise NotPlain("a test may not wait for something or yield")
            if isinstance(node, ast.Name) and (node.id in _FORBIDDEN or node.id.startswith("__")):
                raise NotPlain(f"line {node.lineno}: a test may not use {node.id}")
            if isinstance(node, ast.Attribute):
                self._attribute(node)
            if isinstance(node, ast.Attribute | ast.Subscript) and _changed(node) not in fresh:
                raise NotPlain(f"line {node.lineno}: a test may not change {root_name(node) or 'this'}")
            if isinstance(node, ast.Call) and (called := self._origin.get(root_name(node.func))):
                self.called.add(called)

    def _attribute(self, node: ast.Attribute) -> None:
        if node.attr.startswith("__") or node.attr in _FRAMES or _SUNDER.fullmatch(node.attr):
            raise NotPlain(f"line {node.lineno}: a test may not use {node.attr}")
        if isinstance(node.value, ast.Name) and (module := self._modules.get(node.value.id)) in PURE:
            self._require(str(module), node.attr, node.lineno)


def parsed(source: str) -> ast.Module:
    """Return the syntax tree of a file; an empty one for a file that is not Python of this version."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module(body=[], type_ignores=[])


def definitions(source: str) -> frozenset[str]:
    """Return the names that a module defines itself: functions, classes and constants that are written out.

    What it imports is left out, and so are objects that it makes, such as a session or a client.
    """
    names: set[str] = set()
    for node in parsed(source).body:
        if isinstance(node, Function | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign) and _is_literal(node.value):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and node.value
            and _is_literal(node.value)
        ):
            names.add(node.target.id)
    return frozenset(names)


def _is_own(module: str, name: str) -> bool:
    """True if a module of the standard library has this name, and it is not another module."""
    value = getattr(importlib.import_module(module), name, None)
    return value is not None and not name.startswith("_") and not inspect.ismodule(value)


def _is_literal(value: ast.expr) -> bool:
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _is_name(targets: list[ast.expr]) -> bool:
    """True if one ordinary name is assigned; pytest reads names such as `pytest_plugins` and `pytestmark`."""
    [*others, target] = targets
    return not others and isinstance(target, ast.Name) and not target.id.startswith(("pytest", "__", "collect", "test"))


def _changed(node: ast.Attribute | ast.Subscript) -> str:
    """Return the name of what is changed by an assignment to an attribute or item; the marker `_READ` for a read, and
    nothing for what is only reached through another object."""
    if isinstance(node.ctx, ast.Load):
        return _READ
    return node.value.id if isinstance(node.value, ast.Name) else ""
