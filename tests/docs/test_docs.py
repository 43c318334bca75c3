"""The documents agree with the code: commands, settings, plug-in groups, links, and the demo."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.docs import reference
from tests.docs.console import ROOT, documents
from tests.docs.console import commands as snippets
from tests.docs.reference import EXIT_MEANINGS
from tests.guard.shell import rows
from tests.integrity.cheats import CHEATS
from tests.integrity.test_real_packages import FIXES
from tests.support import Repo
from whet import plugins
from whet.app.setup.init import every_key
from whet.cli import commands
from whet.cli.main import EXIT_CODES
from whet.config import Config, parse

DOCS = ROOT / "docs"


def keys() -> set[str]:
    """Return every key of whet.toml with its section."""
    defaults = Config().model_dump(mode="json")
    alone = {key for key, value in defaults.items() if not isinstance(value, dict)}
    return alone | {f"{name}.{key}" for name, values in defaults.items() if isinstance(values, dict) for key in values}


@pytest.mark.parametrize("path", reference.pages(), ids=lambda path: path.name)
def test_the_reference_pages_are_what_the_code_says(path: Path) -> None:
    assert path.read_text() == reference.pages()[path], "run `python -m tests.docs.update` and read the difference"


def test_every_setting_is_described_and_no_other() -> None:
    words = tomllib.loads(reference.WORDS.read_text())
    described = {key for key, value in words.items() if not isinstance(value, dict)}
    sections = {name: values for name, values in words.items() if isinstance(values, dict)}
    described |= {f"{name}.{key}" for name, values in sections.items() for key in values if key != "_"}
    assert described == keys()
    assert all("_" in values for values in sections.values())


def test_every_setting_is_documented_with_its_default() -> None:
    text = (DOCS / "reference" / "settings.md").read_text()
    assert sorted(keys()) == sorted(re.findall(r"^\| `([a-z_.]+)` \|", text, re.MULTILINE))


def test_settings_that_documents_mention_exist() -> None:
    """A dotted name in code marks whose first part is a section must be a key of that section."""
    sections = {key.partition(".")[0] for key in keys() if "." in key}
    for document in [document for document in documents() if document.name != "CHANGELOG.md"]:
        for name in re.findall(r"`([a-z]+\.[a-z_]+)(?: = [^`]*)?`", document.read_text()):
            section, _, rest = name.partition(".")
            if section in sections and rest not in ("py", "toml", "md"):
                assert name in keys(), f"{document.name}: {name}"


def test_every_command_is_in_the_reference_and_has_an_example() -> None:
    text = (DOCS / "reference" / "cli.md").read_text()
    for name in commands.EXAMPLES:
        assert f"\n## whet {name}" in text, name
    sections = text.split("\n## whet ")[1:]
    assert all("\nExample: `" in section for section in sections)


def test_commands_that_documents_mention_exist() -> None:
    for document in documents():
        for name in re.findall(r"(?:`|^\$ )whet ([a-z]+)", document.read_text(), re.MULTILINE):
            assert name in commands.EXAMPLES, f"{document.name}: whet {name}"


def test_the_exit_codes_of_help_and_reference_agree() -> None:
    assert sorted(map(int, re.findall(r"(?:: |, )(\d+) ", " ".join(EXIT_CODES.split())))) == sorted(EXIT_MEANINGS)


def test_every_plugin_group_has_a_recipe_or_is_named() -> None:
    recipes, how_to = (ROOT / "CONTRIBUTING.md").read_text(), (DOCS / "how-to" / "plugins.md").read_text()
    for group in plugins.GROUPS:
        assert f"`{group}`" in recipes, group
        assert f"`{group}`" in how_to, group
        assert plugins.known(group), group


def test_every_key_that_init_prints_can_be_read_back() -> None:
    assert parse(every_key().encode()) == Config()
    assert tomllib.loads(every_key())["deploy"]["strategy"] == "branch"


def test_links_in_the_documents_lead_somewhere() -> None:
    for document in documents():
        for target in re.findall(r"\]\(([^):]+)\)", document.read_text()):
            path, _, heading = target.partition("#")
            linked = document.parent / path if path else document
            assert linked.exists(), f"{document.name}: {target}"
            if heading:
                headings = re.findall(r"^#+ (.*)$", linked.read_text(), re.MULTILINE)
                anchors = {re.sub(r"[^a-z0-9 _-]", "", text.lower()).replace(" ", "-") for text in headings}
                assert heading in anchors, f"{document.name}: {target}"


def test_the_index_leads_to_every_document() -> None:
    text = (DOCS / "README.md").read_text()
    for document in DOCS.rglob("*.md"):
        name = document.relative_to(DOCS).as_posix()
        assert name == "README.md" or f"]({name})" in text, name


def test_paths_in_code_marks_exist() -> None:
    """A document that names a file or folder of the repository names one that is there."""
    for document in documents():
        for name in re.findall(r"`((?:src|tests|bench|docs|examples)/[\w./-]+)`", document.read_text()):
            assert (ROOT / name).exists(), f"{document.name}: {name}"


def test_the_commands_that_the_readme_recommends_are_run_in_a_snippet() -> None:
    """A shell block of the README needs an installation, so it is not run; the same commands run in other documents."""
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    recommended = {name for block in blocks for name in re.findall(r"^whet ([a-z]+)", block, re.MULTILINE)}
    run = {command.text.split()[1] for command in snippets(DOCS / "tutorial.md") if command.text.startswith("whet ")}
    assert recommended
    assert recommended <= run


def test_the_figures_of_the_readme_are_those_of_the_tables() -> None:
    """The tests behind these figures fail if a row is not met, so that only the number of rows can be out of date."""
    text = (ROOT / "README.md").read_text()
    cheats = sum(len(family) for family in CHEATS.values())
    refused = sum(len(rows.must_refuse(table)) for table in rows.TABLES)
    allowed = sum(len(rows.must_allow(table)) for table in rows.TABLES)
    assert f"| {cheats} of {cheats} not passed |" in text
    assert f"| {len(FIXES)} of {len(FIXES)} passed |" in text
    assert f"| {refused:,} of {refused:,}, and {allowed:,} of {allowed:,} |" in text


@pytest.mark.whets_python
@pytest.mark.slow
@pytest.mark.long  # cycles and trials that tests/cycle runs too
def test_the_demo_runs_through_without_a_terminal(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    result = repo.whet("demo", "--json")
    assert result.code == 0, result.err
    assert result.json["ok"] is True
    assert result.json["status"] == "rolled_back"
    assert result.json["passed_after"] > result.json["passed_before"]
