"""Read and replace numbers in Python, TOML, YAML and JSON files; everything else in the file stays as it is."""

import ast
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from whet.errors import UsageError

Number = int | float


def read_constants(path: str, text: str, names: Mapping[str, object]) -> dict[str, Number]:
    """Return the present value of each constant. Raise UsageError if one is missing or is not a number."""
    return {name: _read(path, text, name) for name in names}


def with_constants(path: str, text: str, values: Mapping[str, Number]) -> str:
    """Return the file with new values. Comments, order and formatting stay."""
    for name, value in values.items():
        new = int(value) if isinstance(_read(path, text, name), int) else float(value)
        text = _replaced(path, text, name, new)
        if _read(path, text, name) != new:
            raise UsageError(
                f"{name} in {path} cannot be replaced in place", "write it as a plain number on its own line"
            )
    return text


def _read(path: str, text: str, name: str) -> Number:
    value = _python_value(path, text, name)[0] if path.endswith(".py") else _setting(_document(path, text), path, name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"{name} in {path} is not a number")
    return int(value) if isinstance(value, int) else float(value)


def _replaced(path: str, text: str, name: str, value: Number) -> str:
    if path.endswith(".py"):
        _, node = _python_value(path, text, name)
        return _with_span(text, node.lineno, node.col_offset, (node.end_lineno or 0, node.end_col_offset or 0), value)
    if path.endswith(".toml"):
        return _in_toml(text, name, value)
    *parents, key = name.split(".")
    holder = _setting(_document(path, text), path, ".".join(parents)) if parents else _document(path, text)
    line, column = holder.lc.value(key)
    written = text.splitlines(keepends=True)[line][column:]
    length = next((i for i, character in enumerate(written) if character not in "0123456789+-.eE_"), len(written))
    start = sum(map(len, text.splitlines(keepends=True)[:line])) + column
    return f"{text[:start]}{value!r}{text[start + length :]}"


def _with_span(text: str, line: int, column: int, end: tuple[int, int], value: Number) -> str:
    """Replace a node of a syntax tree; its columns count bytes."""
    lines = [each.encode() for each in text.splitlines(keepends=True)]
    last, last_column = end
    before, after = lines[line - 1][:column], lines[last - 1][last_column:]
    new = before + repr(value).encode() + after
    return b"".join([*lines[: line - 1], new, *lines[last:]]).decode()


def _in_toml(text: str, name: str, value: Number) -> str:
    import tomlkit

    document = tomlkit.parse(text)
    *parents, key = name.split(".")
    holder: Any = document
    for parent in parents:
        holder = holder[parent]
    holder[key] = value
    return tomlkit.dumps(document)


def _document(path: str, text: str) -> Any:
    if PurePosixPath(path).suffix == ".toml":
        import tomllib

        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as problem:
            raise UsageError(f"{path} is not valid TOML: {problem}") from problem
    if PurePosixPath(path).suffix not in (".yaml", ".yml", ".json"):
        raise UsageError(f"{path} is no Python, TOML, YAML or JSON file", "tune constants of such a file")
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="rt").load(text)  # JSON is YAML, and only this reader knows where a value is
    except YAMLError as problem:
        raise UsageError(f"{path} cannot be read: {str(problem).splitlines()[0]}") from problem


def _setting(document: Any, path: str, name: str) -> Any:
    for key in name.split("."):
        if not isinstance(document, Mapping) or key not in document:
            raise UsageError(f"{path} has no key {name}", "give the dotted path of keys")
        document = document[key]
    return document


def _python_value(path: str, text: str, name: str) -> tuple[object, ast.expr]:
    """Return the value of a module constant or of a parameter's default, and its node."""
    try:
        tree = ast.parse(text)
    except SyntaxError as problem:
        raise UsageError(f"{path} is not valid Python: {problem.msg}") from problem
    function, dot, parameter = name.rpartition(".")
    node = _default(tree, function, parameter) if dot else _module_constant(tree, name)
    if node is None:
        raise UsageError(
            f"{path} has no constant {name}", "name a module constant, or function.parameter for a default"
        )
    try:
        return ast.literal_eval(node), node
    except ValueError:
        raise UsageError(f"{name} in {path} is not a number") from None


def _module_constant(tree: ast.Module, name: str) -> ast.expr | None:
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return getattr(statement, "value", None)
    return None


def _default(tree: ast.Module, function: str, parameter: str) -> ast.expr | None:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function:
            arguments = node.args
            positional = [*arguments.posonlyargs, *arguments.args]
            first = len(positional) - len(arguments.defaults)
            defaults = dict(zip((item.arg for item in positional[first:]), arguments.defaults, strict=True))
            keyword = zip((item.arg for item in arguments.kwonlyargs), arguments.kw_defaults, strict=True)
            return (defaults | {key: value for key, value in keyword if value}).get(parameter)
    return None
