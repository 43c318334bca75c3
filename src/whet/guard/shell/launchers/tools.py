"""Other tools that start commands: user switches, databases, terminal multiplexers, package managers, schedulers."""

import re
from itertools import pairwise

from whet.guard.shell.code import sql
from whet.guard.shell.launchers.interpreters import effects
from whet.guard.shell.launchers.other_user import judge_other_user
from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.placeholders import FROM_NETWORK, UNKNOWN
from whet.guard.shell.model.queries import is_query

_USER_SWITCH_TEXTS = ("-c", "--command", "--session-command")
# Options that load a library or script into a tool.
_LOADING_OPTIONS = {
    "openssl": ("-engine", "-provider-path"),
    "nmap": ("--script", "--datadir"),
    "ssh-keygen": ("-D",),
    "ssh-add": ("-s",),
    "tshark": ("-X",),
    "facter": ("--custom-dir", "--external-dir"),
    "neofetch": ("--config",),
}
_STATEMENT_OPTIONS = (
    "-c", "-e", "--command", "--execute", "-Q", "-q", "--eval", "-cmd", "--sql", "--query", "-query", "-execute",
)  # fmt: skip
_LUA_MACRO = re.compile(r"%\{lua:(.*)\}", re.DOTALL)
_STATEMENT_CLUSTER = re.compile(r"-[A-Za-z]+[ce]")  # `psql -Atc`, `mysql -Ne`
_STATEMENT_OPERANDS = frozenset({
    "sqlite3", "sqlite", "duckdb", "redis-cli", "bq", "clickhouse-client", "clickhouse", "cqlsh", "mongo",
    "mongosh", "usql", "sqlcmd", "cypher-shell",
})  # fmt: skip
_TMUX_VALUED_LETTERS = "cfLSTnstFxyd"
_TMUX_COMMAND_VERBS = frozenset({
    "new", "new-session", "neww", "new-window", "split-window", "splitw", "respawn-pane", "run-shell", "run",
    "if-shell", "popup",
})  # fmt: skip
_TYPES = frozenset({"type", "send-text", "write-chars", "text"})
_TMUX_KEYS = ("Enter", "C-m", "C-c", "C-l")
_NPM_PROGRAM_SETTINGS = ("script-shell", "shell", "editor", "viewer", "git", "node-gyp")
_APT_COMMAND_SETTINGS = (
    "Invoke", "Pre-Invoke", "Post-Invoke", "Pre-Install-Pkgs", "Proxy-Auto-Detect", "ProxyAutoDetect",
)  # fmt: skip


def switch_user(call: Call, follower: Follower) -> None:
    """Follow the command of `su -c` and `runuser`; report a shell that they open."""
    if is_query(call):
        return
    state = follower.state
    dangers, commands = len(state.dangers), len(state.found_commands)
    texts = [value for option in _USER_SWITCH_TEXTS for value in values_of(call.args, option)]
    words = _runuser_words(call) if call.name == "runuser" else []
    for text in texts:
        follower.follow_text(text, call, call.name)
    if words:
        follower.follow_command(words, call, call.name)
    if not texts and not words:
        if call.stdin:
            follower.follow_text(call.stdin, call, call.name)
        follower.add_danger(call, Harm.PRIVILEGE, f"uses {call.name} to open a shell as another user")
    is_dangerous = len(state.dangers) > dangers
    judge_other_user(call, state.found_commands[commands:], follower, is_dangerous=is_dangerous)


def _runuser_words(call: Call) -> list[str]:
    """Return the command of `runuser -u user command` and of `runuser ... -- command`."""
    if "--" in call.args:
        return call.args[call.args.index("--") + 1 :]
    return call.args[call.args.index("-u") + 2 :] if "-u" in call.args else []


def dynamic_loader(call: Call, follower: Follower) -> None:
    """Follow `ld.so program`, and report `--preload`."""
    if any(word.startswith("--preload") for word in call.args):
        follower.add_danger(call, Harm.ENVIRONMENT, "the command loads a library into another program")
    words = [word for word in call.args if not word.startswith("--")]
    if words:
        follower.follow_command(words, call, "ld.so")


def module_loader(call: Call, follower: Follower) -> None:
    """Report `openssl -engine ./x.so`, `nmap --script ./x.nse` and similar options."""
    paths = [value for option in _LOADING_OPTIONS[call.name] for value in values_of(call.args, option)]
    if any("/" in path and not path.startswith(("/usr/", "/opt/", "/lib")) for path in paths):
        follower.add_danger(call, Harm.SHELL_ESCAPE, f"makes {call.name} load code from a file")
    if call.name == "nmap" and "--interactive" in call.args:
        follower.add_danger(call, Harm.SHELL_ESCAPE, "opens a shell from within nmap")


