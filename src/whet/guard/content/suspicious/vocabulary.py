"""The words that want a reader, by what they do."""

import re
import sys

# Always worth a reader, by the full name that is used.
ALWAYS = {
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
    "reaches for a name that is not written down": r"string\.Formatter(\..*)?|dataclasses\.make_dataclass"
    r"|contextlib\.(redirect_\w+|chdir|_\w+)",
    "tells how it is run": r"__debug__|__cached__",
    "hides what it does": r"base64\..*|binascii\..*|codecs\.(decode|encode|getdecoder)|zlib\..*|bz2\..*|lzma\..*"
    r"|bytes\.fromhex|bytearray\.fromhex",
}  # fmt: skip
# Worth a reader each time: the same question can be asked to find out where it is, until when, or how often.
MORE = {
    "depends on where it runs": r"os\.(?!(path|sep|altsep|extsep|pathsep|linesep|curdir|pardir|devnull|name|fspath|PathLike"
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
    "depends on the clock": r"time\.\w*(time|monotonic|perf_counter|clock|tz|zone|daylight)\w*"
    r"|(datetime\.)?(datetime|date)\.(now|utcnow|today)",
    "depends on chance": r"random(\..*)?|secrets\..*|os\.(urandom|getrandom)|uuid\.uuid[14]",
}  # fmt: skip
# Worth a reader where the file did not do it before.
NEW = {
    "waits": r"time\.sleep",
    "can tell how deep it is": r"RecursionError",
    "touches files": r"open|io\.open\w*|__file__|shutil\..*|glob\..*|tempfile\..*|fileinput\..*"
    r"|os\.(remove|unlink|rename\w*|replace|listdir|scandir|walk|stat|mkdir|makedirs|chmod|chdir|getcwd|link|symlink)"
    r"|(pathlib\.)?Path(\..*)?|os\.path\.(exists|isfile|isdir|getmtime|getsize|abspath|realpath|expand\w+|relpath)",
    "starts threads": r"threading\.(?!(Lock|RLock|Condition|Semaphore|BoundedSemaphore|Event|Barrier)\b).*|concurrent\.futures\..*|asyncio\.(to_thread|create_subprocess\w*)",
    "sees where it is called from": r"logging\.(?!(getLogger|debug|info|warn(ing)?|error|exception|critical|log|fatal"
    r"|Logger|LoggerAdapter|NullHandler|DEBUG|INFO|WARN(ING)?|ERROR|CRITICAL|NOTSET|getLevelName)\b).*",
    "changes what the whole process shares": r"(decimal|locale|asyncio|threading|numpy|tracemalloc|gettext)\.set(?!ter)\w+"
    r"|locale\.setlocale|numpy\.random\.seed",
    "speaks to the network": r"urllib(\.(?!parse\b).*)?|(http|requests|httpx|aiohttp|ftplib|smtplib|telnetlib|xmlrpc|ssl)(\..*)?",
}  # fmt: skip
TESTS = re.compile(r"(.*\.)?(tests?|conftest|test_\w+|\w+_test)(\..*)?")
# Of the standard library, what computes and leads nowhere else; all other modules want a reader when they come in.
HARMLESS = frozenset({
    "__future__", "abc", "array", "bisect", "calendar", "cmath", "collections", "contextlib", "copy", "csv",
    "dataclasses", "datetime", "decimal", "difflib", "enum", "fnmatch", "fractions", "functools", "heapq", "html",
    "ipaddress", "itertools", "json", "keyword", "math", "numbers", "operator", "re", "statistics", "string", "struct",
    "textwrap", "typing", "unicodedata", "zoneinfo",
})  # fmt: skip
ROOTS = sys.stdlib_module_names - HARMLESS
# Of the others, what ordinary code brings in; what leads further in them is known by its name.
ORDINARY = re.compile(r"threading(\.\w+)?|logging(\.[a-zA-Z]+)?|urllib\.parse(\.\w+)?")
# Modules that are brought in as parts of others.
SUBMODULES = frozenset({
    "os.path", "collections.abc", "concurrent.futures", "urllib.parse", "urllib.request", "json.encoder", "json.decoder",
    "importlib.util", "importlib.metadata", "importlib.resources", "logging.handlers", "logging.config", "unittest.mock",
    "xml.etree", "xml.etree.ElementTree", "asyncio.events", "asyncio.base_events", "numpy.testing", "html.parser",
})  # fmt: skip
# What other modules keep such modules under.
KEPT = frozenset({
    "os", "sys", "builtins", "gc", "importlib", "inspect", "subprocess", "ctypes", "signal", "socket", "posix",
    "threading", "types", "traceback", "warnings", "_os", "_sys", "_io", "_thread", "_signal", "_socket", "_imp",
})  # fmt: skip
# The same under the names that other modules have for them.
OTHERWISE = frozenset({"bltns"})
ARITHMETIC = frozenset(
    f"__{name}__"
    for name in (
        "round", "float", "int", "index", "abs", "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "mod",
        "rmod", "pow", "neg", "trunc", "floor", "ceil", "format", "complex",
    )
)  # fmt: skip
HOOK = re.compile(r"pytest_\w+|load_tests|setUpModule|tearDownModule|(setup|teardown)_(module|function)")
GETTERS = frozenset({"operator.attrgetter", "operator.methodcaller"})
# With more arguments than these they copy names that somebody else chose.
COPYING = {"functools.update_wrapper": 2, "functools.wraps": 1}
REACHING = GETTERS | {"getattr", "setattr", "delattr"}
ATTRIBUTES = frozenset({
    "f_back", "f_locals", "f_globals", "f_code", "f_trace", "tb_frame", "tb_next", "gi_frame", "cr_frame", "ag_frame",
    "co_code", "co_consts", "co_names", "__code__", "__globals__", "__closure__", "__builtins__", "__subclasses__",
    "__bases__", "__defaults__", "__kwdefaults__", "__reduce__", "__reduce_ex__", "__getattribute__", "__setattr__",
    "__wrapped__", "__loader__", "__spec__", "__annotations__", "findCaller", "__self__", "__func__", "__base__", "__mro__",
    "get_stack", "get_coro", "print_stack", "set_task_factory",
})  # fmt: skip
TELLING_ATTRIBUTES = frozenset({
    "handlers", "__traceback__", "__dict__", "today", "now", "utcnow", "pathname", "funcName", "isatty", "mro",
    "reset_mock", "configure_mock", "attach_mock", "mock_add_spec", "mock_calls", "method_calls", "call_args_list",
})  # fmt: skip
PRETENDING = frozenset({
    "__eq__", "__ne__", "__bool__", "__class__", "__instancecheck__", "__subclasscheck__", "__subclasshook__",
    "__getattribute__", "__del__", "__init_subclass__", "__set_name__", "__mro_entries__", "__prepare__",
    "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__exit__", "__aexit__",
})  # fmt: skip
TELLING_TEXT = re.compile(
    r"pytest|conftest|unittest|_getframe|f_back|f_locals|sys\.modules|/proc/|/dev/|site-?packages|sitecustomize"
    r"|junit|\bwhet\b|bwrap|test_\w+|__import__|%\((pathname|funcName|filename|module|lineno)\)"
    r"|^\W*assert\b(\W*$|.*(==|!=|<|>|\b(in|is|not)\b))|" + "|".join(sorted(ATTRIBUTES | PRETENDING)),
    re.IGNORECASE,
)
BLOB = re.compile(r"[A-Za-z0-9+/=_\\-]{120,}")
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")

ALWAYS_COMPILED = tuple((what, re.compile(expression)) for what, expression in ALWAYS.items())
MORE_COMPILED = tuple((what, re.compile(expression)) for what, expression in MORE.items())
NEW_COMPILED = tuple((what, re.compile(expression)) for what, expression in NEW.items())
