"""The wrappers: commands that start another command, with the options they know.

An option that is not listed makes the inner command unknown, because nothing tells how many words belong to it.
"""

from dataclasses import dataclass


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


_NO_OPTIONS = Wrapper()
_TRACE = Wrapper(
    "cCdDfFhiknqrtTvVwxyYzZS",
    "abeEIoOpPsuUX",
    "follow-forks summary-only seccomp-bpf",
    "output trace attach env user",
    any_option=False,
)  # fmt: skip
_ANY_OPTION = Wrapper(any_option=True)
_CONDA_RUN = Wrapper("v", "np", "no-capture-output live-stream", "name prefix cwd")
_NPM_EXEC = Wrapper("yqs", "pw", "yes no quiet silent no-install", "package workspace", texts="c call")

WRAPPERS: dict[str, Wrapper] = {
    "sudo": Wrapper(
        "AbEeHknPSKBNils",
        "aCcDgGhpRrTtUu",
        "preserve-env login shell stdin non-interactive background askpass set-home",
        "user group prompt chdir chroot host role type close-from",
        assigns=True,
        queries="vVl",
    ),
    "doas": Wrapper("nsL", "aCu", queries="C"),
    "pkexec": Wrapper("", "", "disable-internal-agent keep-cwd", "user", queries=""),
    "run0": Wrapper("", "ugD", "no-ask-password", "user group unit property setenv chdir", any_option=False),
    "gosu": Wrapper(skip=1),
    "su-exec": Wrapper(skip=1),
    "wsl": Wrapper("", "du", "", "distribution user cd", any_option=True),
    "wsl.exe": Wrapper(any_option=True),
    "nohup": _NO_OPTIONS,
    "setsid": Wrapper("cfw", "", "ctty fork wait"),
    "timeout": Wrapper("fpv", "ks", "foreground preserve-status verbose", "kill-after signal", skip=1),
    "gtimeout": Wrapper("fpv", "ks", "foreground preserve-status verbose", "kill-after signal", skip=1),
    "nice": Wrapper("0123456789", "n", "", "adjustment"),
    "ionice": Wrapper("t", "cnpPu", "ignore", "class classdata"),
    "chrt": Wrapper("abdfioRrv", "TPD", "batch fifo idle rr other", "", skip=1, queries="pm"),
    "taskset": Wrapper("a", "", "all-tasks cpu-list", "", skip=1, any_option=True),
    "numactl": Wrapper("lsH", "iNCmp", "localalloc", "interleave cpunodebind physcpubind membind preferred"),
    "stdbuf": Wrapper("", "ioe", "", "input output error"),
    "unbuffer": Wrapper("p"),
    "env": Wrapper(
        "i0v",
        "uCa",
        "ignore-environment null debug",
        "argv0 unset chdir block-signal default-signal ignore-signal",
        texts="S split-string",
        assigns=True,
    ),
    "chroot": Wrapper("", "", "skip-chdir", "userspec groups", skip=1),
    "fakeroot": Wrapper("uh", "lsib", "unknown-is-real", "lib faked"),
    "fakechroot": Wrapper("s"),
    "proot": Wrapper("0", "rbwqSRki", "", ""),
    "unshare": Wrapper(
        "imnpufUCTrcS",
        "RwGlS",
        "mount uts ipc net pid user cgroup time fork map-root-user mount-proc " "map-current-user keep-caps map-auto",
        "root wd setuid setgid propagation kill-child setgroups map-users map-groups",
    ),
    "nsenter": Wrapper(
        "aFmuinpCUTrZ", "tSGw", "all mount uts ipc net pid user cgroup root wd preserve-credentials no-fork",
        "target setuid setgid",
    ),
    "setpriv": Wrapper(
        "",
        "",
        "clear-groups init-groups keep-groups nnp no-new-privs reset-env",
        "reuid regid ruid euid " "groups inh-caps ambient-caps bounding-set securebits pdeathsig selinux-label",
    ),
    "capsh": Wrapper(any_option=True, texts="c"),
    "setarch": Wrapper("BFILRSTXZ3v", "", "addr-no-randomize uname-2.6", "", skip=1, any_option=True),
    "linux32": _ANY_OPTION,
    "linux64": _ANY_OPTION,
    "i386": _ANY_OPTION,
    "x86_64": _ANY_OPTION,
    "choom": Wrapper("", "np", "", "adjust pid"),
    "prlimit": Wrapper(any_option=True),
    "softlimit": Wrapper("", "acdflmoprst"),
    "chpst": Wrapper("vPV012", "uUbne/lLmdofct"),
    "setuidgid": Wrapper(skip=1),
    "logsave": Wrapper("asv", skip=1),
    "rlwrap": Wrapper("acimNnorRvwWxXzDE", "bCdefFgHlMpPqsStz", any_option=True),
    "rlfe": _ANY_OPTION,
    "time": Wrapper("apvqV", "fo", "portability append verbose quiet", "format output", assigns=True),
    "gtime": Wrapper("apvqV", "fo", "portability append verbose quiet", "format output"),
    "command": Wrapper("p", queries="vV"),
    "builtin": _NO_OPTIONS,
    "exec": Wrapper("cl", "a"),
    "coproc": Wrapper(assigns=True),
    "noglob": _NO_OPTIONS,
    "nocorrect": _NO_OPTIONS,
    "-": _NO_OPTIONS,
    "busybox": Wrapper("", "", "", "", queries=""),
    "toybox": _NO_OPTIONS,
    "strace": _TRACE,
    "ltrace": _TRACE,
    "valgrind": Wrapper(any_option=True),
    "perf": Wrapper(skip=1, any_option=True),
    "hyperfine": Wrapper(
        "iN",
        "wmMrSsLDu",
        "ignore-failure show-output",
        "warmup runs min-runs max-runs shell style parameter-list " "export-json export-markdown",
        texts="p prepare setup cleanup conclude",
        as_text=True,
    ),
    "entr": Wrapper("acdnprz", texts="s"),
    "watchexec": Wrapper(any_option=True),
    "nodemon": Wrapper(any_option=True, texts="x exec"),
    "script": Wrapper(
        "aefq",
        "BEIOTmo",
        "append flush force quiet return",
        "timing log-in log-out log-io output-limit",
        texts="c command",
        skip=1,
    ),
    "watch": Wrapper(
        "bcdegtpwxr",
        "nq",
        "beep color differences errexit chgexit no-title precise no-wrap exec",
        "interval equexit",
        as_text=True,
    ),
    "flock": Wrapper(
        "censuxFo",
        "wE",
        "shared exclusive unlock nonblock nb close no-fork verbose",
        "timeout wait conflict-exit-code",
        texts="c command",
        skip=1,
    ),
    "xvfb-run": Wrapper("al", "efnps", "auto-servernum auto-display listen-tcp", "server-args server-num error-file"),
    "dbus-run-session": Wrapper("", "", "", "config-file"),
    "dbus-launch": Wrapper("", "", "exit-with-session sh-syntax"),
    "systemd-run": Wrapper(
        "GPqrtd", "pEHMu", "user scope pty wait pipe quiet collect shell no-block same-dir remain-after-exit",
        "unit property setenv uid gid slice nice working-directory on-calendar on-active on-boot description",
    ),
    "systemd-inhibit": Wrapper("", "", "", "what who why mode"),
    "caffeinate": Wrapper("dimsu", "tw"),
    "chronic": Wrapper("ev"),
    "torify": _NO_OPTIONS,
    "torsocks": Wrapper("idq", "aPup", "isolate debug quiet", "address port user pass"),
    "proxychains": Wrapper("q", "f"),
    "proxychains4": Wrapper("q", "f"),
    "sshpass": Wrapper("evV", "fdpP"),
    "firejail": Wrapper(any_option=True),
    "start-stop-daemon": Wrapper(any_option=True),
    "runcon": Wrapper("c", "turl", any_option=True, skip=1),
    "sem": Wrapper("", "j", "fg wait", "id jobs", as_text=True),
    "dotenv": Wrapper(any_option=True),
    "foreman": Wrapper(any_option=True, skip=1),
    "cpulimit": Wrapper("bfikmqvz", "lpe", "background kill monitor-forks", "limit pid exe"),
    "catchsegv": _NO_OPTIONS,
    "cgexec": Wrapper("", "g", "sticky"),
    "dumb-init": Wrapper("cv", "r"),
    "tini": Wrapper("gsvw", "ep"),
    "aoss": _NO_OPTIONS,
    "padsp": _NO_OPTIONS,
    "optirun": _NO_OPTIONS,
    "primusrun": _NO_OPTIONS,
    "gamemoderun": _NO_OPTIONS,
    "ltrace64": _TRACE,
    "zdm": _NO_OPTIONS,
    "multitime": Wrapper("", "n"),
    "eatmydata": _NO_OPTIONS,
    "ts": Wrapper("irsm"),
    "pidproxy": Wrapper(skip=1),
    "envdir": Wrapper(skip=1),
    "setlock": Wrapper("nNxX", skip=1),
    "pgrphack": _NO_OPTIONS,
    "fghack": _NO_OPTIONS,
    "with-contenv": _NO_OPTIONS,
    "xdotool": Wrapper(any_option=True, skip=1),
    "dtach": Wrapper(any_option=True, skip=1),
    "abduco": Wrapper(any_option=True, skip=1),
    "daemon": Wrapper(any_option=True),
    "daemonize": Wrapper("av", "ceoplu"),
    "lockfile-create": _NO_OPTIONS,
    "retry": Wrapper(any_option=True),
    "bwrap": Wrapper(
        "", "", "unshare-all unshare-user unshare-pid unshare-net share-net die-with-parent new-session clearenv",
        "bind ro-bind dev proc tmpfs chdir setenv uid gid hostname",
    ),
    **dict.fromkeys(
        ("gnome-terminal", "kitty", "foot", "xfce4-terminal", "terminator", "mate-terminal"),
        Wrapper(any_option=True),
    ),
    "aa-exec": Wrapper("di", "pn", "", "profile"),
    "uvx": Wrapper(any_option=True),
    "memusage": Wrapper(any_option=True),
}  # fmt: skip

