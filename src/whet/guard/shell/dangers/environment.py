"""Variables that make other programs run something."""

import re
from collections.abc import Iterator

from whet.guard.shell.code import Does, Finding, Starts
from whet.guard.shell.harm import Harm

_LOADED = frozenset(
    {"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "GCONV_PATH", "PERL5DB", "PYTHONHOME"}
)
_COMMANDS = frozenset({
    "PROMPT_COMMAND", "PAGER", "EDITOR", "VISUAL", "GIT_PAGER", "GIT_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_SEQUENCE_EDITOR", "MANPAGER",
    "LESSOPEN", "LESSCLOSE", "BROWSER", "SSH_ASKPASS", "GIT_PROXY_COMMAND", "SUDO_ASKPASS", "SUDO_EDITOR", "FCEDIT", "SYSTEMD_EDITOR", "SYSTEMD_PAGER", "KUBE_EDITOR", "HGEDITOR", "SVN_EDITOR",
    "TEXEDIT", "RSYNC_RSH", "CVS_RSH", "AWS_PAGER", "PSQL_PAGER", "GH_PAGER", "BAT_PAGER", "SVN_SSH", "TAR_RSH", "PSQL_EDITOR", "GIT_CONFIG_VALUE_0", "GIT_CONFIG_VALUE_1", "MAILCAPS", "PERLBREW_SHELL",
    "DEBIAN_PRIORITY_CMD", "BORG_RSH", "BORG_PASSCOMMAND", "RESTIC_PASSWORD_COMMAND",
})  # fmt: skip
_HISTORY = frozenset({"HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTIGNORE"})
_PROMPTS = frozenset({"PS0", "PS1", "PS2", "PS4"})
_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")
_LOADS_CODE = re.compile(r"-M\S*|-e\s*\S+|-r\s*\S+|--require[= ]\S+|--import[= ]\S+|--loader[= ]\S+")


def from_assignment(name: str, value: str) -> Iterator[Finding]:
    if name in _LOADED and value:
        yield Does(Harm.ENVIRONMENT, f"{name} makes programs load what it names")
    elif name in _COMMANDS and value.strip():
        yield Starts(value.strip().removeprefix("|").removeprefix("!"))
    elif name in _HISTORY and value in ("", "/dev/null", "0", "*"):
        yield Does(Harm.TRACES, "keeps what is done from being remembered")
    elif name in _PROMPTS:
        yield from (Starts("".join(found)) for found in _SUBSTITUTION.findall(value))
    elif (
        (name == "PYTHONSTARTUP" and value)
        or (
            name in ("PERL5OPT", "RUBYOPT", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS")
            and _LOADS_CODE.search(value)
            and re.search(r"/tmp/|/dev/shm|\.\./|data:|^-M|-e", value)
        )
        or (name == "PYTHONWARNINGS" and "antigravity" in value)
    ):
        yield Does(Harm.ENVIRONMENT, f"{name} makes programs load what it names")
    elif name == "PATH" and re.match(r"\.?:|\.(:|$)|/tmp(/|:|$)|/dev/shm|/var/tmp", value):
        yield Does(Harm.ENVIRONMENT, "PATH puts a folder first that anybody may write")
    elif name.startswith("BASH_FUNC_"):
        yield Does(Harm.ENVIRONMENT, "gives another shell a function")
