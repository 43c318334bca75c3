"""Find the effects of Python code on a command line (`python -c`, a heredoc), from its syntax tree."""

import ast
import re
import shlex
from collections.abc import Iterator

from whet.guard.shell.code import own_python
from whet.guard.shell.code.emptied_folders import emptied_folders
from whet.guard.shell.model.effects import CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import (
    harm_of_writing,
    is_private,
    is_secret,
    is_startup_file,
    is_system_path,
    is_unsafe_to_delete,
)
from whet.guard.shell.model.placeholders import UNKNOWN, without_placeholders
from whet.pyast.bindings import assigned_texts
from whet.pyast.fold import text_with_holes
from whet.pyast.imports import import_bindings

# Modules that start programs, and their functions that do.
_STARTING_MODULES = ("os", "subprocess", "asyncio", "pty", "commands", "ctypes", "posix", "pexpect")
_SHELL_FUNCTIONS = frozenset({"system", "popen", "getoutput", "getstatusoutput", "spawn"})
_RUN_FUNCTIONS = frozenset(
    {"run", "call", "check_call", "check_output", "Popen", "create_subprocess_exec", "create_subprocess_shell"}
)
_EXEC_FUNCTIONS = re.compile(r"(exec|spawn|posix_spawn)[lv]?p?e?|execlpe|spawnlpe")
_EVALUATE = frozenset({"exec", "eval", "compile", "__import__", "runpy"})
_DECODE_TO_BYTES = frozenset(
    {"b64decode", "b32decode", "b16decode", "a85decode", "unhexlify", "fromhex", "urlsafe_b64decode"}
)
_DECODE = _DECODE_TO_BYTES | {"decompress", "decode", "loads"}
_REMOVE_TREE = frozenset({"rmtree", "remove_tree", "removedirs"})
_REMOVE_FILE = frozenset({"remove", "unlink", "rmdir"})
_LIST_FOLDER = frozenset({"Path", "PosixPath", "listdir", "scandir", "walk", "glob", "iglob"})
_COPY_OR_MOVE = frozenset({"copy", "copy2", "copyfile", "copytree", "move", "rename", "replace", "symlink", "link"})
_FETCH = frozenset({"urlopen", "urlretrieve"})
_NETWORK_MODULES = frozenset({
    "requests", "urllib", "urllib.request", "http.client", "httpx", "aiohttp", "socket", "smtplib", "ftplib",
    "urllib3",
})  # fmt: skip
_SEND = frozenset({
    "post", "put", "patch", "urlopen", "Request", "request", "send", "sendall", "sendto", "sendmail",
    "storbinary", "get",
})  # fmt: skip
_UNPICKLE = frozenset({"pickle", "cPickle", "marshal", "dill", "cloudpickle", "joblib", "shelve"})
_GIVE_SHELL = frozenset({"dup2", "Popen", "call", "run", "spawn", "system", "fileno"})
# `print x` of Python 2 becomes `print -x`, which Python 3 parses, so that the calls in x are found.
_PRINT_STATEMENT = re.compile(r"(^|[;:\s])print[ \t]+(?=[^\s(=>])")
_LOOPS = (ast.While, ast.For, ast.ListComp, ast.GeneratorExp, ast.SetComp)


def _parsed(code: str) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def effects(code: str) -> Iterator[CodeEffect]:
    """Yield the commands that Python code starts and the harm that it does."""
    if UNKNOWN in code:
        code = code.replace(UNKNOWN, "_unknown_")
    text = without_placeholders(code).strip("\n")
    tree = _parsed(text) or _parsed(_PRINT_STATEMENT.sub(r"\1print -", text))
    if tree is None:
        yield CausesHarm(Harm.UNRESOLVED, "the Python code cannot be parsed", raises=True)
        return
    module = _Module(tree)
    yield from own_python.effects(tree)
    yield from module.effects_of_vocabulary()
    called = {id(node.func) for node in module.nodes if isinstance(node, ast.Call)}
    for node in module.nodes:
        if isinstance(node, ast.Call):
            yield from module.effects_of_call(node)
        elif isinstance(node, ast.Attribute) and id(node) not in called and module.starts_commands(node):
            reason = "the Python code hands a function that starts commands to other code"
            yield CausesHarm(Harm.UNRESOLVED, reason, raises=True)


