"""Files that `target.carry` copies into the sandbox: only from the repository, never git's or whet's own."""

import os
from pathlib import Path

import pytest

from tests.cli.words import SMALL, refuses
from tests.support import MakeRepo, Repo
from whet.app.project import open_project
from whet.errors import Refused


def carried(repo: Repo) -> dict[str, bytes]:
    return open_project(repo.root)._carried()


def policy(*patterns: str) -> str:
    return f"[target]\ncarry = {list(patterns)!r}\n"


def test_files_and_links_inside_the_repository_are_carried(make_repo: MakeRepo) -> None:
    repo = make_repo({"whet.toml": policy("made.py", "data/**/*.csv", "link.py")})
    repo.write({"made.py": "x = 1\n", "data/a.csv": "1\n", "data/deep/b.csv": "2\n", "data/c.txt": "3\n"})
    (repo.root / "link.py").symlink_to("made.py")
    assert carried(repo) == {
        "made.py": b"x = 1\n",
        "data/a.csv": b"1\n",
        "data/deep/b.csv": b"2\n",
        "link.py": b"x = 1\n",
    }


@pytest.mark.parametrize("pattern", ["secret", "folder/secret", "*", "folder/*", "*/secret"])
def test_a_link_out_of_the_repository_is_refused(make_repo: MakeRepo, tmp_path: Path, pattern: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("key\n")
    repo = make_repo({"whet.toml": policy(pattern)})
    (repo.root / "secret").symlink_to(tmp_path / "outside" / "secret")
    (repo.root / "folder").symlink_to(tmp_path / "outside")
    with pytest.raises(Refused, match="leads out of the repository") as refusal:
        carried(repo)
    assert "whet.toml" in refusal.value.remedy


@pytest.mark.parametrize("pattern", ["**/*", ".git/*", ".whet/*", "link", "folder/*"])
def test_files_of_git_and_whet_are_not_carried(make_repo: MakeRepo, pattern: str) -> None:
    repo = make_repo({"whet.toml": policy(pattern)})
    repo.write({".whet/whet.sqlite": "state\n"})
    (repo.root / "link").symlink_to(".git/config")
    (repo.root / "folder").symlink_to(".whet")
    assert set(carried(repo)) <= {"whet.toml"}


def test_a_pipe_or_device_is_not_opened(make_repo: MakeRepo) -> None:
    repo = make_repo({"whet.toml": policy("*.pipe", "loop", "gone")})
    os.mkfifo(repo.root / "a.pipe")
    (repo.root / "loop").symlink_to("loop")
    (repo.root / "gone").symlink_to("nowhere")
    assert carried(repo) == {}


def test_the_refusal_reaches_the_caller(make_repo: MakeRepo) -> None:
    repo = make_repo({**SMALL, "whet.toml": policy("hosts")})
    (repo.root / "hosts").symlink_to("/etc/hosts")
    refuses(repo.whet("scan"), 3, "target.carry: hosts leads out", "copy it into")
