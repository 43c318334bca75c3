"""`whet sync`: compare and merge the registry, the repository and the checkout of one module."""

from pathlib import Path

import pytest

from tests.support import Repo
from whet.demo.sample_tools import make_tools_sample
from whet.domain.clock import now
from whet.store.versions import Cause, Versions

FIRST, LAST = "for an agent", "return a / b"
PUBLISHED, EDITED = "for a program", "return a / (b or 1)"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    folder = tmp_path / "calculator"
    folder.mkdir()
    make_tools_sample(folder)
    sample = Repo(folder)
    policy = (folder / "whet.toml").read_text()
    sample.commit({"whet.toml": f'environment = "development"\n{policy}'}, "No production: no signature at high tiers")
    return sample


def publish(repo: Repo, old: str, new: str) -> None:
    """Publish a version like a deployment whose commit is no longer on the branch."""
    before = (repo.root / "calculator.py").read_bytes()
    after = before.replace(old.encode(), new.encode())
    cause = Cause(why="p-1", deployment="d-1", at=now())
    Versions(repo.root / ".whet").publish("calculator", "calculator.py", before, after, cause)


def edit(repo: Repo, old: str, new: str, *, commit: bool = True) -> None:
    file = repo.root / "calculator.py"
    file.write_text(file.read_text().replace(old, new))
    if commit:
        repo.sh("git", "commit", "--quiet", "--all", "--message", "by hand")


def standing(repo: Repo) -> tuple[str, str]:
    result = repo.whet("sync", "calculator.py", "--json")
    (module,) = result.json
    assert result.code == (0 if module["state"] == "in_step" else 1)
    return module["state"], module["words"]


def test_a_published_version_in_the_repository_is_in_step(repo: Repo) -> None:
    publish(repo, FIRST, PUBLISHED)
    edit(repo, FIRST, PUBLISHED)
    assert standing(repo)[0] == "in_step"
    refused(repo, "nothing to merge")


def test_an_edit_of_the_published_version_is_ahead(repo: Repo) -> None:
    publish(repo, FIRST, PUBLISHED)
    edit(repo, FIRST, PUBLISHED)
    edit(repo, LAST, EDITED)
    assert standing(repo)[0] == "edited"
    refused(repo, "nothing to merge")


def test_an_uncommitted_edit_is_reported_and_not_merged(repo: Repo) -> None:
    publish(repo, FIRST, PUBLISHED)
    edit(repo, LAST, EDITED, commit=False)
    assert standing(repo) == (
        "edited",
        "edited in the checkout and not committed: a process that starts from it does not follow the registry",
    )
    refused(repo, "not committed")


def test_conflicting_places_are_named(repo: Repo) -> None:
    publish(repo, LAST, "return a // b")
    edit(repo, LAST, EDITED)
    place = "calculator.py:12: the registry has 'return a // b', the repository 'return a / (b or 1)'"
    state, words = standing(repo)
    assert (state, place in words) == ("conflict", True), words
    refused(repo, place)


def test_versions_without_a_common_base_are_not_merged(repo: Repo) -> None:
    cause = Cause(why="p-1", deployment="d-1", at=now())
    Versions(repo.root / ".whet").publish("calculator", "calculator.py", b"a = 1\n", b"a = 2\n", cause)
    assert standing(repo) == ("conflict", "the repository and the registry have no version in common")
    refused(repo, "no version in common")


def test_unpublished_or_unnamed_modules_are_not_merged(repo: Repo) -> None:
    refused(repo, "ever published")
    assert repo.whet("sync", "--merge").code == 2


def refused(repo: Repo, words: str) -> None:
    result = repo.whet("sync", "calculator.py", "--merge")
    assert result.code == 3, result.out + result.err
    assert words in result.err


@pytest.mark.whets_python
@pytest.mark.slow
def test_compatible_changes_become_a_proposal_that_needs_approval(repo: Repo) -> None:
    publish(repo, FIRST, PUBLISHED)
    edit(repo, LAST, EDITED)
    assert "the changes can be merged" in standing(repo)[1]
    assert repo.whet("sync", "calculator.py", "--merge").code == 5
    (waiting,) = repo.whet("list", "--json").json
    assert waiting["status"] == "waiting_apply"
    assert PUBLISHED not in (repo.root / "calculator.py").read_text()
    digest = waiting["open_question"]["digest"][:12]
    result = repo.whet("approve", waiting["proposal"], "--yes", "--digest", digest, "--why", "both are wanted")
    assert result.code == 0, result.out + result.err
    text = (repo.root / "calculator.py").read_text()
    assert PUBLISHED in text
    assert EDITED in text
    assert standing(repo)[0] == "in_step"
    assert repo.whet("audit").code == 0
