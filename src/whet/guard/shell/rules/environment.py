"""Environment variables that make programs run, load or trust something else."""

import re
import shlex
from collections.abc import Iterator

from whet.guard.shell.model.effects import CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.hosts import LOCAL
from whet.guard.shell.model.placeholders import is_known
from whet.guard.shell.model.program_variables import (
    HARMLESS_CODE_VALUE,
    PROGRAM_IN_VALUE,
    TOOL_ARGUMENTS,
    TOOL_CODE,
    TOOL_PROGRAMS,
)
from whet.guard.shell.model.programs import SHELLS
from whet.guard.shell.model.search_paths import INFLUENTIAL, names_code, unusual_folder

# Variables that make programs load a library or run a file.
_CODE_VARIABLES = frozenset({
    "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "GCONV_PATH", "PERL5DB", "PYTHONHOME",
    "OPENSSL_CONF", "OPENSSL_ENGINES", "GIO_EXTRA_MODULES",
})  # fmt: skip
# Variables that name a helper program, such as a pager.
_PROGRAM_VARIABLES = frozenset({
    "PAGER", "EDITOR", "VISUAL", "GIT_PAGER", "GIT_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS",
    "GIT_EXTERNAL_DIFF", "GIT_SEQUENCE_EDITOR", "MANPAGER", "LESSOPEN", "LESSCLOSE", "BROWSER", "SSH_ASKPASS",
    "GIT_PROXY_COMMAND", "SUDO_ASKPASS", "SUDO_EDITOR", "FCEDIT", "SYSTEMD_EDITOR", "SYSTEMD_PAGER",
    "KUBE_EDITOR", "HGEDITOR", "SVN_EDITOR", "TEXEDIT", "RSYNC_RSH", "CVS_RSH", "AWS_PAGER", "PSQL_PAGER",
    "GH_PAGER", "BAT_PAGER", "SVN_SSH", "TAR_RSH", "PSQL_EDITOR", "GIT_CONFIG_VALUE_0", "GIT_CONFIG_VALUE_1",
    "MAILCAPS", "PERLBREW_SHELL", "DEBIAN_PRIORITY_CMD", "RUSTC_WRAPPER", "RUSTC", "CC", "CXX", "LD",
    "SHELL_PAGER", "TERRAFORM_EDITOR", "CARGO_TARGET_RUNNER", "BORG_RSH", "BORG_PASSCOMMAND",
    "RESTIC_PASSWORD_COMMAND",
})  # fmt: skip
_HISTORY_VARIABLES = frozenset({"HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTIGNORE"})
_PROMPT_VARIABLES = frozenset({"PS0", "PS1", "PS2", "PS4"})
_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")
# Variables with options of an interpreter, and options that load code.
_INTERPRETER_OPTIONS = frozenset(
    {
        "PERL5OPT",
        "RUBYOPT",
        "NODE_OPTIONS",
        "JAVA_TOOL_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "_JAVA_OPTIONS",
        "JAVA_OPTS",
        "MAVEN_OPTS",
        "GRADLE_OPTS",
        "CATALINA_OPTS",
        "npm_config_node_options",
    }
)
_LOADS_CODE = re.compile(
    r"-M\S*|-e\s*\S+|-r\s*\S+|--require[= ]\S+|--import[= ]\S+|--loader[= ]\S+|-(javaagent|agentpath|agentlib):\S+"
    r"|-XX:OnError"
)
# Variables with the folders in which programs or libraries are searched.
_SEARCH_PATHS = frozenset({
    "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "PERL5LIB", "PERLLIB", "RUBYLIB", "NODE_PATH",
    "GIT_EXEC_PATH", "LUA_PATH", "LUA_CPATH", "CLASSPATH", "GIT_TEMPLATE_DIR",
})  # fmt: skip
_WORLD_WRITABLE_FIRST = re.compile(r"(/tmp|/var/tmp|/dev/shm)(/|:|$)")
# Variables with arguments of a program, as a command line: {0} is the value, {1} the quoted value.
_ARGUMENT_VARIABLES = {
    "TAR_OPTIONS": "tar {0}",
    "MAKEFLAGS": "make {0}",
    "GNUMAKEFLAGS": "make {0}",
    "LESS": "less {0}",
    "VIMINIT": "vim -c {1}",
    "EXINIT": "vim -c {1}",
    "GIT_CONFIG_PARAMETERS": "git -c {0} status",
}  # fmt: skip
_REGISTRY_VARIABLES = frozenset({
    "npm_config_registry", "NPM_CONFIG_REGISTRY", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST",
    "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "GOPROXY", "YARN_REGISTRY",
})  # fmt: skip
_WORKING_FOLDER_FIRST = re.compile(r"\.?:|\.(:|$)")
# Variables whose name says that a program runs or loads their value. A value in a temporary folder is an attack.
_NAMES_CODE = re.compile(
    r"\w*_(WRAPPER|LINKER|RUNNER|COMMAND|CMD|HOOKS?|PLUGINS?|LIBRARY|MODULES?|EDITOR|PAGER|ASKPASS|SHELL|STARTUP"
    r"|PRELOAD|EXEC|HELPER|PROGRAM|RCFILE|INIT)"
    r"|GIT_(DIR|CONFIG(_GLOBAL|_SYSTEM)?|HOOKS_PATH)|\w*(FLAGS|OPTS|OPTIONS)"
)
# The same for settings, which can name code: a person is asked.
_NAMES_SETTINGS = re.compile(
    r"(?!XDG_|KUBECONFIG)(\w*_)?(CONFIG|CONF|SETTINGS|PROFILE|RC|(LIBRARY|PLUGINS?|MODULES?|EXTENSIONS?|LIB)_?(PATH|DIR|HOME)|MODULEPATH)"
    r"(_?(FILE|PATH|DIR|HOME))?|(?!KUBE)[A-Z]+RC"
)
_LOADS_FROM_TEMPORARY_FOLDER = re.compile(
    r"(?:^|(?:toolexec|plugin|linker|wrapper|agent\w*|require|import|load|-B|-r|-e)[=: ]*)(/tmp|/var/tmp|/dev/shm)/"
)
_SKIP_HOST_CHECK = {
    "GIT_SSL_NO_VERIFY": ("1", "true", "yes"),
    "PYTHONHTTPSVERIFY": ("0",),
    "NODE_TLS_REJECT_UNAUTHORIZED": ("0",),
    "npm_config_strict_ssl": ("false",),
    "NPM_CONFIG_STRICT_SSL": ("false",),
    "GONOSUMDB": ("*",),
    "GOINSECURE": ("*",),
    "GONOSUMCHECK": ("1",),
    "GOFLAGS": ("-insecure",),
}
_STAGE_NAME = re.compile(r"[A-Za-z][\w-]*|", re.ASCII)
_OPTION_FROM_ANYWHERE = re.compile(r"/tmp/|/dev/shm|\.\./|data:|^-M|-e|OnError")
# Variables that are judged even without a command, because they apply to later commands.
_INFLUENTIAL = (
    _CODE_VARIABLES
    | _PROGRAM_VARIABLES
    | _HISTORY_VARIABLES
    | _PROMPT_VARIABLES
    | _INTERPRETER_OPTIONS
    | _SEARCH_PATHS
    | _ARGUMENT_VARIABLES.keys()
    | _REGISTRY_VARIABLES
    | _SKIP_HOST_CHECK.keys()
    | TOOL_PROGRAMS
    | TOOL_CODE
    | TOOL_ARGUMENTS.keys()
    | {"ENV", "WHET_STORE_URL", "SHELL", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "GOFLAGS"}
    | INFLUENTIAL
    | {"PROMPT_COMMAND", "PYTHONSTARTUP", "PYTHONWARNINGS"}
)


