"""Code that is run but cannot be read, because it is decoded, reversed or built from numbers first."""

import ast
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.pyast.bindings import assignments

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
_DECODING_METHODS = frozenset({"fromhex", "b64decode", "unhexlify", "decompress", "translate"})


def hidden_code(passage: Passage) -> Iterator[Remark]:
    running = [(call, name) for call, name in passage.calls() if name in _RUNS and passage.is_new(call)]
    hidden_names = _hidden_names(passage) if running else frozenset()
    for call, name in running:
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        if any(_contains_hidden(argument, passage, hidden_names) for argument in arguments):
            yield Remark(call.lineno, "block", CODE, f"runs decoded data as code: `{name}`")


def _hidden_names(passage: Passage) -> frozenset[str]:
    """Return the names that hold decoded data anywhere in the file, directly or by way of each other."""
    tree = passage.tree or ast.Module([], [])
    names: frozenset[str] = frozenset()
    while True:
        hidden = {
            target.id
            for target, value in assignments(tree)
            if isinstance(target, ast.Name) and _contains_hidden(value, passage, names)
        }
        if hidden <= names:
            return names
        names |= hidden


def _contains_hidden(expression: ast.expr, passage: Passage, hidden_names: frozenset[str]) -> bool:
    return any(_is_hidden(node, passage, hidden_names) for node in ast.walk(expression))


def _is_hidden(node: ast.AST, passage: Passage, hidden_names: frozenset[str]) -> bool:
    match node:
        case ast.Name(id=name) if name in hidden_names:
            return True
        case ast.Call(func=ast.Attribute(attr=method)) if method in _DECODING_METHODS:
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
