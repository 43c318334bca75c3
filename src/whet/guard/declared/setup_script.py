"""References in setup.py: the modules that it imports, the files that it runs, the entry points that it declares."""

import ast
import re
from collections.abc import Iterator

from whet.guard.declared.ini_manifests import ini_references
from whet.guard.declared.reference import Reference, Role, module_reference
from whet.pyast.imports import dotted_name, imported_names

_ENTRY = re.compile(r"\s*[\w.-]+\s*=\s*([A-Za-z_][\w.]*(?::[A-Za-z_][\w.]*)?)\s*(?:\[.*\])?\s*")
_FILLED_IN = re.compile(r"%\(?\w*\)?s|\{\w*\}")  # `%s`, `%(name)s`, `{}`, `{name}`
_CFFI = re.compile(r"([\w./-]+\.py):\w+")
_JOINS = ("join", "Path", "PurePath", "joinpath")


def setup_references(manifest: str, text: str) -> Iterator[Reference]:
    """Yield the references of a setup.py; none if it cannot be parsed.

    A module that setup.py imports is a build hook if it is a file of its own beside setup.py and not part of the
    distribution (`py_modules`); code of the package that the build runs too is only marked as such.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    if not any(dotted_name(function, {}).rpartition(".")[2] == "setup" for function in calls):
        return  # a module of the program that happens to be called setup
    constants = [
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    folders = ["", *(f"{constant.strip('/')}/" for constant in constants)] if "sys.path" in text else [""]
    for name in sorted({name for node in imports for name in imported_names(node)}):
        yield from _imported(name, set(constants), folders, manifest)
    yield from _started_files(tree, manifest)
    for constant in constants:
        if match := _CFFI.fullmatch(constant):
            yield Reference(Role.BUILD_HOOK, match[1], manifest)
        elif "[" in constant and "=" in constant and "\n" in constant:
            yield from ini_references(manifest, as_section(constant))
    yield from _entry_points(tree, manifest)
    yield from _scripts(tree, manifest)


def _imported(name: str, shipped: set[str], folders: list[str], manifest: str) -> Iterator[Reference]:
    """Yield the references of an imported name: its last part may name a module or a member of a module.

    `folders` are the folders that setup.py may have put on the search path.
    """
    parts = name.lstrip(".").split(".")
    top = parts[0]
    if top not in shipped:
        yield from (Reference(Role.BUILD_HOOK, f"{folder}{top}.py", manifest) for folder in folders)
    for length in range(1, len(parts) + 1):
        module = "/".join(parts[:length])
        for folder in folders:
            yield Reference(Role.BUILD_IMPORT, f"{folder}{module}/__init__.py", manifest)
            if length > 1 or top in shipped:
                yield Reference(Role.BUILD_IMPORT, f"{folder}{module}.py", manifest)


def _started_files(tree: ast.Module, manifest: str) -> Iterator[Reference]:
    """Yield the files that setup.py names, alone or as the parts of a joined path, if it runs or imports files."""
    source = ast.dump(tree)
    if not any(
        f"'{name}'" in source for name in ("exec", "run_path", "execfile", "spec_from_file_location", "load_source")
    ):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith(".py"):
            yield Reference(Role.BUILD_IMPORT, node.value, manifest)
        elif isinstance(node, ast.Call) and dotted_name(node.func, {}).rpartition(".")[2] in _JOINS:
            parts = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            path = "/".join(part for part in parts if isinstance(part, str))
            if path.endswith(".py"):
                yield Reference(Role.BUILD_IMPORT, path, manifest)


def _entry_points(tree: ast.Module, manifest: str) -> Iterator[Reference]:
    """Yield every text of the form `name = module:function`, by the group that its dictionary key names.

    Within a group the function may be missing.
    """
    groups: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant):
                    groups |= {id(inner): str(key.value) for inner in ast.walk(value)}
    for node in ast.walk(tree):
        if match := _ENTRY.fullmatch(_pattern(node)):
            group = groups.get(id(node), "")
            role = Role.TEST_PLUGIN if group == "pytest11" else Role.ENTRY_POINT
            if group or ":" in match[1]:
                yield module_reference(role, match[1], manifest)


def _pattern(node: ast.AST) -> str:
    """Return a text, with a letter for each part that is filled in; empty for other nodes."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _FILLED_IN.sub("x", node.value)
    return ""


def _scripts(tree: ast.Module, manifest: str) -> Iterator[Reference]:
    """Yield the files of `setup(scripts=[...])`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "scripts":
            for inner in ast.walk(node.value):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    yield Reference(Role.ENTRY_POINT, inner.value, manifest)


def as_section(text: str) -> str:
    """Return entry points in the form of an INI text (`[group]`, lines) as one section of setup.cfg."""
    lines, group = ["[options.entry_points]"], ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1]
            lines.append(f"{group} =")
        elif group and "=" in line:
            lines.append(f"    {line}")
    return "\n".join(lines)
