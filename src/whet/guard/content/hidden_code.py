"""Code that is run and cannot be read: decoded, reversed or put together from numbers first."""

import ast
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark

CODE = "runs_hidden_code"
_RUNS = frozenset({
    "eval", "exec", "compile", "__import__", "importlib.import_module", "builtins.eval", "builtins.exec",
    "marshal.loads", "pickle.loads", "types.CodeType", "os.system", "os.popen", "subprocess.run", "subprocess.call",
    "subprocess.Popen", "subprocess.check_output", "subprocess.check_call", "ctypes.CDLL",
})  # fmt: skip
_DECODES = (
    "base64.",
    "binascii.",
    "codecs.decode",
    "zlib.decompress",
    "bz2.decompress",
    "lzma.decompress",
    "gzip.decompress",
)
_METHODS = frozenset({"fromhex", "b64decode", "unhexlify", "decompress", "translate"})


def hidden_code(passage: Passage) -> Iterator[Remark]:
    running = [(call, name) for call, name in passage.calls() if name in _RUNS and passage.is_new(call)]
    hidden = _names_of_hidden(passage) if running else frozenset()
    for call, name in running:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if any(_is_hidden(node, passage, hidden) for one in given for node in ast.walk(one)):
            yield Remark(call.lineno, "block", CODE, f"runs what cannot be read here ({name} of something decoded)")


def _names_of_hidden(passage: Passage) -> frozenset[str]:
    """Names that hold something decoded anywhere in the file; through one another, until nothing is added."""
    names: frozenset[str] = frozenset()
    while True:
        found = {
            target.id
            for node in ast.walk(passage.tree or ast.Module([], []))
            if isinstance(node, ast.Assign | ast.NamedExpr | ast.AnnAssign) and node.value is not None
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
            and any(_is_hidden(part, passage, names) for part in ast.walk(node.value))
        }  # fmt: skip
        if found <= names:
            return names
        names |= found


def _is_hidden(node: ast.AST, passage: Passage, names: frozenset[str]) -> bool:
    match node:
        case ast.Name(id=name) if name in names:
            return True
        case ast.Call(func=ast.Attribute(attr=attribute)) if attribute in _METHODS:
            return True
        case ast.Call(func=func) if passage.name_of(func).startswith(_DECODES):
            return True
        case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="chr"), *_]):
            return True
        case ast.GeneratorExp(elt=element) | ast.ListComp(elt=element):
            return isinstance(element, ast.Call) and isinstance(element.func, ast.Name) and element.func.id == "chr"
        case ast.Subscript(value=ast.Constant(value=str()), slice=ast.Slice(step=ast.UnaryOp(op=ast.USub()))):
            return True
    return False
