"""Code that an option of any program names: `--exec /tmp/x`, `--plugin=/tmp/x.so`, `--init-hook 'import os; ...'`.

The tables know the options of many programs. Of all others only the words in an option's name tell what its value is, so
such a value never refuses a command: it is raised to a person, and only if it is dangerous as a command, code that starts
one, or a file in a folder that every user of the machine can write.
"""

import re
from collections.abc import Iterator

from whet.guard.shell.code.loaded_libraries import is_foreign_library
from whet.guard.shell.evaluate.program_slots import IDENTITY_COMMANDS
from whet.guard.shell.launchers.interpreters import effects
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import CausesHarm, CodeEffect
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import is_temporary
from whet.guard.shell.model.placeholders import is_known
from whet.guard.shell.model.programs import READERS, SHELLS

# Words in the name of an option whose value is a command, or the name of a program.
_COMMAND = frozenset({
    "exec", "execute", "command", "cmd", "program", "prog", "hook", "launcher", "wrapper", "interpreter",
    "preprocessor", "rsh", "run", "spawn",
})  # fmt: skip
# The same, but the value often is something else: `--filter name=x`, `--shell zsh`, `--on true`.
_MAYBE_COMMAND = frozenset({
    "filter", "handler", "helper", "callback", "pre", "post", "on", "editor", "pager", "shell", "compiler", "linker",
    "runner", "viewer", "browser", "agent", "driver", "formatter", "processor", "ssh", "tool", "diff", "merge", "schema",
})  # fmt: skip
# Words in the name of an option whose value is loaded as code, or as settings, which can name code.
_LIBRARY = frozenset({
    "plugin", "plugins", "extension", "extensions", "module", "modules", "library", "libraries", "lib", "libs",
    "preload", "agent", "load", "require", "import", "loader", "engine",
})  # fmt: skip
_SETTINGS = frozenset({
    "init", "initrc", "rc", "rcfile", "rcpath", "startup", "script", "config", "conf", "configuration", "cfg", "hooks",
    "options", "settings", "rules", "profile", "template", "makefile", "sourcefile", "rootdir", "confcutdir", "inifile",
    "rulesdir", "app", "appdir", "pythonpath", "specs", "extroot",
})  # fmt: skip
_CLASS_PATH = frozenset({frozenset({"cp"}), frozenset({"classpath"}), frozenset({"class", "path"})})
_CODE = frozenset({"eval", "evaluate", "code", "hook", "script", "init", "expr", "exec", "execute", "command"})
# Words that say that the program writes the file.
_WRITTEN = frozenset({
    "output", "out", "outfile", "log", "logfile", "save", "dump", "cache", "write", "generate", "export", "print", "dest",
    "report", "trace", "backup", "to", "results", "profiler", "statistics", "stats",
})  # fmt: skip
# Files of code, of libraries and of settings, by their ending; after a short option nothing else tells what they are.
_CODE_FILE = re.compile(
    r".*\.(so(\.\d+)*|dylib|dll|jar|cmake|mk|mak|ninja|ini|cfg|conf|cnf|rc|desktop|ctags|gradle|lua|vim|el|tcl|scm|wasm"
    r"|toolchain|pp|rules|curlrc|wgetrc|gdb|gdbinit|lldb|service|timer|plist)"
)
_SCRIPT_FILE = re.compile(r".*\.(py|js|mjs|cjs|ts|jl|rb|pl|sh|ya?ml|toml)")
_MAY_BE_SCRIPT = frozenset("ceflrxFILPRSX")  # `-c /tmp/conf.py`; other letters name input and output
# Interpreters for which `-I /tmp/x`, `-L/tmp/x` and `-l /tmp/x` say where code is.
_INTERPRETERS = frozenset(
    {"perl", "ruby", "lua", "luajit", "julia", "jq", "gojq", "guile", "awk", "gawk", "php", "scp", "sftp"}
)
_SEARCHED = re.compile(r"-([ILlrMmF])(?:lib=)?(.*)", re.DOTALL)
_PIPE = re.compile(r"\|\s*([\w./-]+.*)", re.DOTALL)
_NAME = re.compile(r"--?([A-Za-z][\w.-]+)(?:=(.*))?", re.DOTALL)
_SHORT = re.compile(r"-[A-Za-z]")
# `make CC=/tmp/x`, `cmake -DCMAKE_C_COMPILER=/tmp/x`, `cmake -DX_LAUNCHER:FILEPATH=/tmp/x`
_VARIABLE = re.compile(
    r"-?D?(?:\w*_)?(?:CC|CXX|LD|AR|AS|CPP|FC|SHELL|COMPILER|LAUNCHER|WRAPPER|LINKER|PROGRAM|COMMAND|EXECUTABLE|PYTHON|TOOLCHAIN_FILE"
    r"|MODULE_PATH|INCLUDE|PLUGIN|RULE_LAUNCH_\w+|EMULATOR)(?::\w+)?=(.+)",
    re.DOTALL,
)
_WRITABLE_FOLDER = re.compile(r"(/private)?(/var)?/tmp/?|/dev/shm/?")
_TAKE_MANIFESTS = frozenset(
    {"docker-compose", "kubectl", "oc", "helm", "kustomize", "yamllint", "conda", "mamba", "gcloud"}
)
_RUN_WORDS = frozenset({"find", "gfind", "fd", "fdfind", "xargs", "gxargs", "parallel"})  # `-exec /tmp/x {} ;`
# Commands that treat the values of their options as plain text or search terms, never as code.
_ONLY_TEXT = frozenset({
    "echo", "printf", "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "ug", "test", "[", "[[", "export", "declare", "local",
    "alias", "trap", "set", "unset", "ls", "which", "man", "tldr", "history", "complete", "compgen", "bind", "rm", "mkdir",
    "touch", "chmod", "chown", "cp", "mv", "stat", "diff", "cmp", "du", "df", "ps", "pgrep", "pkill", "mktemp", "rmdir",
})  # fmt: skip


def raise_named_code(call: Call, follower: Follower, *, is_known_program: bool) -> None:
    """Ask a person about options that name a dangerous command, code, or a file that anybody may have written.

    The commands and the code of a program that the tables know are judged there.
    """
    if call.name in _ONLY_TEXT:
        return
    for problem in _problems_of_words(call, follower):
        follower.add_danger(call, Harm.UNRESOLVED, f"gives {call.name} {problem}", raises=True)
    for option, words, value in _options(call):
        if not value.strip() or not is_known(value):
            continue
        problem = _problem_of_file(call, option, words, value)
        if not problem and not is_known_program:
            problem = _problem_of_command(call, option, words, value, follower)
        if problem:
            follower.add_danger(call, Harm.UNRESOLVED, f"gives {call.name} {problem} with {option}", raises=True)


def _problems_of_words(call: Call, follower: Follower) -> Iterator[str]:
    """Yield what is said by a word alone: `perl -I/tmp/x`, `pax -f '|sh -c id'`."""
    for index, word in enumerate(call.args):
        if call.name in _INTERPRETERS and (searched := _SEARCHED.fullmatch(word)):
            folder = searched[2] or (call.args[index + 1] if index + 1 < len(call.args) else "")
            if _anybody_can_write(folder):
                yield f"the folder or file {folder} with -{searched[1]}"
        elif call.name not in READERS and is_known(word) and (piped := _PIPE.fullmatch(word)):
            yield from ["a pipe to a dangerous command"] if _is_dangerous(piped[1], call, follower) else []


def _options(call: Call) -> Iterator[tuple[str, frozenset[str], str]]:
    """Yield (option, the words in its name, its value). A short option has no words."""
    for index, word in enumerate(call.args):
        following = call.args[index + 1] if index + 1 < len(call.args) else ""
        value = "" if following[:1] == "-" else following
        if variable := _VARIABLE.fullmatch(word):
            yield word.partition("=")[0], frozenset({"compiler"}), variable[1]
        elif _SHORT.fullmatch(word):
            yield word, frozenset(), value
        elif named := _NAME.fullmatch(word):
            words = frozenset(re.split(r"[-_.]", named[1].lower()))
            yield word.partition("=")[0], words, value if named[2] is None else named[2]


def _problem_of_file(call: Call, option: str, words: frozenset[str], value: str) -> str:
    """Describe the file that an option loads code from, if a person must look at it; empty otherwise."""
    if not words.isdisjoint(_WRITTEN):
        return ""
    first = value.split()[0]
    if not words:
        return f"the file {value}" if _is_temporary_code(call, option, value) else ""
    if words in _CLASS_PATH and any(map(_anybody_can_write, value.split(":"))):
        return f"the classes in {value}"
    if not words.isdisjoint(_COMMAND | _MAYBE_COMMAND) and _anybody_can_write(first) and call.name not in _RUN_WORDS:
        return f"the program {first}"
    if not words.isdisjoint(_LIBRARY | _SETTINGS) and any(map(_anybody_can_write, re.split(r"[,:=]", value))):
        return f"the file {value}"
    if not words.isdisjoint(_LIBRARY) and _CODE_FILE.fullmatch(value) and is_foreign_library(value):
        return f"the library {value}"
    return ""


def _is_temporary_code(call: Call, option: str, path: str) -> bool:
    """True if a short option names a file of code or settings in a folder that every user can write."""
    if not is_temporary(path) or option in ("-o", "-O"):
        return False
    is_script = call.name not in READERS and option[1] in _MAY_BE_SCRIPT and _SCRIPT_FILE.fullmatch(path) is not None
    is_manifest = option in ("-f", "-F") and path.endswith(("ml", ".toml")) and call.name in _TAKE_MANIFESTS
    return (is_script and not is_manifest) or _CODE_FILE.fullmatch(path) is not None


def _problem_of_command(call: Call, option: str, words: frozenset[str], value: str, follower: Follower) -> str:
    """Return a name for a command or code that a person must look at; empty if it is usual."""
    if not words.isdisjoint(_COMMAND | _MAYBE_COMMAND) and value.split()[0] in IDENTITY_COMMANDS:
        return "a command that shows who runs it"
    if not words.isdisjoint(_COMMAND) and (value in SHELLS or _is_dangerous(value, call, follower)):
        return "a dangerous command"
    is_code = not words.isdisjoint(_CODE) if words else option in ("-e", "-c", "-E", "-x")
    if is_code and "(" in value and any(map(_does_something, (*effects(value, "python"), *effects(value, "other")))):
        return "code that starts a command or does harm"
    return ""


def _does_something(effect: CodeEffect) -> bool:
    return not isinstance(effect, CausesHarm) or effect.harm is not Harm.UNRESOLVED


def _anybody_can_write(path: str) -> bool:
    return is_temporary(path) or _WRITABLE_FOLDER.fullmatch(path) is not None


def _is_dangerous(text: str, call: Call, follower: Follower) -> bool:
    """True if a text, read as a command, is dangerous or prints the identity of the user.

    The follower's state is restored afterwards, because the text may never run as a command.
    """
    state = follower.state
    commands, dangers = len(state.found_commands), dict(state.dangers)
    follower.follow_text(text, call, call.name)
    added = [danger for key, danger in state.dangers.items() if key not in dangers]
    names = {command.name for command in state.found_commands[commands:]}
    del state.found_commands[commands:]
    state.dangers.clear()
    state.dangers.update(dangers)
    is_first_test = not names.isdisjoint(IDENTITY_COMMANDS) or any(map(_anybody_can_write, names))
    return is_first_test or any(danger.harm is not Harm.UNRESOLVED for danger in added)
