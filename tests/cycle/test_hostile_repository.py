"""A whole change, from the run over the merge to the rollback, in a repository whose settings all name programs."""

from pathlib import Path

import pytest

import whet
from tests.git.hostile import ATTRIBUTES, Traps, make_hostile
from tests.support import Repo

pytestmark = pytest.mark.long

FILES: dict[str, str | bytes] = {
    "calc.py": "def add(a, b):\n    return a - b\n\n\ndef double(x):\n    return x * 2\n",
    "tests/test_calc.py": (
        "from calc import add, double\n\n\ndef test_add():\n    assert add(1, 2) == 3\n    assert add(5, 5) == 10\n\n\n"
        "def test_double():\n    assert double(2) == 4\n"
    ),
    "note.txt": "a note\n",
    "whet.toml": '[target]\nbranch = "main"\n[observe]\nsources = ["tests"]\n[deploy]\nstrategy = "merge"\n',
}


@pytest.mark.parametrize("attributes", ["* diff=evil merge=evil\n*.txt filter=a=b\n", ATTRIBUTES])
@pytest.mark.parametrize("on_branch", [True, False])
def test_no_setting_starts_a_program_at_merge_and_rollback(tmp_path: Path, attributes: str, on_branch: bool) -> None:
    """`on_branch`: the checkout is on the target branch, so that its files follow the merge and the rollback."""
    repo, traps = Repo(tmp_path / "calc"), Traps(tmp_path / "traps")
    repo.root.mkdir()
    repo.sh("git", "init", "--quiet", "--initial-branch=main")
    repo.commit(FILES, "first")
    if not on_branch:
        repo.sh("git", "switch", "--quiet", "--create", "work")
    make_hostile(repo, traps)
    (repo.root / ".git/info/attributes").write_text(attributes)
    traps.sprung()
    assert repo.whet("run", "--json", env={"HOME": str(tmp_path)}).code == 5
    (view,) = whet.open(repo.root).proposals()
    answered = repo.whet("approve", view.proposal.id, "--yes", "--why", "read it", env={"HOME": str(tmp_path)})
    assert answered.code == 0, answered.err
    assert "return a + b" in repo.whet("diff", view.proposal.id).out
    assert "return a + b" in merged(repo)
    assert repo.whet("rollback", view.proposal.id, env={"HOME": str(tmp_path)}).code == 0
    assert "return a - b" in merged(repo)
    for command in (("history", "calc.py"), ("sync",), ("scan",), ("list",), ("status",), ("audit",), ("doctor",)):
        repo.whet(*command, env={"HOME": str(tmp_path)})
    assert traps.sprung() == set()


def merged(repo: Repo) -> str:
    """Return the file on the target branch, read without git's settings taking part."""
    return repo.sh("git", "cat-file", "blob", "main:calc.py")
