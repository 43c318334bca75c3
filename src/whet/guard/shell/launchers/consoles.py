"""Programs that open an interactive console, editor or pager: the guard does not see what is typed there.

Only calls that do nothing else are raised. A file that an editor or a pager opens is ordinary work.
"""

import re

from whet.guard.shell.launchers.shells import is_started_directly
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm

_LANGUAGES = (
    "python", "python2", "python3", "pypy", "pypy3", "ipython", "ipython3", "bpython", "ptpython", "irb", "pry", "node",
    "nodejs", "deno", "lua", "luajit", "julia", "R", "octave", "octave-cli", "guile", "sbcl", "clisp", "ghci", "scala",
    "groovysh", "jshell", "jjs", "jrunscript", "iex", "erl", "tclsh", "wish", "expect", "swipl", "gprolog", "ocaml",
    "utop", "racket", "csi", "clj", "cpan", "gforth", "maxima", "gnuplot", "sage", "rails-console", "gore", "evcxr",
    "psysh", "tinker", "xonsh", "gjs", "qjs", "bb", "lein-repl", "pdb", "ipdb", "byebug",
)  # fmt: skip
_EDITORS = ("ex", "ed", "red", "vi", "vim", "nvim", "view", "rvim", "rview", "emacs", "bashbug", "perlbug")
_TERMINALS = ("screen", "minicom", "picocom", "cu", "tip")
_ANALYSERS = ("wireshark", "gdb", "lldb", "radare2", "r2", "scapy", "gcore", "ftp", "lftp", "nslookup", "bluetoothctl")
_CONSOLE_OPTIONS = frozenset({"-i", "-a", "-q", "--interactive", "-D", "/dev/null", "-n"})
_CONSOLE_VERBS = frozenset({"shell", "console", "volshell"})
# Development tools whose console or shell is the project's own environment.
_PROJECT_TOOLS = frozenset({
    "poetry", "pipenv", "hatch", "pdm", "conda", "mamba", "micromamba", "nix", "devbox", "devenv", "rails", "flask",
    "django-admin", "manage.py", "python", "python3", "npm", "yarn", "pnpm", "bun", "docker", "kubectl", "heroku",
    "adb", "juju", "cargo", "mix", "lein", "boot", "scrapy", "git", "direnv", "guix", "pixi", "spack", "limactl",
    "multipass", "vagrant", "fly", "flyctl", "gcloud", "az", "aws", "firebase", "wrangler", "supabase", "mise", "rtx",
})  # fmt: skip

# Words with which a program shows long text in a pager of its own, and from there starts any command.
_PAGED = {
    "git": re.compile(r"(?:-\S+ )*help [a-z]\S*|\S+ --help \S+"),
    **dict.fromkeys(("aws", "gcloud"), re.compile(r"(?:[\w-]+ )*help")),
    **dict.fromkeys(("cargo", "hg"), re.compile(r"help \S+")),
    "bundle": re.compile(r"help|console"),
    "gem": re.compile(r"open \S+"),
    "eb": re.compile(r"logs"),
    "crash": re.compile(r"-h"),
    "dmesg": re.compile(r"-H|--human"),
    **dict.fromkeys(("bat", "batcat"), re.compile(r".*--paging[= ]always.*")),
    **dict.fromkeys(("journalctl", "systemctl"), re.compile(r"")),
    "busctl": re.compile(r"(?:--show-machine|--list)?"),
    "systemd-resolve": re.compile(r"--status"),
    "timedatectl": re.compile(r"list-timezones"),
    **dict.fromkeys(("apt", "apt-get", "aptitude"), re.compile(r"changelog \S+")),
    **dict.fromkeys(("run-mailcap", "see", "edit", "compose"), re.compile(r"(?:--action=\S+ )?\S+")),
}  # fmt: skip


def console(call: Call, follower: Follower) -> None:
    """Ask a person about an interpreter, an editor or a terminal that is started without a task: it waits for input."""
    if _CONSOLE_OPTIONS.issuperset(call.args):
        _raise(call, follower, f"opens {call.name}")


def session(call: Call, follower: Follower) -> None:
    """Raise `script /dev/null` and `tmux -S socket`: a shell whose session is not logged, or on the socket of another server."""
    is_unlogged = (
        call.name == "script" and call.args[-1:] == ["/dev/null"] and not {"-c", "--command"}.intersection(call.args)
    )
    has_own_socket = call.name == "tmux" and len(call.args) == 2 and call.args[0] in ("-S", "-L")
    if is_unlogged or has_own_socket:
        _raise(call, follower, f"opens a shell in {call.name}")


def other_group(call: Call, follower: Follower) -> None:
    """Refuse `sg group`, which opens a shell with the permissions of another group, and follow `sg group command`."""
    words = [word for word in call.args if word not in ("-", "-c")]
    if len(words) == 1:
        follower.add_danger(call, Harm.PRIVILEGE, "opens a shell with the permissions of another group")
    elif words and "-c" not in call.args:
        follower.follow_text(" ".join(words[1:]), call, "sg")


def raise_console_verb(call: Call, follower: Follower) -> None:
    """Raise `program shell` and `program console` of programs that are not tools of the project."""
    if call.args and call.args[-1] in _CONSOLE_VERBS and call.name not in _PROJECT_TOOLS and len(call.args) < 4:
        _raise(call, follower, f"opens the {call.args[-1]} of {call.name}")


def pager(call: Call, follower: Follower) -> None:
    """Ask a person about a call that shows its output in a pager, unless something else takes the output."""
    if _PAGED[call.name].fullmatch(" ".join(call.args)):
        _raise(call, follower, f"opens the pager of {call.name}")


def _raise(call: Call, follower: Follower, predicate: str) -> None:
    has_input = call.stdin is not None or call.reads
    if not has_input and not call.output_used and not call.writes and is_started_directly(call):
        reason = f"{predicate}, and the guard does not see what is typed there"
        follower.add_danger(call, Harm.SHELL_ESCAPE, reason, raises=True)


LAUNCHERS = {
    **dict.fromkeys((*_LANGUAGES, *_EDITORS, *_TERMINALS, *_ANALYSERS), console),
    "script": session,
    "tmux": session,
    "sg": other_group,
    **dict.fromkeys(_PAGED, pager),
}
