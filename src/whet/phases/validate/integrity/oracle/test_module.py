"""The names that a test may use without the test runner: imports, constants, helpers and pure fixtures of its own file
and of the conftest files above it."""

import ast
import builtins
from collections.abc import Sequence

from whet.phases.validate.integrity.oracle.names import names_bound_by
from whet.pyast.bindings import bound_names, free_names, is_literal
from whet.pyast.functions import Function
from whet.pyast.imports import absolute_module

_RUNNERS = ("pytest", "_pytest", "unittest", "hypothesis", "mock", "nose", "doctest")
_SET_UP_FUNCTIONS = ("setup_module", "setUpModule", "setup_function", "setup")
_COLLECTION_HOOKS = (
    "pytest_ignore_collect", "pytest_addoption", "pytest_collection_modifyitems", "pytest_report", "pytest_terminal",
    "pytest_assertrepr", "pytest_generate_tests", "pytest_make_parametrize_id", "pytest_collect",
)  # fmt: skip
_HARMLESS_EFFECTS = ("sys.path", "pytest.", "warnings.")
_BUILT_IN = frozenset(dir(builtins))
_PURE_MODULES = ("decimal", "fractions", "math", "cmath", "string", "textwrap", "operator", "statistics")
_PURE_BUILT_IN = _BUILT_IN - {"open", "input", "id", "hash", "globals", "locals", "vars", "dir", "object", "iter"}
_FIXTURE_PREFIX = "_made_"


class ModuleNames:
    """The statements of a test file that can be used without the test runner, and the names that they bind.

    `conftests` are the conftest files above it, the outermost first. `has_set_up` is true if something runs before the
    tests that they do not name; then nothing of the file can be used. `code_free` are names that give the same value for
    the same arguments and have nothing to do with the code under test.
    """

    def __init__(self, tree: ast.Module, package: str, conftests: Sequence[ast.Module] = ()) -> None:
        self.has_set_up = any(map(_has_set_up, [*conftests, tree])) or any(map(_has_effects, conftests))
        self.classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self.helpers = {node.name: node for node in tree.body if isinstance(node, Function) and not node.decorator_list}
        body = [*_conftest_statements(conftests, tree), *tree.body]
        self._fixtures = {node.name: node for node in body if isinstance(node, Function) and _is_pure_fixture(node)}
        usable = [_usable(node, package) for node in body]
        self._statements = [node for node in usable if node is not None]
        self._has_star_import = any(map(_is_star_import, self._statements))
        self._drop_unresolved(names_bound_by(body))
        self.constants = _constants(self._statements)
        self.code_free = _PURE_BUILT_IN | names_bound_by([node for node in self._statements if _is_pure_import(node)])

    def _drop_unresolved(self, all_names: set[str]) -> None:
        """Drop statements that need a dropped name, until none is left that does."""
        while True:
            self.names = names_bound_by(self._statements)
            self._dropped = all_names - self.names
            resolved = [node for node in self._statements if self._provides(free_names(node))]
            if len(resolved) == len(self._statements):
                return
            self._statements = resolved

    def resolves(self, nodes: Sequence[ast.stmt]) -> bool:
        """True if every name that the statements need is available."""
        needed = {name for node in nodes for name in free_names(node)}
        return self._provides(needed - names_bound_by(nodes))

    def fixture_call(self, name: str, within: frozenset[str] = frozenset()) -> ast.expr | None:
        """Return the call that makes the value of a pure fixture; None for any other fixture."""
        node = self._fixtures.get(name)
        if node is None or _FIXTURE_PREFIX + name not in self.names or name in within:
            return None
        arguments: list[ast.expr] = []
        for parameter in node.args.args:
            argument = self.fixture_call(parameter.arg, within | {name})
            if argument is None:
                return None
            arguments.append(argument)
        return ast.Call(ast.Name(_FIXTURE_PREFIX + name, ast.Load()), arguments, [])

    def imports_for(self, used: set[str]) -> str:
        """Return the source of the statements that these names need; a table of expected values that they do not need
        stays outside the sandbox.

        An import that nothing needs may still have a wanted effect, so it is kept and allowed to fail.
        """
        needed = set(used)
        while True:
            required = [node for node in self._statements if _must_run(node) or bound_names(node) & needed]
            more = {name for node in required for name in free_names(node)} - needed
            if not more:
                break
            needed |= more
        parts = []
        for node in self._statements:
            if node in required:
                parts.append(ast.unparse(node))
            elif isinstance(node, ast.Import | ast.ImportFrom):
                parts.append(f"try:\n    {ast.unparse(node)}\nexcept Exception:\n    pass")
        return "\n".join(parts)

    def _provides(self, names: set[str]) -> bool:
        """True if all names are available. After `import *` any name may be, except those that were dropped here."""
        if self._has_star_import:
            return not names & self._dropped
        return not names - self.names - _BUILT_IN


def is_fixture(node: ast.stmt) -> bool:
    return isinstance(node, Function) and any("fixture" in ast.unparse(part) for part in node.decorator_list)


# ---- set-up --------------------------------------------------------------------------------------------------


