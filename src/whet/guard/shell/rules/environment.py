"""Variables that make other programs run something."""

import re
import shlex
from collections.abc import Iterator

from whet.guard.shell.model.effects import CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.rules.network import LOCAL

_LOADED = frozenset(
    {
        "LD_PRELOAD",
        "LD_AUDIT",
        "DYLD_INSERT_LIBRARIES",
        "BASH_ENV",
        "ENV",
        "GCONV_PATH",
        "PERL5DB",
        "PYTHONHOME",
        "OPENSSL_CONF",
        "OPENSSL_ENGINES",
        "GIO_EXTRA_MODULES",
    }
)
_PROGRAMS = frozenset({
    "PAGER", "EDITOR", "VISUAL", "GIT_PAGER", "GIT_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_SEQUENCE_EDITOR", "MANPAGER",
    "LESSOPEN", "LESSCLOSE", "BROWSER", "SSH_ASKPASS", "GIT_PROXY_COMMAND", "SUDO_ASKPASS", "SUDO_EDITOR", "FCEDIT", "SYSTEMD_EDITOR", "SYSTEMD_PAGER", "KUBE_EDITOR", "HGEDITOR", "SVN_EDITOR",
    "TEXEDIT", "RSYNC_RSH", "CVS_RSH", "AWS_PAGER", "PSQL_PAGER", "GH_PAGER", "BAT_PAGER", "SVN_SSH", "TAR_RSH", "PSQL_EDITOR", "GIT_CONFIG_VALUE_0", "GIT_CONFIG_VALUE_1", "MAILCAPS", "PERLBREW_SHELL",
    "DEBIAN_PRIORITY_CMD", "RUSTC_WRAPPER", "RUSTC", "CC", "CXX", "LD", "SHELL_PAGER", "TERRAFORM_EDITOR", "CARGO_TARGET_RUNNER", "BORG_RSH", "BORG_PASSCOMMAND", "RESTIC_PASSWORD_COMMAND",
})  # fmt: skip
_HISTORY = frozenset({"HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTIGNORE"})
_PROMPTS = frozenset({"PS0", "PS1", "PS2", "PS4"})
_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")
_OPTIONS = frozenset(
    {"PERL5OPT", "RUBYOPT", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "JAVA_OPTS"}
)
_LOADS_CODE = re.compile(
    r"-M\S*|-e\s*\S+|-r\s*\S+|--require[= ]\S+|--import[= ]\S+|--loader[= ]\S+|-(javaagent|agentpath|agentlib):\S+|-XX:OnError"
)
_SEARCHED = frozenset({"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "PERL5LIB", "PERLLIB", "RUBYLIB", "NODE_PATH", "GIT_EXEC_PATH",
                       "LUA_PATH", "LUA_CPATH", "CLASSPATH", "GIT_TEMPLATE_DIR"})  # fmt: skip
_ANYBODY_WRITES = re.compile(r"(/tmp|/var/tmp|/dev/shm)(/|:|$)")
# Arguments that a program takes from its environment before those it is given.
_ARGUMENTS = {"TAR_OPTIONS": "tar {0}", "MAKEFLAGS": "make {0}", "GNUMAKEFLAGS": "make {0}", "LESS": "less {0}", "VIMINIT": "vim -c {1}", "EXINIT": "vim -c {1}",
              "GIT_CONFIG_PARAMETERS": "git -c {0} status"}  # fmt: skip
_REGISTRIES = frozenset({"npm_config_registry", "NPM_CONFIG_REGISTRY", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "UV_INDEX_URL", "UV_DEFAULT_INDEX",
                         "UV_EXTRA_INDEX_URL", "GOPROXY", "YARN_REGISTRY"})  # fmt: skip
