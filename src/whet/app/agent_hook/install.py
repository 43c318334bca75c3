"""Write the hook into the settings of a coding agent, or remove it."""

import difflib
import os
import shutil
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from whet.app.agent_hook import settings
from whet.app.agent_hook.agents import AGENTS, HookedAgent
from whet.app.agent_hook.places import repository_of
from whet.errors import EnvironmentProblem, Refused, UsageError
from whet.files import MB, read_file


class SettingsScope(StrEnum):
    """Whose settings: those of the repository, which are committed, or those of the user."""

    PROJECT = "project"
    USER = "user"


@dataclass(frozen=True)
class SettingsEdit:
    """A settings file before and after. `after` is None if the file is to be deleted."""

    agent: HookedAgent
    path: Path
    before: str | None
    after: str | None

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty if there is none."""
        old, new = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        name = str(self.path)
        return "".join(difflib.unified_diff(list(old), list(new), fromfile=name, tofile=name))


def install_edit(agent: HookedAgent, scope: SettingsScope, start: Path) -> SettingsEdit:
    """Return the edit that adds the hook. The file of the project names whet by its name, that of the user by its path."""
    path = settings_path(agent, scope, start)
    before = _read(path)
    old = settings.parse_settings(before or "", str(path))
    new = settings.with_hook(old, agent, _program(scope))
    return SettingsEdit(agent, path, before, before if new == old else settings.as_text(new, before or ""))


def uninstall_edit(agent: HookedAgent, scope: SettingsScope, start: Path) -> SettingsEdit:
    """Return the edit that removes the hook, or the whole file if nothing else is in it."""
    path = settings_path(agent, scope, start)
    before = _read(path)
    old = settings.parse_settings(before or "", str(path))
    new = settings.without_hook(old, agent)
    if new == old:
        return SettingsEdit(agent, path, before, before)
    return SettingsEdit(
        agent, path, before, None if settings.is_empty(new, agent) else settings.as_text(new, before or "")
    )


def apply(edit: SettingsEdit) -> None:
    """Write the edit, unless the file changed meanwhile. The file is replaced by a rename."""
    if _read(edit.path) != edit.before:
        raise Refused(f"{edit.path} was changed meanwhile", "run the command again")
    if edit.after is None:
        edit.path.unlink(missing_ok=True)
        return
    edit.path.parent.mkdir(parents=True, exist_ok=True)
    mode = edit.path.stat().st_mode & 0o777 if edit.path.exists() else 0o644
    temporary = edit.path.with_name(f".{edit.path.name}.whet")
    temporary.unlink(missing_ok=True)
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "w") as file:
        file.write(edit.after)
    temporary.replace(edit.path)


def installed(start: Path) -> list[tuple[HookedAgent, SettingsScope]]:
    """Return the agents whose settings have the hook. Settings that cannot be read have none."""
    return [(agent, scope) for agent in AGENTS.values() for scope in SettingsScope if _has_hook(agent, scope, start)]


def settings_path(agent: HookedAgent, scope: SettingsScope, start: Path) -> Path:
    """Return the settings file of an agent. Refuse a path that has a symbolic link below the project or the home folder."""
    base, name = (_project(start), agent.project_file) if scope is SettingsScope.PROJECT else _home(agent)
    path = base
    for part in Path(name).parts:
        path /= part
        if path.is_symlink():
            raise Refused(f"{path} is a symbolic link, and whet writes no settings through one", "write them yourself")
    return path


def _project(start: Path) -> Path:
    root = repository_of(os.path.realpath(start))
    if root is None:
        raise EnvironmentProblem(f"{start} is not in a git repository", "change to one, or use --scope user")
    return Path(root)


def _home(agent: HookedAgent) -> tuple[Path, str]:
    folder = os.environ.get(agent.home, "") if agent.home else ""
    if folder.startswith("/"):
        return Path(folder), agent.user_file.partition("/")[2]
    return Path.home(), agent.user_file


def _read(path: Path) -> str | None:
    try:
        return read_file(path, MB).decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"{path} cannot be read: {problem}", "make it a text file that you may read") from problem


def _program(scope: SettingsScope) -> str:
    """Return how the hook calls whet. A file that others share cannot hold a path of this machine."""
    if scope is SettingsScope.USER:
        return os.path.abspath(shutil.which(sys.argv[0]) or sys.argv[0])
    if shutil.which("whet") is None:
        raise EnvironmentProblem(
            "whet is not on the PATH, where the hook of a project looks for it",
            "put it there, for example with `pipx install whet`, or use --scope user",
        )
    return "whet"


def _has_hook(agent: HookedAgent, scope: SettingsScope, start: Path) -> bool:
    try:
        path = settings_path(agent, scope, start)
        return settings.has_hook(settings.parse_settings(_read(path) or "", str(path)), agent)
    except (UsageError, Refused, EnvironmentProblem):
        return False