def is_influential(name: str) -> bool:
    """True if a variable can change what later commands run."""
    return name in _INFLUENTIAL or any(names.fullmatch(name) for names in (_NAMES_CODE, _NAMES_SETTINGS))


def effects_of_assignment(name: str, value: str) -> Iterator[CodeEffect]:
    """Yield the commands that a variable makes programs run, and the harm it does. The first case that fits decides."""
    yield from _commands_of_tool_variable(name, value)
    started = _started_command(name, value)
    if started is not None:
        yield started
    elif name in _PROMPT_VARIABLES:
        for alternatives in _SUBSTITUTION.findall(value):
            yield RunsCommand("".join(alternatives), slot=name == "PS4")
    else:
        harm = _harm_of_assignment(name, value)
        if harm is not None:
            yield harm


def _started_command(name: str, value: str) -> RunsCommand | None:
    if name == "PROMPT_COMMAND":
        return RunsCommand(value)
    if name in _ARGUMENT_VARIABLES and value.strip():
        return RunsCommand(_ARGUMENT_VARIABLES[name].format(value, shlex.quote(value)))
    if name in _PROGRAM_VARIABLES and value.strip():
        return RunsCommand(value.strip().removeprefix("|").removeprefix("!"), slot=True)
    return None


def _commands_of_tool_variable(name: str, value: str) -> Iterator[RunsCommand]:
    """Yield the commands that the variables of single tools start."""
    if name in TOOL_ARGUMENTS and value.strip():
        yield RunsCommand(TOOL_ARGUMENTS[name].format(value, shlex.quote(value)))
    is_usual = value in (name.lower(), f"g{name.lower()}")  # M4=m4, M4=gm4
    if name in TOOL_PROGRAMS and value.strip() and not is_usual:
        yield RunsCommand(value.strip(), slot=True)
    program = PROGRAM_IN_VALUE.search(value)
    if program is not None:
        yield RunsCommand(program[1] or program[2], slot=True)


