"""The layout of the source folders."""

import ast
from pathlib import Path

import pytest

import whet
from whet import cycle

SOURCE = Path(whet.__file__).parent
FOLDERS = {
    "agent_proxy", "app", "cases", "cli", "config", "conversation", "demo", "domain", "durable", "forge", "git", "guard", "knowledge", "intake", "ledger", "mcp", "models", "path_lists", "phases", "plugins", "pyast", "runtime",
    "sandbox", "signing", "statistics", "store", "target", "web", "workflow",
}  # fmt: skip
FILES = {
    "__init__.py", "__main__.py", "cycle.py", "errors.py", "files.py", "kit.py", "py.typed", "state_folder.py",
}  # fmt: skip
CATALOGUES = {
    "domain",  # one noun per file
    "guard/shell/rules",  # one kind of harm per file
    "phases/propose/repair/templates",  # one kind of edit per file
    "target/inside",  # one script per file, each loaded by its path
}
MOST_FILES = 20


def folders() -> list[Path]:
    parents = [path.parent for path in SOURCE.rglob("*.py")]
    return sorted(set(parents))


def test_the_source_has_these_folders_and_no_others() -> None:
    here = {path.name for path in SOURCE.iterdir() if path.name != "__pycache__"}
    assert {name for name in here if (SOURCE / name).is_dir()} == FOLDERS
    assert {name for name in here if (SOURCE / name).is_file()} <= FILES


def test_phases_holds_the_seven_phases_and_nothing_else() -> None:
    names = {path.name for path in (SOURCE / "phases").iterdir() if path.name != "__pycache__"}
    assert names == {"__init__.py", *cycle.ORDER}


@pytest.mark.parametrize("phase", cycle.ORDER)
def test_every_phase_has_its_protocol_and_its_function(phase: str) -> None:
    folder = SOURCE / "phases" / phase
    assert (folder / "step.py").is_file()
    tree = ast.parse((folder / "__init__.py").read_text())
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert any(isinstance(base, ast.Name) and base.id == "Protocol" for cls in classes for base in cls.bases)


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.relative_to(SOURCE).as_posix())
def test_no_folder_has_too_many_files(folder: Path) -> None:
    if folder.relative_to(SOURCE).as_posix() not in CATALOGUES:
        assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= MOST_FILES


def test_every_command_has_a_file_of_its_own() -> None:
    from whet.cli.commands import COMMANDS

    modules = [command.__module__.rpartition(".")[2] for command in COMMANDS]
    assert len(set(modules)) == len(modules)
    for command, module in zip(COMMANDS, modules, strict=True):
        assert module in (command.__name__, "list_proposals")


def test_no_function_inside_a_function_is_called_run_in_the_workflow() -> None:
    for path in (SOURCE / "workflow").glob("*.py"):
        for outer in ast.walk(ast.parse(path.read_text())):
            if isinstance(outer, ast.FunctionDef):
                inner = [
                    node.name for node in ast.walk(outer) if isinstance(node, ast.FunctionDef) and node is not outer
                ]
                assert "run" not in inner, path
