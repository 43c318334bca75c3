"""The names that a test may use outside the runner: imports, constants, helpers and pure fixtures of its own file and
of the conftest files above it."""

import ast
import builtins
from collections.abc import Iterator, Sequence

from whet.phases.validate.integrity.test_ids import Function

_RUNNERS = ("pytest", "_pytest", "unittest", "hypothesis", "mock", "nose", "doctest")
_AROUND_ALL = ("setup_module", "setUpModule", "setup_function", "setup")
_COLLECTING = (
    "pytest_ignore_collect", "pytest_addoption", "pytest_collection_modifyitems", "pytest_report", "pytest_terminal",
    "pytest_assertrepr", "pytest_generate_tests", "pytest_make_parametrize_id", "pytest_collect",
)  # fmt: skip
_HARMLESS = ("sys.path", "pytest.", "warnings.")
_BUILT_IN = frozenset(dir(builtins))
_SAME_FOR_THE_SAME = ("decimal", "fractions", "math", "cmath", "string", "textwrap", "operator", "statistics")
_FIXED = _BUILT_IN - {"open", "input", "id", "hash", "globals", "locals", "vars", "dir", "object", "iter"}
MADE = "_made_"


class Vocabulary:
    """What can be known of a test file without running it; `above` are its conftest files, the outermost first."""

    def __init__(self, tree: ast.Module, package: str, above: Sequence[ast.Module] = ()) -> None:
        self.sets_up = any(map(_sets_up_all, [*above, tree])) or any(map(_acts, above))
        self.classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self.helpers = {node.name: node for node in tree.body if isinstance(node, Function) and not node.decorator_list}
        body = [*_not_bound_again(above, tree), *tree.body]
        self._fixtures = {node.name: node for node in body if isinstance(node, Function) and _is_pure_fixture(node)}
        self._kept = [found for node in body if (found := _kept(node, package)) is not None]
        self._star = any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in self._kept)
        everything = {name for node in body for name in bound(node)}
        while True:
            self.names = {name for node in self._kept for name in bound(node)}
            self._left_out = everything - self.names
            if all(self._has(_free(node)) for node in self._kept):
                break
            self._kept = [node for node in self._kept if self._has(_free(node))]  # what a helper needs must be there
        self.constants = _constants(self._kept)
        self.without_the_code = _FIXED | {name for node in self._kept if _is_fixed(node) for name in bound(node)}

    def resolves(self, nodes: Sequence[ast.stmt]) -> bool:
        made = {name for node in nodes for name in bound(node)}
        return self._has({name for node in nodes for name in _free(node)} - made)

    def fixture(self, name: str, within: frozenset[str] = frozenset()) -> ast.expr | None:
        """The call that makes what a pure fixture gives; None for any other."""
        node = self._fixtures.get(name)
        if node is None or MADE + name not in self.names or name in within:
            return None
        given = [self.fixture(one.arg, within | {name}) for one in node.args.args]
        if any(one is None for one in given):
            return None
        return ast.Call(ast.Name(MADE + name, ast.Load()), [one for one in given if one is not None], [])

    def imports(self, used: set[str]) -> str:
        """The file's own statements, as far as something needs them: a table of expectations stays outside.

        An import that nothing needs is tried, for what it does, and may fail.
        """
        needed = set(used)
        while True:
            wanted = [node for node in self._kept if _acts_when_run(node) or bound(node) & needed]
            more = {name for node in wanted for name in _free(node)} - needed
            if not more:
                break
            needed |= more
        tried = [node for node in self._kept if node not in wanted and isinstance(node, ast.Import | ast.ImportFrom)]
        parts = [
            _tried(node) if node in tried else ast.unparse(node) for node in self._kept if node in [*wanted, *tried]
        ]
        return "\n".join(parts)

    def _has(self, names: set[str]) -> bool:
        """After `import *` any name may be there, but for those that were left out here."""
        return not names & self._left_out if self._star else not names - self.names - _BUILT_IN


def is_fixture(node: ast.stmt) -> bool:
    return isinstance(node, Function) and any("fixture" in ast.unparse(one) for one in node.decorator_list)


def bound(node: ast.stmt) -> set[str]:
    if isinstance(node, Function | ast.ClassDef):
        return {node.name}
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    names |= {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    names |= {one.name for one in ast.walk(node) if isinstance(one, ast.ExceptHandler) and one.name}
    for one in ast.walk(node):
        if isinstance(one, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in one.names}
    return names | {one.name for one in ast.walk(node) if isinstance(one, Function | ast.ClassDef)}


def read_names(nodes: Sequence[ast.AST]) -> set[str]:
    return {
        one.id
        for node in nodes
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    }


def altered(nodes: Sequence[ast.stmt]) -> set[str]:
    """Names whose values the statements may work on in place, by a method or a subscript."""
    found = set()
    for one in (inner for node in nodes for inner in ast.walk(node)):
        match one:
            case (
                ast.Attribute(value=ast.Name(id=name))
                | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del())
            ):
                found.add(name)
    return found


def _free(node: ast.stmt) -> set[str]:
    """Names it needs from outside, roughly: those it uses and does not make itself."""
    made = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    made |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    inner = {one.name for one in ast.walk(node) if isinstance(one, Function | ast.ClassDef)}
    return read_names([node]) - made - inner