def _harm_of_assignment(name: str, value: str) -> CausesHarm | None:
    """Return the harm of setting a variable, or None."""
    is_remote = not LOCAL.fullmatch(value)
    is_unencrypted = value.startswith("http://")
    loads_code = CausesHarm(Harm.ENVIRONMENT, f"the variable {name} makes programs load other code")
    if _loads_code(name, value):
        return loads_code
    if name in _REGISTRY_VARIABLES and (is_unencrypted or name == "PIP_TRUSTED_HOST") and is_remote:
        return CausesHarm(Harm.PACKAGES, f"the variable {name} takes packages over an unencrypted connection")
    if name in _HISTORY_VARIABLES and value in ("", "/dev/null", "0", "*"):
        return CausesHarm(Harm.TRACES, "switches off the command history")
    if name in _SEARCH_PATHS and _searches_unsafe_folder(name, value):
        reason = f"the variable {name} searches a folder first that everybody can write"
        return CausesHarm(Harm.ENVIRONMENT, reason)
    if folder := unusual_folder(name, value):
        return CausesHarm(Harm.ENVIRONMENT, f"the variable {name} makes programs load code from {folder}")
    if value in _SKIP_HOST_CHECK.get(name, ()):
        reason = f"the variable {name} takes code from hosts without checking their identity"
        return CausesHarm(Harm.PACKAGES, reason)
    if _LOADS_FROM_TEMPORARY_FOLDER.search(value) and _NAMES_CODE.fullmatch(name):
        return loads_code
    if _WORLD_WRITABLE_FIRST.match(value) and _NAMES_SETTINGS.fullmatch(name):
        reason = f"the variable {name} takes settings or code from {value}, which every user of the machine can write"
        return CausesHarm(Harm.ENVIRONMENT, reason, raises=True)
    if name.startswith("AWS_ENDPOINT_URL") and is_unencrypted and "." in value and is_remote:
        return CausesHarm(Harm.EXFILTRATION, f"the variable {name} sends requests for a cloud to another server")
    if name == "WHET_STORE_URL":
        return CausesHarm(Harm.WHET, "makes whet read its record from a database that the command names")
    if name.startswith("BASH_FUNC_"):
        return CausesHarm(Harm.ENVIRONMENT, "the command exports a function into other shells")
    return None


def _loads_code(name: str, value: str) -> bool:
    """True if programs that read the variable load code that its value names."""
    if name in _CODE_VARIABLES or name == "PYTHONSTARTUP":
        return bool(value)
    if name == "ENV":  # the start-up file of sh; applications use the name for their stage: `ENV=dev`
        return _STAGE_NAME.fullmatch(value) is None
    if name in TOOL_CODE:
        return HARMLESS_CODE_VALUE.fullmatch(value) is None
    if name == "SHELL":
        return is_known(value) and value.startswith("/") and value.rpartition("/")[2] not in SHELLS
    if name in _INTERPRETER_OPTIONS and _LOADS_CODE.search(value) and _OPTION_FROM_ANYWHERE.search(value):
        return True
    if names_code(name, value):
        return True
    # A warning filter imports the module it names, and the module antigravity starts the program in BROWSER.
    return name == "PYTHONWARNINGS" and "antigravity" in value


def _searches_unsafe_folder(name: str, value: str) -> bool:
    if _WORLD_WRITABLE_FIRST.match(value):
        return True
    return name == "PATH" and _WORKING_FOLDER_FIRST.match(value) is not None
