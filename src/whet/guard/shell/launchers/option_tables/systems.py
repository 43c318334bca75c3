"""Tools of the system: terminals, sessions, tracers, schedulers, window managers."""

from whet.guard.shell.launchers.option_tables.model import Starts, pattern

_TERMINALS = (
    "xterm", "uxterm", "lxterm", "urxvt", "rxvt", "st", "konsole", "alacritty", "lxterminal", "qterminal", "tilix",
    "x-terminal-emulator", "terminology", "sakura", "termite", "mlterm", "ghostty", "rio", "cool-retro-term", "zutty",
)  # fmt: skip
_AFTER_DASHES = (
    "guix", "distrobox", "flox", "weston", "cage", "gamescope", "xss-lock", "devbox", "systemd-ask-password", "wezterm",
    "toolbox", "machinectl",
)  # fmt: skip
_WINDOW_MANAGER = Starts(settings=pattern(r"\bexec(?:_always)?\s+(?:--\S+\s+)*(.+)"), texts="exec")

TABLE: dict[str, Starts] = {
    **dict.fromkeys(_TERMINALS, Starts(words="-e -x --command")),
    **dict.fromkeys(_AFTER_DASHES, Starts(verbs="--")),
    **dict.fromkeys(("agetty", "getty", "mingetty"), Starts(programs="-l --login-program")),
    "onchange": Starts(verbs="--"),
    "adb": Starts(texts="shell"),
    "frida": Starts(plugins="-l"),
    "fluent-bit": Starts(plugins="-e"),
    "fluentd": Starts(plugins="-p"),
    "godot": Starts(plugins="-s --script"),
    **dict.fromkeys(
        ("qemu-system-x86_64", "qemu-system-aarch64", "qemu-system-i386", "kvm", "qemu"),
        Starts(settings=pattern(r"\b(?:script|downscript|helper)=([^,]+)|\bexec:(.+)")),
    ),
    "cdist": Starts(programs="-s --shell"),
    "csvtool": Starts(commands="call"),
    "genie": Starts(words="-c --command"),
    "pidstat": Starts(words="-e"),
    "plymouth": Starts(programs="--command"),
    "scrot": Starts(commands="-e --exec"),
    "feh": Starts(commands="-A --action --action1 --action2 --action3"),
    "zic": Starts(programs="-y"),
    "xdg-user-dir": Starts(settings=pattern(r"^[^A-Za-z]*;\s*(.+)|\$\((.+)\)|`(.+)`")),
    "ksu": Starts(words="-e"),
    "setarch": Starts(words="-3 -R -B -F -I -L -S -T -X -Z -v"),
    "xdotool": Starts(verbs="exec"),
    "xautolock": Starts(commands="-locker -notifier -killer"),
    **dict.fromkeys(("i3-msg", "swaymsg", "hyprctl", "bspc", "herbstclient"), _WINDOW_MANAGER),
    "rofi": Starts(commands="-run-command -run-shell-command", programs="-terminal"),
    "install": Starts(programs="--strip-program"),
    "screen": Starts(programs="-s", texts="exec"),
    "tmux": Starts(
        settings=pattern(r"^run(?:-shell)?\s+(?:-\w+\s+)*[\"']?([^\"']+)"),
        texts="pipe-pane pipep display-popup run-shell if-shell respawn-window respawnw default-command",
    ),
    "zellij": Starts(verbs="run"),
    "systemctl": Starts(libraries="link enable reenable"),
    **dict.fromkeys(("strace", "ltrace"), Starts(settings=pattern(r"^(?:-o|--output=)?\|(.+)"))),
    "stap": Starts(commands="-c", code="-e", language="systemtap"),
    "dtrace": Starts(commands="-c", code="-n", language="dtrace"),
    "lldb": Starts(embedded=pattern(r"^\s*script\s+(.+)"), language="python"),
    **dict.fromkeys(("rizin", "radare2", "r2"), Starts(settings=pattern(r"^!+(.+)"))),
    "lnav": Starts(settings=pattern(r":(?:shexec|pipe-to|pipe-line-to)\s+(.+)")),
    "gdb": Starts(words="--args", plugins="-x --command -ix", settings=pattern(r"^\s*(?:pipe\s|\|).*?\|\s*(.+)")),
    **dict.fromkeys(("multilog", "svlogd"), Starts(settings=pattern(r"^!(.+)"))),
    "rotatelogs": Starts(programs="-p"),
    "execlineb": Starts(commands="-c"),
}
