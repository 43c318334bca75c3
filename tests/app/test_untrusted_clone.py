"""An untrusted clone: neither a state folder nor an interpreter that comes with it is used."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.errors import Refused, StateUnusable, Stopped
from whet.target import interpreter

_SUITE: dict[str, str | bytes] = {"code.py": "def f():\n    return 1\n", "test_code.py": "def test_f():\n    pass\n"}
_EVERY = (["scan"], ["run"], ["resume"], ["list"], ["audit"], ["approve", "p-1"], ["prove", "HEAD..HEAD"], ["stop"])


@pytest.mark.parametrize("command", _EVERY, ids=" ".join)
def test_a_state_folder_tracked_by_git_is_refused(make_repo: MakeRepo, command: list[str]) -> None:
    result = make_repo({**_SUITE, ".whet/x": "planted"}).whet(*command)
    assert result.code == 4
    assert ".whet is part of the repository" in result.err


def test_a_state_folder_that_is_a_link_is_refused(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo(_SUITE)
    (tmp_path / "elsewhere").mkdir()
    (repo.root / ".whet").symlink_to(tmp_path / "elsewhere")
    result = repo.whet("list")
    assert result.code == 4
    assert "is a link" in result.err


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_state_folder_of_another_user_is_refused(make_repo: MakeRepo) -> None:
    repo = make_repo(_SUITE)
    (repo.root / ".whet").mkdir()
    os.chown(repo.root / ".whet", 12345, 12345)
    result = repo.whet("list")
    assert result.code == 4
    assert "belongs to " in result.err


def _trap_marker(repo: Repo) -> Path:
    return repo.root.parent / "sprung"


def _trap(repo_root: Path) -> str:
    return f'#!/bin/sh\necho ran > {repo_root.parent / "sprung"}\nexec {sys.executable} "$@"\n'


@pytest.mark.parametrize("command", [["scan"], ["doctor"], ["init"], ["prove", "HEAD~1..HEAD"]], ids=" ".join)
def test_an_interpreter_tracked_by_git_is_not_run(make_repo: MakeRepo, command: list[str]) -> None:
    repo = make_repo(_SUITE if command == ["init"] else {**_SUITE, "whet.toml": ""})
    repo.write({".venv/bin/python": _trap(repo.root)})
    (repo.root / ".venv/bin/python").chmod(0o755)
    repo.commit({})
    result = repo.whet(*command)
    assert result.code != 0
    assert "comes with the repository" in result.err + result.out
    assert not _trap_marker(repo).exists()


@pytest.mark.parametrize("configured", ["tools/python", "./tools/../tools/python"])
def test_a_configured_interpreter_inside_the_repository_is_not_run(make_repo: MakeRepo, configured: str) -> None:
    repo = make_repo(_SUITE)
    repo.write({"tools/python": _trap(repo.root)})
    (repo.root / "tools/python").chmod(0o755)
    repo.commit({"whet.toml": f'[target]\ninterpreter = "{configured}"\n'})
    assert "comes with the repository" in repo.whet("scan").err
    assert not _trap_marker(repo).exists()


def test_every_way_to_ship_an_interpreter_is_refused(make_repo: MakeRepo, tmp_path: Path) -> None:
    def a_link_to_a_tracked_file(repo: Repo) -> str:
        repo.commit({"tools/python": "#!/bin/sh\n"})
        (repo.root / "untracked").symlink_to(repo.root / "tools/python")
        return "untracked"

    def a_tracked_link_out(repo: Repo) -> str:
        (repo.root / "python").symlink_to(sys.executable)
        repo.commit({})
        return "python"

    def a_tracked_folder_link(repo: Repo) -> str:
        (tmp_path / "env/bin").mkdir(parents=True)
        shutil.copy(sys.executable, tmp_path / "env/bin/python")
        (repo.root / "env").symlink_to(tmp_path / "env")
        repo.commit({})
        return "env/bin/python"

    def a_tracked_library(repo: Repo) -> str:
        repo.commit({".venv/lib/python3.11/site-packages/run.pth": "import os\n"})
        (repo.root / ".venv/bin").mkdir()
        (repo.root / ".venv/bin/python").symlink_to(sys.executable)
        return ""

    def a_tracked_environment_at_the_root(repo: Repo) -> str:
        repo.commit({"pyvenv.cfg": "home = /usr/bin\n"})
        (repo.root / "bin").mkdir()
        (repo.root / "bin/python").symlink_to(sys.executable)
        return "bin/python"

    def a_submodule(repo: Repo) -> str:
        (repo.root / ".venv/bin").mkdir(parents=True)
        repo.sh("git", "init", "--quiet", ".venv")
        (repo.root / ".venv/bin/python").symlink_to(sys.executable)
        repo.sh("git", "update-index", "--add", "--cacheinfo", f"160000,{repo.head},.venv")
        return ""

    for ship in (
        a_link_to_a_tracked_file, a_tracked_link_out, a_tracked_folder_link, a_tracked_library,
        a_tracked_environment_at_the_root, a_submodule,
    ):  # fmt: skip
        repo = make_repo(_SUITE)
        configured = ship(repo)
        with pytest.raises(Refused, match="comes with the repository"):
            interpreter.find(repo.git, configured)


def test_an_untracked_environment_is_used(make_repo: MakeRepo) -> None:
    repo = make_repo({**_SUITE, ".gitignore": ".venv\n"})
    (repo.root / ".venv/bin").mkdir(parents=True)
    (repo.root / ".venv/bin/python").symlink_to(sys.executable)
    assert interpreter.find(repo.git, "") == repo.root / ".venv/bin/python"
    assert interpreter.find(repo.git, sys.executable) == Path(sys.executable)


def test_a_state_folder_that_others_can_reach_is_refused_with_its_remedy(make_repo: MakeRepo) -> None:
    """An earlier whet made the folder with mode 0755."""
    repo = make_repo({**_SUITE, "whet.toml": ""})
    state = repo.root / ".whet"
    open_project(repo.root).store.close()
    open_project(repo.root)
    state.chmod(0o755)
    with pytest.raises(StateUnusable, match="can be reached by other users") as problem:
        open_project(repo.root)
    repo.sh(*problem.value.remedy.split())
    open_project(repo.root)
    (state / "planted").symlink_to("/etc/passwd")
    with pytest.raises(StateUnusable, match="planted is a link"):
        open_project(repo.root)


def test_whet_can_be_stopped_in_a_state_folder_that_is_refused(make_repo: MakeRepo) -> None:
    repo = make_repo({**_SUITE, "whet.toml": ""})
    (repo.root / ".whet").mkdir()
    (repo.root / ".whet").chmod(0o755)
    result = repo.whet("stop")
    assert result.code == 4
    assert "whet is stopped, but that is not on record" in result.err
    assert os.path.lexists(repo.root / ".whet" / "STOP")


@pytest.mark.parametrize("lead", ["/etc/passwd", "nowhere"])
def test_a_kill_switch_that_is_a_link_stops_whet_and_is_not_read(make_repo: MakeRepo, lead: str) -> None:
    repo = make_repo({**_SUITE, "whet.toml": ""})
    project = open_project(repo.root)
    project.store.close()
    (repo.root / ".whet" / "STOP").symlink_to(lead)
    with pytest.raises(Stopped) as problem:
        open_project(repo.root).refuse_unless_permitted()
    assert "root:" not in problem.value.message
