"""Reads of the user's credentials: tokens in the environment, key files.

If the same function also uses the network, the read is taken for a theft and blocked.
"""

import ast
import re
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.pyast.functions import Function, docstrings

READ, SENT = "credentials_read", "exfiltration"
_VARIABLE = re.compile(r"[A-Z0-9_]*(SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIAL)[A-Z0-9_]*")
_FILE = re.compile(
    r"\.ssh/|\bid_(rsa|dsa|ecdsa|ed25519)\b|\.aws/|\.netrc\b|\.pypirc\b|\.git-credentials|\.kube/config|\.docker/config|\.pgpass"
    r"|/etc/(shadow|passwd)|\.gnupg|169\.254\.169\.254|metadata\.google|login\.keychain|/proc/self/environ|cookies\.sqlite"
)
_ENVIRONMENT = frozenset({"os.environ", "os.environb"})
_VARIABLE_GETTERS = frozenset({"os.getenv", "os.environ.get", "os.environ.pop"})
_WHOLE_ENVIRONMENT = frozenset({"os.environ.copy", "os.environ.items", "os.environ.values"})
_COPIES = frozenset({"dict", "list", "str", "repr", "json.dumps", "copy.copy", "copy.deepcopy"})
_SENDS = re.compile(
    r"(requests|httpx|aiohttp)\.(\w+\.)*(get|post|put|patch|request|delete|head|stream)|urllib\.request\.(urlopen|Request)"
    r"|http\.client\.\w+|smtplib\.\w+|ftplib\.\w+|socket\.(create_connection|socket|gethostbyname|getaddrinfo)"
    r"|urllib3\.\w+|websockets?\.\w+|paramiko\.\w+|dns\.resolver\.\w+|webbrowser\.open"
)
_SENDING_METHODS = frozenset({"sendall", "sendto", "sendmail", "urlopen"})


def credentials_read(passage: Passage) -> Iterator[Remark]:
    """Raise the tier for a new read of credentials; block one in a function that uses the network."""
    if passage.tree is None or passage.is_test:
        return
    documentation = set(map(id, docstrings(passage.tree)))
    functions = [*passage.touched(ast.FunctionDef), *passage.touched(ast.AsyncFunctionDef)]
    for scope in (passage.tree, *functions):
        nodes = [node for node in _own_nodes(scope) if id(node) not in documentation]
        reads = [(node, _credential_read(node, passage)) for node in nodes]
        reads = [(node, credential) for node, credential in reads if credential]
        sends = [node for node in nodes if isinstance(node, ast.Call) and _sends(node, passage)] if reads else []
        is_send_new = any(_is_new(call, passage) for call in sends)
        for node, credential in reads:
            line = int(getattr(node, "lineno", 1))
            is_read_new = _is_new(node, passage)
            if sends and (is_read_new or is_send_new):
                yield Remark(line, "block", SENT, f"reads {credential} and uses the network in the same function")
            elif is_read_new:
                yield Remark(line, "raise", READ, f"reads {credential}")


def _is_new(node: ast.AST, passage: Passage) -> bool:
    return passage.touches(node) and passage.is_new(node)


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a module or function without those of functions inside it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, Function):
            yield child
            yield from _own_nodes(child)


def _credential_read(node: ast.AST, passage: Passage) -> str:
    """Return in words the credential that `node` reads; empty if it reads none."""
    match node:
        case ast.Constant(value=str() as text) if _FILE.search(text):
            return repr(_FILE.search(text)[0])  # type: ignore[index]  # the guard of this case
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)) if (
            passage.name_of(value) in _ENVIRONMENT
        ):
            return f"the variable {key}" if _VARIABLE.fullmatch(key) else ""
        case ast.Call(func=func, args=[ast.Constant(value=str() as key), *_]) if _VARIABLE.fullmatch(key):
            return f"the variable {key}" if passage.name_of(func) in _VARIABLE_GETTERS else ""
        case ast.Call(func=func, args=[first, *_]) if passage.name_of(first) in _ENVIRONMENT:
            return "the whole environment" if passage.name_of(func) in _COPIES else ""
        case ast.Call(func=func) if passage.name_of(func) in _WHOLE_ENVIRONMENT:
            return "the whole environment"
    return ""


def _sends(call: ast.Call, passage: Passage) -> bool:
    is_sending_method = isinstance(call.func, ast.Attribute) and call.func.attr in _SENDING_METHODS
    return is_sending_method or bool(_SENDS.fullmatch(passage.name_of(call.func)))
