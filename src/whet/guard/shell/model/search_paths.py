"""Classify the values of variables that name code for interpreters, loaders and git to load."""

import re

from whet.guard.shell.model.placeholders import is_known

# Variables with folders of libraries. `PATH` has rules of its own.
_LIBRARY_PATHS = frozenset({
    "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "PYTHONPATH", "PERL5LIB", "PERLLIB",
    "RUBYLIB", "NODE_PATH", "LUA_PATH", "LUA_CPATH", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR", "PYTHONUSERBASE",
    "PHP_INI_SCAN_DIR", "GEM_PATH", "PERL_LOCAL_LIB_ROOT",
})  # fmt: skip
# Folders in which projects and systems keep their own libraries.
_USUAL_STEPS = frozenset({
    "api", "app", "apps", "backend", "blib", "build", "code", "core", "dist", "frontend", "include", "lib", "lib32",
    "lib64", "libs", "library", "local", "modules", "node_modules", "packages", "plugins", "project", "python",
    "scripts", "server", "services", "site-packages", "source", "src", "target", "test", "tests", "tools", "vendor",
    "workspace",
})  # fmt: skip
_INSTALLED = (
    "/usr/",
    "/lib",
    "/opt/",
    "/nix/",
    "/snap/",
    "/Library/",
    "/Applications/",
    "/home/linuxbrew/",
    "/etc/",
    "~/.",
)
_ONLY_WHOLE_PROJECT = frozenset({"PYTHONPATH", "NODE_PATH", "PERL5LIB", "RUBYLIB", "CLASSPATH"})  # may be "."
_LUA_PATTERN = re.compile(r"/?\?.*")
# Options of interpreters that load code, with the modules that are usual there.
_PERL_MODULE = re.compile(r"-(?:[mM]-?|d:)([\w:./]+)")
_RUBY_LIBRARY = re.compile(r"-r\s*(\S+)")
_NODE_MODULE = re.compile(r"(?:-r|--require|--import|--loader|--experimental-loader)[= ]\s*(\S+)")
_USUAL_MODULES = frozenset({
    "strict", "warnings", "utf8", "local::lib", "Devel::Cover", "bundler/setup", "rubygems", "set", "json", "debug",
    "logger", "yaml", "simplecov", "coverage", "fileutils", "pp", "time",
})  # fmt: skip
_DEBUGGERS = re.compile(r"0|(pdb|ipdb|pudb|wdb|debugpy|web_pdb|celery\.contrib\.rdb|IPython\.\w+)(\.\w+)*")
_SETTINGS_FILES = re.compile(r"/dev/null|~.*|/etc/.*|")


def unusual_folder(name: str, value: str) -> str:
    """Return the first folder of a search path that is not a usual place for libraries, or ""."""
    if name not in _LIBRARY_PATHS:
        return ""
    for entry in re.split(r"[:;]", value):
        if not entry or not is_known(entry) or entry.startswith(_INSTALLED):
            continue
        folder = _LUA_PATTERN.sub("", entry)
        steps = [step for step in folder.split("/") if step not in ("", ".")]
        is_project = set(steps) <= {".."} and name in _ONLY_WHOLE_PROJECT
        if not is_project and _USUAL_STEPS.isdisjoint(steps):
            return entry
    return ""


def names_code(name: str, value: str) -> bool:
    """True if a variable makes programs load a module, a makefile or settings that its value names."""
    if not is_known(value):
        return False
    match name:
        case "PERL5OPT":
            return any(module not in _USUAL_MODULES for module in _PERL_MODULE.findall(value))
        case "RUBYOPT":
            return any(library not in _USUAL_MODULES for library in _RUBY_LIBRARY.findall(value))
        case "NODE_OPTIONS":
            return any(module.startswith((".", "/", "~")) for module in _NODE_MODULE.findall(value))
        case "PYTHONBREAKPOINT":
            return bool(value) and _DEBUGGERS.fullmatch(value) is None
        case "MAKEFILES":
            return bool(value)
        case "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" | "GIT_CONFIG":
            return _SETTINGS_FILES.fullmatch(value) is None
        case "GOFLAGS":
            return "-toolexec" in value
    return False


INFLUENTIAL = _LIBRARY_PATHS | {"PYTHONBREAKPOINT", "MAKEFILES", "GOFLAGS"}
