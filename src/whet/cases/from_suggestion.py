"""Turn a suggested case into a test file that ships with the fix."""

import ast
import builtins
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import PurePosixPath

from whet.domain.regression import Regression
from whet.domain.suggestion import Suggestion
from whet.errors import UsageError
from whet.kit import Kit


def case_as_test(
    suggestion: Suggestion, source: str, paths: Sequence[str], is_test: Callable[[str], bool]
) -> Regression:
    """Return the test file for a suggested case. `source` is the module that the case is about."""
    identity = suggestion.id.removeprefix("s-")
    name = f"test_suggestion_{identity}"
    path = f"{folder_of_tests(paths, is_test)}test_whet_{identity}.py"
    return Regression(path=path, text=_text(suggestion, source, name), red=(f"{path}::{name}",))


def holds(suggestion: Suggestion, commit: str, kit: Kit) -> bool:
    """True if a suggestion's case holds already. It is run in the sandbox as the test that it would become."""
    tree = kit.git.tree_of(commit)
    source = kit.git.read(commit, suggestion.where) if suggestion.where else None
    if not suggestion.case or source is None:
        return False
    paths = [entry.path for entry in kit.git.entries(tree)]
    written = case_as_test(suggestion, source.decode(), paths, kit.is_test)
    with_test = kit.git.with_files(tree, {written.path: written.text.encode()})
    return written.red[0] in kit.suite.run(with_test, written.red).passed


def folder_of_tests(paths: Sequence[str], is_test: Callable[[str], bool]) -> str:
    """Return the folder of the project's tests: the shortest one with a test file."""
    folders = {
        path.rpartition("/")[0] for path in paths if is_test(path) and path.rpartition("/")[2].startswith("test")
    }
    first = min(folders, key=lambda folder: (folder.count("/"), folder), default="")
    return f"{first}/" if first else ""


def _text(suggestion: Suggestion, source: str, name: str) -> str:
    names = ", ".join(imported_names(suggestion.case, source, suggestion.where))
    importing = f"from {module_name(suggestion.where)} import {names}\n" if names else ""
    summary = " ".join(suggestion.text.split()).replace('"""', "'''").replace("\\", "/")
    if suggestion.raises:
        body = f"    with pytest.raises({suggestion.raises}):\n        {suggestion.case}\n"
        importing = f"import pytest\n\n{importing}" if importing else "import pytest\n"
    else:
        body = f"    assert {suggestion.case}\n"
    return f'"""Suggested by {suggestion.by}: {summary}"""\n\n{importing}\n\ndef {name}():\n{body}'


def imported_names(case: str, source: str, where: str) -> list[str]:
    """Return the names of the module that the case uses. Refuse a name that the module does not define."""
    try:
        expression = ast.parse(case, mode="eval")
    except SyntaxError as problem:
        raise UsageError(
            f"the case is not a Python expression: {problem.msg}", "for example: --case 'add(2, 3) == 5'"
        ) from problem
    defined = _defined(source)
    bound = {node.arg for node in ast.walk(expression) if isinstance(node, ast.arg)}
    bound |= {
        node.id for node in ast.walk(expression) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    used = sorted({node.id for node in ast.walk(expression) if isinstance(node, ast.Name)} - bound)
    unknown = [name for name in used if name not in defined and not hasattr(builtins, name)]
    if unknown:
        near = get_close_matches(unknown[0], defined, n=5, cutoff=0.4) or sorted(defined)[:8]
        raise UsageError(
            f"{where} does not define {', '.join(unknown)}", f"it defines, among others: {', '.join(near)}"
        )
    return [name for name in used if name in defined]


def _defined(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return names


def module_name(path: str) -> str:
    parts = list(PurePosixPath(path).with_suffix("").parts)
    if parts[0] in ("src", "lib"):
        parts = parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
