import re
import tomllib
from pathlib import Path

import pytest

from tests.support import Repo
from whet import plugins
from whet.app.setup import every_key
from whet.cli import commands
from whet.config import Config, parse

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_every_setting_is_documented_with_its_default() -> None:
    text = (ROOT / "docs" / "settings.md").read_text()
    defaults = Config().model_dump(mode="json")
    keys = [key for key, value in defaults.items() if not isinstance(value, dict)]
    keys += [f"{section}.{key}" for section, values in defaults.items() if isinstance(values, dict) for key in values]
    missing = [key for key in keys if f"| `{key}` |" not in text]
    assert missing == []


def test_no_setting_is_documented_that_does_not_exist() -> None:
    text = (ROOT / "docs" / "settings.md").read_text()
    defaults = Config().model_dump(mode="json")
    for name in re.findall(r"^\| `([a-z_.]+)` \|", text, re.MULTILINE):
        section, _, key = name.partition(".")
        assert section in defaults, name
        assert not key or key in defaults[section], name


def test_every_command_is_in_the_readme_and_has_an_example() -> None:
    for name in commands.EXAMPLES:
        assert name in ("version", "demo") or f"`{name}`" in README, name


def test_every_plugin_group_has_a_recipe_or_is_named() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text() + (ROOT / "docs" / "settings.md").read_text()
    for group in plugins.GROUPS:
        assert group in text, group
        assert plugins.known(group), group


def test_every_key_that_init_prints_can_be_read_back() -> None:
    assert parse(every_key().encode()) == Config()
    assert tomllib.loads(every_key())["deploy"]["strategy"] == "branch"


def test_links_in_the_documents_lead_somewhere() -> None:
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


@pytest.mark.slow
def test_the_readme_commands_work_as_written(sample: Repo) -> None:
    (sample.root / "whet.toml").unlink()
    sample.commit({}, "no policy yet")
    assert sample.whet("init").code == 0
    sample.commit({}, "policy")
    assert sample.whet("doctor", "--quick").code == 0
    assert sample.whet("scan").code == 0
    assert sample.whet("run").code == 5
    proposal = sample.whet("list", "--json").json[0]["proposal"]
    assert sample.whet("approve", proposal).code == 0
    branch = f"whet/{proposal}"
    assert branch in sample.sh("git", "branch", "--list", branch)
    assert "passed" in sample.whet("prove", "--branch", branch, "--markdown").out
    assert sample.whet("rollback", proposal, "--why", "the tour is over").code == 0
    assert sample.whet("audit").code == 0


@pytest.mark.slow
def test_the_demo_runs_through_without_a_terminal(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    result = repo.whet("demo", "--json")
    assert result.code == 0, result.err
    assert result.json["ok"] is True
    assert result.json["status"] == "rolled_back"
    assert result.json["passed_after"] > result.json["passed_before"]
