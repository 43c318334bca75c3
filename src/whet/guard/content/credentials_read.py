"""Reads of what belongs to whoever runs the program: tokens in the environment, keys in files.

Where the same function also speaks to the network, it is taken for a theft.
"""

import ast
import re
from collections.abc import Iterator

from whet.guard.content.passage import Passage
from whet.guard.content.remark import Remark
from whet.pyast.functions import docstrings

READ, SENT = "credentials_read", "exfiltration"
_VARIABLE = re.compile(r"[A-Z0-9_]*(SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIAL)[A-Z0-9_]*")
_FILE = re.compile(
    r"\.ssh/|\bid_(rsa|dsa|ecdsa|ed25519)\b|\.aws/|\.netrc\b|\.pypirc\b|\.git-credentials|\.kube/config|\.docker/config|\.pgpass"
    r"|/etc/(shadow|passwd)|\.gnupg|169\.254\.169\.254|metadata\.google|login\.keychain|/proc/self/environ|cookies\.sqlite"
)
_ENVIRONMENT = frozenset({"os.environ", "os.environb"})
_WHOLE = frozenset({"dict", "list", "str", "repr", "json.dumps", "copy.copy", "copy.deepcopy"})
_SENDS = re.compile(
    r"(requests|httpx|aiohttp)\.(\w+\.)*(get|post|put|patch|request|delete|head|stream)|urllib\.request\.(urlopen|Request)"
    r"|http\.client\.\w+|smtplib\.\w+|ftplib\.\w+|socket\.(create_connection|socket|gethostbyname|getaddrinfo)"
    r"|urllib3\.\w+|websockets?\.\w+|paramiko\.\w+|dns\.resolver\.\w+|webbrowser\.open"
)
_SENDING_METHODS = frozenset({"sendall", "sendto", "sendmail", "urlopen"})


def credentials_read(passage: Passage) -> Iterator[Remark]:
    if passage.tree is None or passage.is_test:
        return
    texts = {id(text) for text in docstrings(passage.tree)}
    for place in _places(passage):
        inside = [node for node in _own(place) if id(node) not in texts]
        reads = [(node, what) for node in inside if (what := _reads(node, passage))]
        sends = [node for node in inside if isinstance(node, ast.Call) and _sends(node, passage)] if reads else []
        sends_newly = any(_is_new(call, passage) for call in sends)
        for node, what in reads:
            reads_newly = _is_new(node, passage)
            if sends and (reads_newly or sends_newly):
                yield Remark(_line(node), "block", SENT, f"reads {what} and speaks to the network in one place")
            elif reads_newly:
                yield Remark(_line(node), "raise", READ, f"reads {what}")


def _is_new(node: ast.AST, passage: Passage) -> bool:
    return passage.touches(node) and passage.is_new(node)


def _places(passage: Passage) -> Iterator[ast.AST]:
    """The module and every function that has an added line."""
    assert passage.tree is not None  # noqa: S101 - asked for a file that could be read
    yield passage.tree
    yield from passage.touched(ast.FunctionDef)
    yield from passage.touched(ast.AsyncFunctionDef)


def _own(place: ast.AST) -> Iterator[ast.AST]:
    """What stands in a place itself, the functions in it left out."""
    for child in ast.iter_child_nodes(place):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
            yield from _own(child)


def _reads(node: ast.AST, passage: Passage) -> str:
    match node:
        case ast.Constant(value=str() as text) if _FILE.search(text):
            return f"{_FILE.search(text)[0]!r}"  # type: ignore[index]  # the guard of this case
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)) if (
            passage.name_of(value) in _ENVIRONMENT
        ):
            return f"the variable {key}" if _VARIABLE.fullmatch(key) else ""
        case ast.Call(func=func, args=[ast.Constant(value=str() as key), *_]) if _VARIABLE.fullmatch(key):
            asked = passage.name_of(func)
            return f"the variable {key}" if asked in ("os.getenv", "os.environ.get", "os.environ.pop") else ""
        case ast.Call(func=func, args=[first, *_]) if passage.name_of(first) in _ENVIRONMENT:
            return "the whole environment" if passage.name_of(func) in _WHOLE else ""
        case ast.Call(func=func) if passage.name_of(func) in (
            "os.environ.copy",
            "os.environ.items",
            "os.environ.values",
        ):
            return "the whole environment"
    return ""


def _sends(call: ast.Call, passage: Passage) -> bool:
    by_method = isinstance(call.func, ast.Attribute) and call.func.attr in _SENDING_METHODS
    return by_method or bool(_SENDS.fullmatch(passage.name_of(call.func)))


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 1))
