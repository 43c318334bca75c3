"""Other tools that start something of their own accord."""

import re
from collections.abc import Callable
from itertools import pairwise

from whet.guard.shell.code import python, scripts, sql
from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.placeholders import FROM_NETWORK, UNKNOWN
from whet.guard.shell.model.programs import SHELLS

_MULTIPLEX_VALUED = "cfLSTnstFxyd"
_EXECUTED = re.compile(r"execute_process\s*\(\s*COMMAND\s+([^)]*)", re.IGNORECASE)
_LOADED_FROM = {
    "openssl": ("-engine", "-provider-path"), "nmap": ("--script", "--datadir"), "ssh-keygen": ("-D",), "ssh-add": ("-s",), "tshark": ("-X",), "facter": ("--custom-dir", "--external-dir"),
    "neofetch": ("--config",),
}  # fmt: skip
_CLUSTER = re.compile(r"-[A-Za-z]+[ce]")  # `psql -Atc`, `mysql -Ne`
_COMPILERS = ("gcc", "cc", "g++", "c89", "c99", "clang", "tcc")
_RUN_BY_MAKE = ("SHELL", ".SHELLFLAGS")


def switch_user(call: Call, follower: Follower) -> None:
    """`su` without a command is a shell as another user; the text of `-c` is followed with the other text options."""
    texts = [value for option in ("-c", "--command", "--session-command") for value in values_of(call.args, option)]
    if "--" in call.args and call.args[-1] != "--" and call.name == "runuser":
        follower.follow_command(call.args[call.args.index("--") + 1 :], call, "runuser")
    if texts or ("--" in call.args and call.name == "runuser"):
        follower.add_danger(call, Harm.PRIVILEGE, f"{call.name} runs a command as another user", raises=True)
    elif call.name == "runuser" and "-u" in call.args:
        words = call.args[call.args.index("-u") + 2 :]
        if words:
            follower.follow_command(words, call, "runuser")
    elif call.stdin:
        follower.follow_text(call.stdin, call, call.name)
    if not texts and "--" not in call.args:
        follower.add_danger(call, Harm.PRIVILEGE, f"{call.name} opens a shell as another user")


def make(call: Call, follower: Follower) -> None:
    for place, word in enumerate(call.args):
        name, equals, value = word.partition("=")
        if equals and name.rstrip(":?+") in _RUN_BY_MAKE and value.rpartition("/")[2] not in SHELLS:
            follower.add_danger(call, Harm.SHELL_ESCAPE, "names the program that make runs recipes with")
        elif word.startswith("--eval"):
            rules = value or (call.args[place + 1] if place + 1 < len(call.args) else "")
            _recipes(call, rules, follower.follow_program, follower)
        elif word in ("-f", "--file", "--makefile") and place + 1 < len(call.args):
            path = call.args[place + 1]
            rules = call.stdin or UNKNOWN if path in ("-", "/dev/stdin") else text_of_file(call, path, follower) or ""
            _recipes(call, rules, follower.follow_text, follower)


def _recipes(call: Call, rules: str, run: Callable[[str, Call, str], None], follower: Follower) -> None:
    if FROM_NETWORK in rules:
        follower.add_danger(call, Harm.PIPE_TO_SHELL, "runs a makefile from the network")
    for line in rules.replace(";", "\n\t").split("\n"):
        if line.startswith("\t"):
            run(line.strip().lstrip("@-+").replace("$$", "$"), call, "make recipe")
        elif "$(shell" in line:
            run(line.partition("$(shell")[2].rstrip(") "), call, "make recipe")
    if rules and not rules.strip(UNKNOWN):
        follower.state.add_unresolved("the makefile is not known", call.span)


def build_tool(call: Call, follower: Follower) -> None:
    """`cmake -E env|time|chdir` starts a command; a script (`-P`) may be given on standard input."""
    words = call.args[1:] if call.args[:1] == ["-E"] else []
    place = {"env": 1, "time": 1, "chdir": 2}.get(words[0], 0) if words else 0
    while place and place < len(words) and ("=" in words[place] or words[place].startswith("--")):
        place += 1
    if place and words[place:]:
        follower.follow_command(words[place:], call, "cmake -E")
    if "-P" in call.args and call.stdin:
        for text in _EXECUTED.findall(call.stdin):
            follower.follow_text(text, call, "cmake script")


