"""Python on a command line (`python -c`, a heredoc), read as Python."""

import ast
import re
import shlex
from collections.abc import Iterator

from whet.guard.shell.model.effects import CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_writing, is_private, is_secret, is_system_path, is_unsafe_to_delete
from whet.guard.shell.model.placeholders import UNKNOWN, without_placeholders

_SHELLS = frozenset({"system", "popen", "getoutput", "getstatusoutput", "spawn"})
_RUNS = frozenset(
    {"run", "call", "check_call", "check_output", "Popen", "create_subprocess_exec", "create_subprocess_shell"}
)
_STARTING = ("os", "subprocess", "asyncio", "pty", "commands", "ctypes")
_EXECS = re.compile(r"(exec|spawn|posix_spawn)[lv]?p?e?|execlpe|spawnlpe")
_EVALUATES = frozenset({"exec", "eval", "compile", "__import__", "runpy"})
_DECODES = frozenset(
    {
        "b64decode",
        "b32decode",
        "b16decode",
        "a85decode",
        "unhexlify",
        "fromhex",
        "decompress",
        "decode",
        "loads",
        "urlsafe_b64decode",
    }
)
_REMOVES = frozenset({"rmtree", "remove_tree", "removedirs"})
_UNLINKS = frozenset({"remove", "unlink", "rmdir"})
_LOOPS = (ast.While, ast.For, ast.ListComp, ast.GeneratorExp, ast.SetComp)
_BYTES_FROM = frozenset(
    {"b64decode", "b32decode", "b16decode", "a85decode", "unhexlify", "fromhex", "urlsafe_b64decode"}
)
_PUTS = frozenset({"copy", "copy2", "copyfile", "copytree", "move", "rename", "replace", "symlink", "link"})
_GOES_THROUGH = frozenset({"Path", "PosixPath", "listdir", "scandir", "walk", "glob", "iglob"})
_FETCHES = frozenset({"urlopen", "urlretrieve"})
_TALKS = frozenset(
    {
        "requests",
        "urllib",
        "urllib.request",
        "http.client",
        "httpx",
        "aiohttp",
        "socket",
        "smtplib",
        "ftplib",
        "urllib3",
    }
)
_SENDS = frozenset(
    {
        "post",
        "put",
        "patch",
        "urlopen",
        "Request",
        "request",
        "send",
        "sendall",
        "sendto",
        "sendmail",
        "storbinary",
        "get",
    }
)
_ENDS = frozenset({"killpg"})


def effects(code: str) -> Iterator[CodeEffect]:
    if UNKNOWN in code:
        code = code.replace(UNKNOWN, "_unknown_")
    try:
        tree = ast.parse(without_placeholders(code).strip("\n"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield CausesHarm(Harm.UNRESOLVED, "the Python code cannot be read", raises=True)
        return
    nodes = list(ast.walk(tree))
    strings = _assigned(nodes)
    names = {
        name
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        for name in (alias.name, alias.asname or alias.name)
    }
    modules = names | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    words = {node.attr for node in nodes if isinstance(node, ast.Attribute)} | {
        node.id for node in nodes if isinstance(node, ast.Name)
    }
    if ("socket" in modules or "socket" in words) and words & {
        "dup2",
        "Popen",
        "call",
        "run",
        "spawn",
        "system",
        "fileno",
    }:
        yield CausesHarm(Harm.REVERSE_SHELL, "the Python code gives a shell to the network")
    if "pty" in modules and "spawn" in words:
        yield CausesHarm(Harm.SHELL_ESCAPE, "the Python code opens a shell")
    if "fork" in words and any(isinstance(node, _LOOPS) for node in nodes):
        yield CausesHarm(Harm.EXHAUSTION, "the Python code forks without end")
    if any(isinstance(node, ast.While) and _only_grows(node) for node in nodes):
        yield CausesHarm(Harm.EXHAUSTION, "the Python code takes memory without end")
    if words & (_UNLINKS | _REMOVES):
        yield from _emptied(nodes)
    if (modules | words) & _TALKS and words & _SENDS:
        yield from _sent(nodes, strings)
    bound = _bound(nodes)
    for node in nodes:
        if isinstance(node, ast.Call):
            yield from _call(node, strings, words, bound)


def _emptied(nodes: list[ast.AST]) -> Iterator[CodeEffect]:
    """Files are deleted, and a folder is gone through that nobody makes again."""
    for node in nodes:
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).rpartition(".")[2] in _GOES_THROUGH:
            path = _text(node.args[0], {})
            if path.startswith(("/", "~")) and is_unsafe_to_delete(path):
                yield CausesHarm(Harm.DELETION, f"the Python code deletes what is in {path}")


def _only_grows(loop: ast.While) -> bool:
    endless = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    return endless and all(
        isinstance(step, ast.AugAssign)
        or (isinstance(step, ast.Assign) and isinstance(step.value, ast.BinOp))
        or (
            isinstance(step, ast.Expr)
            and isinstance(step.value, ast.Call)
            and isinstance(step.value.func, ast.Attribute)
            and step.value.func.attr in ("append", "extend")
        )
        for step in loop.body
    )


def _sent(nodes: list[ast.AST], strings: dict[str, str]) -> Iterator[CodeEffect]:
    """A file that is nobody else's business, or the whole environment, is read where something is sent."""
    single = {
        id(node.value)
        for node in nodes
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in ("get", "setdefault"))
    }
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == "environ" and id(node) not in single:
            yield CausesHarm(Harm.EXFILTRATION, "the Python code sends the environment away")
        elif isinstance(node, ast.Call) and node.args and ast.unparse(node.func).rpartition(".")[2] in ("open", "Path"):
            path = _text(node.args[0], strings)
            if path.startswith(("/", "~", ".env")) and is_private(path):
                yield CausesHarm(Harm.EXFILTRATION, f"the Python code sends {path} away")