class _Module:
    """Parsed Python code with the names it uses.

    `strings` are variables with a literal string, `imported` the imported names and modules, `words` all names and
    attributes, `aliases` the names that stand for a starting module or a function of one.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.nodes = list(ast.walk(tree))
        self.strings = assigned_texts(tree)
        self.aliases = {name: name for name in _STARTING_MODULES if name != "ctypes"}
        for local, dotted in import_bindings(tree):
            target = dotted.lstrip(".")  # `from .os import system` counts as the real module
            if target in _STARTING_MODULES or target.rpartition(".")[0] in _STARTING_MODULES:
                self.aliases[local] = target
        self.imported: set[str] = set()
        self.words: set[str] = set()
        for node in self.nodes:
            self._add_names(node)

    def _add_names(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            self.words.add(node.id)
        elif isinstance(node, ast.Attribute):
            self.words.add(node.attr)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            if isinstance(node, ast.ImportFrom):
                self.imported.add(node.module or "")
            for alias in node.names:
                self.imported |= {alias.name, alias.asname or alias.name}

    def effects_of_vocabulary(self) -> Iterator[CodeEffect]:
        """Yield the harm that shows in the combination of names and loops, wherever they are used."""
        words, imported = self.words, self.imported
        if "socket" in imported | words and words & _GIVE_SHELL:
            yield CausesHarm(Harm.REVERSE_SHELL, "the Python code gives a shell to the network")
        if "pty" in imported and "spawn" in words:
            yield CausesHarm(Harm.SHELL_ESCAPE, "the Python code opens a shell")
        if "fork" in words and any(isinstance(node, _LOOPS) for node in self.nodes):
            yield CausesHarm(Harm.EXHAUSTION, "the Python code forks without end")
        if any(isinstance(node, ast.While) and _only_grows(node) for node in self.nodes):
            yield CausesHarm(Harm.EXHAUSTION, "the Python code takes memory without end")
        if words & (_REMOVE_FILE | _REMOVE_TREE):
            yield from self._emptied_folders()
        if (imported | words) & _NETWORK_MODULES and words & _SEND:
            yield from self._sent_data()

    def _emptied_folders(self) -> Iterator[CodeEffect]:
        """Yield folders that the code lists in order to delete what is in them."""
        for listing in emptied_folders(self.nodes):
            yield CausesHarm(Harm.DELETION, f"the Python code deletes everything in {listing}")
        for node in self.nodes:
            if isinstance(node, ast.Call) and node.args and _last_name(node.func) in _LIST_FOLDER:
                path = self._text(node.args[0], with_variables=False)
                if path.startswith(("/", "~")) and is_unsafe_to_delete(path):
                    yield CausesHarm(Harm.DELETION, f"the Python code deletes the files in {path}")

    def _sent_data(self) -> Iterator[CodeEffect]:
        """Yield private files, and the whole environment, that are read by code which sends something."""
        single_variables = {
            id(node.value)
            for node in self.nodes
            if isinstance(node, ast.Subscript)
            or (isinstance(node, ast.Attribute) and node.attr in ("get", "setdefault"))
        }
        for node in self.nodes:
            if isinstance(node, ast.Attribute) and node.attr == "environ" and id(node) not in single_variables:
                yield CausesHarm(Harm.EXFILTRATION, "the Python code sends the environment away")
            elif isinstance(node, ast.Call) and node.args and _last_name(node.func) in ("open", "Path"):
                path = self._text(node.args[0])
                if path.startswith(("/", "~", ".env")) and is_private(path):
                    yield CausesHarm(Harm.EXFILTRATION, f"the Python code sends {path} away")

    def effects_of_call(self, node: ast.Call) -> Iterator[CodeEffect]:
        """Yield the effects of one call, from the called name and its arguments."""
        module, name = self._called(node)
        is_method = isinstance(node.func, ast.Attribute)
        first = self._text(node.args[0]) if node.args else UNKNOWN
        yield from _computed_names(node)
        is_start = name in _SHELL_FUNCTIONS or name in _RUN_FUNCTIONS or _EXEC_FUNCTIONS.fullmatch(name)
        if module in _STARTING_MODULES and is_start:
            if self.words & _DECODE_TO_BYTES:
                yield CausesHarm(Harm.ENCODED, "the Python code runs a command that it decodes first")
            yield RunsCommand(self._command(name, node))
        elif name in _EVALUATE and isinstance(node.func, ast.Name):
            yield from self._evaluated(name, node)
        elif name in _REMOVE_TREE:
            yield from _removed_tree(first)
        elif name in _REMOVE_FILE and is_method and harm_of_writing(first):
            yield CausesHarm(Harm.DELETION, f"the Python code deletes {first}")
        elif name == "open" and isinstance(node.func, ast.Attribute) and set(first) <= set("rwaxbt+"):
            path = self._path_of(_without_expanduser_call(node.func.value))  # `Path(path).open(mode)`
            yield from _written(path) if set(first) & set("wax+") else ()
        elif name in ("open", "Path") and node.args:
            yield from self._opened(node, first)
        elif name in ("loads", "load") and self.words & _UNPICKLE and self.words & (_FETCH | {"requests", "httpx"}):
            yield CausesHarm(Harm.PIPE_TO_SHELL, "the Python code unpickles data from the network, which runs code")
        elif name == "move" and is_unsafe_to_delete(first):
            yield CausesHarm(Harm.DELETION, f"the Python code moves {first} away")
        elif name in _COPY_OR_MOVE and len(node.args) > 1 and (name != "replace" or module == "os"):
            yield from _written(self._text(node.args[1]))
        elif name in ("write_text", "write_bytes") and isinstance(node.func, ast.Attribute):
            yield from _written(self._path_of(_without_expanduser_call(node.func.value)))
        elif name in ("chmod", "chown", "lchown"):
            path = first  # `os.chmod(path, mode)`
            if isinstance(node.func, ast.Attribute) and len(node.args) <= 1:
                path = self._path_of(node.func.value)  # `Path(path).chmod(mode)`
            if is_system_path(path):
                yield CausesHarm(Harm.PERMISSIONS, "the Python code changes the permissions of a system file")
        elif name == "killpg" or (name == "kill" and first in ("-1", "1")):
            yield CausesHarm(Harm.PROCESSES, "the Python code ends processes of others")
        elif name == "setuid":
            yield CausesHarm(Harm.PRIVILEGE, "the Python code changes the user it runs as")

    def starts_commands(self, node: ast.Attribute) -> bool:
        """True for `os.system`, `subprocess.run` and the like."""
        is_start = node.attr in _SHELL_FUNCTIONS or node.attr in _RUN_FUNCTIONS or _EXEC_FUNCTIONS.fullmatch(node.attr)
        return bool(is_start) and self._module_of(node.value) in _STARTING_MODULES

    def _called(self, node: ast.Call) -> tuple[str, str]:
        """Return module and name of the called function; "" for a part that cannot be told."""
        function = node.func
        if isinstance(function, ast.Name):
            module, _, name = self.aliases.get(function.id, function.id).rpartition(".")
            return module, name
        if isinstance(function, ast.Attribute):
            return self._module_of(function.value), function.attr
        if isinstance(function, ast.Call) and _is_getattr(function):
            return self._module_of(function.args[0]), self._text(function.args[1], with_variables=False)
        if isinstance(function, ast.Subscript):  # vars(os)["system"], os.__dict__["system"]
            return self._module_of(function.value), self._text(function.slice, with_variables=False)
        return "", ""

    def _module_of(self, owner: ast.expr) -> str:
        """Return the starting module that an expression names, through aliases and `__import__("os")` too."""
        text = ast.unparse(owner)
        if isinstance(owner, ast.Call) and owner.args and text.startswith(("__import__(", "importlib.import_module(")):
            text = self._text(owner.args[0], with_variables=False)
        for module in _STARTING_MODULES:
            if re.search(rf"\b{module}\b", text):
                return module
        return self.aliases.get(text, "")

    def _evaluated(self, name: str, node: ast.Call) -> Iterator[CodeEffect]:
        """Yield the effects of `exec(...)` and `eval(...)`."""
        if name == "__import__":
            return
        if self.words & _DECODE:
            yield CausesHarm(Harm.ENCODED, "the Python code runs code that it decodes first")
        elif self.words & _FETCH or "requests" in self.words:
            yield CausesHarm(Harm.PIPE_TO_SHELL, "the Python code runs code from the network")
        elif node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            yield from effects(node.args[0].value)
        elif node.args and not isinstance(node.args[0], ast.Constant):
            yield CausesHarm(Harm.UNRESOLVED, "the Python code runs code that is not a literal", raises=True)

    def _opened(self, node: ast.Call, path: str) -> Iterator[CodeEffect]:
        mode = self._text(node.args[1], with_variables=False) if len(node.args) > 1 else "r"
        if is_secret(path):
            yield CausesHarm(Harm.SECRETS, f"the Python code reads {path}")
        harm = harm_of_writing(path) if set(mode) & set("wa+x") else None
        if harm is not None:
            yield CausesHarm(harm, f"the Python code writes {path}")

    def _command(self, name: str, node: ast.Call) -> str:
        """Return the command text of `os.system("...")`, `subprocess.run([...])` or `os.execvp(path, [...])`."""
        if not node.args:
            return UNKNOWN
        first = node.args[0]
        if isinstance(first, ast.List | ast.Tuple):
            return " ".join(self._quoted(element) for element in first.elts)
        if name in _SHELL_FUNCTIONS or not _EXEC_FUNCTIONS.fullmatch(name):
            return self._text(first)
        arguments = node.args[1:]
        if arguments and isinstance(arguments[0], ast.List | ast.Tuple):
            arguments = arguments[0].elts
        # The first argument of the exec functions is the program's own name.
        return " ".join([self._quoted(first), *(self._quoted(argument) for argument in arguments[1:])])

    def _quoted(self, node: ast.expr) -> str:
        text = self._text(node)
        return text if text == UNKNOWN else shlex.quote(text)

    def _path_of(self, node: ast.expr) -> str:
        """Return the path in `Path("...")`."""
        return self._text(node.args[0]) if isinstance(node, ast.Call) and node.args else UNKNOWN

    def _text(self, node: ast.expr, *, with_variables: bool = True) -> str:
        """Return a string expression as text, with unknown parts as placeholders."""
        strings = self.strings if with_variables else {}
        return text_with_holes(_without_expanduser(node), strings, UNKNOWN)


def _without_expanduser(node: ast.expr) -> ast.expr:
    """Replace `os.path.expanduser(path)` by `path`, also inside sums: the rules for paths understand `~`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="expanduser"), args=[path, *_]):
            return _without_expanduser(path)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return ast.BinOp(_without_expanduser(left), node.op, _without_expanduser(right))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ast.UnaryOp(node.op, _without_expanduser(operand))
    return node


