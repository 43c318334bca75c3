"""Files that `target.extra_files` copies into the sandbox: only from the repository, never git's or whet's own."""

import os
from pathlib import Path

import pytest

from tests.cli.refusals import SMALL, refuses
from tests.support import MakeRepo, Repo
from whet.app.extra_files import read_extra_files
from whet.config import load
from whet.errors import EnvironmentProblem, Refused
from whet.git.git import open_repository


def extra_files(repo: Repo) -> dict[str, bytes]:
    return read_extra_files(open_repository(repo.root), load(repo.root).target.extra_files)


def policy(*patterns: str) -> str:
    return f"[target]\nextra_files = {list(patterns)!r}\n"


def test_files_and_links_inside_the_repository_are_copied(make_repo: MakeRepo) -> None:
    repo = make_repo({"whet.toml": policy("made.py", "data/**/*.csv", "link.py")})
    repo.write({"made.py": "x = 1\n", "data/a.csv": "1\n", "data/deep/b.csv": "2\n", "data/c.txt": "3\n"})
    (repo.root / "link.py").symlink_to("made.py")
    assert extra_files(repo) == {
        "made.py": b"x = 1\n",
        "data/a.csv": b"1\n",
        "data/deep/b.csv": b"2\n",
        "link.py": b"x = 1\n",
    }


@pytest.mark.parametrize("pattern", ["data", "data/", "data/**", "**/data/**", "da*/**", "data/**/*"])
def test_a_pattern_for_a_folder_copies_everything_below(make_repo: MakeRepo, pattern: str) -> None:
    repo = make_repo({"whet.toml": policy(pattern), ".gitignore": "data/\n"})
    repo.write({"data/a.csv": "1\n", "data/deep/b.csv": "2\n", "other.csv": "3\n"})
    assert extra_files(repo) == {"data/a.csv": b"1\n", "data/deep/b.csv": b"2\n"}


def test_a_pattern_without_a_slash_matches_at_any_depth_and_a_later_one_can_exclude(make_repo: MakeRepo) -> None:
    repo = make_repo({"whet.toml": policy("*.csv", "!b.csv")})
    repo.write({"a.csv": "1\n", "deep/a.csv": "2\n", "deep/b.csv": "3\n"})
    assert set(extra_files(repo)) == {"a.csv", "deep/a.csv"}


def test_a_pattern_that_matches_no_file_is_named(make_repo: MakeRepo) -> None:
    repo = make_repo({**SMALL, "whet.toml": policy("*.toml", "src/_version.py")})
    refuses(repo.whet("scan"), 4, "target.extra_files: 'src/_version.py' matches no file", "whet.toml")


@pytest.mark.parametrize("pattern", ["secret", "folder/secret", "*", "folder/*", "*/secret"])
def test_a_link_out_of_the_repository_is_refused(make_repo: MakeRepo, tmp_path: Path, pattern: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("key\n")
    repo = make_repo({"whet.toml": policy(pattern)})
    (repo.root / "secret").symlink_to(tmp_path / "outside" / "secret")
    (repo.root / "folder").symlink_to(tmp_path / "outside")
    with pytest.raises(Refused, match="leads out of the repository") as refusal:
        extra_files(repo)
    assert "whet.toml" in refusal.value.remedy


@pytest.mark.parametrize("pattern", ["**/*", ".git/*", ".whet/*", "link", "folder/*"])
def test_neither_gits_nor_whets_own_files_are_copied(make_repo: MakeRepo, pattern: str) -> None:
    repo = make_repo({"whet.toml": policy(pattern, "whet.toml")})
    repo.write({".whet/whet.sqlite": "state\n"})
    (repo.root / "link").symlink_to(".git/config")
    (repo.root / "folder").symlink_to(".whet")
    if pattern == "**/*":
        assert set(extra_files(repo)) == {"whet.toml"}
    else:
        with pytest.raises(EnvironmentProblem, match="matches no file"):
            extra_files(repo)


def test_what_is_no_file_is_not_opened(make_repo: MakeRepo) -> None:
    repo = make_repo({"whet.toml": policy("*")})
    os.mkfifo(repo.root / "a.pipe")
    (repo.root / "loop").symlink_to("loop")
    (repo.root / "gone").symlink_to("nowhere")
    assert set(extra_files(repo)) == {"whet.toml"}


def test_the_refusal_reaches_the_caller(make_repo: MakeRepo) -> None:
    repo = make_repo({**SMALL, "whet.toml": policy("hosts")})
    (repo.root / "hosts").symlink_to("/etc/hosts")
    refuses(repo.whet("scan"), 3, "target.extra_files: hosts leads out", "copy it into")