def loader(call: Call, follower: Follower) -> None:
    if any(word.startswith("--preload") for word in call.args):
        follower.add_danger(call, Harm.ENVIRONMENT, "makes a program load a library of one's own")
    words = [word for word in call.args if not word.startswith("--")]
    if words:
        follower.follow_command(words, call, "ld.so")


def loads_modules(call: Call, follower: Follower) -> None:
    """`openssl -engine ./x.so`, `nmap --script ./x.nse`: a library or a script of one's own."""
    given = [value for option in _LOADED_FROM[call.name] for value in values_of(call.args, option)]
    if any("/" in value and not value.startswith(("/usr/", "/opt/", "/lib")) for value in given):
        follower.add_danger(call, Harm.SHELL_ESCAPE, f"makes {call.name} load code from a file")
    if call.name == "nmap" and "--interactive" in call.args:
        follower.add_danger(call, Harm.SHELL_ESCAPE, "opens a shell from within nmap")


def database(call: Call, follower: Follower) -> None:
    texts = [value for option in ("-c", "-e", "--command", "--execute", "-Q", "-q", "--eval", "-cmd", "--sql", "--query", "-query", "-execute")
             for value in values_of(call.args, option)]  # fmt: skip
    texts += [text for cluster, text in pairwise(call.args) if _CLUSTER.fullmatch(cluster)]
    if call.name in (
        "sqlite3",
        "sqlite",
        "duckdb",
        "redis-cli",
        "bq",
        "clickhouse-client",
        "clickhouse",
        "cqlsh",
        "mongo",
        "mongosh",
        "usql",
        "sqlcmd",
        "cypher-shell",
    ):
        texts += [word for word in call.args if " " in word or word.lower() in ("flushall", "flushdb")]
    texts += [call.stdin] if call.stdin else []
    if call.stdin and FROM_NETWORK in call.stdin:
        follower.add_danger(call, Harm.PIPE_TO_SHELL, f"has {call.name} run what the network sends")
    for path in (*values_of(call.args, "-f"), *values_of(call.args, "--file")):
        texts += [text] if (text := text_of_file(call, path, follower)) else []
    for text in texts:
        follower.follow_effects(sql.effects(text), call, f"SQL for {call.name}")


def multiplexer(call: Call, follower: Follower) -> None:
    """tmux and screen: a command for a new window, or keys sent into one."""
    words, place = call.args, 0
    if call.name == "screen":
        while place < len(words) and words[place].startswith("-"):
            place += 2 if words[place][-1] in "cehpSstTX" else 1
        if words[place:] and "-X" not in words:
            follower.follow_command(words[place:], call, "screen")
        elif "stuff" in words:
            follower.follow_text(words[-1].replace("\\n", "\n").replace("^M", "\n"), call, "screen")
        return
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place][-1] in "cfLST" else 1
    verb, rest = (words[place], words[place + 1 :]) if place < len(words) else ("", [])
    operands = _tmux_operands(rest)
    if verb in ("send-keys", "send"):
        follower.follow_text(
            " ".join(word for word in operands if word not in ("Enter", "C-m", "C-c", "C-l")), call, "tmux"
        )
    elif (
        verb
        in (
            "new",
            "new-session",
            "neww",
            "new-window",
            "split-window",
            "splitw",
            "respawn-pane",
            "run-shell",
            "run",
            "if-shell",
            "popup",
        )
        and operands
    ):
        follower.follow_text(" ".join(operands), call, f"tmux {verb}")
    for text in values_of(words, "-c") if verb == "" else ():
        follower.follow_text(text, call, "tmux -c")


def _tmux_operands(words: list[str]) -> list[str]:
    operands: list[str] = []
    place = 0
    while place < len(words):
        if words[place].startswith("-") and not operands:
            place += (
                2
                if words[place][-1] in _MULTIPLEX_VALUED and len(words[place]) == 2 and words[place] not in ("-d",)
                else 1
            )
            continue
        operands.append(words[place])
        place += 1
    return operands


