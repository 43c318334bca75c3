"""The names that imports bind, and the dotted names that expressions stand for once the imports are known."""

import ast
from collections.abc import Iterator, Mapping


def import_bindings(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield `(local name, dotted target)` for every import anywhere in `tree`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from bindings_of(node)


def bindings_of(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Yield `(local name, dotted target)` for one import statement; `import a.b` binds `a` to `a`."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{source_module(node)}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            package = alias.name.partition(".")[0]
            yield package, package


def imported_names(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the dotted names that an import statement asks for, whatever it binds them to."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [f"{source_module(node)}.{alias.name}" for alias in node.names]


def source_module(node: ast.ImportFrom) -> str:
    """Return the module of `from module import ...`, with the leading dots of a relative import."""
    return f"{'.' * node.level}{node.module or ''}"


def absolute_module(node: ast.ImportFrom, package: str) -> str | None:
    """Return the module of `from module import ...` as seen from `package`; None if the dots lead out of it."""
    module = node.module or ""
    if not node.level:
        return module
    parts = package.split(".") if package else []
    if node.level > len(parts):
        return None
    parents = parts[: len(parts) - node.level + 1]
    return ".".join([*parents, module] if module else parents)


# What `from package import name` binds to a module and not to a function, class or value.
_SUBMODULES = frozenset({
    "os.path", "collections.abc", "concurrent.futures", "urllib.parse", "urllib.request", "json.encoder", "json.decoder",
    "importlib.util", "importlib.metadata", "importlib.resources", "logging.handlers", "logging.config", "unittest.mock",
    "xml.etree", "xml.etree.ElementTree", "asyncio.events", "asyncio.base_events", "numpy.testing", "html.parser",
})  # fmt: skip


def module_names(tree: ast.AST) -> Iterator[str]:
    """Yield the local names that are certainly bound to modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (local for local, _ in bindings_of(node))
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (local for local, target in bindings_of(node) if target in _SUBMODULES)


def dotted_name(node: ast.expr, aliases: Mapping[str, str]) -> str:
    """Return the full name of a name or attribute, aliases replaced by their targets; empty for anything else."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        owner = dotted_name(node.value, aliases)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def root_name(node: ast.expr) -> str | None:
    """Return the first name of a dotted expression; None if it does not begin with a name (`f().x`)."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def last_name(node: ast.AST) -> str:
    """Return the last part of a name or attribute; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
