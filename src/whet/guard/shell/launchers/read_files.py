"""Files that a program reads without starting them as a script: build files, settings, unit files.

Only files that the command text itself wrote, and process substitutions, are judged here: their content is known. For each program the table says
where it finds the file, and how the file names commands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from whet.guard.shell.launchers.interpreters import effects
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import MAX_LENGTH, TOO_LONG, RunsCommand
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.options import values_of
from whet.guard.shell.model.placeholders import FROM_NETWORK, PROCESS_FILE

_SCRIPTS_BLOCK = re.compile(r"\"scripts\"\s*:\s*\{(.*?)\}", re.DOTALL)
_JSON_TEXT = re.compile(r"\"((?:\\.|[^\"\\])*)\"(\s*:)?")  # with the colon after a key

_WEB_SERVERS = ("nginx", "caddy", "lighttpd", "httpd", "apache2")
_SERVED_FOLDER = re.compile(
    r"\b(?:root|alias|DocumentRoot|server\.document-root)[\s=*\"]+"
    r"(/(?:(?:etc|home|root|proc)(?:/[^/;\s\"]*)?|var|usr)?/?)[\";\s]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reads:
    """The files that a program takes code or commands from.

    `names` are the files that it reads by itself, `options` those that name one; with `operands`, every operand may be
    one. The file is code of `language`, or else `commands` finds command texts in it, or with
    `slot` programs and libraries.
    """

    names: str = ""
    options: str = ""
    operands: bool = False
    language: str = ""
    commands: str = ""
    slot: bool = False


_PACKAGE_JSON = Reads("package.json composer.json", language="package.json")
_RUBY = Reads(
    "Gemfile Rakefile Vagrantfile Guardfile Capfile Fastfile Podfile Dangerfile", "-f -G --gemfile", language="ruby"
)
_SETUP_PY = Reads("setup.py conftest.py noxfile.py tasks.py fabfile.py SConstruct wscript", "-f -c", language="python")
_APT = Reads(options="-c --config-file", commands=r"(?:-Invoke|Pre-Install-Pkgs|AutoDetect)[\w:-]*\s*\{?\s*\"([^\"]+)")
_SSH = Reads(
    "config ssh_config", "-F", commands=r"(?:Proxy|Local|KnownHosts)Command\s+(.+)|Match\s+exec\s+\"?([^\"\n]+)"
)
_SYSTEMD = Reads(operands=True, commands=r"^Exec\w+=[-@:+!]*(.+)$")
_MINICOM = Reads(options="-S", operands=True, commands=r"^\s*!\s*<?\s*(.+)$")
_TMUX = Reads(
    ".tmux.conf", "-f", operands=True, commands=r"(?:run-shell|if-shell|pipe-pane)\s+(?:-\w\s+)*[\"']?([^\"'\n]+)"
)

TABLE: dict[str, tuple[Reads, ...]] = {
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun", "composer"), (_PACKAGE_JSON,)),
    **dict.fromkeys(
        ("bundle", "bundler", "rake", "vagrant", "gem", "guard", "cap", "fastlane", "pod", "thor"), (_RUBY,)
    ),
    **dict.fromkeys(
        ("pip", "pip3", "easy_install", "pytest", "nox", "invoke", "fab", "scons", "waf", "pdb",
         "uv", "tox"),
        (_SETUP_PY,),
    ),
    **dict.fromkeys(("cmake", "ctest", "cpack"), (
        Reads("CMakeLists.txt", "-P -C -S", operands=True,
              commands=r"(?:execute_process|add_custom_\w+|exec_program)\s*\([^()]*?(?:COMMAND\s+)([^)]+)"),
    )),
    **dict.fromkeys(("make", "gmake", "bmake"), (
        Reads("Makefile makefile GNUmakefile", commands=r"^\t[@+-]*(.+)$|\$\(shell\s+([^)]+)\)|^[\w./%-][^\n=;]*:[^\n=;]*;\s*[@+-]*(.+)$"),
    )),
    "ninja": (Reads("build.ninja", "-f", commands=r"^\s*command\s*=\s*(.+)$"),),
    "just": (Reads("justfile Justfile .justfile", "-f --justfile", commands=r"^[ \t]+@?(.+)$"),),
    **dict.fromkeys(("task", "go-task"), (
        Reads("Taskfile.yml Taskfile.yaml", "-t", commands=r"^\s*-\s*(?:cmd:\s*)?(.+)$"),
    )),
    **dict.fromkeys(("apt", "apt-get", "aptitude", "apt-cache"), (_APT,)),
    **dict.fromkeys(("ssh", "scp", "sftp", "sshfs", "rsync"), (_SSH,)),
    **dict.fromkeys(("systemctl", "systemd-analyze", "systemd-run"), (_SYSTEMD,)),
    **dict.fromkeys(("minicom", "runscript"), (_MINICOM,)),
    "tmux": (_TMUX,),
    "screen": (Reads(".screenrc", "-c", commands=r"^\s*(?:screen|exec)\s+(.+)$"),),
    **dict.fromkeys(("wg-quick", "ifup", "ifdown"), (
        Reads(
            options="-i",
            operands=True,
            commands=r"^\s*(?:(?:Pre|Post)(?:Up|Down)\s*=|(?:pre-|post-)?(?:up|down)\s)\s*(.+)$",
        ),
    )),
    **dict.fromkeys(("fail2ban-client", "fail2ban-server"), (
        Reads("*.conf *.local", commands=r"^\s*action\w+\s*=\s*(.+)$"),
    )),
    "rsyslogd": (Reads(options="-f", commands=r"\^(.+)$|binary=\"([^\"]+)"),),
    "syslog-ng": (Reads(options="-f", commands=r"program\(\s*\"([^\"]+)"),),
    "rtorrent": (Reads(".rtorrent.rc rtorrent.rc", "-o", commands=r"execute[\w.]*\s*=\s*([^,\n]+)"),),
    **dict.fromkeys(("fastfetch", "neofetch", "waybar", "polybar"), (
        Reads(options="-c --config", commands=r"\"(?:text|exec|on-\w+|command)\"\s*:\s*\"((?:\\.|[^\"])+)"),
    )),
    **dict.fromkeys(("kubectl", "helm", "oc", "k9s"), (
        Reads("config", "--kubeconfig", commands=r"^\s*(?:cmd-path|command):\s*(.+)$"),
    )),
    **dict.fromkeys(("arch-nspawn", "makepkg", "arch-chroot", "mkarchroot"), (
        Reads("makepkg.conf PKGBUILD", "-p", language="shell"),
    )),
    "easyrsa": (Reads("vars", "--vars", language="shell"),),
    "nginx": (Reads("nginx.conf", "-c", commands=r"load_module\s+([^;]+)", slot=True),),
    **dict.fromkeys(("caddy", "lighttpd", "httpd", "apache2"), (
        Reads("Caddyfile", "-f --config", commands=r"LoadModule\s+\w+\s+(\S+)", slot=True),
    )),
    **dict.fromkeys(("stunnel", "xinetd", "inetd", "supervisord"), (
        Reads(operands=True, options="-c", commands=r"^\s*(?:exec|server|command)\s*=\s*(.+)$"),
    )),
    "logrotate": (Reads(operands=True, commands=r"(?:pre|post|first|last)\w+\n([\s\S]*?)\n\s*endscript"),),
    "crontab": (Reads(operands=True, commands=r"^(?:@\w+|(?:\S+\s+){5})\s*(.+)$"),),
    "needrestart": (Reads(options="-c", language="perl"),),
    "pandoc": (Reads(options="-L --lua-filter", language="lua"),),
    "nmap": (Reads(options="--script", language="lua"),),
    **dict.fromkeys(("vim", "vi", "nvim", "ex", "view"), (
        Reads(".vimrc .exrc", "-S -u -s", commands=r"^\s*(?:silent!?\s+)?:?!\s*(.+)$|\bsystem\(\s*[\"']([^\"']+)"),
    )),
    "emacs": (Reads(".emacs init.el", "-l --load --script", language="lisp"),),
    "gdb": (Reads(".gdbinit", "-x --command -ix", language="gdb"),),
    **dict.fromkeys(("ansible-playbook", "ansible"), (
        Reads(operands=True, commands=r"\b(?:shell|command|raw|script|ansible\.builtin\.\w+)\s*:\s*(.+)$"),
    )),
    "puppet": (Reads(operands=True, language="puppet"),),
    "pipx": (_SETUP_PY, Reads(operands=True, language="python")),
    "mutt": (Reads(".muttrc", "-F", commands=r"`([^`]+)`|\"<shell-escape>([^\"]+)"),),
    "procmail": (Reads(".procmailrc", operands=True, commands=r"^\s*\|\s*(.+)$"),),
    "less": (Reads(".lessfilter", language="shell"),),
    **dict.fromkeys(("psql", "sqlite3", "mysql", "mariadb"), (
        Reads(".psqlrc .sqliterc", "-f --file -init", commands=r"^\s*(?:\\!|\.shell|\.system)\s*(.+)$"),
    )),
    **dict.fromkeys(("yum", "dnf"), (Reads("*.py", "-c", language="python"),)),
}  # fmt: skip


def read_files(call: Call, follower: Follower) -> None:
    """Judge the files that the command text wrote and that the program will read."""
    for row in TABLE[call.name]:
        for path, text in _files(call, row, follower):
            if len(text) > MAX_LENGTH:
                follower.follow_effects([TOO_LONG], call, call.name)
                continue
            if call.name in _WEB_SERVERS:
                _judge_served_folder(call, text, follower)
            if text.strip() == FROM_NETWORK:
                follower.add_danger(
                    call, Harm.PIPE_TO_SHELL, f"makes {call.name} read {path}, which comes from the network"
                )
            elif row.language == "shell":
                follower.follow_effects([RunsCommand(text)], call, f"file of {call.name}")
            elif row.language == "package.json":
                for command in _package_scripts(text):
                    follower.follow_effects([RunsCommand(command)], call, f"package of {call.name}")
            elif row.language:
                follower.follow_effects(effects(text, row.language), call, f"{row.language} code")
            else:
                for command in _commands(row, text):
                    follower.follow_effects([RunsCommand(command, slot=row.slot)], call, f"file of {call.name}")


def _judge_served_folder(call: Call, text: str, follower: Follower) -> None:
    """Report settings of a web server that serve the root, a home or a system folder."""
    for folder in _SERVED_FOLDER.findall(text):
        follower.add_danger(call, Harm.EXFILTRATION, f"serves {folder} to the network")


def _commands(row: Reads, text: str) -> Iterator[str]:
    """Yield the command texts in a settings file."""
    for match in re.finditer(row.commands, text, re.MULTILINE):
        yield next((group for group in match.groups() if group), "")


def _files(call: Call, row: Reads, follower: Follower) -> Iterator[tuple[str, str]]:
    """Yield path and content of the files that the command text wrote and the call reads."""
    named = {value for option in row.options.split() for value in values_of(call.args, option)}
    if row.operands:
        named.update(word for word in call.args if not word.startswith("-"))
    for path in sorted(named):  # `cmake -P <(echo ...)`, `ninja -f /dev/stdin`
        if path.startswith(PROCESS_FILE):
            yield call.name, follower.state.substitution_output(path) or ""
        elif path in ("-", "/dev/stdin") and call.stdin:
            yield call.name, call.stdin
    names = row.names.split()
    for path, text in list(follower.state.files.items()):
        last = path.rpartition("/")[2]
        is_own = last in names or any(name[0] == "*" and last.endswith(name[1:]) for name in names)
        if is_own or path in named or path.removeprefix("./") in named or f"./{path}" in named:
            yield path, text


def _package_scripts(text: str) -> Iterator[str]:
    for block in _SCRIPTS_BLOCK.findall(text):
        for command, colon in _JSON_TEXT.findall(block):
            if not colon:
                yield command.replace('\\"', '"').replace("\\\\", "\\")


LAUNCHERS = dict.fromkeys(TABLE, read_files)