def package_runner(call: Call, follower: Follower) -> None:
    """npx: a package, or a command text with `-c`."""
    for option in ("-c", "--call"):
        for text in values_of(call.args, option):
            follower.follow_text(text, call, "npx -c")
    place = next((at for at, word in enumerate(call.args) if not word.startswith("-")), None)
    if place is not None:
        follower.follow_command(call.args[place:], call, call.name)


def windows_shell(call: Call, follower: Follower) -> None:
    for place, word in enumerate(call.args):
        if word.lower() in ("/c", "/k", "/r"):
            rest = call.args[place + 1 :]
            follower.follow_command(
                rest[0].split() if len(rest) == 1 and rest[0].strip() else rest or [UNKNOWN], call, "cmd /c"
            )
            return


def expression(call: Call, follower: Follower) -> None:
    """PowerShell's `iex`; outside PowerShell that is Elixir's prompt."""
    if not any(label.startswith(("pwsh", "powershell")) for label in call.via) and FROM_NETWORK not in (
        call.stdin or ""
    ):
        return
    follower.add_danger(call, Harm.PIPE_TO_SHELL, "runs text as commands")
    follower.follow_text(" ".join(call.args) or call.stdin or UNKNOWN, call, call.name)


def package_settings(call: Call, follower: Follower) -> None:
    """`npm config set script-shell x`: the programs that npm starts."""
    words = [word for word in call.args if not word.startswith("-")]
    if words[:2] == ["config", "set"] and len(words) > 2:
        name, equals, value = words[2].partition("=")
        if name in ("script-shell", "shell", "editor", "viewer", "git", "node-gyp"):
            follower.follow_program(value if equals else words[3] if len(words) > 3 else "", call, f"npm {name}")


def later(call: Call, follower: Follower) -> None:
    if call.name in ("at", "batch") and call.stdin:
        follower.follow_text(call.stdin, call, call.name)
    elif call.name == "crontab" and call.stdin:
        for line in call.stdin.splitlines():
            fields = line.split(None, 1 if line.startswith("@") else 5)
            if fields and not line.lstrip().startswith("#"):
                follower.follow_text(fields[-1], call, "crontab")


def package_manager(call: Call, follower: Follower) -> None:
    for value in values_of(call.args, "-o"):
        name, _, text = value.partition("=")
        if name.rstrip(":").endswith(
            ("Invoke", "Pre-Invoke", "Post-Invoke", "Pre-Install-Pkgs", "Proxy-Auto-Detect", "ProxyAutoDetect")
        ):
            follower.follow_text(text, call, name.partition("::")[0] or call.name)


def rpm(call: Call, follower: Follower) -> None:
    for option in ("--eval", "-E"):
        for text in values_of(call.args, option):
            if text.startswith("%(") and text.endswith(")"):
                follower.follow_text(text[2:-1], call, "rpm --eval")
            elif "os.execute" in text or "posix.exec" in text:
                follower.add_danger(call, Harm.SHELL_ESCAPE, "runs a command in a macro")
    for text in values_of(call.args, "--pipe"):
        follower.follow_text(text, call, "rpm --pipe")