def _without_expanduser_call(node: ast.expr) -> ast.expr:
    """Replace `Path(path).expanduser()` by `Path(path)`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Call() as path, attr="expanduser" | "resolve" | "absolute"), args=[]
        ):
            return _without_expanduser_call(path)
    return node


def _only_grows(loop: ast.While) -> bool:
    """True for an endless loop that does nothing but append or add."""
    is_endless = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    return is_endless and all(_grows(statement) for statement in loop.body)


def _grows(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AugAssign):
        return True
    if isinstance(statement, ast.Assign):
        return isinstance(statement.value, ast.BinOp)
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Attribute)
        and statement.value.func.attr in ("append", "extend")
    )


def _computed_names(node: ast.Call) -> Iterator[CodeEffect]:
    """Yield calls of a module or function whose name is computed, which hides what is called."""
    function = node.func
    name: ast.expr | None = None
    if isinstance(function, ast.Name) and function.id == "__import__" and node.args:
        name = node.args[0]
    elif isinstance(function, ast.Call) and _is_getattr(function):
        name = function.args[1]
    if name is not None and not isinstance(name, ast.Constant | ast.Name):
        yield CausesHarm(Harm.ENCODED, "the Python code computes the name of what it calls")


def _written(path: str) -> Iterator[CodeEffect]:
    harm = harm_of_writing(path) if path.startswith(("/", "~")) else None
    if harm is None and is_startup_file(path):
        harm = Harm.PERSISTENCE
    if harm is not None:
        yield CausesHarm(harm, f"the Python code writes {path}")


def _removed_tree(path: str) -> Iterator[CodeEffect]:
    if is_unsafe_to_delete(path):
        yield CausesHarm(Harm.DELETION, f"the Python code deletes {path} with everything below")
    elif path == UNKNOWN:
        yield CausesHarm(Harm.UNRESOLVED, "the folder that the Python code deletes is not known", raises=True)


def _is_getattr(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) > 1


def _last_name(function: ast.expr) -> str:
    return ast.unparse(function).rpartition(".")[2]
