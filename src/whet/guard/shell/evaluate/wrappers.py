"""Commands that start another command (`sudo`, `env`, `timeout`): where the inner command begins.

A wrapper is a table row: the options it knows and how many words they take. An unknown option makes the inner command
unknown, because nothing tells how many words belong to that option.
"""

import re
from dataclasses import dataclass

from whet.guard.shell.model.placeholders import is_known

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:%%|\(\))?\+?=", re.ASCII)


@dataclass(frozen=True, slots=True)
class Wrapper:
    """The options and operands of a command that starts another command.

    `flags` and `valued` are short options without and with a value, `long_flags` and `long_valued` the long ones;
    `texts` are options whose value is a command text; `queries` are options with which nothing is started. `skip`
    operands come before the command. With `assigns`, words such as `A=b` before the command set variables; with
    `as_text`, the words are joined and read by a shell; with `any_option`, unknown options take no value.
    """

    flags: str = ""
    valued: str = ""
    long_flags: str = ""
    long_valued: str = ""
    texts: str = ""
    skip: int = 0
    assigns: bool = False
    as_text: bool = False
    any_option: bool = False
    queries: str = ""


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """What a wrapper starts: a command as words, or command texts, with variables set; or why that is unknown."""

    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    assignments: tuple[str, ...] = ()
    unknown: str = ""


_PLAIN = Wrapper()
_TRACE = Wrapper(
    "cCdDfFhiknqrtTvVwxyYzZS", "abeEIoOpPsuUX", "follow-forks summary-only seccomp-bpf",
    "output trace attach env user", any_option=False,
)  # fmt: skip
_RUN = Wrapper(any_option=True)