def message_filter(call: Call, follower: Follower) -> None:
    """`msgfilter -P sh -c ...`, `gdb --args cmd`, `run-parts`, `start-stop-daemon -x`, `gcc -wrapper`."""
    words = call.args
    for place, word in enumerate(words):
        rest = words[place + 1 :]
        if call.name == "gdb" and word == "--args" and rest:
            return
        if (
            call.name == "gdb"
            and word in ("-ex", "-iex", "-eval-command")
            and rest
            and rest[0].lstrip().startswith(("python", "py "))
        ):
            follower.follow_effects(python.effects(rest[0].lstrip().partition(" ")[2]), call, "gdb python")
        if call.name == "msgfilter" and word == "-P":
            return
        if call.name in _COMPILERS and word == "-" and call.stdin:
            follower.follow_effects(scripts.effects(call.stdin, "C"), call, "C code")
        if call.name in _COMPILERS and word == "-wrapper" and rest:
            follower.follow_command(rest[0].split(","), call, "gcc -wrapper")
        if call.name == "start-stop-daemon" and word in ("-x", "--exec", "-a", "--startas") and rest:
            follower.follow_command(
                [rest[0], *rest[rest.index("--") + 1 :]] if "--" in rest else [rest[0]], call, call.name
            )
        if (
            call.name == "run-parts"
            and word.startswith("--regex")
            and any(shell in word or shell in " ".join(rest) for shell in ("sh$", "^sh"))
        ):
            follower.add_danger(call, Harm.SHELL_ESCAPE, "runs a shell out of a folder of programs")
        if call.name == "service" and ".." in word:
            follower.follow_command([f"/{word.replace('../', '')}", *rest], call, "service")


def keep(call: Call, follower: Follower) -> None:
    """What is written to a file is remembered: it may be run further on."""
    files, options = follower.state.files, call.options
    if call.name == "tee":
        for path in options.operands:
            files[path] = call.stdin or UNKNOWN
    elif call.name in ("cp", "mv", "install", "ln"):
        if len(options.operands) == 2 and options.operands[0] in files:
            files[options.operands[1]] = files[options.operands[0]]
        if call.name == "ln" and options.operands:
            _link(call, follower)
    elif call.name == "curl" and "o" not in options.shorts and not options.has("", "output"):
        if "O" in options.shorts or options.has("", "remote-name"):
            files.update((_last(word), FROM_NETWORK) for word in options.operands)
    else:
        named = options.value("oO" if call.name == "wget" else "o", "output", "output-document")
        files.update((path, FROM_NETWORK) for path in named or map(_last, options.operands))


def _link(call: Call, follower: Follower) -> None:
    """What is written through a link goes to where it leads; links within the project lead nowhere else."""
    target, *rest = call.options.operands
    name = rest[-1] if rest else "."
    if name.endswith(("/", ".")):
        name = f"{name.rstrip('/')}/{_last(target)}"
    if target.startswith(("/", "~", "..")):
        follower.state.links[name.removeprefix("./")] = target


def _last(address: str) -> str:
    return address.partition("?")[0].rstrip("/").rpartition("/")[2]


LAUNCHERS = {
    **dict.fromkeys(("tee", "curl", "wget", "cp", "mv", "install", "ln"), keep),
    **dict.fromkeys(("su", "runuser"), switch_user),
    **dict.fromkeys(("make", "gmake", "bmake"), make),
    **dict.fromkeys(("psql", "mysql", "mariadb", "sqlite3", "sqlite", "duckdb", "mongo", "mongosh", "redis-cli", "sqlcmd", "cqlsh", "bq",
                     "clickhouse-client", "clickhouse", "sqlplus", "usql", "cockroach", "cypher-shell", "wrangler", "pgcli", "mycli", "litecli", "snowsql", "isql", "influx"), database),
    **dict.fromkeys(("tmux", "screen"), multiplexer), "cmake": build_tool, **dict.fromkeys(_LOADED_FROM, loads_modules), "ld.so": loader,
    **dict.fromkeys(("ld-linux-x86-64.so.2", "ld-linux.so.2", "ld-linux-aarch64.so.1"), loader),
    "cmd": windows_shell, "cmd.exe": windows_shell, **dict.fromkeys(("iex", "IEX", "Invoke-Expression"), expression),
    **dict.fromkeys(("npm", "pnpm", "yarn"), package_settings),
    "npx": package_runner, "bunx": package_runner,
    **dict.fromkeys(("at", "batch", "crontab"), later),
    **dict.fromkeys(("apt", "apt-get", "aptitude"), package_manager),
    **dict.fromkeys(("rpm", "rpmquery", "rpmdb", "rpmverify"), rpm),
    **dict.fromkeys(("msgfilter", "gdb", *_COMPILERS, "start-stop-daemon", "run-parts", "service"), message_filter),
}  # fmt: skip