def _has_set_up(tree: ast.Module) -> bool:
    """True if something runs before each test that the test does not name: a set-up function, hook or autouse fixture."""
    for node in tree.body:
        if isinstance(node, Function):
            if node.name in _SET_UP_FUNCTIONS or (node.name.startswith("pytest_") and not _only_collects(node)):
                return True
            if any("autouse" in ast.unparse(decorator) for decorator in node.decorator_list):
                return True
        if isinstance(node, ast.Assign) and "usefixtures" in ast.unparse(node):
            return True
    return False


def _only_collects(hook: Function) -> bool:
    """True if a pytest hook only selects, orders or shows tests, or declares markers."""
    if hook.name.startswith(_COLLECTION_HOOKS):
        return True
    statements = [node for node in hook.body if not isinstance(getattr(node, "value", None), ast.Constant)]
    declares_markers = all("addinivalue_line" in ast.unparse(node) for node in statements)
    return hook.name == "pytest_configure" and declares_markers


def _has_effects(conftest: ast.Module) -> bool:
    """True if importing the conftest does more than define names and extend the import path."""
    for node in conftest.body:
        if isinstance(node, ast.For | ast.While | ast.With):
            return True
        targets: list[ast.expr] = [*getattr(node, "targets", [])]
        if isinstance(node, ast.AugAssign):
            targets.append(node.target)
        effects: list[ast.expr] = [target for target in targets if isinstance(target, ast.Attribute | ast.Subscript)]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            effects.append(node.value)
        if any(not ast.unparse(effect).startswith(_HARMLESS_EFFECTS) for effect in effects):
            return True
    return False


# ---- statements that can be used ------------------------------------------------------------------------------


def _conftest_statements(conftests: Sequence[ast.Module], tree: ast.Module) -> list[ast.stmt]:
    """Return the statements of conftest files whose names no file nearer to the test binds to something else."""
    nearer = list(tree.body)
    for conftest in reversed(conftests):
        taken = {name: ast.unparse(node) for node in nearer for name in bound_names(node)}
        visible = [
            node
            for node in conftest.body
            if all(taken.get(name) in (None, ast.unparse(node)) for name in bound_names(node))
        ]
        nearer = [*visible, *nearer]
    return nearer[: len(nearer) - len(tree.body)]


def _usable(node: ast.stmt, package: str) -> ast.stmt | None:
    """Return the statement as it can run without the test runner; None if it cannot, or is a test."""
    if isinstance(node, ast.Import):
        aliases = [alias for alias in node.names if alias.name.partition(".")[0] not in _RUNNERS]
        return ast.Import(aliases) if aliases else None
    if isinstance(node, ast.ImportFrom):
        return _absolute_import(node, package)
    if isinstance(node, Function | ast.ClassDef):
        if isinstance(node, ast.FunctionDef) and _is_pure_fixture(node):
            plain = ast.FunctionDef(_FIXTURE_PREFIX + node.name, node.args, node.body, [], None, None)
            return ast.fix_missing_locations(ast.copy_location(plain, node))
        is_helper = not node.name.lower().startswith("test") and not node.decorator_list
        return node if is_helper else None
    if isinstance(node, ast.Try | ast.If):
        return None if _imports_runner(node) else node
    if isinstance(node, ast.Expr):
        return node if isinstance(node.value, ast.Call) else None
    return node if isinstance(node, ast.Assign | ast.AnnAssign) else None


def _is_pure_fixture(node: Function) -> bool:
    """True for `@pytest.fixture` without arguments on a plain function that returns its value."""
    if isinstance(node, ast.AsyncFunctionDef) or len(node.decorator_list) != 1 or node.args.kwonlyargs:
        return False
    decorator = ast.unparse(node.decorator_list[0])
    if decorator not in ("pytest.fixture", "fixture", "pytest.fixture()", "fixture()"):
        return False
    return not any(isinstance(inner, ast.Yield | ast.YieldFrom | ast.Global) for inner in ast.walk(node))


def _imports_runner(node: ast.stmt) -> bool:
    """True if an import within the statement loads a test runner, or is relative and so may do it."""
    names: list[str] = []
    for inner in ast.walk(node):
        if isinstance(inner, ast.Import):
            names += [alias.name for alias in inner.names]
        elif isinstance(inner, ast.ImportFrom):
            names.append("pytest" if inner.level else str(inner.module))
    return any(name.partition(".")[0] in _RUNNERS for name in names)


def _absolute_import(node: ast.ImportFrom, package: str) -> ast.ImportFrom | None:
    """Return the import with its full module name; None for a test runner, or for an import from above the package."""
    module = absolute_module(node, package)
    if module is None or module.partition(".")[0] in _RUNNERS:
        return None
    return ast.ImportFrom(module, node.names, 0)


def _constants(statements: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """Return the names of the file that are bound once, to a literal."""
    names = [name for node in statements for name in bound_names(node)]
    constants = {}
    for node in statements:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if names.count(name) == 1 and is_literal(value):
                constants[name] = value
    return constants


def _must_run(node: ast.stmt) -> bool:
    """True if a statement may do more than bind names to literals, functions or imported modules."""
    if _is_star_import(node):
        return True
    if isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets):
        return not is_literal(node.value)
    return not isinstance(node, ast.Import | ast.ImportFrom | Function | ast.ClassDef)


def _is_star_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def _is_pure_import(node: ast.stmt) -> bool:
    """True if only library modules are imported whose functions always give the same value for the same arguments."""
    modules: list[str] = []
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        modules = [node.module or ""]
    return bool(modules) and all(module in _PURE_MODULES for module in modules)
