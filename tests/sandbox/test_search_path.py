"""Programs of whet itself, such as git and bubblewrap, never come out of the repository."""

import os
from pathlib import Path

import pytest

from tests.support import MakeRepo
from whet.errors import SandboxUnavailable
from whet.git.git import open_repository
from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.process import search_path


@pytest.mark.parametrize(
    "entry", ["", ".", "bin", "{root}/bin", "{root}/.venv/bin", "{root}/sub/../.venv/bin", "{root}/link"]
)
def test_a_folder_of_the_repository_on_the_path_is_left_out(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    repo = make_repo({"a.py": "x = 1\n"})
    for name in ("git", ".venv/bin/git", "bin/git", ".venv/bin/bwrap"):
        repo.write({name: f"#!/bin/sh\ntouch {repo.root.parent}/ran\nexit 1\n"})
        (repo.root / name).chmod(0o755)
    (repo.root / "link").symlink_to(repo.root / ".venv/bin")
    (repo.root / "sub").mkdir()
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("PATH", f"{entry.format(root=repo.root)}:{os.environ['PATH']}")
    assert open_repository(repo.root / "sub").root == repo.root
    assert Bubblewrap().version
    assert not (repo.root.parent / "ran").exists()
    monkeypatch.setenv("PATH", entry.format(root=repo.root))
    with pytest.raises(SandboxUnavailable, match="is not installed"):
        Bubblewrap()


def test_a_virtual_environment_on_the_path_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may belong to a repository that is opened from another folder."""
    (tmp_path / "env/bin").mkdir(parents=True)
    (tmp_path / "env/pyvenv.cfg").touch()
    monkeypatch.setenv("PATH", f"{tmp_path}/env/bin:/usr/bin")
    assert search_path("/") == "/usr/bin"


def test_other_folders_on_the_path_are_kept(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    repo = make_repo({"a.py": "x = 1\n"})
    monkeypatch.setenv("PATH", f"/opt/tools:{tmp_path}/bin:/usr/bin")
    assert search_path(repo.root) == f"/opt/tools:{tmp_path}/bin:/usr/bin"
    assert search_path(tmp_path) == f"/opt/tools:{tmp_path}/bin:/usr/bin"


@pytest.mark.parametrize("inside", [True, False])
def test_a_folder_of_the_repository_supplies_nothing_to_work_in_a_temporary_folder(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, inside: bool
) -> None:
    """whet pushes from a temporary folder, and tries git in one: there is no checkout around it. `inside`: the current folder
    is in the repository; otherwise whet has only opened it."""
    repo = make_repo({"a.py": "x = 1\n"})
    monkeypatch.setenv("PATH", f"{repo.root}/bin:/usr/bin")
    monkeypatch.chdir(repo.root if inside else "/")
    if not inside:
        search_path(repo.root)
    (tmp_path / "elsewhere").mkdir()
    assert search_path(tmp_path / "elsewhere") == "/usr/bin"