_FIRST_HERE = re.compile(r"\.?:|\.(:|$)")
# Whoever reads such a variable runs, loads or trusts what it names; nobody keeps that in a folder of everybody's.
_BY_ITS_ENDING = re.compile(
    r"\w*_(WRAPPER|LINKER|RUNNER|COMMAND|CMD|HOOKS?|PLUGINS?|LIBRARY|MODULES?|EDITOR|PAGER|ASKPASS|SHELL|STARTUP|PRELOAD|EXEC|HELPER|PROGRAM|RCFILE|INIT)"
    r"|GIT_(DIR|CONFIG(_GLOBAL|_SYSTEM)?|HOOKS_PATH)|\w*(FLAGS|OPTS|OPTIONS)"
)
_LOADS_FROM_THERE = re.compile(
    r"(?:^|(?:toolexec|plugin|linker|wrapper|agent\w*|require|import|load|-B|-r|-e)[=: ]*)(/tmp|/var/tmp|/dev/shm)/"
)
_UNCHECKED = {
    "GIT_SSL_NO_VERIFY": ("1", "true", "yes"),
    "PYTHONHTTPSVERIFY": ("0",),
    "GONOSUMDB": ("*",),
    "GOINSECURE": ("*",),
    "GONOSUMCHECK": ("1",),
    "GOFLAGS": ("-insecure",),
}
# Looked at even where no command follows: they hold for what comes after.
_TELLING = (
    _LOADED
    | _PROGRAMS
    | _HISTORY
    | _PROMPTS
    | _OPTIONS
    | _SEARCHED
    | _ARGUMENTS.keys()
    | _REGISTRIES
    | _UNCHECKED.keys()
    | {"PROMPT_COMMAND", "PYTHONSTARTUP", "PYTHONWARNINGS"}
)


def is_influential(name: str) -> bool:
    return name in _TELLING or _BY_ITS_ENDING.fullmatch(name) is not None


def effects_of_assignment(name: str, value: str) -> Iterator[CodeEffect]:
    if name in _LOADED and value:
        yield _loads(name)
    elif name == "PROMPT_COMMAND":
        yield RunsCommand(value)
    elif name in _ARGUMENTS and value.strip():
        yield RunsCommand(_ARGUMENTS[name].format(value, shlex.quote(value)))
    elif (
        name in _REGISTRIES
        and (value.startswith("http://") or name == "PIP_TRUSTED_HOST")
        and not LOCAL.fullmatch(value)
    ):
        yield CausesHarm(Harm.PACKAGES, f"the variable {name} takes packages over an unencrypted connection")
    elif name in _PROGRAMS and value.strip():
        yield RunsCommand(value.strip().removeprefix("|").removeprefix("!"), slot=True)
    elif name in _HISTORY and value in ("", "/dev/null", "0", "*"):
        yield CausesHarm(Harm.TRACES, "switches off the command history")
    elif name in _PROMPTS:
        yield from (RunsCommand("".join(found), slot=name == "PS4") for found in _SUBSTITUTION.findall(value))
    elif (
        (name == "PYTHONSTARTUP" and value)
        or (
            name in _OPTIONS
            and _LOADS_CODE.search(value)
            and re.search(r"/tmp/|/dev/shm|\.\./|data:|^-M|-e|OnError", value)
        )
        or (name == "PYTHONWARNINGS" and "antigravity" in value)
    ):
        yield _loads(name)
    elif name in _SEARCHED and (_ANYBODY_WRITES.match(value) or (name == "PATH" and _FIRST_HERE.match(value))):
        yield CausesHarm(Harm.ENVIRONMENT, f"the variable {name} searches a folder first that everybody can write")
    elif value in _UNCHECKED.get(name, ()):
        yield CausesHarm(Harm.PACKAGES, f"the variable {name} takes code from hosts without checking their identity")
    elif _LOADS_FROM_THERE.search(value) and _BY_ITS_ENDING.fullmatch(name):
        yield _loads(name)
    elif (
        value.startswith("http://")
        and "." in value
        and name.startswith("AWS_ENDPOINT_URL")
        and not LOCAL.fullmatch(value)
    ):
        yield CausesHarm(Harm.EXFILTRATION, f"the variable {name} sends requests for a cloud to another server")
    elif name.startswith("BASH_FUNC_"):
        yield CausesHarm(Harm.ENVIRONMENT, "the command exports a function into other shells")


def _loads(name: str) -> CausesHarm:
    return CausesHarm(Harm.ENVIRONMENT, f"the variable {name} makes programs load other code")
