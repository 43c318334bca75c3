"""Data formats that run code when they are loaded: pickle, unsafe YAML and their like."""

import ast
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark

CODE = "unsafe_load"
_ALWAYS = frozenset({
    "pickle.load", "pickle.loads", "pickle.Unpickler", "cPickle.load", "cPickle.loads", "_pickle.loads", "dill.load",
    "dill.loads", "cloudpickle.load", "cloudpickle.loads", "marshal.load", "marshal.loads", "shelve.open",
    "jsonpickle.decode", "joblib.load", "pandas.read_pickle", "yaml.unsafe_load", "yaml.unsafe_load_all",
    "yaml.full_load", "torch.load",
})  # fmt: skip
_YAML = frozenset({"yaml.load", "yaml.load_all"})
_SAFE = ("SafeLoader", "BaseLoader", "CSafeLoader", "CBaseLoader")


def unsafe_load(passage: Passage) -> Iterator[Remark]:
    for call, name in passage.calls():
        if _runs_code(call, name) and passage.is_new(call):
            yield Remark(call.lineno, "raise", CODE, f"loads data that can run code: `{name}`")


def _runs_code(call: ast.Call, name: str) -> bool:
    if name in _YAML:
        return not _has_safe_loader(call)
    if name == "numpy.load":
        return _is_set(call, "allow_pickle")
    return name in _ALWAYS and not _is_set(call, "weights_only")


def _has_safe_loader(call: ast.Call) -> bool:
    loaders = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "Loader")]
    return bool(loaders) and all(ast.unparse(loader).rpartition(".")[2] in _SAFE for loader in loaders)


def _is_set(call: ast.Call, switch: str) -> bool:
    return any(
        keyword.arg == switch and isinstance(keyword.value, ast.Constant) and keyword.value.value is True
        for keyword in call.keywords
    )