WRAPPERS: dict[str, Wrapper] = {
    "sudo": Wrapper(
        "AbEeHknPSKBNils", "aCcDgGhpRrTtUu", "preserve-env login shell stdin non-interactive background askpass set-home",
        "user group prompt chdir chroot host role type close-from", assigns=True, queries="vVl",
    ),
    "doas": Wrapper("nsL", "aCu", queries="C"),
    "pkexec": Wrapper("", "", "disable-internal-agent keep-cwd", "user", queries=""),
    "run0": Wrapper("", "ugD", "no-ask-password", "user group unit property setenv chdir", any_option=False),
    "gosu": Wrapper(skip=1),
    "su-exec": Wrapper(skip=1),
    "wsl": Wrapper("", "du", "", "distribution user cd", any_option=True), "wsl.exe": Wrapper(any_option=True),
    "nohup": _PLAIN,
    "setsid": Wrapper("cfw", "", "ctty fork wait"),
    "timeout": Wrapper("fpv", "ks", "foreground preserve-status verbose", "kill-after signal", skip=1),
    "gtimeout": Wrapper("fpv", "ks", "foreground preserve-status verbose", "kill-after signal", skip=1),
    "nice": Wrapper("0123456789", "n", "", "adjustment"),
    "ionice": Wrapper("t", "cnpPu", "ignore", "class classdata"),
    "chrt": Wrapper("abdfioRr", "TPD", "batch fifo idle rr other", "", skip=1),
    "taskset": Wrapper("a", "", "all-tasks cpu-list", "", skip=1, any_option=True),
    "numactl": Wrapper("lsH", "iNCmp", "localalloc", "interleave cpunodebind physcpubind membind preferred"),
    "stdbuf": Wrapper("", "ioe", "", "input output error"),
    "unbuffer": Wrapper("p"),
    "env": Wrapper("i0v", "uC", "ignore-environment null debug", "unset chdir block-signal default-signal ignore-signal",
                   texts="S split-string", assigns=True),
    "chroot": Wrapper("", "", "skip-chdir", "userspec groups", skip=1),
    "fakeroot": Wrapper("uh", "lsib", "unknown-is-real", "lib faked"),
    "fakechroot": Wrapper("s"),
    "proot": Wrapper("0", "rbwqSRki", "", ""),
    "unshare": Wrapper("imnpufUCTrcS", "RwGlS", "mount uts ipc net pid user cgroup time fork map-root-user mount-proc "
                       "map-current-user keep-caps map-auto", "root wd setuid setgid propagation kill-child setgroups map-users map-groups"),
    "nsenter": Wrapper("aFmuinpCUTrZ", "tSGw", "all mount uts ipc net pid user cgroup root wd preserve-credentials no-fork",
                       "target setuid setgid"),
    "setpriv": Wrapper("", "", "clear-groups init-groups keep-groups nnp no-new-privs reset-env", "reuid regid ruid euid "
                       "groups inh-caps ambient-caps bounding-set securebits pdeathsig selinux-label"),
    "capsh": Wrapper(any_option=True, texts="c"),
    "setarch": Wrapper("BFILRSTXZ3v", "", "addr-no-randomize uname-2.6", "", skip=1, any_option=True),
    "linux32": _RUN, "linux64": _RUN, "i386": _RUN, "x86_64": _RUN,
    "choom": Wrapper("", "np", "", "adjust pid"),
    "prlimit": Wrapper(any_option=True),
    "softlimit": Wrapper("", "acdflmoprst"),
    "chpst": Wrapper("vPV012", "uUbne/lLmdofct"),
    "setuidgid": Wrapper(skip=1),
    "logsave": Wrapper("asv", skip=1),
    "rlwrap": Wrapper("acimNnorRvwWxXzDE", "bCdefFgHlMpPqsStz", any_option=True),
    "rlfe": _RUN,
    "time": Wrapper("apvqV", "fo", "portability append verbose quiet", "format output", assigns=True),
    "gtime": Wrapper("apvqV", "fo", "portability append verbose quiet", "format output"),
    "command": Wrapper("p", queries="vV"),
    "builtin": _PLAIN,
    "exec": Wrapper("cl", "a"),
    "coproc": Wrapper(assigns=True),
    "noglob": _PLAIN, "nocorrect": _PLAIN, "-": _PLAIN,
    "busybox": Wrapper("", "", "", "", queries=""),
    "toybox": _PLAIN,
    "strace": _TRACE,
    "ltrace": _TRACE,
    "valgrind": Wrapper(any_option=True),
    "perf": Wrapper(skip=1, any_option=True),
    "hyperfine": Wrapper("iN", "wmMrSsLDu", "ignore-failure show-output", "warmup runs min-runs max-runs shell style parameter-list "
                         "export-json export-markdown", texts="p prepare setup cleanup conclude", as_text=True),
    "entr": Wrapper("acdnprz", texts="s"),
    "watchexec": Wrapper(any_option=True),
    "nodemon": Wrapper(any_option=True, texts="x exec"),
    "script": Wrapper("aefq", "BEIOTmo", "append flush force quiet return", "timing log-in log-out log-io output-limit",
                      texts="c command", skip=1),
    "watch": Wrapper("bcdegtpwxr", "nq", "beep color differences errexit chgexit no-title precise no-wrap exec", "interval equexit", as_text=True),
    "flock": Wrapper("censuxFo", "wE", "shared exclusive unlock nonblock nb close no-fork verbose", "timeout wait conflict-exit-code",
                     texts="c command", skip=1),
    "xvfb-run": Wrapper("al", "efnps", "auto-servernum auto-display listen-tcp", "server-args server-num error-file"),
    "dbus-run-session": Wrapper("", "", "", "config-file"),
    "dbus-launch": Wrapper("", "", "exit-with-session sh-syntax"),
    "systemd-run": Wrapper("GPqrtd", "pEHMu", "user scope pty wait pipe quiet collect shell no-block same-dir remain-after-exit",
                           "unit property setenv uid gid slice nice working-directory on-calendar on-active on-boot description"),
    "systemd-inhibit": Wrapper("", "", "", "what who why mode"),
    "caffeinate": Wrapper("dimsu", "tw"),
    "chronic": Wrapper("ev"),
    "torify": _PLAIN, "torsocks": Wrapper("i"), "proxychains": Wrapper("q", "f"), "proxychains4": Wrapper("q", "f"),
    "sshpass": Wrapper("evV", "fdpP"),
    "firejail": Wrapper(any_option=True),
    "start-stop-daemon": Wrapper(any_option=True),
    "runcon": Wrapper("c", "turl", any_option=True, skip=1),
    "sem": Wrapper("", "j", "fg wait", "id jobs", as_text=True),
    "dotenv": Wrapper(any_option=True),
    "foreman": Wrapper(any_option=True, skip=1),
    "cpulimit": Wrapper("ivz", "lpe", "", "limit"),
    "catchsegv": _PLAIN, "cgexec": Wrapper("", "g", "sticky"), "dumb-init": Wrapper("cv", "r"), "tini": Wrapper("gsvw", "ep"),
    "aoss": _PLAIN, "padsp": _PLAIN, "optirun": _PLAIN, "primusrun": _PLAIN, "gamemoderun": _PLAIN, "ltrace64": _TRACE,
    "zdm": _PLAIN, "multitime": Wrapper("", "n"), "eatmydata": _PLAIN, "ts": Wrapper("irsm"), "pidproxy": Wrapper(skip=1),
    "envdir": Wrapper(skip=1), "setlock": Wrapper("nNxX", skip=1), "pgrphack": _PLAIN, "fghack": _PLAIN, "with-contenv": _PLAIN,
    "xdotool": Wrapper(any_option=True, skip=1), "dtach": Wrapper(any_option=True, skip=1), "abduco": Wrapper(any_option=True, skip=1),
    "daemon": Wrapper(any_option=True), "daemonize": Wrapper("av", "ceoplu"), "lockfile-create": _PLAIN, "retry": Wrapper(any_option=True),
    "bwrap": Wrapper("", "", "unshare-all unshare-user unshare-pid unshare-net share-net die-with-parent new-session clearenv",
                     "bind ro-bind dev proc tmpfs chdir setenv uid gid hostname"),
    **dict.fromkeys(("gnome-terminal", "kitty", "foot", "xfce4-terminal", "terminator", "mate-terminal"), Wrapper(any_option=True)),
    "aa-exec": Wrapper("di", "pn", "", "profile"), "uvx": Wrapper(any_option=True), "memusage": Wrapper(any_option=True),
}  # fmt: skip

