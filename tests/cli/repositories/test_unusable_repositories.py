"""Repositories and policies that whet cannot work with: it refuses with a reason and changes nothing."""

import os
from pathlib import Path

import pytest

from tests.cli.refusals import SMALL, refuses, refuses_both_ways, refuses_in_json
from tests.support import MakeRepo, Repo
from whet.app.project import open_project


def bare_folder(tmp_path: Path, *git: str) -> Repo:
    folder = tmp_path / "here"
    folder.mkdir()
    repo = Repo(folder)
    if git:
        repo.sh("git", *git)
    return repo


@pytest.mark.parametrize("command", ["scan", "init"])
def test_a_folder_without_a_repository_is_refused(tmp_path: Path, command: str) -> None:
    repo = bare_folder(tmp_path)
    refuses_both_ways(repo, command, 4, "not_a_repository", "is not inside a git repository", "git init")
    assert list(repo.root.iterdir()) == []


def test_a_repository_without_commits_is_refused(tmp_path: Path) -> None:
    repo = bare_folder(tmp_path, "init", "--quiet")
    refuses_in_json(repo.whet("scan", "--json"), 4, "not_a_repository", "has no commits yet", "commit something")


def test_a_bare_repository_is_refused(tmp_path: Path) -> None:
    repo = bare_folder(tmp_path, "init", "--quiet", "--bare")
    refuses_in_json(repo.whet("scan", "--json"), 4, "not_a_repository", "is a bare repository", "clone it")


def test_a_linked_worktree_is_refused_and_gets_no_state_folder(make_repo: MakeRepo, tmp_path: Path) -> None:
    """Each worktree would have a kill switch and a ledger of its own, and there must be one per repository."""
    repo = make_repo(SMALL)
    repo.sh("git", "worktree", "add", "--quiet", str(tmp_path / "linked"), "-b", "feature")
    linked = Repo(tmp_path / "linked")
    for command in ("list", "stop", "run", "init"):
        refuses_both_ways(linked, command, 4, "environment", "is a linked worktree", f"run whet in {repo.root};")
    assert not (linked.root / ".whet").exists()
    result = linked.whet("doctor", "--quick", "--json")
    assert result.code == 4
    assert next(row["detail"] for row in result.json if not row["ok"]).endswith("per repository")
    assert repo.whet("list", "--json").code == 0


def test_a_linked_worktree_of_a_bare_repository_is_refused(make_repo: MakeRepo, tmp_path: Path) -> None:
    make_repo(SMALL).sh("git", "clone", "--quiet", "--bare", ".", str(tmp_path / "bare.git"))
    Repo(tmp_path / "bare.git").sh("git", "worktree", "add", "--quiet", str(tmp_path / "linked"), "main")
    refuses(Repo(tmp_path / "linked").whet("list"), 4, "is a linked worktree", "clone")


@pytest.mark.parametrize("how", ["submodule", "separate git folder", "a link to the checkout"])
def test_a_checkout_whose_git_folder_is_elsewhere_is_accepted(make_repo: MakeRepo, tmp_path: Path, how: str) -> None:
    repo, here = make_repo(SMALL), tmp_path / "here"
    if how == "submodule":
        outer = make_repo({"README.md": "outer\n"})
        outer.sh("git", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo.root), "inner")
        here = outer.root / "inner"
    elif how == "separate git folder":
        repo.sh("git", "clone", "--quiet", "--separate-git-dir", str(tmp_path / "elsewhere"), ".", str(here))
    else:
        here.symlink_to(repo.root)
    assert Repo(here).whet("list", "--json").json == []


def test_a_detached_head_needs_a_target_branch(make_repo: MakeRepo) -> None:
    repo = make_repo(SMALL)
    repo.sh("git", "checkout", "--quiet", "--detach")
    refuses(repo.whet("scan"), 4, "HEAD is detached", "target.branch")
    repo.commit({"whet.toml": '[target]\nbranch = "main"\n'})
    assert repo.whet("scan", "--json").code == 0


def test_a_target_branch_that_does_not_exist_is_refused(make_repo: MakeRepo) -> None:
    repo = make_repo({**SMALL, "whet.toml": '[target]\nbranch = "release"\n'})
    result = repo.whet("scan", "--json")
    assert (result.code, result.json["error"]["code"]) == (2, "usage")
    assert "'release', which does not exist" in result.json["error"]["message"]


