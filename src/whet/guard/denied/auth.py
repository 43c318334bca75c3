"""Changes to authentication, permissions and sessions."""

import ast
import re
from collections.abc import Iterator

from whet.guard.denied.access_by_owner import access_by_owner
from whet.guard.denied.access_lambdas import access_lambda, decides_for_someone
from whet.guard.denied.units import Unit, UnitChanges
from whet.pyast.functions import Function
from whet.pyast.imports import last_name

_WORDS = frozenset({
    "authenticate", "authenticated", "authenticator", "authorize", "authorise", "authorized", "authorised", "login", "logout",
    "signin", "password", "passwd", "permission", "permissions", "csrf", "oauth", "oauth2", "jwt", "acl", "rbac", "2fa", "mfa", "totp",
    "impersonate",
})  # fmt: skip
_CHECKS = frozenset(
    {"check", "checks", "verify", "validate", "has", "require", "requires", "ensure", "can", "may", "is", "get", "set"}
)
_CHECKED = frozenset({"credentials", "credential", "perm", "perms", "superuser", "staff", "admin"})
_TOKENS = frozenset({"token", "session", "role", "roles", "scope", "scopes", "access", "user", "owner", "apikey"})
_STRICT_CHECKS = frozenset({"check", "verify", "validate", "require", "requires", "ensure"})
_REFUSALS = frozenset({
    "PermissionDenied", "Forbidden", "Unauthorized", "NotAuthenticated", "AuthenticationFailed", "AuthenticationError",
    "HTTPUnauthorized", "HTTPForbidden", "AccessDenied", "InvalidCredentials",
})  # fmt: skip
_ATTRIBUTES = frozenset({
    "is_authenticated", "is_anonymous", "is_staff", "is_superuser", "is_admin", "is_owner", "permission_classes", "authentication_classes", "current_user",
    "get_current_user", "has_perm", "has_perms", "set_password", "check_password", "login_manager",
})  # fmt: skip
_SETTINGS = re.compile(
    r"(AUTHENTICATION_BACKENDS|AUTH_PASSWORD_VALIDATORS|LOGIN_URL|PASSWORD_HASHERS|SESSION_COOKIE_\w+|CSRF_\w+)"
)
_HEADERS = re.compile(r"(?i)authorization|www-authenticate|x-api-key|x-auth-token|x-csrf-?token")
_STATUS = frozenset({401, 403})
_CLASS = re.compile(r"(?<![A-Za-z])Auth(?![a-z])|(?<=[a-z])Auth(?![a-z])|^Auth[A-Z]|Authentication|Authorization")
_SESSION_KEYS = re.compile(
    r"_?(user|uid|user_?id|username|is_admin|admin|role|roles|logged_in|authenticated|account_id)"
)
_REPLACES = ast.Lambda | ast.Name | ast.Attribute


def auth_changes(changes: UnitChanges) -> Iterator[tuple[int, str]]:
    """Yield (line, what) for each changed unit that takes part in deciding who may do what.

    These are units of a function that does so by its name, units that check or refuse, decorators that check, and
    changes of the control flow in a function that has such a check.
    """
    checking = {id(scope) for unit in changes.around if _check_in(unit) for scope in unit.scopes[-1:]}
    for unit in changes.changed:
        if name := _named_scope(unit):
            yield unit.line, name
        elif check := _check_in(unit):
            yield unit.line, check
        elif unit.is_flow and any(id(scope) in checking and isinstance(scope, Function) for scope in unit.scopes[-1:]):
            yield unit.line, "the control flow of a function that checks access"


def _named_scope(unit: Unit) -> str:
    """Return the function or class around a unit, or that it begins, that controls access by its name; empty if none."""
    for scope in (*unit.scopes, unit.statement):
        if isinstance(scope, Function) and (controls_access(scope.name) or decides_for_someone(scope.name, scope.args)):
            return f"the function {scope.name}"
        if isinstance(scope, ast.ClassDef) and (controls_access(scope.name) or _CLASS.search(scope.name)):
            return f"the class {scope.name}"
    return ""


