"""Every wrapper: the common ones of `wrapper_table.py`, and rare ones that are listed here."""

from dataclasses import replace

from whet.guard.shell.evaluate import wrapper_table
from whet.guard.shell.evaluate.wrapper_table import Wrapper

_NO_OPTIONS = Wrapper()
_ANY_OPTION = Wrapper(any_option=True)
_NETWORK_SERVER = Wrapper("dDhHpPqQvrRoO1X", "bBcgiltux", any_option=True, skip=2)  # tcpserver HOST PORT COMMAND
_MESSAGES = Wrapper("PhV", "ioDw", any_option=True)  # msgfilter, msgexec

_RARE: dict[str, Wrapper] = {
    **dict.fromkeys(("distcc", "ccache", "sccache", "icecc", "colormake", "colorgcc"), _ANY_OPTION),
    "grc": Wrapper("es", "c", any_option=True),
    "openvt": Wrapper("fluvwes", "c", any_option=True),
    "pexec": _ANY_OPTION,
    "ssh-agent": Wrapper("cDdks", "aEOPt"),
    **dict.fromkeys(("msgfilter", "msgexec"), _MESSAGES),
    **dict.fromkeys(("tcpserver", "tcpclient", "tcpsvd", "udpsvd", "sslserver"), _NETWORK_SERVER),
    "cross-env": Wrapper(assigns=True),
    "cross-env-shell": Wrapper(assigns=True, as_text=True),
    "env-cmd": Wrapper("", "fe", any_option=True),
    "lxc-execute": Wrapper("", "nfsP", any_option=True),
    "websocketd": _ANY_OPTION,
    "flatpak-spawn": _ANY_OPTION,
    "systemd-nspawn": Wrapper("bqxUPan", "DMiupSEj", any_option=True),
    "systemd-cat": Wrapper("", "tp", any_option=True),
    "systemd-socket-activate": Wrapper("a", "lED", any_option=True),
    **dict.fromkeys(("dzdo", "pfexec", "please"), Wrapper("", "ug", any_option=True)),
    **dict.fromkeys(("xinit", "startx", "empty", "s6-background", "catatonit"), _ANY_OPTION),
    **dict.fromkeys(("s6-setuidgid", "s6-envdir", "s6-setlock"), Wrapper(any_option=True, skip=1)),
    **dict.fromkeys(("prime-run", "nixGL", "mangohud"), _NO_OPTIONS),
    "srun": Wrapper("lu", "nNcptJoewAGqC", any_option=True),
    "rr": Wrapper(skip=1, any_option=True),
    "heaptrack": _ANY_OPTION,
    "x11docker": _ANY_OPTION,
    "tsocks": _NO_OPTIONS,
    "usewithtor": _NO_OPTIONS,
    "trickle": Wrapper("sv", "dulwtLPN"),
    "faketime": Wrapper("m", "f", any_option=True, skip=1),
    "datefudge": Wrapper("s", skip=1),
    "fakeroot-ng": _ANY_OPTION,
    "pseudo": _ANY_OPTION,
    "uftrace": Wrapper(skip=1, any_option=True),
    "nocache": _NO_OPTIONS,
}  # fmt: skip
_RARE_SUBCOMMANDS: dict[tuple[str, str], Wrapper] = {
    **dict.fromkeys(
        (
            ("dotenvx", "run"), ("cabal", "exec"), ("stack", "exec"), ("opam", "exec"), ("dune", "exec"), ("R", "CMD"), ("devbox", "run"),
            ("pixi", "run"), ("rtx", "exec"), ("nodenv", "exec"), ("goenv", "exec"), ("jenv", "exec"),
            ("plenv", "exec"), ("volta", "run"), ("teller", "run"), ("sops", "exec-env"),
            ("berglas", "exec"), ("heroku", "local:run"), ("perlbrew", "exec"),
            ("rvm", "do"), ("phpbrew", "exec"), ("carton", "exec"),
        ),
        _ANY_OPTION,
    ),
    ("machinectl", "shell"): Wrapper(any_option=True, skip=1),
    **dict.fromkeys(
        (("singularity", "exec"), ("apptainer", "exec")), Wrapper("", "BHW", "", "bind home workdir env overlay", any_option=True, skip=1)
    ),
}  # fmt: skip

# Long options with which a wrapper starts nothing: it asks, or it changes a process that already runs.
_QUERIES = {
    "chrt": ("--pid", "--max"),
    "ionice": ("--pid", "--pgid", "--uid"),
    "cpulimit": ("--pid", "--exe", "--path"),
    "sudo": ("--list", "--validate", "--remove-timestamp", "--reset-timestamp"),
    "prlimit": ("--pid",),
    "taskset": ("--pid",),
    "choom": ("--pid",),
}


def _with_options(name: str, flags: str = "", valued: str = "", long_flags: str = "", long_valued: str = "") -> Wrapper:
    """Return a wrapper of the common table with further options."""
    wrapper = wrapper_table.WRAPPERS[name]
    return replace(
        wrapper,
        flags=wrapper.flags + flags,
        valued=wrapper.valued + valued,
        long_flags=f"{wrapper.long_flags} {long_flags}".strip(),
        long_valued=f"{wrapper.long_valued} {long_valued}".strip(),
    )


_COMPLETED = {
    "env": _with_options("env", long_valued="argv0", valued="a"),
    "cpulimit": _with_options("cpulimit", "bkmq", "cs", "background kill monitor-forks include-children lazy verbose"),
    "torify": _with_options("torify", "qd", "cPu", "quiet debug"),
    "torsocks": _with_options("torsocks", "dq", "aPup", "isolate debug quiet", "address port user pass"),
    "hyperfine": _with_options("hyperfine", long_valued="parameter-scan"),
}
_NPM = replace(
    wrapper_table.SUBCOMMANDS["npm", "exec"],
    long_flags="yes no no-install quiet silent ignore-existing",
    long_valued="package workspace",
)

WRAPPERS: dict[str, Wrapper] = {**_RARE, **wrapper_table.WRAPPERS, **_COMPLETED}
SUBCOMMANDS: dict[tuple[str, str], Wrapper] = {
    **_RARE_SUBCOMMANDS,
    **wrapper_table.SUBCOMMANDS,
    **dict.fromkeys((("npm", "exec"), ("npm", "x")), _NPM),
}


def starts_nothing(name: str, args: list[str]) -> bool:
    """True if an option before the first operand says that the wrapper only prints, or changes a running process."""
    for word in args:
        if not word.startswith("-") or word == "--":
            return False
        option = word.partition("=")[0]
        if option in ("--help", "--version") or option in _QUERIES.get(name, ()):
            return True
    return False
