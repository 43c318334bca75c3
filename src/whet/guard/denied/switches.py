"""Switches of protections: options, settings and variables of the environment that turn a check on or off.

A switch may be an argument, a default, the entry of a dict, an attribute or a constant: `verify=False`,
`session.verify = False`, `{"verify": False}` and `VERIFY_TLS = False` are the same.
"""

import ast
import re
from collections.abc import Iterator

from whet.guard.denied.units import Unit, UnitChanges
from whet.pyast.functions import Function, defaults

# Options whose every value decides about safety, not only true and false.
_OPTIONS = frozenset({
    "verify", "verify_ssl", "ssl_verify", "verify_certs", "verify_mode", "check_hostname", "assert_hostname", "cert_reqs", "ssl_context",
    "validate_certs", "httponly", "samesite", "autoescape", "extraction_filter", "allow_origins", "allow_origin_regex",
    "allow_credentials", "allow_pickle", "weights_only", "resolve_entities", "no_network", "load_dtd",
})  # fmt: skip
_PROTECTS = frozenset({
    "auth", "authentication", "authenticate", "authorization", "authorize", "csrf", "cors", "tls", "ssl", "https", "hsts", "verify",
    "verification", "insecure", "secure", "secret", "password", "permission", "permissions", "admin", "login", "jwt", "oauth", "mfa",
    "sandbox", "sandboxed", "encryption", "encrypt", "encrypted", "signature", "sanitize", "sanitise", "autoescape", "untrusted",
    "httponly", "admins", "ratelimit", "throttle",
})  # fmt: skip
_READS_ENVIRONMENT = re.compile(
    r"os\.(getenv|environ)(\.(get|pop|setdefault))?|(env|environ|config)(\.(bool|str|list|get|get_bool))?"
)
_NAMES_VARIABLE = frozenset({"env", "envvar", "env_var", "env_name"})
_SETTERS = frozenset({"setdefault", "__setitem__", "setattr"})
_Setting = tuple[str, ast.expr]


def switch_in(unit: Unit, changes: UnitChanges) -> str:
    """Return the switch of a protection that a unit sets or reads; empty if there is none.

    A default counts if it differs: the definition around it may have changed for another reason.
    """
    for name, value in (*_settings(unit), *_changed_defaults(unit, changes)):
        if _is_switch(name, value):
            return f"the option {name!r}"
    for name in unit.names():
        last = name.rpartition(".")[2]
        if last.isupper() and protects(last):
            return f"the setting {last}"
    if _reads_environment(unit):
        return next((f"the variable {text} of the environment" for text in unit.texts() if protects(text)), "")
    return ""


def protects(name: str) -> bool:
    """True if a word of a name says that it is about a protection."""
    words = re.findall("[a-z0-9]+", re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
    return re.fullmatch(r"[\w.-]+", name) is not None and not _PROTECTS.isdisjoint(words)


def _settings(unit: Unit) -> Iterator[_Setting]:
    """Yield every name that a unit gives a value, with the value."""
    for node in unit.nodes():
        match node:
            case ast.keyword(arg=str() as name, value=value):
                yield name, value
            case ast.Dict(keys=keys, values=values):
                yield from _named(zip(keys, values, strict=True))
            case ast.Assign(targets=targets, value=value):
                yield from ((name, value) for target in targets if (name := _target(target, unit)))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield _target(target, unit), value
            case ast.Call(func=ast.Name(id="setattr"), args=[_, key, value]):
                yield from _named([(key, value)])
            case ast.Call(func=ast.Attribute(attr=method), args=[key, value]) if method in _SETTERS:
                yield from _named([(key, value)])


def _changed_defaults(unit: Unit, changes: UnitChanges) -> Iterator[_Setting]:
    """Yield the defaults of a definition that no other changed definition of its name has."""
    statement = unit.statement
    if not isinstance(statement, Function):
        return
    others = [
        other.statement
        for other in changes.changed
        if isinstance(other.statement, Function) and other is not unit and other.statement.name == statement.name
    ]
    same = {(item.arg, ast.dump(value)) for other in others for item, value in defaults(other.args)}
    for parameter, value in defaults(statement.args):
        if (parameter.arg, ast.dump(value)) not in same:
            yield parameter.arg, value


def _named(pairs: "Iterator[tuple[ast.expr | None, ast.expr]] | list[tuple[ast.expr, ast.expr]]") -> Iterator[_Setting]:
    return ((key.value, value) for key, value in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str))


def _target(target: ast.expr, unit: Unit) -> str:
    """Return the name of an attribute, an entry or a constant that is assigned; empty for variables of a function."""
    is_in_function = bool(unit.scopes) and isinstance(unit.scopes[-1], Function)
    match target:
        case ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(value=str() as name)):
            return name
        case ast.Name(id=name) if name.isupper() or not is_in_function:
            return name
    return ""


def _is_switch(name: str, value: ast.expr) -> bool:
    constant = value.value if isinstance(value, ast.Constant) else ...
    if name in _OPTIONS:
        return name != "verify" or constant is None or isinstance(constant, bool)
    return isinstance(constant, bool) and (name.lower() == "debug" or protects(name))


def _reads_environment(unit: Unit) -> bool:
    if any(name == "os.environ" for name in unit.names()):
        return True
    if any(_READS_ENVIRONMENT.fullmatch(name) for _, name in unit.calls()):
        return True
    return any(isinstance(node, ast.keyword) and node.arg in _NAMES_VARIABLE for node in unit.nodes())