# `poetry run pytest`: the command begins after a subcommand of the tool.
SUBCOMMANDS: dict[tuple[str, str], Wrapper] = {
    (tool, word): Wrapper(any_option=True)
    for tool, word in (
        ("poetry", "run"), ("pipenv", "run"), ("hatch", "run"), ("pdm", "run"), ("rye", "run"), ("bundle", "exec"),
        ("pnpm", "exec"), ("pnpm", "dlx"), ("yarn", "exec"), ("yarn", "dlx"), ("op", "run"), ("doppler", "run"), ("mise", "exec"), ("mise", "x"),
        ("asdf", "exec"), ("rbenv", "exec"), ("pyenv", "exec"), ("nvm", "exec"), ("nix", "run"), ("fnm", "exec"),
        ("coverage", "exec"), ("chamber", "exec"), ("envchain", "run"), ("infisical", "run"), ("lxc", "exec"),
    )
} | {
    ("uv", "run"): Wrapper(
        "qvn", "pC", "no-project isolated frozen locked all-extras dev no-dev no-sync active offline quiet module script exact all-groups",
        "with extra group only-group python env-file package directory project with-requirements with-editable no-group index",
    ),
    ("rustup", "run"): Wrapper(skip=1, any_option=True),
    ("conda", "run"): Wrapper("v", "np", "no-capture-output live-stream", "name prefix cwd"),
    ("mamba", "run"): Wrapper("v", "np", "no-capture-output live-stream", "name prefix cwd"),
    ("micromamba", "run"): Wrapper("v", "np", "no-capture-output live-stream", "name prefix cwd"),
    ("aws-vault", "exec"): Wrapper(skip=1, any_option=True),
    ("npm", "exec"): Wrapper("y", "p", "yes no", "package", texts="c call"),
    ("npm", "x"): Wrapper("y", "p", "yes no", "package", texts="c call"),
    ("direnv", "exec"): Wrapper(skip=1),
    ("snap", "run"): Wrapper("", "", "shell", "", any_option=True),
    ("flatpak", "run"): Wrapper(any_option=True),
    ("cargo", "watch"): Wrapper("cq", "iwdE", "", "", texts="s shell x exec"),
    ("dotnet", "exec"): _RUN,
}  # fmt: skip