def _sets_up_all(tree: ast.Module) -> bool:
    """Something runs before each test that the test does not name."""
    for node in tree.body:
        if isinstance(node, Function):
            if node.name in _AROUND_ALL or (node.name.startswith("pytest_") and not _only_collects(node)):
                return True
            if any("autouse" in ast.unparse(one) for one in node.decorator_list):
                return True
        if isinstance(node, ast.Assign) and "usefixtures" in ast.unparse(node):
            return True
    return False


def _only_collects(node: Function) -> bool:
    """A hook that chooses, orders or shows tests, or makes markers known, and leaves what they run in alone."""
    declares = all(
        "addinivalue_line" in ast.unparse(one)
        for one in node.body
        if not isinstance(getattr(one, "value", None), ast.Constant)
    )
    return node.name.startswith(_COLLECTING) or (node.name == "pytest_configure" and declares)


def _acts(tree: ast.Module) -> bool:
    """A conftest that does something when it is read, beyond finding its imports."""
    for node in tree.body:
        stores = [*getattr(node, "targets", []), *([node.target] if isinstance(node, ast.AugAssign) else [])]
        outside = [one for one in stores if isinstance(one, ast.Attribute | ast.Subscript)]
        called = [node.value] if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else []
        if any(not ast.unparse(one).startswith(_HARMLESS) for one in [*outside, *called]):
            return True
        if isinstance(node, ast.For | ast.While | ast.With):
            return True
    return False


def _not_bound_again(above: Sequence[ast.Module], tree: ast.Module) -> Iterator[ast.stmt]:
    """Statements of conftest files whose names nothing nearer to the test binds in another way."""
    near = list(tree.body)
    for module in reversed(above):
        taken = {name: ast.unparse(node) for node in near for name in bound(node)}
        free = [
            node for node in module.body if all(taken.get(name) in (None, ast.unparse(node)) for name in bound(node))
        ]
        near = [*free, *near]
    yield from near[: len(near) - len(tree.body)]


def _is_pure_fixture(node: Function) -> bool:
    """`@pytest.fixture` and nothing more, a function that returns what it makes."""
    if isinstance(node, ast.AsyncFunctionDef) or len(node.decorator_list) != 1 or node.args.kwonlyargs:
        return False
    plain = ast.unparse(node.decorator_list[0]) in ("pytest.fixture", "fixture", "pytest.fixture()", "fixture()")
    inside = [*ast.walk(node)]
    return plain and not any(isinstance(one, ast.Yield | ast.YieldFrom | ast.Global) for one in inside)


def _kept(node: ast.stmt, package: str) -> ast.stmt | None:
    if isinstance(node, ast.Import):
        names = [alias for alias in node.names if alias.name.partition(".")[0] not in _RUNNERS]
        return ast.Import(names) if names else None
    if isinstance(node, ast.ImportFrom):
        return _absolute(node, package)
    if isinstance(node, Function | ast.ClassDef):
        if isinstance(node, ast.FunctionDef) and _is_pure_fixture(node):
            made = ast.FunctionDef(MADE + node.name, node.args, node.body, [], None, None)
            return ast.fix_missing_locations(ast.copy_location(made, node))
        helper = not node.name.lower().startswith("test") and not node.decorator_list
        return node if helper else None
    if isinstance(node, ast.Try | ast.If):
        return None if _has_runner(node) else node
    if isinstance(node, ast.Expr):
        return node if isinstance(node.value, ast.Call) else None
    return node if isinstance(node, ast.Assign | ast.AnnAssign) else None


def _has_runner(node: ast.stmt) -> bool:
    found = [one for one in ast.walk(node) if isinstance(one, ast.Import | ast.ImportFrom)]
    names = [alias.name for one in found if isinstance(one, ast.Import) for alias in one.names]
    names += ["pytest" if one.level else str(one.module) for one in found if isinstance(one, ast.ImportFrom)]
    return any(name.partition(".")[0] in _RUNNERS for name in names)


def _absolute(node: ast.ImportFrom, package: str) -> ast.ImportFrom | None:
    module = node.module or ""
    if node.level:
        parts = package.split(".") if package else []
        if node.level > len(parts):
            return None
        module = ".".join([*parts[: len(parts) - node.level + 1], *([module] if module else [])])
    return None if module.partition(".")[0] in _RUNNERS else ast.ImportFrom(module, node.names, 0)


def _constants(nodes: Sequence[ast.stmt]) -> dict[str, ast.expr]:
    """Names of the file that hold one value that is written down."""
    stored = [name for node in nodes for name in bound(node)]
    found = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if stored.count(name) == 1 and _written(value):
                found[name] = value
    return found


def _written(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _acts_when_run(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
        return True
    if isinstance(node, ast.Assign) and all(isinstance(one, ast.Name) for one in node.targets):
        return not _written(node.value)
    return not isinstance(node, ast.Import | ast.ImportFrom | Function | ast.ClassDef)


def _is_fixed(node: ast.stmt) -> bool:
    """An import of libraries that give the same for the same, wherever and whenever."""
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    return bool(names) and all(name in _SAME_FOR_THE_SAME for name in names)


def _tried(node: ast.stmt) -> str:
    return f"try:\n    {ast.unparse(node)}\nexcept Exception:\n    pass"
