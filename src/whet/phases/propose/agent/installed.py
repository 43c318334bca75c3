"""Find the agent's program on the host and the folders that it needs inside the sandbox."""

import os
from dataclasses import dataclass
from pathlib import Path

from whet.config import AgentPolicy
from whet.errors import AgentMissing
from whet.phases.propose.agent.presets import preset_of
from whet.target.python_folders import is_visible, may_be_seen, starting_programs, visible_folders

_PROGRAM_FOLDERS = ("bin", "node_modules/.bin")
_INSTALL = "install the agent, and name its folder in agent.install: the one that has bin/ or node_modules/.bin/"
_SYSTEM = ("/usr/local/bin", "/usr/bin", "/bin")


@dataclass(frozen=True)
class InstalledAgent:
    """The agent's program, the host folders to mount for it, and the folders of programs to put on its PATH."""

    program: str
    readable: tuple[str, ...]
    path: tuple[str, ...]


def find_agent(policy: AgentPolicy, root: Path) -> InstalledAgent:
    """Return the agent that the policy names. Raise AgentMissing if it is not installed where the policy says.

    The policy comes with the repository, so only a folder that has the program is mounted, and neither the repository nor a
    home folder.
    """
    name = preset_of(policy).argv[0]
    if not policy.install:
        return InstalledAgent(_program(name, _SYSTEM, "/usr"), (), ())
    folder = Path(policy.install).expanduser()
    if folder.is_absolute() and not folder.is_dir():
        raise AgentMissing(f"agent.install names {policy.install}, which is not a folder here", _INSTALL)
    if not folder.is_absolute() or not may_be_seen(folder, root) or is_visible(folder, [str(root)]):
        raise AgentMissing(
            f"agent.install is {policy.install!r}, which cannot be mounted into the sandbox",
            "name the absolute path of the folder in which the agent is installed, such as a virtual environment; it can be "
            "neither a home folder nor part of the repository",
        )
    folders = [str(folder / part) for part in _PROGRAM_FOLDERS if (folder / part).is_dir()]
    program = _program(name, folders, policy.install)
    return InstalledAgent(program, (str(folder), *_interpreters(folder, root)), tuple(folders))


def _program(name: str, folders: "tuple[str, ...] | list[str]", where: str) -> str:
    for folder in folders:
        path = Path(folder) / name
        if os.access(path, os.X_OK) and path.is_file():
            return str(path)
    raise AgentMissing(
        f"the agent's program {name!r} is not installed in {where}",
        _INSTALL,
    )


def _interpreters(folder: Path, root: Path) -> tuple[str, ...]:
    """Return the installations of Python that a virtual environment needs, apart from the environment itself."""
    python = folder / "bin" / "python"
    if not os.access(python, os.X_OK):
        return ()
    needed = visible_folders([program.parent.parent for program in starting_programs(python)], root)
    return tuple(path for path in needed if path != str(folder))