def test_a_target_branch_that_is_an_alias_is_refused(make_repo: MakeRepo) -> None:
    """A deployment would move the other branch, and its checkout was not checked for edits."""
    repo = make_repo({**SMALL, "whet.toml": '[target]\nbranch = "alias"\n'})
    repo.sh("git", "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    for command in ("scan", "run", "history m.py"):
        refuses_in_json(
            repo.whet(*command.split(), "--json"), 2, "usage", "is a symbolic ref to 'main'", 'branch = "main"'
        )


def test_a_checked_out_alias_resolves_to_its_branch(make_repo: MakeRepo) -> None:
    repo = make_repo(SMALL)
    repo.sh("git", "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    repo.sh("git", "symbolic-ref", "HEAD", "refs/heads/alias")
    assert open_project(repo.root).ref == "refs/heads/main"


def test_a_subfolder_uses_the_state_of_the_repository(make_repo: MakeRepo) -> None:
    repo = make_repo(SMALL)
    below = Repo(repo.root / "tests")
    assert below.whet("list", "--json").json == []
    assert (repo.root / ".whet").is_dir()
    assert not (below.root / ".whet").exists()


def test_a_repository_without_a_policy_is_refused(make_repo: MakeRepo) -> None:
    repo = make_repo({"m.py": "x = 1\n"})
    refuses_both_ways(repo, "scan", 4, "environment", "there is no whet.toml", "whet init")
    assert not (repo.root / ".whet").exists()


def test_init_never_overwrites_a_policy(make_repo: MakeRepo) -> None:
    repo = make_repo(SMALL)
    refuses_in_json(repo.whet("init", "--json"), 3, "refused", "left as it is")
    assert (repo.root / "whet.toml").read_text() == SMALL["whet.toml"]
    (repo.root / "whet.toml").unlink()
    (repo.root / "whet.toml").symlink_to("nowhere")
    refuses(repo.whet("init"), 3, "exists already")
    assert not (repo.root / "nowhere").exists()


BAD_POLICIES = {
    "unknown key": (b"[tests]\nfolder = 'x'\n", "bad_config", "unknown key 'tests.folder'"),
    "not toml": (b"[tests\n", "bad_config", "is not valid TOML"),
    "wrong type": (b"[tests]\ntimeout_seconds = 'soon'\n", "bad_config", "tests.timeout_seconds"),
    "no author": (b"[deploy]\nauthor = 'whet'\n", "bad_config", "deploy.author"),
    "unknown proposer": (b"[propose]\nengines = ['magic']\n", "unknown_engine", "it has: "),
    "extra file from outside": (b"[target]\nextra_files = ['/etc/passwd']\n", "bad_config", "target.extra_files.0: '/etc/passwd' is not a path below"),
    "extra file from above": (b"[target]\nextra_files = ['a', 'x/../../y']\n", "bad_config", "target.extra_files.1: 'x/../../y' is not a path"),
    "extra file without a name": (b"[target]\nextra_files = ['']\n", "bad_config", "target.extra_files.0: '' is not a path"),
    "everything as an extra file": (b"[target]\nextra_files = ['.']\n", "bad_config", "target.extra_files.0: '.' is not a path"),
    "extra files by no glob": (b"[target]\nextra_files = ['a**b']\n", "bad_config", "** must stand alone"),
    "unknown strategy": (b"[deploy]\nstrategy = 'magic'\n", "unknown_engine", "branch, canary, hot_reload, merge"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_POLICIES)
def test_an_invalid_policy_is_refused_with_its_key(make_repo: MakeRepo, name: str) -> None:
    text, code, words = BAD_POLICIES[name]
    repo = make_repo({**SMALL, "whet.toml": text})
    refuses_in_json(repo.whet("scan", "--json"), 2, code, words)
    assert repo.dirt() == ""


@pytest.mark.parametrize("what", ["a pipe", "a folder", "a device", "a huge file"])
def test_a_policy_that_is_not_a_plain_file_is_refused(make_repo: MakeRepo, what: str) -> None:
    repo = make_repo({"m.py": "x = 1\n"})
    path = repo.root / "whet.toml"
    if what == "a pipe":
        os.mkfifo(path)
    elif what == "a folder":
        path.mkdir()
    elif what == "a device":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as file:
            file.truncate(5 * 1024**3)
    refuses_in_json(repo.whet("list", "--json"), 4, "environment", "whet.toml cannot be read", "regular file")


@pytest.mark.parametrize("command", ["scan", "run", "prove --branch other"])
def test_a_repository_that_the_policy_does_not_list_is_refused(make_repo: MakeRepo, command: str) -> None:
    repo = make_repo(SMALL | {"whet.toml": '[guard]\nrepositories = ["/somewhere/else"]\n'})
    repo.sh("git", "branch", "other")
    refuses_both_ways(repo, command, 3, "repository_not_allowed", "not in guard.repositories", "whet.toml")
