"""Find Python code that acts for whet: calls of its modules, and changes of its files."""

import ast
import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import CausesHarm, CodeEffect
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.protected import Owner, owner_of
from whet.pyast.fold import text_with_holes
from whet.pyast.imports import import_bindings

# The names for applications that capture their calls; everything else of whet can answer gates or write state.
_CAPTURING_NAMES = frozenset({"whet.tool", "whet.BaseTool", "whet.Registry", "whet.Case", "whet.__version__"})
_WHET_MODULE = re.compile(r"whet(\.[\w.]+)?|(.*/)?whet/[\w/]+\.py|(.*/)?bin/whet")
# Names of modules in a text, for an importing function under another name. `whet.toml` is not a module.
_WHET_SUBMODULE = re.compile(
    r"whet\.(app|cli|cycle|durable|git|kit|ledger|phases|plugins|store|workflow|__main__)(\..*)?"
)
_IMPORTERS = frozenset({"__import__", "import_module", "run_module", "run_path", "find_spec"})
_CHANGES_FILES = frozenset({
    "O_WRONLY", "O_RDWR", "O_TRUNC", "O_CREAT", "O_APPEND",
    "append", "chmod", "chown", "connect", "copy", "copy2", "copyfile", "copytree", "execute", "executescript",
    "hardlink_to", "link", "link_to", "mkdir", "makedirs", "move", "remove", "removedirs", "rename", "renames",
    "replace", "rmdir", "rmtree", "symlink", "symlink_to", "touch", "truncate", "unlink", "utime", "write",
    "write_bytes", "write_text", "writelines", "dump", "FileInput", "input", "mkfifo",
})  # fmt: skip
_WRITING_MODE = re.compile(r"[rwaxb+t]*[wax+][rwaxb+t]*")
_MAX_PATH = 200


def effects(tree: ast.Module) -> Iterator[CodeEffect]:
    """Yield the harm of Python code to whet and to the files of git."""
    nodes = list(ast.walk(tree))
    if _uses_whet(tree, nodes):
        yield CausesHarm(Harm.WHET, "the Python code calls whet, which a person must do themselves")
    if not _changes_files(nodes):
        return
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or len(node.value) > _MAX_PATH:
            continue
        owner = owner_of(node.value.removeprefix("file:").partition("?")[0]) if node.value.strip("*") else None
        if owner is Owner.WHET:
            yield CausesHarm(Harm.WHET, f"the Python code changes {node.value}, which belongs to whet")
        elif owner is Owner.GIT:
            reason = f"the Python code changes files and names {node.value}"
            yield CausesHarm(Harm.GIT_HISTORY, reason, raises=True)


def _uses_whet(tree: ast.Module, nodes: list[ast.AST]) -> bool:
    """True if the code imports more of whet than the names for capturing calls, or opens a repository with it."""
    names = {local: dotted for local, dotted in import_bindings(tree) if dotted.partition(".")[0] == "whet"}
    if any(dotted != "whet" and dotted not in _CAPTURING_NAMES for dotted in names.values()):
        return True
    # `import whet.cli` binds only the name `whet`.
    imported = (alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names)
    if any(name.startswith("whet.") for name in imported):
        return True
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return any(_calls_whet(node, names) for node in nodes) or any(map(_WHET_SUBMODULE.fullmatch, texts))


def _calls_whet(node: ast.AST, names: dict[str, str]) -> bool:
    """True for `whet.open`, under any name, and for `import_module("whet.cli")`; `names` are the names of whet."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return names.get(node.value.id) == "whet" and f"whet.{node.attr}" not in _CAPTURING_NAMES
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _IMPORTERS:
        return any(_WHET_MODULE.fullmatch(text_with_holes(argument, {}, "")) for argument in node.args)
    return False


def _changes_files(nodes: list[ast.AST]) -> bool:
    """True if a name or a mode in the code shows that it changes files."""
    return any(
        (isinstance(node, ast.Attribute) and node.attr in _CHANGES_FILES)
        or (isinstance(node, ast.Name) and node.id in _CHANGES_FILES - {"input"})
        or (isinstance(node, ast.Constant) and isinstance(node.value, str) and _WRITING_MODE.fullmatch(node.value))
        for node in nodes
    )
