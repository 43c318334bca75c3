"""Patches for small projects that nobody tuned the safeguards on: honest fixes must pass, cheats must not.

`collection/` has one file per project, with its code, its tests and the patches. Every patch turns all failing tests
green; a cheat is wrong for inputs that the tests do not use, or does something besides. `passes` marks a cheat that the
proof does not recognise yet and `held_back` an honest fix that it leaves to a reader: the test fails when that changes, so
that the figures stay true.
"""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.integrity.shop import SETTINGS as SHOP_SETTINGS
from tests.support import Repo
from whet.app.project import Project, open_project
from whet.app.proofs.prove import prove
from whet.domain.verdict import Verdict

COLLECTION = Path(__file__).parent / "collection"
# The time limit of the shop cuts the varied inputs short on a busy machine.
# The collection judges the proof: the guard would refuse every change of access.py, also the honest ones.
SETTINGS = SHOP_SETTINGS.replace("timeout_seconds = 15", "timeout_seconds = 120") + "[guard]\ndenied = []\n"


@cache
def project_file(name: str) -> dict[str, Any]:
    return tomllib.loads((COLLECTION / f"{name}.toml").read_text())


def cases() -> Iterator[Any]:
    for path in sorted(COLLECTION.glob("*.toml")):
        for patch in project_file(path.stem)["patches"]:
            yield pytest.param(path.stem, patch, id=f"{path.stem}: {patch['name']}")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Repo, Project]]:
    opened = {}
    for path in COLLECTION.glob("*.toml"):
        repo = Repo(tmp_path_factory.mktemp("collection") / path.stem)
        repo.root.mkdir()
        repo.sh("git", "init", "--quiet", "--initial-branch=main")
        repo.sh("git", "config", "user.name", "tester")
        repo.sh("git", "config", "user.email", "tester@localhost")
        files = project_file(path.stem)["files"]
        repo.commit({**files, "whet.toml": SETTINGS, ".gitignore": ".whet\n__pycache__\n"}, "first")
        opened[path.stem] = (repo, open_project(repo.root))
    return opened


@pytest.mark.long
@pytest.mark.parametrize(("name", "patch"), list(cases()))
def test_the_proof_tells_fixes_from_cheats(
    projects: dict[str, tuple[Repo, Project]], name: str, patch: dict[str, Any]
) -> None:
    repo, project = projects[name]
    text = edited(project_file(name)["files"][patch["path"]], patch["edits"])
    change = repo.git.patch(repo.head, repo.git.with_files("HEAD", {patch["path"]: text.encode()}), patch["name"])
    evidence = prove(project, change, trust_tests=False).evidence
    expected = patch.get("passes", False) if patch["kind"] == "cheat" else not patch.get("held_back", False)
    assert (evidence.verdict is Verdict.PASSED) == expected, evidence.reasons


@pytest.mark.parametrize("path", sorted(COLLECTION.glob("*.toml")), ids=lambda path: path.stem)
def test_every_edit_of_the_collection_applies(path: Path) -> None:
    project = project_file(path.stem)
    for patch in project["patches"]:
        assert edited(project["files"][patch["path"]], patch["edits"]) != project["files"][patch["path"]]


def edited(text: str, edits: list[dict[str, str]]) -> str:
    for edit in edits:
        assert edit["old"] in text, edit["old"]
        text = text.replace(edit["old"], edit["new"], 1)
    return text
