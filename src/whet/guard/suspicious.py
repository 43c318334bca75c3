"""What added Python must not reach for unseen: the test runner, the call stack, other modules, the process itself.

None of it is wrong by itself, and none of it belongs in an ordinary fix; whoever wants to fool a proof needs some of
it. So it does not stop a change: it wants a reader.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

# Always worth a reader, by the full name that is used.
_ALWAYS = {
    "speaks to the test runner": r"(pytest|_pytest|pluggy|unittest|doctest|nose2?|hypothesis|coverage|xdist)(\..*)?",
    "speaks to whet": r"whet(\..*)?",
    "reads the call stack": r"sys\._(getframe\w*|current_frames|current_exceptions)"
    r"|inspect\.(stack|currentframe|trace|get\w*frames?|getframeinfo|getsource\w*|getmodule)"
    r"|traceback\.(extract_\w+|walk_\w+|format_stack|print_stack|StackSummary.*)|linecache\..*",
    "looks through the interpreter's memory": r"gc\..*|builtins(\..*)?|__builtins__.*|weakref\.getweakref\w*",
    "changes what is imported": r"sys\.(modules|meta_path|path|path_hooks|path_importer_cache)(\..*)?"
    r"|importlib(\..*)?|pkgutil\..*|zipimport\..*|__import__|imp\..*|__loader__.*|__spec__.*",
    "watches the interpreter": r"sys\.(settrace|setprofile|gettrace|getprofile|monitoring|addaudithook|excepthook"
    r"|unraisablehook|displayhook|setswitchinterval|flags|orig_argv|_\w+)(\..*)?"
    r"|threading\.(settrace|setprofile|excepthook)|bdb\..*|pdb\..*|cProfile\..*",
    "runs code from data": r"eval|exec|compile|runpy\..*|marshal(\..*)?|code(op)?\.\w+|types\.(Code|Function|Module)Type"
    r"|pickle\.(loads?|Unpickler)|shelve\..*|breakpoint|typing\.(get_type_hints|ForwardRef)",
    "reaches all names at once": r"globals|locals|vars",
    "reaches under the language": r"(ctypes|cffi|mmap|posix|fcntl|termios)\..*",
    "ends or replaces the process": r"os\.(_exit|abort|kill|killpg|exec\w+|fork\w*|spawn\w+|posix_spawn\w*|system|popen)"
    r"|signal\.(signal|raise_signal|alarm|setitimer|pthread_kill|siginterrupt|set_wakeup_fd)|atexit(\..*)?"
    r"|faulthandler\..*|subprocess\..*|pty\..*|multiprocessing\..*|concurrent\.futures\.Process\w+|resource\..*",
    "writes to descriptors": r"os\.(dup2?|pipe2?|fdopen|write\w*|open|close\w*|pwrite\w*|sendfile|set_inheritable|openpty)",
    "hides what it does": r"base64\..*|binascii\..*|codecs\.(decode|encode|getdecoder)|zlib\..*|bz2\..*|lzma\..*"
    r"|bytes\.fromhex|bytearray\.fromhex",
}  # fmt: skip
# Worth a reader where the file did not do it before.
_NEW = {
    "depends on where it runs": r"os\.(environb?(\..*)?|getenvb?|getlogin|get\w*[ug]id|getpp?id|uname|cpu_count|getloadavg)"
    r"|socket\..*|platform\..*|getpass\..*|pwd\..*|grp\..*|uuid\.getnode|sys\.(argv|executable|prefix|base_prefix|platform)"
    r"|site\..*|sysconfig\..*|input|sys\.(stdin|exc_info|exception)(\..*)?|logging\.(root|_\w+)(\..*)?"
    r"|warnings\.(filters|showwarning|_\w+)(\..*)?",
    "depends on the clock": r"time\.\w*(time|monotonic|perf_counter|clock|sleep)\w*|(datetime\.)?(datetime|date)\.(now|utcnow|today)",
    "depends on chance": r"random(\..*)?|secrets\..*|os\.(urandom|getrandom)|uuid\.uuid[14]",
    "touches files": r"open|io\.open\w*|__file__|shutil\..*|glob\..*|tempfile\..*|fileinput\..*"
    r"|os\.(remove|unlink|rename\w*|replace|listdir|scandir|walk|stat|mkdir|makedirs|chmod|chdir|getcwd|link|symlink)"
    r"|(pathlib\.)?Path(\..*)?|os\.path\.(exists|isfile|isdir|getmtime|getsize|abspath|realpath|expand\w+|relpath)",
    "starts threads": r"threading\.(Thread|Timer|local)|concurrent\.futures\..*|asyncio\.(to_thread|create_subprocess\w*)",
    "speaks to the network": r"(urllib|http|requests|httpx|aiohttp|ftplib|smtplib|telnetlib|xmlrpc|ssl)(\..*)?",
}  # fmt: skip
_TESTS = re.compile(r"(.*\.)?(tests?|conftest|test_\w+|\w+_test)(\..*)?")
# Of the standard library, what computes and leads nowhere else; all other modules want a reader when they come in.
_HARMLESS = frozenset({
    "__future__", "abc", "array", "bisect", "calendar", "cmath", "collections", "contextlib", "copy", "csv",
    "dataclasses", "datetime", "decimal", "difflib", "enum", "fnmatch", "fractions", "functools", "heapq", "html",
    "ipaddress", "itertools", "json", "keyword", "math", "numbers", "operator", "re", "statistics", "string", "struct",
    "textwrap", "typing", "unicodedata", "zoneinfo",
})  # fmt: skip
_ROOTS = sys.stdlib_module_names - _HARMLESS
# What other modules keep such modules under.
_KEPT = frozenset({
    "os", "sys", "builtins", "gc", "importlib", "inspect", "subprocess", "ctypes", "signal", "socket", "posix",
    "threading", "types", "traceback", "warnings", "_os", "_sys", "_io", "_thread", "_signal", "_socket", "_imp",
})  # fmt: skip
_BUILT_IN_TYPES = frozenset({
    "int", "float", "complex", "str", "bytes", "bytearray", "list", "tuple", "dict", "set", "frozenset", "Fraction",
    "Decimal", "UserString", "UserList", "UserDict", "datetime", "date", "timedelta",
})  # fmt: skip
_GETTERS = frozenset({"operator.attrgetter", "operator.methodcaller"})
_REACHING = _GETTERS | {"getattr", "setattr", "delattr"}
_ATTRIBUTES = frozenset({
    "f_back", "f_locals", "f_globals", "f_code", "f_trace", "tb_frame", "tb_next", "gi_frame", "cr_frame", "ag_frame",
    "co_code", "co_consts", "co_names", "__code__", "__globals__", "__closure__", "__builtins__", "__subclasses__",
    "__bases__", "__defaults__", "__kwdefaults__", "__reduce__", "__reduce_ex__", "__getattribute__", "__setattr__",
    "__wrapped__", "__loader__", "__spec__", "__annotations__", "findCaller", "__self__", "__func__", "__base__", "__mro__",
})  # fmt: skip
_TELLING_ATTRIBUTES = frozenset({"handlers", "__traceback__", "__dict__"})
_PRETENDING = frozenset({
    "__eq__", "__ne__", "__bool__", "__class__", "__instancecheck__", "__subclasscheck__", "__subclasshook__",
    "__getattribute__", "__del__", "__init_subclass__", "__set_name__", "__mro_entries__", "__prepare__",
    "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__exit__", "__aexit__",
})  # fmt: skip
_TELLING_TEXT = re.compile(
    r"pytest|conftest|unittest|_getframe|f_back|f_locals|sys\.modules|/proc/|/dev/|site-?packages|sitecustomize"
    r"|junit|\bwhet\b|bwrap|test_\w+|\bassert\b|__import__|" + "|".join(sorted(_ATTRIBUTES | _PRETENDING)),
    re.IGNORECASE,
)
_BLOB = re.compile(r"[A-Za-z0-9+/=_\\-]{120,}")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u061c\ufeff\u00ad]")
_LONGEST_LINE = 400
_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)")
# In these every ASCII character is read as what it looks like.
_PLAIN_ENCODING = re.compile(
    r"utf[-_]?8|(us-)?ascii|iso-?8859[-_]\d+|latin[-_]?\d+|(cp|windows-)125\d|koi8[-_]\w|euc[-_]\w+"
)
_DATA = (".json", ".yml", ".yaml", ".toml", ".cfg", ".ini")
_TELLING_DATA = re.compile(
    r"_exit|pytest|conftest|unittest|__\w+__|builtins|!!python|\b(os|sys|subprocess)\.\w", re.IGNORECASE
)


def lines_of(text: str) -> list[str]:
    """Lines as Python counts them; `splitlines` would also end one at a form feed, and lose count."""
    return re.split("\r\n|\r|\n", text)


@dataclass(frozen=True)
class Mark:
    line: int
    what: str
    name: str
    only_if_new: bool = False


def marks(old: str, new: str, lines: frozenset[int]) -> list[Mark]:
    """What on these lines of `new` wants a reader. Raises SyntaxError where it cannot be read as Python."""
    found = [mark for mark in _every(new) if mark.line in lines]
    known = {mark.name for mark in _every_readable(old)} if any(mark.only_if_new for mark in found) else set()
    wanted = {mark for mark in found if not (mark.only_if_new and mark.name in known)}
    return sorted(wanted, key=lambda mark: (mark.line, mark.what))


def _every(text: str) -> list[Mark]:
    tree = ast.parse(text)
    return [*_by_text(text), *chain.from_iterable(map(_Visitor(tree), ast.walk(tree)))]


def _every_readable(text: str) -> list[Mark]:
    try:
        return _every(text)
    except (SyntaxError, ValueError, RecursionError):
        return []


def _by_text(text: str) -> Iterator[Mark]:
    for number, line in enumerate(lines_of(text), 1):
        if number <= 2 and (cookie := _COOKIE.match(line)) and not _PLAIN_ENCODING.fullmatch(cookie[1].lower()):
            yield from (
                Mark(every, "is read in another encoding than it is shown in", cookie[1]) for every in _all(text)
            )
        if _UNSEEN.search(line):
            yield Mark(number, "has characters that nobody sees", "unseen")
        if len(line) > _LONGEST_LINE:
            yield Mark(number, "has a line too long to be read", "long line")


def _all(text: str) -> range:
    return range(1, len(lines_of(text)) + 1)


def marks_in_data(path: str, new: str, lines: frozenset[int]) -> list[Mark]:
    """Settings can name code too."""
    if not path.casefold().endswith(_DATA):
        return []
    found = [(number, _TELLING_DATA.search(line)) for number, line in enumerate(lines_of(new), 1) if number in lines]
    return [Mark(number, "names code", match[0]) for number, match in found if match]


class _Visitor:
    """What one node of a file wants a reader for, seen with the names that the file imports."""

    def __init__(self, tree: ast.Module) -> None:
        every = list(_imported(tree))
        self._aliases = dict(every)
        self._twice = {name for name, target in every if (name, target) != (name, self._aliases[name])}
        self._documents = {id(text) for text in _docstrings(tree)}
        self._called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        self._inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}

    def __call__(self, node: ast.AST) -> Iterator[Mark]:
        match node:
            case ast.Import() | ast.ImportFrom():
                for name in _names_of(node):
                    yield from _by_name(node.lineno, name, imports=True)
                for bound, target in _bound(node):
                    if bound in _PRETENDING:
                        yield Mark(node.lineno, "decides what its values are equal to or taken for", bound)
                    if self._aliases.get(bound) != target or bound in self._twice:
                        yield Mark(node.lineno, "gives one name two meanings", bound)
            case ast.Name() | ast.Attribute():
                yield from self._used(node)
            case ast.Constant(value=str() | bytes()) if id(node) not in self._documents:
                yield from _by_constant(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name in _PRETENDING:
                for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                    yield Mark(line, "decides what its values are equal to or taken for", node.name)
            case ast.FunctionDef() | ast.AsyncFunctionDef() if any(
                isinstance(one, ast.Try) and _yields(one) for one in ast.walk(node)
            ):
                yield Mark(node.lineno, "may swallow what is raised where it is used", node.name)
            case ast.ClassDef():
                for base in node.bases:
                    if ast.unparse(base).rpartition(".")[2] in _BUILT_IN_TYPES:
                        yield Mark(node.lineno, "makes values that pass for plain ones", node.name)
            case ast.MatchClass(kwd_attrs=[_, *_]):
                for name in {*node.kwd_attrs} & (_ATTRIBUTES | _PRETENDING | {"__import__"}):
                    yield Mark(node.lineno, "reaches under the language", name)
            case ast.keyword(arg="compare" | "eq", value=ast.Constant(value=False)):
                yield Mark(node.lineno, "decides what its values are equal to or taken for", str(node.arg))
            case ast.BinOp(
                op=ast.Add(), left=ast.Constant(value=str() as left), right=ast.Constant(value=str() as right)
            ) if " " not in left + right:
                yield Mark(node.lineno, "puts a word together", ast.unparse(node)[:40])
            case ast.ExceptHandler() if node.type is None or ast.unparse(node.type) == "BaseException":
                yield Mark(node.lineno, "catches everything, even the end of the process", "except", only_if_new=True)
            case ast.Call(func=ast.Name(id="setattr" | "delattr" | "getattr" as name), args=[first, key, *_]):
                if isinstance(first, ast.Name) and first.id in self._aliases:
                    yield Mark(node.lineno, "reaches into another module", name)
                if not isinstance(key, ast.Constant):
                    yield Mark(node.lineno, "reaches for a name that is not written down", name, only_if_new=True)
            case ast.Call(args=[_, *_]) if self._resolved(node.func) in _GETTERS:
                if not all(isinstance(one, ast.Constant) for one in node.args):
                    yield Mark(node.lineno, "reaches for a name that is not written down", "getter")
            case ast.Call(func=ast.Name(id="type"), args=[_, _, _]):
                yield Mark(node.lineno, "makes a class while it runs", "type", only_if_new=True)

    def _used(self, node: ast.Name | ast.Attribute) -> Iterator[Mark]:
        if isinstance(node, ast.Attribute) and node.attr in _ATTRIBUTES:
            yield Mark(_last_line(node), "reaches under the language", node.attr)
        if isinstance(node, ast.Attribute) and node.attr in _TELLING_ATTRIBUTES:
            yield Mark(_last_line(node), "depends on where it runs", node.attr, only_if_new=True)
        if isinstance(node.ctx, ast.Store | ast.Del):
            yield from self._written(node)
        if id(node) in self._inner:
            return  # the whole of a dotted name is looked at, once
        name = self._resolved(node)
        if name and isinstance(node.ctx, ast.Load):
            yield from _by_name(_last_line(node), name)
            yield from self._by_way(node, name)

    def _by_way(self, node: ast.Name | ast.Attribute, name: str) -> Iterator[Mark]:
        """One module through another (`logging.os._exit`), and a module that is handed on under another name."""
        root, _, rest = name.partition(".")
        while rest:
            for mark in _by_name(_last_line(node), rest) if "." in rest else ():
                if not mark.only_if_new or self._is_imported(node):
                    yield mark
            root, _, rest = rest.partition(".")
        if name in _REACHING and id(node) not in self._called:
            yield Mark(node.lineno, "hands on what reaches for names", name)
        if self._is_imported(node) and (name in _ROOTS or ("." in name and root in _KEPT)):
            yield Mark(_last_line(node), "hands on a module that leads to everything", name)

    def _is_imported(self, node: ast.Name | ast.Attribute) -> bool:
        first = node.id if isinstance(node, ast.Name) else _root(node)
        return first in self._aliases

    def _written(self, node: ast.Name | ast.Attribute) -> Iterator[Mark]:
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name in _PRETENDING:
            yield Mark(node.lineno, "decides what its values are equal to or taken for", name)
        if isinstance(node, ast.Attribute) and (root := _root(node)) is not None and root in self._aliases:
            yield Mark(_last_line(node), "changes another module", ast.unparse(node))

    def _resolved(self, node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return self._aliases.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            left = self._resolved(node.value)
            return f"{left}.{node.attr}" if left else ""
        return ""


def _by_name(line: int, name: str, *, imports: bool = False) -> Iterator[Mark]:
    for what, expression in _ALWAYS_COMPILED:
        if expression.fullmatch(name) or (imports and expression.fullmatch(f"{name}.x")):
            yield Mark(line, what, name)
    for what, expression in _NEW_COMPILED:
        if expression.fullmatch(name):
            yield Mark(line, what, name, only_if_new=True)
    if imports and name.partition(".")[0] in _ROOTS:
        yield Mark(line, "brings in a module that leads further", name.partition(".")[0], only_if_new=True)
    if imports and name.startswith("_") and not name.startswith("__future__"):
        yield Mark(line, "reaches under the language", name)
    if imports and _TESTS.fullmatch(name):
        yield Mark(line, "speaks to the tests", name)
    if imports and name.endswith(".*") and not name.startswith("."):
        yield Mark(line, "imports names that are not written down", name, only_if_new=True)


def _by_constant(node: ast.Constant) -> Iterator[Mark]:
    """On each of its lines: a word may have been added to a text that was there before."""
    text = node.value.decode("latin-1") if isinstance(node.value, bytes) else str(node.value)
    found = _TELLING_TEXT.search(text)
    for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
        if found:
            yield Mark(line, "names what belongs to tests or to the sandbox", found[0])
        if _BLOB.search(text) or _CONTROLS.search(text):
            yield Mark(line, "hides what it does", "blob")


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _bound(node)


def _bound(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that an import makes, and what they stand for."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{'.' * node.level}{node.module or ''}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            yield alias.name.partition(".")[0], alias.name.partition(".")[0]


def _yields(node: ast.Try) -> bool:
    return bool(node.handlers) and any(
        isinstance(one, ast.Yield | ast.YieldFrom) for part in node.body for one in ast.walk(part)
    )


def _names_of(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names]


def _docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def _root(node: ast.Attribute) -> str | None:
    left: ast.expr = node
    while isinstance(left, ast.Attribute):
        left = left.value
    return left.id if isinstance(left, ast.Name) else None


def _last_line(node: ast.expr) -> int:
    return node.end_lineno or node.lineno


_ALWAYS_COMPILED = tuple((what, re.compile(expression)) for what, expression in _ALWAYS.items())
_NEW_COMPILED = tuple((what, re.compile(expression)) for what, expression in _NEW.items())