def database(call: Call, follower: Follower) -> None:
    """Judge the statements in options, operands, standard input and files that the command text wrote."""
    statements = [value for option in _STATEMENT_OPTIONS for value in values_of(call.args, option)]
    statements += [text for option, text in pairwise(call.args) if _STATEMENT_CLUSTER.fullmatch(option)]
    if call.name in _STATEMENT_OPERANDS:
        statements += [word for word in call.args if " " in word or word.lower() in ("flushall", "flushdb")]
    if call.stdin:
        statements.append(call.stdin)
        if FROM_NETWORK in call.stdin:
            reason = f"the command makes {call.name} run statements from the network"
            follower.add_danger(call, Harm.PIPE_TO_SHELL, reason)
    for path in (*values_of(call.args, "-f"), *values_of(call.args, "--file")):
        text = text_of_file(call, path, follower)
        if text:
            statements.append(text)
    for statement in statements:
        follower.follow_effects(sql.effects(statement), call, f"SQL for {call.name}")


def screen(call: Call, follower: Follower) -> None:
    """Follow the command of a new window, or the keys sent into one (`-X stuff`)."""
    words, start = call.args, 0
    while start < len(words) and words[start].startswith("-"):
        start += 2 if words[start][-1] in "cehpSstTX" else 1
    if words[start:] and "-X" not in words:
        follower.follow_command(words[start:], call, "screen")
    elif "stuff" in words:
        follower.follow_text(words[-1].replace("\\n", "\n").replace("^M", "\n"), call, "screen")


def tmux(call: Call, follower: Follower) -> None:
    """Follow the command of a new window, or the keys sent into one (`send-keys`)."""
    words, start = call.args, 0
    while start < len(words) and words[start].startswith("-"):
        start += 2 if words[start][-1] in "cfLST" else 1
    verb = words[start] if start < len(words) else ""
    operands = _tmux_operands(words[start + 1 :])
    if verb in ("send-keys", "send"):
        follower.follow_text(" ".join(word for word in operands if word not in _TMUX_KEYS), call, "tmux")
    elif verb in _TMUX_COMMAND_VERBS and operands:
        follower.follow_text(" ".join(operands), call, f"tmux {verb}")
    if not verb:
        for text in values_of(words, "-c"):
            follower.follow_text(text, call, "tmux -c")


def typed_keys(call: Call, follower: Follower) -> None:
    """Follow the text that a program types into another window: `xdotool type 'rm -rf ~'`."""
    for index, word in enumerate(call.args):
        if word in _TYPES:
            texts = [text for text in call.args[index + 1 :] if not text.startswith("-") and not text.isdigit()]
            for text in (*texts, " ".join(texts)):
                follower.follow_text(text.replace("\\n", "\n").replace("\\r", "\n"), call, f"{call.name} {word}")


def _tmux_operands(words: list[str]) -> list[str]:
    """Return the words from the first one that is neither an option nor its value."""
    start = 0
    while start < len(words) and words[start].startswith("-"):
        word = words[start]
        takes_value = len(word) == 2 and word[-1] in _TMUX_VALUED_LETTERS and word != "-d"
        start += 2 if takes_value else 1
    return words[start:]


def package_runner(call: Call, follower: Follower) -> None:
    """Follow `npx package` and `npx -c text`."""
    for option in ("-c", "--call"):
        for text in values_of(call.args, option):
            follower.follow_text(text, call, "npx -c")
    first = next((index for index, word in enumerate(call.args) if not word.startswith("-")), None)
    if first is not None:
        follower.follow_command(call.args[first:], call, call.name)


def npm_settings(call: Call, follower: Follower) -> None:
    """Follow the programs in settings: `npm config set script-shell x`."""
    words = [word for word in call.args if not word.startswith("-")]
    if words[:2] == ["config", "set"] and len(words) > 2:
        name, equals, value = words[2].partition("=")
        if name in _NPM_PROGRAM_SETTINGS:
            program = value if equals else "".join(words[3:4])
            follower.follow_program(program, call, f"npm {name}")


def apt_settings(call: Call, follower: Follower) -> None:
    """Follow the commands in settings: `apt -o APT::Update::Pre-Invoke::=sh`."""
    for value in values_of(call.args, "-o"):
        name, _, text = value.partition("=")
        if name.rstrip(":").endswith(_APT_COMMAND_SETTINGS):
            follower.follow_text(text, call, name.partition("::")[0] or call.name)


