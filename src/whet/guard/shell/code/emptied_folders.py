"""Find loops in Python code that delete every file of the working folder or of a home folder."""

import ast
from collections.abc import Iterator

_LIST = frozenset({"listdir", "scandir", "walk", "iterdir", "glob", "iglob", "rglob"})
_EVERYTHING = frozenset({"", ".", "./", "*", "./*", "**", "**/*", "*.*", "./**/*", "~"})
_DELETE = frozenset({"remove", "unlink", "rmdir", "rmtree"})
_OWN_FOLDERS = frozenset({"getcwd", "cwd", "home", "expanduser", "Path"})
_Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp


def emptied_folders(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the listing, as source text, of every loop that deletes all of its items without a condition."""
    for node in nodes:
        if isinstance(node, ast.For):
            if _lists_everything(node.iter) and _deletes(node.body) and not _has_condition(node.body):
                yield ast.unparse(node.iter)
        elif isinstance(node, _Comprehension):
            first = node.generators[0]
            has_condition = any(generator.ifs for generator in node.generators)
            if _lists_everything(first.iter) and _deletes([node.elt]) and not has_condition:
                yield ast.unparse(first.iter)


def _lists_everything(node: ast.expr) -> bool:
    """True for `os.listdir()`, `glob("*")` and `Path.home().rglob("*")`, also as arguments: `sorted(os.listdir())`."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and _name(call.func) in _LIST:
            arguments = [*_path_of_owner(call.func), *call.args]
            if all(_is_everything(argument) for argument in arguments):
                return True
    return False


def _path_of_owner(function: ast.expr) -> list[ast.expr]:
    """Return the arguments of `Path("...")` in `Path("...").iterdir`; `Path.home()` has none."""
    owner = function.value if isinstance(function, ast.Attribute) else None
    return owner.args if isinstance(owner, ast.Call) else []


def _is_everything(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):  # os.getcwd(), Path.cwd(), os.path.expanduser("~")
        return all(_is_everything(argument) for argument in node.args) and _name(node.func) in _OWN_FOLDERS
    return isinstance(node, ast.Constant) and node.value in _EVERYTHING


def _deletes(nodes: list[ast.stmt] | list[ast.expr]) -> bool:
    return any(
        isinstance(inner, ast.Call) and _name(inner.func) in _DELETE for node in nodes for inner in ast.walk(node)
    )


def _has_condition(body: list[ast.stmt]) -> bool:
    return any(isinstance(inner, ast.If | ast.IfExp | ast.BoolOp) for node in body for inner in ast.walk(node))


def _name(function: ast.expr) -> str:
    return ast.unparse(function).rpartition(".")[2]
