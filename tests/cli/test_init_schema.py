"""`whet init --schema`: the JSON Schema beside whet.toml, and the line by which editors find it."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.refusals import SMALL, refuses
from tests.support import MakeRepo, Repo

LINE = "#:schema ./whet.schema.json"


@pytest.fixture
def repo(make_repo: MakeRepo) -> Repo:
    return make_repo(SMALL)


def schema_beside(folder: Path) -> Any:
    """Return the schema that the first line of whet.toml names."""
    line = (folder / "whet.toml").read_text().splitlines()[0]
    return json.loads((folder / line.removeprefix("#:schema ")).read_text())


def test_an_existing_policy_gets_the_line_and_keeps_its_text(repo: Repo) -> None:
    before = (repo.root / "whet.toml").read_text()
    result = repo.whet("init", "--schema")
    assert result.code == 0, result.err
    assert (repo.root / "whet.toml").read_text() == f"{LINE}\n{before}"
    jsonschema.validate(tomllib.loads((repo.root / "whet.toml").read_text()), schema_beside(repo.root))


def test_a_new_policy_comes_with_its_schema_and_both_are_there_after_a_clone(
    make_repo: MakeRepo, tmp_path: Path
) -> None:
    repo = make_repo({name: text for name, text in SMALL.items() if name != "whet.toml"})
    result = repo.whet("init", "--schema", "--json")
    assert result.code == 0, result.err
    assert result.json["schema"] == str(repo.root / "whet.schema.json")
    repo.commit({}, "policy")
    repo.sh("git", "clone", "--quiet", str(repo.root), str(tmp_path / "clone"))
    policy = tomllib.loads((tmp_path / "clone" / "whet.toml").read_text())
    jsonschema.validate(policy, schema_beside(tmp_path / "clone"))


def test_it_can_be_run_again_and_replaces_an_old_schema(repo: Repo) -> None:
    repo.whet("init", "--schema")
    text = (repo.root / "whet.toml").read_text()
    (repo.root / "whet.schema.json").write_text("{}")
    result = repo.whet("init", "--schema", "--json")
    assert result.json == {"schema": str(repo.root / "whet.schema.json"), "added": False}
    assert (repo.root / "whet.toml").read_text() == text
    assert schema_beside(repo.root) != {}


def test_a_schema_that_the_policy_names_already_is_kept(repo: Repo) -> None:
    text = "# policy\n#:schema https://example.org/whet.json\n[tests]\n"
    (repo.root / "whet.toml").write_text(text)
    assert "it names a schema already" in repo.whet("init", "--schema").out
    assert (repo.root / "whet.toml").read_text() == text


def test_line_endings_are_kept(repo: Repo) -> None:
    (repo.root / "whet.toml").write_bytes(b"[tests]\r\nfolders = []\r\n")
    repo.whet("init", "--schema")
    assert (repo.root / "whet.toml").read_bytes() == f"{LINE}\r\n[tests]\r\nfolders = []\r\n".encode()


def test_links_are_not_followed(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("keep")
    (repo.root / "whet.schema.json").symlink_to(tmp_path / "elsewhere")
    refuses(repo.whet("init", "--schema"), 3, "is a link")
    assert (tmp_path / "elsewhere").read_text() == "keep"


def test_print_prints_the_schema(repo: Repo) -> None:
    jsonschema.Draft7Validator.check_schema(json.loads(repo.whet("init", "--print", "--schema").out))
    assert not (repo.root / "whet.schema.json").exists()