def _assigned(nodes: list[ast.AST]) -> dict[str, str]:
    return {
        target.id: node.value.value
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _bound(nodes: list[ast.AST]) -> dict[str, str]:
    """The names that stand for the modules which start programs (`import subprocess as s`), or for what is in them."""
    names = {"os": "os", "subprocess": "subprocess", "asyncio": "asyncio", "pty": "pty", "commands": "commands"}
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name: alias.name for alias in node.names if alias.name in _STARTING}
        elif isinstance(node, ast.ImportFrom) and node.module in _STARTING:
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _called(node: ast.Call, bound: dict[str, str]) -> tuple[str, str]:
    """The module and the name that is called, as far as they can be told."""
    if isinstance(node.func, ast.Name):
        module, _, name = bound.get(node.func.id, node.func.id).rpartition(".")
        return module, name
    if isinstance(node.func, ast.Attribute):
        return _module(node.func.value, bound), node.func.attr
    if isinstance(node.func, ast.Call) and _is_getattr(node.func):
        return _module(node.func.args[0], bound), _text(node.func.args[1], {})
    if isinstance(node.func, ast.Subscript):  # vars(os)["system"], os.__dict__["system"]
        return _module(node.func.value, bound), _text(node.func.slice, {})
    return "", ""


def _is_getattr(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) > 1


def _module(owner: ast.expr, bound: dict[str, str]) -> str:
    text = ast.unparse(owner)
    if isinstance(owner, ast.Call) and owner.args and text.startswith(("__import__(", "importlib.import_module(")):
        text = _text(owner.args[0], {})
    return next((one for one in _STARTING if re.search(rf"\b{one}\b", text)), "") or bound.get(text, "")


def _call(node: ast.Call, strings: dict[str, str], words: set[str], bound: dict[str, str]) -> Iterator[CodeEffect]:
    module, name = _called(node, bound)
    first = _text(node.args[0], strings) if node.args else UNKNOWN
    yield from _put_together(node)
    if module in _STARTING and (name in _SHELLS or name in _RUNS or _EXECS.fullmatch(name)):
        if words & _BYTES_FROM:
            yield CausesHarm(Harm.ENCODED, "the Python code runs a command that it decodes first")
        yield RunsCommand(_command(name, node, strings))
    elif name in _EVALUATES and isinstance(node.func, ast.Name):
        yield from _evaluated(name, node, words)
    elif name in _REMOVES:
        yield from _removed(first)
    elif name in _UNLINKS and isinstance(node.func, ast.Attribute) and harm_of_writing(first):
        yield CausesHarm(Harm.DELETION, f"the Python code deletes {first}")
    elif name in ("open", "Path") and node.args:
        yield from _opened(node, first)
    elif name in _PUTS and len(node.args) > 1 and (name != "replace" or module == "os"):
        yield from _put(_text(node.args[1], strings))
    elif name in ("write_text", "write_bytes") and isinstance(node.func, ast.Attribute):
        yield from _put(_of_path(node.func.value, strings))
    elif name in ("chmod", "chown", "lchown") and is_system_path(
        first if len(node.args) > 1 or not isinstance(node.func, ast.Attribute) else _of_path(node.func.value, strings)
    ):
        yield CausesHarm(Harm.PERMISSIONS, "the Python code changes who may use a file of the system")
    elif name in _ENDS or (name == "kill" and first in ("-1", "1")):
        yield CausesHarm(Harm.PROCESSES, "the Python code ends processes that are not its own")
    elif name == "setuid":
        yield CausesHarm(Harm.PRIVILEGE, "the Python code changes the user it runs as")