def rpm(call: Call, follower: Follower) -> None:
    """Follow `rpm --eval '%(command)'` and `rpm --pipe command`; report macros that run commands."""
    for option in ("--eval", "-E"):
        for text in values_of(call.args, option):
            if text.startswith("%(") and text.endswith(")"):
                follower.follow_text(text[2:-1], call, "rpm --eval")
            elif "os.execute" in text or "posix.exec" in text:
                follower.add_danger(call, Harm.SHELL_ESCAPE, "runs a command in a macro")
            for code in _LUA_MACRO.findall(text):
                follower.follow_effects(effects(code, "lua"), call, "lua code")
    for text in values_of(call.args, "--pipe"):
        follower.follow_text(text, call, "rpm --pipe")


def windows_shell(call: Call, follower: Follower) -> None:
    """Follow `cmd /c command`."""
    for index, word in enumerate(call.args):
        if word.lower() in ("/c", "/k", "/r"):
            rest = call.args[index + 1 :]
            words = rest[0].split() if len(rest) == 1 and rest[0].strip() else rest
            follower.follow_command(words or [UNKNOWN], call, "cmd /c")
            return


def powershell_expression(call: Call, follower: Follower) -> None:
    """Follow PowerShell's `iex`. Outside PowerShell, `iex` is Elixir's interactive shell."""
    in_powershell = any(label.startswith(("pwsh", "powershell")) for label in call.via)
    if not in_powershell and FROM_NETWORK not in (call.stdin or ""):
        return
    follower.add_danger(call, Harm.PIPE_TO_SHELL, "the command runs text as commands")
    follower.follow_text(" ".join(call.args) or call.stdin or UNKNOWN, call, call.name)


def scheduler(call: Call, follower: Follower) -> None:
    """Follow the jobs that `at`, `batch` and `crontab` read from standard input."""
    if call.name in ("at", "batch") and call.stdin:
        follower.follow_text(call.stdin, call, call.name)
    elif call.name == "crontab" and call.stdin:
        for line in call.stdin.splitlines():
            fields = line.split(None, 1 if line.startswith("@") else 5)
            if fields and not line.lstrip().startswith("#"):
                follower.follow_text(fields[-1], call, "crontab")


def start_stop_daemon(call: Call, follower: Follower) -> None:
    """Follow `start-stop-daemon --exec program -- arguments`."""
    for index, word in enumerate(call.args):
        rest = call.args[index + 1 :]
        if word in ("-x", "--exec", "-a", "--startas") and rest:
            arguments = rest[rest.index("--") + 1 :] if "--" in rest else []
            follower.follow_command([rest[0], *arguments], call, call.name)


def run_parts(call: Call, follower: Follower) -> None:
    """Report `run-parts --regex '^sh$' /bin`, which opens a shell."""
    for index, word in enumerate(call.args):
        rest = " ".join(call.args[index + 1 :])
        if word.startswith("--regex") and any(shell in word or shell in rest for shell in ("sh$", "^sh")):
            follower.add_danger(call, Harm.SHELL_ESCAPE, "runs a shell out of a folder of programs")


def service(call: Call, follower: Follower) -> None:
    """Follow `service ../../bin/sh`, a path out of the folder of services."""
    for index, word in enumerate(call.args):
        if ".." in word:
            follower.follow_command([f"/{word.replace('../', '')}", *call.args[index + 1 :]], call, "service")


LAUNCHERS = {
    **dict.fromkeys(("su", "runuser"), switch_user),
    **dict.fromkeys(
        (
            "psql", "mysql", "mariadb", "sqlite3", "sqlite", "duckdb", "mongo", "mongosh", "redis-cli", "sqlcmd",
            "cqlsh", "bq", "clickhouse-client", "clickhouse", "sqlplus", "usql", "cockroach", "cypher-shell",
            "wrangler", "pgcli", "mycli", "litecli", "snowsql", "isql", "influx",
        ),
        database,
    ),
    "tmux": tmux,
    "screen": screen,
    **dict.fromkeys(_LOADING_OPTIONS, module_loader),
    **dict.fromkeys(("ld.so", "ld-linux-x86-64.so.2", "ld-linux.so.2", "ld-linux-aarch64.so.1"), dynamic_loader),
    "cmd": windows_shell,
    "cmd.exe": windows_shell,
    **dict.fromkeys(("iex", "IEX", "Invoke-Expression"), powershell_expression),
    **dict.fromkeys(("npm", "pnpm", "yarn"), npm_settings),
    "npx": package_runner,
    **dict.fromkeys(("xdotool", "ydotool", "wtype", "dotool", "kitty", "kitten", "wezterm", "adb", "zellij"), typed_keys),
    "bunx": package_runner,
    **dict.fromkeys(("at", "batch", "crontab"), scheduler),
    **dict.fromkeys(("apt", "apt-get", "aptitude"), apt_settings),
    **dict.fromkeys(("rpm", "rpmquery", "rpmdb", "rpmverify"), rpm),
    "start-stop-daemon": start_stop_daemon,
    "run-parts": run_parts,
    "service": service,
}  # fmt: skip