def unwrap(name: str, args: list[str]) -> Unwrapped | None:
    """Return what a wrapper starts; None if the command is no wrapper."""
    wrapper = WRAPPERS.get(name)
    if wrapper is not None:
        return _unwrap(name, wrapper, args)
    wrapper = SUBCOMMANDS.get((name, args[0])) if args else None
    if wrapper is not None:
        return _unwrap(f"{name} {args[0]}", wrapper, args[1:])
    return None


def _unwrap(name: str, wrapper: Wrapper, args: list[str]) -> Unwrapped:
    texts: list[str] = []
    assignments: list[str] = []
    start = 0
    while start < len(args):
        word = args[start]
        if word == "--":
            start += 1
            break
        if wrapper.assigns and _ASSIGNMENT.match(word):
            assignments.append(word)
            length = 1
        elif word == "-" and name == "env":
            length = 1
        elif len(word) > 1 and word[0] == "-":
            take = _take_long if word[1] == "-" else _take_short
            length = take(wrapper, args, start, texts)
        else:
            break
        if length == 0:
            if word[1] in wrapper.queries:
                return Unwrapped()
            return Unwrapped((), tuple(texts), (), f"the guard does not know an option of {name}")
        start += length
    start += wrapper.skip
    if wrapper.skip and args[start : start + 1] == ["--"]:
        start += 1
    return _unwrap_words(name, wrapper, args[start:], texts, assignments)


def _unwrap_words(name: str, wrapper: Wrapper, words: list[str], texts: list[str], assignments: list[str]) -> Unwrapped:
    """Return what a wrapper starts, from the words after its options and operands."""
    if wrapper.skip and wrapper.texts and len(words) > 1 and words[0] in ("-c", "--command"):
        texts.append(words[1])  # `flock FILE -c TEXT`: the option comes after the operand
    while wrapper.assigns and words and _ASSIGNMENT.match(words[0]):
        assignments.append(words.pop(0))
    if name == "env" and texts:  # `env -S TEXT` splits the text and appends the other words
        return Unwrapped((), (" ".join([texts[0], *words]),), tuple(assignments))
    if wrapper.as_text:
        # hyperfine reads each operand as a command text of its own
        operands = [" ".join(words)] if words and name != "hyperfine" else words
        return Unwrapped((), (*texts, *operands), tuple(assignments))
    if texts and wrapper.skip:
        words = []
    return Unwrapped(tuple(words), tuple(texts), tuple(assignments))


def _take_short(wrapper: Wrapper, args: list[str], index: int, texts: list[str]) -> int:
    """Return how many words a cluster of short options takes; 0 if an option is unknown or a query."""
    letters = args[index][1:]
    if not is_known(letters):
        return 0
    for position, letter in enumerate(letters):
        attached = letters[position + 1 :]
        if letter in wrapper.texts.split():
            texts.append(attached.removeprefix("=") or (args[index + 1] if index + 1 < len(args) else ""))
            return 1 if attached else 2
        if letter in wrapper.valued:
            return 1 if attached else 2
        if letter in wrapper.queries:
            return 0
        if letter not in wrapper.flags and not wrapper.any_option:
            return 0
    return 1


def _take_long(wrapper: Wrapper, args: list[str], index: int, texts: list[str]) -> int:
    """Return how many words a long option takes; 0 if it is unknown."""
    name, equals, value = args[index][2:].partition("=")
    if any(text.startswith(name) and len(name) > 1 for text in wrapper.texts.split() if len(text) > 1):
        texts.append(value if equals else (args[index + 1] if index + 1 < len(args) else ""))
        return 1 if equals else 2
    is_flag, is_valued = _abbreviates(name, wrapper.long_flags), _abbreviates(name, wrapper.long_valued)
    if equals and (wrapper.any_option or is_valued or is_flag):
        return 1
    if is_flag:
        return 1
    if is_valued:
        return 2
    return 1 if wrapper.any_option else 0


def _abbreviates(name: str, options: str) -> bool:
    return any(option.startswith(name) for option in options.split())
