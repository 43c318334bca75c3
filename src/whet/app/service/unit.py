"""The systemd user unit of the service: written, looked at and removed by `whet service`."""

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from whet.errors import EnvironmentProblem, Refused, UsageError
from whet.files import MB, read_file, user_name
from whet.sandbox.process import Completed, call

NAME = "whet.service"
_MARK = "# Written by `whet service install`; `whet service remove` deletes it."
_LINGER = Path("/var/lib/systemd/linger")


@dataclass(frozen=True, kw_only=True)
class UnitState:
    """The unit file and what systemd says about it. `lingers` is false if the service ends when the user logs out."""

    path: str
    installed: bool
    active: str
    enabled: str
    lingers: bool
    notes: tuple[str, ...] = ()


def unit_text(repositories: Sequence[Path]) -> str:
    """Return the unit. It has no option that restricts namespaces, because the sandbox needs them."""
    if not repositories:
        raise UsageError("no repository to serve", "whet service install --repository PATH")
    options = " ".join(f"--repository {_quoted(str(path))}" for path in repositories)
    return f"""{_MARK}
[Unit]
Description=whet looks after repositories
Documentation=man:systemd.service(5)

[Service]
Type=notify
NotifyAccess=main
ExecStart={_quoted(sys.executable)} -P -m whet serve --port 0 {options}
Restart=on-failure
RestartSec=10
WatchdogSec=300
TimeoutStopSec=60
KillMode=mixed
Delegate=yes
UMask=0077

[Install]
WantedBy=default.target
"""


def install(repositories: Sequence[Path]) -> UnitState:
    """Write the unit and start it. Refuse to replace a file that whet did not write."""
    path, text = unit_path(), unit_text(repositories)
    if path.exists() and not _is_ours(path):
        raise Refused(f"{path} exists and was not written by whet", "remove it, or rename it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    except OSError as problem:
        raise EnvironmentProblem(f"{path} cannot be written: {problem.strerror}") from problem
    notes = [
        f"systemctl --user {' '.join(args)}: {problem}"
        for args, problem in _control(("daemon-reload",), ("enable", "--now", NAME))
    ]
    return state(notes)


def remove() -> UnitState:
    """Stop the service and delete the unit that whet wrote."""
    path = unit_path()
    if not path.exists():
        raise UsageError(f"there is no {path}", "`whet service install` writes it")
    if not _is_ours(path):
        raise Refused(f"{path} was not written by whet", "remove it yourself")
    notes = [f"systemctl --user {' '.join(args)}: {problem}" for args, problem in _control(("disable", "--now", NAME))]
    path.unlink()
    notes += [f"systemctl --user {' '.join(args)}: {problem}" for args, problem in _control(("daemon-reload",))]
    return state(notes)


def state(notes: Sequence[str] = ()) -> UnitState:
    """Return the state of the unit, and in `notes` what a person should know or do."""
    path, user = unit_path(), user_name(os.getuid())
    lingers, installed = (_LINGER / user).exists(), path.exists()
    hints = [] if lingers or not installed else [f"it ends when you log out; to keep it: loginctl enable-linger {user}"]
    return UnitState(
        path=str(path),
        installed=installed,
        active=_ask("is-active"),
        enabled=_ask("is-enabled"),
        lingers=lingers,
        notes=(*notes, *hints),
    )


def unit_path() -> Path:
    """Return the path of the unit in the user's own folder of systemd."""
    configured = os.environ.get("XDG_CONFIG_HOME", "")
    try:
        base = Path(configured) if configured.startswith("/") else Path.home() / ".config"
    except RuntimeError:
        raise EnvironmentProblem("your user has no home folder", "set XDG_CONFIG_HOME to a folder of yours") from None
    return base / "systemd" / "user" / NAME


def _quoted(word: str) -> str:
    """Return a word as systemd reads it: in quotes, with its specifiers, variables and quotes escaped."""
    if any(ord(character) < 32 for character in word):
        raise UsageError(f"{word!a} has a control character, which a unit cannot hold", "rename the folder")
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def _is_ours(path: Path) -> bool:
    return not path.is_symlink() and read_file(path, MB).startswith(_MARK.encode())


def _control(*commands: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
    """Run commands of systemctl; return those that failed, with their message."""
    results = [(args, _systemctl(*args)) for args in commands]
    return [(args, done.err.strip() or f"exit code {done.code}") for args, done in results if done.code]


def _ask(question: str) -> str:
    done = _systemctl(question, NAME)
    return done.out.decode(errors="replace").strip() or "unknown"


def _systemctl(*args: str) -> Completed:
    program = shutil.which("systemctl", path="/usr/bin:/bin")
    if program is None:
        return Completed(127, b"", "systemd is not installed: start `whet serve` by other means")
    return call([program, "--user", "--no-pager", *args], env=dict(os.environ), timeout_seconds=60)
