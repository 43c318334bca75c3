"""Forms of calls that are safe or unsafe by their arguments: loaders, SQL texts, archives, modes of files, evaluated text."""

import ast
import re
from collections.abc import Iterator

from whet.guard.denied.sql_texts import built_sql
from whet.guard.denied.switches import switch_in
from whet.guard.denied.units import Unit, UnitChanges
from whet.pyast.imports import last_name

_YAML_LOAD = re.compile(r"yaml\.(load|load_all|unsafe_load|unsafe_load_all|full_load|full_load_all)")
_SAFE_LOADERS = frozenset({"SafeLoader", "CSafeLoader", "BaseLoader", "CBaseLoader"})
_UNPICKLE = re.compile(
    r"(pickle|cPickle|_pickle|dill|cloudpickle|marshal)\.(loads?|Unpickler)|jsonpickle\.decode|shelve\.open|joblib\.load"
    r"|(\w+\.)?read_pickle"
)
_EVALUATES = re.compile(r"(builtins\.)?(eval|exec|__import__)")
_MAKES_FILES = frozenset({"mkdir", "makedirs", "mkfifo", "mknod", "touch"})


def unsafe_form(unit: Unit, changes: UnitChanges) -> str:
    """Return the part of a unit that decides about its safety; empty if there is none."""
    for call, name in unit.calls():
        what = (
            _loader(call, name) or _archive(call, name, changes.imported) or built_sql(call, name) or _file(call, name)
        )
        if what:
            return what
        if _EVALUATES.fullmatch(name):
            return f"`{name}`, which runs a text as code"
    if "fully_trusted" in unit.texts():
        return "the filter 'fully_trusted' of an archive"
    return switch_in(unit, changes)


def less_encryption(units: Iterator[Unit]) -> str:
    """Return the address that units name with `https://` on one side of a change and with `http://` on the other."""
    texts = {text for unit in units for text in unit.texts() if text.startswith(("http://", "https://"))}
    return next((text for text in sorted(texts) if text.replace("http://", "https://", 1) in texts - {text}), "")


def _file(call: ast.Call, name: str) -> str:
    """Return the call that sets who may read or write a file, or that only thinks of a name for a temporary one."""
    last = name.rpartition(".")[2]
    has_mode = any(keyword.arg == "mode" for keyword in call.keywords)
    if last in ("chmod", "lchmod") or (last in _MAKES_FILES and has_mode):
        return f"the mode of a file, in a call of {last}"
    return "`tempfile.mktemp`" if name == "tempfile.mktemp" else ""


def _loader(call: ast.Call, name: str) -> str:
    """Return the call of a loader that can run code: YAML without a safe loader, pickles."""
    if _UNPICKLE.fullmatch(name):
        return f"`{name}`, which runs code from its data"
    if not _YAML_LOAD.fullmatch(name):
        return "`YAML(typ='unsafe')`" if last_name(call.func) == "YAML" and "unsafe" in _texts(call) else ""
    loaders = [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "Loader")]
    return "" if loaders and last_name(loaders[0]) in _SAFE_LOADERS else f"`{name}` without a safe loader"


def _archive(call: ast.Call, name: str, imported: frozenset[str]) -> str:
    """Return the unpacking of a tar archive whose members may be written anywhere."""
    last = name.rpartition(".")[2]
    unpacks_tar = last in ("extractall", "extract") and any(item.split(".")[0] == "tarfile" for item in imported)
    if not unpacks_tar and name != "shutil.unpack_archive":
        return ""
    filters = [keyword.value for keyword in call.keywords if keyword.arg == "filter"]
    is_safe = any(
        last_name(value) == "data_filter" or (isinstance(value, ast.Constant) and value.value == "data")
        for value in filters
    )
    return "" if is_safe else f"`{last}` of an archive without filter='data'"


def _texts(call: ast.Call) -> Iterator[str]:
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    return (value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str))
