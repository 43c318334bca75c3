"""Repositories of other users: git's own rule decides, and only the user's own settings make an exception."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.escape.ordinary_user import copy_whet, run_as_user
from tests.support import MakeRepo, Repo
from whet.errors import ForeignRepository
from whet.git.checkout import Checkout
from whet.git.command import trusted_folders
from whet.git.git import open_repository

OTHER = 12345
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
OPEN = """
import sys
from pathlib import Path
from whet.errors import WhetError
from whet.git.git import open_repository
try:
    print("opened", open_repository(Path(sys.argv[1])).resolve("HEAD"))
except WhetError as problem:
    print(problem.code, problem.message, problem.remedy)
"""
pytestmark = AS_ROOT


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home folder of its own, without settings; the folders that whet has read before are forgotten."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("SUDO_UID", raising=False)
    trusted_folders.cache_clear()
    yield tmp_path
    trusted_folders.cache_clear()


def give_away(path: Path, *, all_below: bool = True) -> None:
    os.chown(path, OTHER, OTHER)
    for below in path.rglob("*") if all_below else ():
        os.chown(below, OTHER, OTHER, follow_symlinks=False)


@pytest.mark.parametrize("part", ["everything", "the working tree", "the .git folder"])
def test_a_repository_of_another_user_is_refused_with_gits_reason(make_repo: MakeRepo, part: str) -> None:
    repo = make_repo({"a.py": "x = 1\n"})
    give_away(repo.root / ".git" if part == "the .git folder" else repo.root, all_below=part != "the working tree")
    with pytest.raises(ForeignRepository, match="dubious ownership in repository at") as refusal:
        open_repository(repo.root)
    assert f"git config --global --add safe.directory {repo.root}" in refusal.value.remedy
    owned = "its .git" if part == "the .git folder" else "it"
    assert f"; {owned} belongs to uid {OTHER}, and whet runs as root" in refusal.value.message


def test_every_command_refuses_it_in_one_sentence(make_repo: MakeRepo) -> None:
    repo = make_repo({"a.py": "x = 1\n", "whet.toml": ""})
    give_away(repo.root)
    result = repo.whet("list", "--json")
    assert (result.code, result.json["error"]["code"]) == (4, "foreign_repository")


@pytest.mark.parametrize("value", ["{root}", "*", "~/{name}"])
def test_the_users_own_settings_make_an_exception(make_repo: MakeRepo, home: Path, value: str) -> None:
    repo = make_repo({"a.py": "x = 1\n"})
    give_away(repo.root)
    value = value.format(root=repo.root, name=repo.root.name)
    (home / ".gitconfig").write_text(f"[safe]\n\tdirectory = {value}\n")
    assert open_repository(repo.root).root == repo.root
    assert Checkout(repo.root).dirty_paths() == []


def test_an_exception_that_was_taken_back_does_not_count(make_repo: MakeRepo, home: Path) -> None:
    """An empty value clears the list, in git and here."""
    repo = make_repo({"a.py": "x = 1\n"})
    give_away(repo.root)
    (home / ".gitconfig").write_text(f"[safe]\n\tdirectory = {repo.root}\n\tdirectory =\n\tdirectory = /elsewhere\n")
    with pytest.raises(ForeignRepository):
        open_repository(repo.root)


def test_an_exception_in_the_repository_itself_does_not_count(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo({"a.py": "x = 1\n"})
    repo.sh("git", "config", "safe.directory", "*")
    give_away(repo.root)
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("GIT_DIR", str(repo.root / ".git"))
    with pytest.raises(ForeignRepository):
        open_repository(repo.root)


def test_other_settings_of_the_user_are_still_ignored(make_repo: MakeRepo, home: Path, tmp_path: Path) -> None:
    """Trust in a folder does not bring the rest of the user's settings back, nor the programs of the folder."""
    repo = make_repo({"a.py": "x = 1\n", ".gitattributes": "* filter=mark\n"})
    program = f"touch {tmp_path / 'ran'}; cat"
    repo.sh("git", "config", "filter.mark.clean", program)
    give_away(repo.root)
    (home / ".gitconfig").write_text(
        f'[safe]\n\tdirectory = *\n[filter "mark"]\n\tclean = {program.replace(";", "&&")}\n'
    )
    (repo.root / "a.py").write_text("x = 2\n")
    assert Checkout(repo.root).dirty_paths() == ["a.py"]
    assert not (tmp_path / "ran").exists()


def test_root_may_use_the_repository_of_the_user_who_called_sudo(
    make_repo: MakeRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo({"a.py": "x = 1\n"})
    give_away(repo.root)
    monkeypatch.setenv("SUDO_UID", str(OTHER + 1))
    with pytest.raises(ForeignRepository):
        open_repository(repo.root)
    monkeypatch.setenv("SUDO_UID", str(OTHER))
    assert open_repository(repo.root).root == repo.root


def test_an_ordinary_user_is_refused_the_repository_of_root() -> None:
    with tempfile.TemporaryDirectory() as folder:  # other users cannot enter the folders that pytest makes
        shared = Path(folder)
        copy_whet(shared)
        (shared / "repo").mkdir()
        repo = Repo(shared / "repo")
        repo.sh("git", "init", "--quiet")
        repo.sh("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "x")
        output = run_as_user(shared, OPEN, str(repo.root))
        assert output.startswith("foreign_repository git refuses this repository: detected dubious ownership")
        (shared / ".gitconfig").write_text(f"[safe]\n\tdirectory = {repo.root}\n")
        assert run_as_user(shared, OPEN, str(repo.root), home=str(shared)).split() == ["opened", repo.head]
