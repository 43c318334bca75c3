"""A folder whose .git leads to another repository, or whose settings lead to another folder, is not opened."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import MakeRepo, Repo
from whet.errors import WhetError
from whet.git.git import open_repository

Misplace = Callable[[Repo, Repo], Path]


def settings_name_another_folder(repo: Repo, victim: Repo) -> Path:
    repo.sh("git", "config", "core.worktree", str(victim.root))
    return repo.root


def settings_name_the_folder_above(repo: Repo, _: Repo) -> Path:
    repo.sh("git", "config", "core.worktree", str(repo.root.parent))
    return repo.root


def settings_name_a_folder_below(repo: Repo, _: Repo) -> Path:
    repo.sh("git", "config", "core.worktree", str(repo.root / "sub"))
    return repo.root / "sub"


def a_file_leads_to_another_repository(repo: Repo, victim: Repo) -> Path:
    folder = repo.root.parent / "unpacked"
    folder.mkdir()
    (folder / ".git").write_text(f"gitdir: {victim.root}/.git\n")
    return folder


def a_link_leads_to_another_repository(repo: Repo, victim: Repo) -> Path:
    folder = repo.root.parent / "unpacked"
    folder.mkdir()
    (folder / ".git").symlink_to(victim.root / ".git")
    return folder


def a_file_leads_to_a_submodule_of_another_repository(repo: Repo, victim: Repo) -> Path:
    victim.sh("git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo.root), "inner")
    folder = repo.root.parent / "unpacked"
    folder.mkdir()
    (folder / ".git").write_text(f"gitdir: {victim.root}/.git/modules/inner\n")
    return folder


def objects_and_settings_of_another_repository(repo: Repo, victim: Repo) -> Path:
    (repo.root / ".git/commondir").write_text(f"{victim.root}/.git\n")
    return repo.root


def a_tracked_folder_is_a_repository(repo: Repo, _: Repo) -> Path:
    """A clone can hold the files of a bare repository; git finds it in the folder, with its settings."""
    bare = repo.root / "sub"
    repo.sh("git", "clone", "--quiet", "--bare", ".", str(bare / "inner"))
    with (bare / "inner/config").open("a") as config:
        config.write(f"[core]\n\tbare = false\n\tworktree = {repo.root}\n")
    return bare / "inner"


MISPLACED: dict[str, Misplace] = {
    function.__name__.replace("_", " "): function
    for function in (
        settings_name_another_folder, settings_name_the_folder_above, settings_name_a_folder_below,
        a_file_leads_to_another_repository, a_link_leads_to_another_repository,
        a_file_leads_to_a_submodule_of_another_repository, objects_and_settings_of_another_repository,
        a_tracked_folder_is_a_repository,
    )
}  # fmt: skip


@pytest.mark.parametrize("name", MISPLACED)
def test_a_misplaced_checkout_is_refused(make_repo: MakeRepo, name: str) -> None:
    repo, victim = make_repo({"sub/a.py": "x = 1\n"}), make_repo({"secret.py": "x = 2\n"})
    start = MISPLACED[name](repo, victim)
    with pytest.raises(WhetError) as refusal:
        open_repository(start)
    assert refusal.value.code in ("environment", "not_a_repository")
    assert refusal.value.remedy
    assert not (victim.root / ".whet").exists()


def a_subfolder(repo: Repo) -> Path:
    return repo.root / "sub"


def a_link_to_the_checkout(repo: Repo) -> Path:
    (repo.root.parent / "here").symlink_to(repo.root)
    return repo.root.parent / "here" / "sub"


def a_separate_git_folder(repo: Repo) -> Path:
    repo.sh("git", "init", "--quiet", "--separate-git-dir", str(repo.root.parent / "elsewhere.git"))
    return repo.root


def a_separate_clone(repo: Repo) -> Path:
    there, here = repo.root.parent / "elsewhere", repo.root.parent / "here"
    repo.sh("git", "clone", "--quiet", "--separate-git-dir", str(there), ".", str(here))
    return here


def a_link_to_a_separate_git_folder(repo: Repo) -> Path:
    (repo.root / ".git").rename(repo.root.parent / "elsewhere.git")
    (repo.root / ".git").symlink_to("../elsewhere.git")
    return repo.root


def settings_name_the_checkout_itself(repo: Repo) -> Path:
    repo.sh("git", "config", "core.worktree", "..")
    return repo.root


WELL_PLACED: dict[str, Callable[[Repo], Path]] = {
    function.__name__.replace("_", " "): function
    for function in (
        a_subfolder, a_link_to_the_checkout, a_separate_git_folder, a_separate_clone, a_link_to_a_separate_git_folder,
        settings_name_the_checkout_itself,
    )
}  # fmt: skip


@pytest.mark.parametrize("name", WELL_PLACED)
def test_an_unusual_checkout_is_opened(make_repo: MakeRepo, name: str) -> None:
    start = WELL_PLACED[name](make_repo({"sub/a.py": "x = 1\n"}))
    root = open_repository(start).root
    assert start.resolve().is_relative_to(root.resolve())
    assert (root / ".git").exists()
