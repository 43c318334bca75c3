"""Forms of calls that are safe or unsafe by their arguments: TLS options in dicts, loaders, SQL texts, archives, settings."""

import ast
import re
from collections.abc import Iterator

from whet.guard.denied.units import Unit
from whet.pyast.imports import last_name

_TLS_OPTIONS = frozenset({
    "verify", "verify_ssl", "ssl_verify", "verify_certs", "check_hostname", "assert_hostname", "cert_reqs", "validate_certs",
    "ssl_context", "httponly", "samesite",
})  # fmt: skip
_YAML_LOAD = re.compile(r"yaml\.(load|load_all|unsafe_load|unsafe_load_all|full_load|full_load_all)")
_SAFE_LOADERS = frozenset({"SafeLoader", "CSafeLoader", "BaseLoader", "CBaseLoader"})
_UNPICKLE = re.compile(
    r"(pickle|cPickle|_pickle|dill|cloudpickle|marshal)\.(loads?|Unpickler)|jsonpickle\.decode|shelve\.open|joblib\.load"
)
_RUNS_SQL = frozenset({
    "execute", "executemany", "executescript", "exec_driver_sql", "read_sql", "read_sql_query", "raw", "RawSQL", "mogrify",
    "fetch_all", "fetch_one", "fetchval", "fetchrow",
})  # fmt: skip
_SQL = re.compile(
    r"\s*(?:--[^\n]*\n\s*)*(SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|REPLACE\s+INTO|WITH|MERGE|CALL|EXEC(UTE)?)\s",
    re.IGNORECASE,
)
_CONSTANT_NAME = re.compile(r"_?[A-Z][A-Z0-9_]*")
_READS_ENVIRONMENT = re.compile(
    r"os\.(getenv|environ\.(get|pop|setdefault))|(env|environ|config)(\.(bool|str|list|get|get_bool))?"
)
_PROTECTION_WORDS = frozenset({
    "auth", "authentication", "authorization", "csrf", "cors", "tls", "ssl", "https", "verify", "insecure", "secure", "secret", "password",
    "permission", "permissions", "admin", "jwt", "oauth", "sandbox", "encryption",
})  # fmt: skip


def unsafe_form(unit: Unit, imported: frozenset[str]) -> str:
    """Return the argument of a unit that decides about its safety; empty if there is none."""
    for call, name in unit.calls():
        what = (
            _loader(call, name)
            or _archive(call, name, imported)
            or _sql(call, name)
            or _environment_default(call, name)
            or _option_set(call, name)
        )
        if what:
            return what
    for node in unit.nodes():
        if what := _option_in(node) or _environment_key(node, unit):
            return what
    return ""


def sql_variables(unit: Unit) -> set[str]:
    """Return the variables that a unit passes to a database as the text of a statement."""
    return {
        call.args[0].id
        for call, name in unit.calls()
        if name.rpartition(".")[2] in _RUNS_SQL and call.args and isinstance(call.args[0], ast.Name)
    }


def is_built_sql(node: ast.AST | None) -> bool:
    """True for an SQL statement that is put together from a text and values; names in capitals count as text."""
    match node:
        case ast.JoinedStr(values=parts):
            holes = [part.value for part in parts if isinstance(part, ast.FormattedValue)]
            return _begins_as_sql(parts[0] if parts else None) and not all(map(_is_constant, holes))
        case ast.BinOp(op=ast.Mod(), left=text, right=value):
            return _begins_as_sql(text) and not _is_constant(value)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return is_built_sql(left) or (_begins_as_sql(_leftmost(left)) and not _is_constant(right))
        case ast.Call(func=ast.Attribute(attr="format", value=text), args=values, keywords=keywords):
            return _begins_as_sql(text) and not all(map(_is_constant, [*values, *(item.value for item in keywords)]))
        case ast.Call(args=[text, *_]) if last_name(node.func) in ("text", "SQL", "dedent"):
            return is_built_sql(text)
    return False


def _begins_as_sql(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and _SQL.match(node.value) is not None


def _leftmost(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        node = node.left
    return node


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or _CONSTANT_NAME.fullmatch(last_name(node)) is not None


def _sql(call: ast.Call, name: str) -> str:
    if name.rpartition(".")[2] in _RUNS_SQL and call.args and is_built_sql(call.args[0]):
        return "an SQL statement that is put together from values"
    return ""


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


def _environment_default(call: ast.Call, name: str) -> str:
    if _READS_ENVIRONMENT.fullmatch(name) and call.args:
        return _protecting_variable(call.args[0])
    return ""


def _environment_key(node: ast.AST, unit: Unit) -> str:
    """Return the variable in `os.environ["..."]`, if its name says that it protects something."""
    if isinstance(node, ast.Subscript) and next(unit.names_of([node.value]), "") == "os.environ":
        return _protecting_variable(node.slice)
    return ""


def _protecting_variable(node: ast.expr) -> str:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return ""
    is_protecting = not _PROTECTION_WORDS.isdisjoint(node.value.lower().split("_"))
    return f"the variable {node.value} of the environment" if is_protecting else ""


def _option_in(node: ast.AST) -> str:
    """Return an option of TLS or of cookies in a dict that becomes keyword arguments: `{"verify": False}`."""
    match node:
        case ast.Dict(keys=keys, values=values):
            pairs = list(zip(keys, values, strict=True))
        case ast.Assign(targets=[ast.Subscript(slice=key)], value=value):
            pairs = [(key, value)]
        case _:
            return ""
    return next((text for key, value in pairs if (text := _option(key, value))), "")


def _option_set(call: ast.Call, name: str) -> str:
    """Return the option that `options.setdefault("verify", False)` sets."""
    if name.rpartition(".")[2] in ("setdefault", "__setitem__") and len(call.args) > 1:
        return _option(call.args[0], call.args[1])
    return ""


def _option(key: ast.expr | None, value: ast.expr) -> str:
    is_switch = isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, bool))
    if isinstance(key, ast.Constant) and key.value in _TLS_OPTIONS and (is_switch or key.value != "verify"):
        return f"the option {key.value!r}"
    return ""


def _texts(call: ast.Call) -> Iterator[str]:
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    return (value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str))