def controls_access(name: str) -> bool:
    """True if a name says that a function authenticates someone or checks a permission."""
    words = re.findall("[a-z0-9]+", re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
    if _WORDS & set(words):
        return True
    if words and words[0] in _CHECKS and _CHECKED & set(words[1:]):
        return True
    return bool(words) and words[0] in _STRICT_CHECKS and len(words) <= 3 and bool(_TOKENS & set(words[1:]))


def _check_in(unit: Unit) -> str:
    """Return the check or the refusal that a unit makes; empty if it makes none."""
    for decorator in getattr(unit.statement, "decorator_list", ()):
        name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if _is_checking_decorator(name.rpartition(".")[2]):
            return f"the decorator @{name}"
    for name in unit.names():
        last = name.rpartition(".")[2]
        if last in _ATTRIBUTES or last in _REFUSALS or _SETTINGS.fullmatch(last):
            return f"`{last}`"
    for call, name in unit.calls():
        last = name.rpartition(".")[2]
        if controls_access(last) and not isinstance(unit.statement, Function | ast.ClassDef):
            return f"a call of {last}"
        if last == "Security":
            return "`Security`"
        if last == "setattr" and any(controls_access(name) for name in _texts(call.args)):
            return "a check that is replaced"
        if last in ("abort", "HTTPException") and any(_is_status(argument) for argument in _arguments(call)):
            return f"`{last}` with the status 401 or 403"
    if name := access_lambda(unit, controls_access):
        return f"{name}, a function that decides about access"
    if header := next(filter(_HEADERS.fullmatch, unit.texts()), ""):
        return f"the header {header}"
    return access_by_owner(unit) or _session_in(unit) or _replaced_check(unit) or _passed_check(unit)


def _passed_check(unit: Unit) -> str:
    """Return the check that a unit gives to something that calls it: `Depends(verify_user)`, `permission_classes=[...]`."""
    for node in unit.nodes():
        if isinstance(node, ast.keyword) and node.arg in _ATTRIBUTES:
            return f"the argument {node.arg}"
        if not isinstance(node, ast.Call):
            continue
        for argument in _arguments(node):
            name = last_name(argument)
            if name.split("_")[0] in _STRICT_CHECKS | {"has"} and controls_access(name):
                return f"{name}, which is passed on"
    return ""


def _session_in(unit: Unit) -> str:
    """Return the entry of a session that says who the user is, if a unit reads or writes it; else empty."""
    for node in unit.nodes():
        match node:
            case ast.Subscript(value=owner, slice=ast.Constant(value=str() as key)):
                pass
            case ast.Call(func=ast.Attribute(value=owner), args=[ast.Constant(value=str() as key), *_]):
                pass
            case _:
                continue
        if last_name(owner) == "session" and _SESSION_KEYS.fullmatch(key):
            return f"the session's {key!r}"
    return ""


def _replaced_check(unit: Unit) -> str:
    """Return the check that an assignment replaces by another function; empty if it replaces none."""
    statement = unit.statement
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, _REPLACES):
        return ""
    is_inside = bool(unit.scopes) and isinstance(unit.scopes[-1], Function)
    for target in statement.targets:
        is_function = isinstance(statement.value, ast.Lambda) or isinstance(target, ast.Attribute) or not is_inside
        words = last_name(target).lower().split("_")
        if is_function and controls_access(last_name(target)) and words[0] in _STRICT_CHECKS | {"has", "login"}:
            return f"{last_name(target)}, which is replaced"
    return ""


def _texts(arguments: list[ast.expr]) -> list[str]:
    return [item.value for item in arguments if isinstance(item, ast.Constant) and isinstance(item.value, str)]


def _is_checking_decorator(name: str) -> bool:
    words = set(re.findall("[a-z0-9]+", name.lower()))
    needs = {"required", "require", "requires", "protect", "exempt", "protected", "restricted", "only", "passes"}
    about = _WORDS | _CHECKED | {"auth", "token", "role", "roles", "scope", "scopes", "user", "authenticated"}
    return (bool(words & needs) and bool(words & about)) or name in ("authenticated", "permission_classes", "requires")


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _is_status(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return node.value in _STATUS
    return isinstance(node, ast.Attribute) and node.attr.startswith(
        ("HTTP_401", "HTTP_403", "UNAUTHORIZED", "FORBIDDEN")
    )
