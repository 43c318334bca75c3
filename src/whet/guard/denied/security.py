"""Changes to cryptography, TLS, secrets, sanitizing, and the commands that are started."""

import ast
import re
from collections.abc import Iterator

from whet.guard.denied.sql_texts import BUILT, is_built_sql, sql_variables
from whet.guard.denied.units import Unit, UnitChanges
from whet.guard.denied.unsafe_forms import less_encryption, unsafe_form
from whet.pyast.functions import Function

_MODULES = re.compile(
    r"(hashlib|hmac|secrets|ssl|cryptography|Crypto|Cryptodome|nacl|bcrypt|argon2|passlib|itsdangerous|OpenSSL|certifi|bleach|nh3"
    r"|defusedxml|keyring|jwt|jose)(\..+)?"
)
_STARTS = re.compile(
    r"subprocess\.(run|call|Popen|check_call|check_output|getoutput|getstatusoutput)|os\.(system|popen|exec\w+|spawn\w+|posix_spawn)"
    r"|os\.path\.(realpath|commonpath|commonprefix)|html\.escape|markupsafe\.escape|xml\.sax\.saxutils\.(escape|quoteattr)|asyncio\.create_subprocess_(exec|shell)|pty\.spawn|os\.(chmod|fchmod|umask|setuid|setgid|chown)|shlex\.(quote|join)"
)
_KEYWORDS = frozenset({
    "verify", "verify_ssl", "ssl_verify", "check_hostname", "assert_hostname", "cert_reqs", "ca_certs", "ssl_context", "httponly",
    "samesite", "validate_certs", "shell", "preexec_fn",
})  # fmt: skip
_TRUSTS_TEXT = frozenset({
    "mark_safe", "SafeString", "SafeText", "Markup", "format_html", "render_template_string", "autoescape", "compare_digest",
    "constant_time_compare", "set_missing_host_key_policy", "fully_trusted_filter", "is_relative_to", "limiter", "ratelimit",
    "throttle",
})  # fmt: skip
_SANITIZES = re.compile(r"sanitis|sanitiz|unescape_untrusted|strip_tags|secure_filename|safe_join|encrypt|decrypt")
_HEADERS = re.compile(
    r"(?i)content-security-policy|x-frame-options|strict-transport-security|access-control-allow-\w+|x-content-type-options"
)
_IN_TEXT = re.compile(r"\|\s*safe\b|0\.0\.0\.0")  # a template without escaping, a server for every machine
_SECRETS = re.compile(r"(\w*_)?(SECRET|SECRET_KEY|API_KEY|PRIVATE_KEY|SIGNING_KEY|ENCRYPTION_KEY)(_\w+)?")
_SETTINGS = re.compile(r"(SECURE_\w+|MIDDLEWARE(_CLASSES)?|CORS_\w+|ALLOWED_HOSTS|X_FRAME_OPTIONS)")


def security_changes(changes: UnitChanges) -> Iterator[tuple[int, str]]:
    """Yield (line, what) for each changed unit that a security review would look at."""
    arguments = _command_arguments(changes)
    statements = set().union(*map(sql_variables, changes.around))
    for unit in changes.changed:
        function = next((scope for scope in reversed(unit.scopes) if isinstance(scope, Function)), None)
        own = unit.statement if isinstance(unit.statement, Function) else function
        if own is not None and _SANITIZES.search(own.name.lower()):
            yield unit.line, f"the function {own.name}"
        elif what := _protection_in(unit) or unsafe_form(unit, changes):
            yield unit.line, what
        elif is_built_sql(getattr(unit.statement, "value", None)) and _written_names(unit.statement) & statements:
            yield unit.line, BUILT
        elif own is not None and _written_names(unit.statement) & arguments.get(own.name, set()):
            yield unit.line, "an argument of a command that is started"
    if address := less_encryption(iter(changes.changed)):
        yield changes.changed[0].line, f"an address with and without encryption: {address}"


def _command_arguments(changes: UnitChanges) -> dict[str, set[str]]:
    """Return the variables that are passed to a command that is started, by the name of the function around it."""
    variables: dict[str, set[str]] = {}
    for unit in changes.around:
        function = unit.scopes[-1] if unit.scopes else None
        for call, name in unit.calls():
            if isinstance(function, Function) and _STARTS.fullmatch(name):
                passed = [*call.args, *(keyword.value for keyword in call.keywords)]
                used = {node.id for value in passed for node in ast.walk(value) if isinstance(node, ast.Name)}
                variables.setdefault(function.name, set()).update(used)
    return variables


def _written_names(statement: ast.stmt) -> set[str]:
    """Return the variables that a statement assigns, or changes by calling a method such as `append`."""
    match statement:
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return {name}
    return set()


def _values(function: ast.stmt) -> list[ast.AST]:
    """Return the decorators and the defaults of a function."""
    arguments = getattr(function, "args", None)
    defaults = [*arguments.defaults, *filter(None, arguments.kw_defaults)] if arguments else []
    return [*getattr(function, "decorator_list", ()), *defaults]


def _protection_in(unit: Unit) -> str:
    """Return the part of a unit that protects something or starts something; empty if there is none."""
    if isinstance(unit.statement, ast.Import | ast.ImportFrom):
        return ""  # the use of what is imported is a unit of its own
    # The annotations of a parameter state a type; they protect nothing.
    is_function = isinstance(unit.statement, Function)
    for name in unit.names_of(_values(unit.statement)) if is_function else unit.names():
        last = name.rpartition(".")[2]
        if "." in name and (_MODULES.fullmatch(name) or _STARTS.fullmatch(name)):
            return f"`{name}`"
        if last in _TRUSTS_TEXT or _SECRETS.fullmatch(last) or _SETTINGS.fullmatch(last):
            return f"`{last}`"
    for call, name in unit.calls():
        if _SANITIZES.search(name.rpartition(".")[2].lower()):
            return f"a call of {name}"
        keyword = next((keyword.arg for keyword in call.keywords if keyword.arg in _KEYWORDS), None)
        if keyword is not None:
            return f"the argument `{keyword}`"
    texts = ((text, _HEADERS.fullmatch(text) or _IN_TEXT.search(text)) for text in unit.texts())
    return next((f"the text {found[0]!r}" for _, found in texts if found), "")
