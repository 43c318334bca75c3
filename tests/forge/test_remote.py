"""Pushing and fetching: real git over HTTP, with hostile settings in the repository."""

import os
from pathlib import Path

import pytest

from tests.forge.github_server import REPOSITORY, TOKEN, GitHubServer
from tests.support import MakeRepo, Repo
from whet.config import ForgePolicy
from whet.errors import ForgeRefused, ForgeUnavailable
from whet.forge.place import place_of
from whet.git.git import ZERO
from whet.git.remote import Remote

HOSTILE = """
[url "http://127.0.0.1:9/stolen/"]
	insteadOf = {address}/
	pushInsteadOf = {address}/
[http]
	proxy = http://127.0.0.1:9
	sslVerify = false
	extraHeader = X-Stolen: yes
[core]
	hooksPath = hooks
	sshCommand = touch stolen
[credential]
	helper = "!touch stolen"
"""


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo({"a.py": "x = 1\n"})


@pytest.fixture
def remote(repo: Repo, github: GitHubServer, monkeypatch: pytest.MonkeyPatch) -> Remote:
    for name, value in github.environment.items():
        monkeypatch.setenv(name, value)
    place = place_of(ForgePolicy(kind="github", repository=REPOSITORY, address=github.address), "")
    return Remote(repo.git, place.push_url, place.push_header)


def test_a_branch_is_pushed_moved_and_removed(repo: Repo, remote: Remote, github: GitHubServer) -> None:
    first = repo.head
    remote.push(first, "whet/p-1", ZERO)
    assert remote.head("whet/p-1") == first == github.head("whet/p-1")
    repo.sh("git", "commit", "--quiet", "--amend", "--message", "again")
    remote.push(repo.head, "whet/p-1", first)
    assert github.head("whet/p-1") == repo.head
    remote.push(ZERO, "whet/p-1", repo.head)
    assert remote.head("whet/p-1") == ZERO


def test_a_branch_that_moved_meanwhile_is_not_overwritten(repo: Repo, remote: Remote, github: GitHubServer) -> None:
    remote.push(repo.head, "whet/p-1", ZERO)
    foreign = github.commit_on("whet/p-1", "b.py", "y = 2\n")
    for expected in (ZERO, repo.head):
        with pytest.raises(ForgeRefused, match="did not push"):
            remote.push(repo.commit({"c.py": expected}), "whet/p-1", expected)
    assert github.head("whet/p-1") == foreign


def test_a_fetched_branch_brings_its_objects_and_moves_no_ref(repo: Repo, remote: Remote, github: GitHubServer) -> None:
    base = repo.head
    remote.push(base, "main", ZERO)
    new = github.commit_on("main", "b.py", "y = 2\n")
    refs = repo.sh("git", "for-each-ref")
    assert remote.fetch("main", base) == new
    assert repo.sh("git", "show", f"{new}:b.py") == "y = 2"
    assert repo.sh("git", "for-each-ref") == refs


def test_settings_of_the_repository_cannot_redirect_the_token(repo: Repo, remote: Remote, github: GitHubServer) -> None:
    with (repo.root / ".git" / "config").open("a") as config:
        config.write(HOSTILE.format(address=github.address))
    hook = repo.root / "hooks" / "pre-push"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\ntouch stolen\n")
    hook.chmod(0o755)
    remote.push(repo.head, "whet/p-1", ZERO)
    assert github.head("whet/p-1") == repo.head
    assert not list(repo.root.rglob("stolen"))


def test_the_token_is_in_no_argument_and_no_variable_of_git(
    repo: Repo, remote: Remote, github: GitHubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, real = tmp_path / "seen", repo.sh("which", "git")
    folder = tmp_path / "bin"
    folder.mkdir()
    spy = folder / "git"
    note = f'(tr "\\0" "\\n" < /proc/$$/cmdline; env) >> {seen}'
    only_whets = f'case "$GIT_CONFIG_GLOBAL" in /proc/*) {note};; esac'  # the server starts git too
    spy.write_text(f'#!/bin/sh\n{only_whets}\nexec {real} "$@"\n')
    spy.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    remote.push(repo.head, "whet/p-1", ZERO)
    assert github.head("whet/p-1") == repo.head
    text = seen.read_text()
    assert "push" in text
    assert TOKEN not in text
    assert remote._header.split()[-1] not in text
    assert TOKEN not in (repo.root / ".git" / "config").read_text()


def test_a_wrong_token_and_a_dead_server_are_told_apart(repo: Repo, github: GitHubServer) -> None:
    url = f"{github.address}/{REPOSITORY}.git"
    with pytest.raises(ForgeRefused, match="does not let whet"):
        Remote(repo.git, url, "Authorization: Basic AAAA").push(repo.head, "b", ZERO)
    with pytest.raises(ForgeUnavailable, match="failed"):
        Remote(repo.git, "http://127.0.0.1:9/a/b.git").head("main")


def test_a_folder_can_be_pushed_to_without_a_token(repo: Repo, github: GitHubServer) -> None:
    Remote(repo.git, f"file://{github.bare}").push(repo.head, "b", ZERO)
    assert github.head("b") == repo.head