# `poetry run pytest`: the command begins after a subcommand of the tool.
SUBCOMMANDS: dict[tuple[str, str], Wrapper] = {
    **dict.fromkeys(
        (
            ("poetry", "run"), ("pipenv", "run"), ("hatch", "run"), ("pdm", "run"), ("rye", "run"), ("bundle", "exec"),
            ("pnpm", "exec"), ("pnpm", "dlx"), ("yarn", "exec"), ("yarn", "dlx"), ("op", "run"), ("doppler", "run"),
            ("mise", "exec"), ("mise", "x"), ("asdf", "exec"), ("rbenv", "exec"), ("pyenv", "exec"), ("nvm", "exec"),
            ("nix", "run"), ("fnm", "exec"), ("coverage", "exec"), ("chamber", "exec"), ("envchain", "run"),
            ("infisical", "run"), ("lxc", "exec"), ("flatpak", "run"), ("dotnet", "exec"),
        ),
        _ANY_OPTION,
    ),
    ("uv", "run"): Wrapper(
        "qvnms",
        "pCw",
        "no-project isolated frozen locked all-extras dev no-dev no-sync active offline quiet module script exact "
        "all-groups",
        "with extra group only-group python env-file package directory project with-requirements with-editable "
        "no-group index",
    ),
    ("rustup", "run"): Wrapper(skip=1, any_option=True),
    ("aws-vault", "exec"): Wrapper(skip=1, any_option=True),
    **dict.fromkeys((("conda", "run"), ("mamba", "run"), ("micromamba", "run")), _CONDA_RUN),
    ("npm", "exec"): _NPM_EXEC,
    ("npm", "x"): _NPM_EXEC,
    ("direnv", "exec"): Wrapper(skip=1),
    ("snap", "run"): Wrapper("", "", "shell", "", any_option=True),
    ("cargo", "watch"): Wrapper("cq", "iwdE", "", "", texts="s shell x exec"),
}  # fmt: skip
