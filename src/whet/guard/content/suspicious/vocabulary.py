"""The names and texts that need human review, grouped by what they do.

The keys of the tables are the sentences of the flags (see `Flag`): `{name}` stands for the name that was used.
"""

import re
import sys

from whet.pyast.resolve import GETTERS

RUNNER = "uses the test runner: {name}"
INTERNALS = "uses internals of the interpreter: {name}"
UNSPELLED = "uses a name that the source does not spell out: {name}"
NAMESPACE = "reads a whole namespace: {name}"
ENCODED = "encodes, decodes or hides data: {name}"
ENVIRONMENT = "depends on where it runs: {name}"
CLOCK = "depends on the clock: {name}"
CHANCE = "depends on chance: {name}"
SHARED_STATE = "changes state that the whole process shares: {name}"

# Flagged on every added line, by the full name that is used.
ALWAYS = {
    RUNNER: r"(pytest|_pytest|pluggy|unittest|doctest|nose2?|hypothesis|coverage|xdist)(\..*)?",
    "uses whet: {name}": r"whet(\..*)?",
    "reads the call stack: {name}": r"sys\._(getframe\w*|current_frames|current_exceptions)"
    r"|inspect\.(stack|currentframe|trace|get\w*frames?|getframeinfo|getsource\w*|getmodule)"
    r"|traceback\.(extract_\w+|walk_\w+|format_stack|print_stack|StackSummary.*)|linecache\..*",
    "searches the memory of the interpreter: {name}": r"gc\..*|builtins(\..*)?|__builtins__.*|weakref\.getweakref\w*",
    "inspects or changes imports: {name}": r"sys\.(modules|meta_path|path|path_hooks|path_importer_cache)(\..*)?"
    r"|importlib(\..*)?|pkgutil\..*|zipimport\..*|__import__|imp\..*|__loader__.*|__spec__.*",
    "hooks into the interpreter: {name}": r"sys\.(settrace|setprofile|gettrace|getprofile|monitoring|addaudithook|excepthook"
    r"|unraisablehook|displayhook|setswitchinterval|flags|orig_argv|_\w+)(\..*)?"
    r"|threading\.(settrace|setprofile|excepthook)|bdb\..*|pdb\..*|cProfile\..*",
    "runs code from data: {name}": r"eval|exec|compile|runpy\..*|marshal(\..*)?|code(op)?\.\w+|types\.(Code|Function|Module)Type"
    r"|pickle\.(loads?|Unpickler)|shelve\..*|breakpoint|typing\.(get_type_hints|ForwardRef)",
    NAMESPACE: r"globals|locals|vars",
    INTERNALS: r"(ctypes|cffi|mmap|posix|fcntl|termios)\..*",
    "starts, replaces or ends a process: {name}": r"os\.(_exit|abort|kill|killpg|exec\w+|fork\w*|spawn\w+|posix_spawn\w*|system|popen)"
    r"|signal\.(signal|raise_signal|alarm|setitimer|pthread_kill|siginterrupt|set_wakeup_fd)|atexit(\..*)?"
    r"|faulthandler\..*|subprocess\..*|pty\..*|multiprocessing\..*|concurrent\.futures\.Process\w+|resource\..*",
    "uses raw file descriptors: {name}": r"os\.(dup2?|pipe2?|fdopen|write\w*|open|close\w*|pwrite\w*|sendfile|set_inheritable|openpty)",
    UNSPELLED: r"string\.Formatter(\..*)?|dataclasses\.make_dataclass"
    r"|contextlib\.(redirect_\w+|chdir|_\w+)",
    "depends on how the interpreter was started: {name}": r"__debug__|__cached__",
    ENCODED: r"base64\..*|binascii\..*|codecs\.(decode|encode|getdecoder)|zlib\..*|bz2\..*|lzma\..*"
    r"|bytes\.fromhex|bytearray\.fromhex",
}  # fmt: skip
# Flagged if the file has more of them than before: a second call can ask for something else (where, until when, how often).
IF_MORE = {
    ENVIRONMENT: r"os\.(?!(path|sep|altsep|extsep|pathsep|linesep|curdir|pardir|devnull|name|fspath|PathLike"
    r"|fsencode|fsdecode|strerror|error|remove|unlink|rename|renames|replace|listdir|scandir|walk|stat|mkdir|makedirs"
    r"|chmod|chdir|getcwd|link|symlink|urandom|getrandom)\b).*"
    r"|os\.path\.(?!(join|basename|dirname|split\w*|normpath|normcase|isabs|common\w+|sep|exists|isfile|isdir|getmtime"
    r"|getsize|abspath|realpath|expand\w+|relpath)\b).*"
    r"|sys\.(?!(version|version_info|maxsize|maxunicode|byteorder|float_info|int_info|hexversion|intern|getsizeof|getfilesystemencoding|getdefaultencoding"
    r"|exit|stdout|stderr|stdout\.write|stderr\.write|stdout\.flush|stderr\.flush)$).*"
    r"|socket\..*|platform\..*|getpass\..*|pwd\..*|grp\..*|uuid\.getnode|site\..*|sysconfig\..*|input"
    r"|logging\.(root|_\w+)(\..*)?|warnings\.(filters|showwarning|formatwarning|WarningMessage|_\w+)(\..*)?"
    r"|(pathlib\.)?(Posix)?Path\.(cwd|home)|abc\.get_cache_token"
    r"|asyncio\.(current_task|all_tasks|[gs]et_event_loop_policy|Task)(\..*)?",
    CLOCK: r"time\.\w*(time|monotonic|perf_counter|clock|tz|zone|daylight)\w*"
    r"|(datetime\.)?(datetime|date)\.(now|utcnow|today)",
    CHANCE: r"random(\..*)?|secrets\..*|os\.(urandom|getrandom)|uuid\.uuid[14]",
}  # fmt: skip
# Flagged if the file did not have them before.
IF_NEW = {
    "waits: {name}": r"time\.sleep",
    "depends on the depth of the call stack: {name}": r"RecursionError",
    "accesses files: {name}": r"open|io\.open\w*|__file__|shutil\..*|glob\..*|tempfile\..*|fileinput\..*"
    r"|os\.(remove|unlink|rename\w*|replace|listdir|scandir|walk|stat|mkdir|makedirs|chmod|chdir|getcwd|link|symlink)"
    r"|(pathlib\.)?Path(\..*)?|os\.path\.(exists|isfile|isdir|getmtime|getsize|abspath|realpath|expand\w+|relpath)",
    "starts threads: {name}": r"threading\.(?!(Lock|RLock|Condition|Semaphore|BoundedSemaphore|Event|Barrier)\b).*|concurrent\.futures\..*|asyncio\.(to_thread|create_subprocess\w*)",
    "can see where it is called from: {name}": r"logging\.(?!(getLogger|debug|info|warn(ing)?|error|exception|critical|log|fatal"
    r"|Logger|LoggerAdapter|NullHandler|DEBUG|INFO|WARN(ING)?|ERROR|CRITICAL|NOTSET|getLevelName)\b).*",
    SHARED_STATE: r"(decimal|locale|asyncio|threading|numpy|tracemalloc|gettext)\.set(?!ter)\w+"
    r"|locale\.setlocale|numpy\.random\.seed",
    "uses the network: {name}": r"urllib(\.(?!parse\b).*)?|(http|requests|httpx|aiohttp|ftplib|smtplib|telnetlib|xmlrpc|ssl)(\..*)?",
}  # fmt: skip
TEST_MODULE = re.compile(r"(.*\.)?(tests?|conftest|test_\w+|\w+_test)(\..*)?")
# Modules of the standard library that only compute. Importing any other one is flagged.
PURE_MODULES = frozenset({
    "__future__", "abc", "array", "bisect", "calendar", "cmath", "collections", "contextlib", "copy", "csv",
    "dataclasses", "datetime", "decimal", "difflib", "enum", "fnmatch", "fractions", "functools", "heapq", "html",
    "ipaddress", "itertools", "json", "keyword", "math", "numbers", "operator", "re", "statistics", "string", "struct",
    "textwrap", "typing", "unicodedata", "zoneinfo",
})  # fmt: skip
RISKY_MODULES = sys.stdlib_module_names - PURE_MODULES
# Imports of risky modules that ordinary code has; what is dangerous in these modules is flagged where it is used.
ORDINARY_IMPORT = re.compile(r"threading(\.\w+)?|logging(\.[a-zA-Z]+)?|urllib\.parse(\.\w+)?|warnings\.warn")
# Names under which modules hold risky modules that they import (`logging.os`).
REEXPORTED = frozenset({
    "os", "sys", "builtins", "gc", "importlib", "inspect", "subprocess", "ctypes", "signal", "socket", "posix",
    "threading", "types", "traceback", "warnings", "_os", "_sys", "_io", "_thread", "_signal", "_socket", "_imp",
})  # fmt: skip
# Aliases under which modules hold risky modules (`enum.bltns` is `builtins`).
REEXPORTED_ALIASES = frozenset({"bltns"})
ARITHMETIC = frozenset(
    f"__{name}__"
    for name in (
        "round", "float", "int", "index", "abs", "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "mod",
        "rmod", "pow", "neg", "trunc", "floor", "ceil", "format", "complex",
    )
)  # fmt: skip
RUNNER_HOOK = re.compile(r"pytest_\w+|load_tests|setUpModule|tearDownModule|(setup|teardown)_(module|function)")
# Number of ordinary arguments; further ones choose which attributes are copied.
COPY_ATTRIBUTES = {"functools.update_wrapper": 2, "functools.wraps": 1}
LOOKUPS = GETTERS | {"getattr", "setattr", "delattr"}
INTERNAL_ATTRIBUTES = frozenset({
    "f_back", "f_locals", "f_globals", "f_code", "f_trace", "tb_frame", "tb_next", "gi_frame", "cr_frame", "ag_frame",
    "co_code", "co_consts", "co_names", "__code__", "__globals__", "__closure__", "__builtins__", "__subclasses__",
    "__bases__", "__defaults__", "__kwdefaults__", "__reduce__", "__reduce_ex__", "__getattribute__", "__setattr__",
    "__wrapped__", "__loader__", "__spec__", "__annotations__", "findCaller", "__self__", "__func__", "__base__", "__mro__",
    "get_stack", "get_coro", "print_stack", "set_task_factory",
})  # fmt: skip
REVEALING_ATTRIBUTES = frozenset({
    "handlers", "__traceback__", "__dict__", "today", "now", "utcnow", "pathname", "funcName", "isatty", "mro",
    "reset_mock", "configure_mock", "attach_mock", "mock_add_spec", "mock_calls", "method_calls", "call_args_list",
})  # fmt: skip
# Methods that decide what a test sees of a value; the sentence says how.
_COMPARING = "changes {name}, which decides how values of the class compare"
_POSING = "changes {name}, which decides what a value is taken for"
_SWALLOWING = "changes {name}, which can swallow exceptions"
_CALLED = "changes {name}, which the interpreter calls by itself"
SPECIAL_METHODS = {
    "__eq__": _COMPARING, "__ne__": _COMPARING, "__lt__": _COMPARING, "__le__": _COMPARING, "__gt__": _COMPARING,
    "__ge__": _COMPARING, "__contains__": _COMPARING, "__bool__": _COMPARING, "__class__": _POSING,
    "__instancecheck__": _POSING, "__subclasscheck__": _POSING, "__subclasshook__": _POSING, "__mro_entries__": _POSING,
    "__getattribute__": _POSING, "__exit__": _SWALLOWING, "__aexit__": _SWALLOWING, "__del__": _CALLED,
    "__init_subclass__": _CALLED, "__set_name__": _CALLED, "__prepare__": _CALLED,
}  # fmt: skip
REVEALING_TEXT = re.compile(
    r"pytest|conftest|unittest|_getframe|f_back|f_locals|sys\.modules|/proc/|/dev/|site-?packages|sitecustomize"
    r"|junit|\bwhet\b|bwrap|test_\w+|__import__|%\((pathname|funcName|filename|module|lineno)\)"
    r"|^\W*assert\b(\W*$|.*(==|!=|<|>|\b(in|is|not)\b))|"
    + "|".join(sorted(INTERNAL_ATTRIBUTES | SPECIAL_METHODS.keys())),
    re.IGNORECASE,
)
ENCODED_BLOB = re.compile(r"[A-Za-z0-9+/=_\\-]{120,}")
CONTROL_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")

ALWAYS_COMPILED = {sentence: re.compile(expression) for sentence, expression in ALWAYS.items()}
IF_MORE_COMPILED = {sentence: re.compile(expression) for sentence, expression in IF_MORE.items()}
IF_NEW_COMPILED = {sentence: re.compile(expression) for sentence, expression in IF_NEW.items()}