def _put(path: str) -> Iterator[CodeEffect]:
    if path.startswith(("/", "~")) and (harm := harm_of_writing(path)):
        yield CausesHarm(harm, f"the Python code writes {path}")


def _of_path(node: ast.expr, strings: dict[str, str]) -> str:
    """The path of `Path("...")`."""
    return _text(node.args[0], strings) if isinstance(node, ast.Call) and node.args else UNKNOWN


def _put_together(node: ast.Call) -> Iterator[CodeEffect]:
    """The name of a module or a function that is only put together when it runs hides what is called."""
    called = node.func
    named = node.args[0] if isinstance(called, ast.Name) and called.id == "__import__" and node.args else None
    if isinstance(called, ast.Call) and _is_getattr(called):
        named = called.args[1]
    if named is not None and not isinstance(named, ast.Constant | ast.Name):
        yield CausesHarm(Harm.ENCODED, "the Python code puts together the name of what it calls")


def _evaluated(name: str, node: ast.Call, words: set[str]) -> Iterator[CodeEffect]:
    if name == "__import__":
        return
    if words & _DECODES:
        yield CausesHarm(Harm.ENCODED, "the Python code runs code that it decodes first")
    elif words & _FETCHES or "requests" in words:
        yield CausesHarm(Harm.PIPE_TO_SHELL, "the Python code runs code from the network")
    elif node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
        yield from effects(node.args[0].value)
    elif node.args and not isinstance(node.args[0], ast.Constant):
        yield CausesHarm(Harm.UNRESOLVED, "the Python code runs code that is not written down", raises=True)


def _removed(path: str) -> Iterator[CodeEffect]:
    if is_unsafe_to_delete(path):
        yield CausesHarm(Harm.DELETION, f"the Python code deletes {path} with everything below")
    elif path == UNKNOWN:
        yield CausesHarm(Harm.UNRESOLVED, "what the Python code deletes is not known", raises=True)


def _opened(node: ast.Call, path: str) -> Iterator[CodeEffect]:
    mode = _text(node.args[1], {}) if len(node.args) > 1 else "r"
    if is_secret(path):
        yield CausesHarm(Harm.SECRETS, f"the Python code reads {path}")
    if set(mode) & set("wa+x") and (harm := harm_of_writing(path)):
        yield CausesHarm(harm, f"the Python code writes {path}")


def _command(name: str, node: ast.Call, strings: dict[str, str]) -> str:
    if not node.args:
        return UNKNOWN
    first = node.args[0]
    if isinstance(first, ast.List | ast.Tuple):
        return " ".join(_word(one, strings) for one in first.elts)
    if _EXECS.fullmatch(name) and name not in _SHELLS:
        path = _word(first, strings)
        rest = (
            node.args[1].elts
            if len(node.args) > 1 and isinstance(node.args[1], ast.List | ast.Tuple)
            else node.args[1:]
        )
        return " ".join([path, *(_word(one, strings) for one in rest[1:])])
    return _text(first, strings)


def _word(node: ast.expr, strings: dict[str, str]) -> str:
    text = _text(node, strings)
    return text if text == UNKNOWN else shlex.quote(text)


def _text(node: ast.expr, strings: dict[str, str]) -> str:
    """A string as far as it is written down."""
    if isinstance(node, ast.Constant):
        value = node.value.decode(errors="replace") if isinstance(node.value, bytes) else node.value
        return value if isinstance(value, str) else str(value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return f"-{_text(node.operand, strings)}"
    if isinstance(node, ast.Name):
        return strings.get(node.id, UNKNOWN)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left, strings) + _text(node.right, strings)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part, strings) for part in node.values)
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "expanduser"
        and node.args
    ):
        return _text(node.args[0], strings)
    return UNKNOWN
