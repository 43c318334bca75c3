"""An interpreter for a real package's own suite: what the package needs, and what its tests import or ask for.

Each package has its own, so that none pays for the plug-ins of another. The tests are only read, and nothing is
installed for the mere sound of its name: what they import must be a package that everybody knows.
"""

import ast
import re
import subprocess
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path

from whet.guard.content.requirements.popular import POPULAR

_BY_MODULE = {"dateutil": "python-dateutil", "yaml": "pyyaml", "freezegun": "freezegun", "nose": "pynose"}
_PYTEST = "pytest<9"  # newer than the suites, and what it warns of is an error to some of them
_SETTINGS = (".cfg", ".ini", ".toml", ".txt")
_PLUGIN = re.compile(r"\bpytest-[a-z]+\b")
_BY_OPTION = {
    "--cov": "pytest-cov",
    "--timeout": "pytest-timeout",
    "--numprocesses": "pytest-xdist",
    "-n ": "pytest-xdist",
}
_BY_FIXTURE = {"mocker": "pytest-mock", "benchmark": "pytest-benchmark", "freezer": "pytest-freezer"}


def environment(package: str, version: str, root: Path, folder: Path, needs: Iterable[str] = ()) -> Path:
    """The interpreter below `folder` for the suite of the checkout `root`, with what it `needs` beyond what is read."""
    place = folder / package
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        _pip(python, "install", _PYTEST, f"{package}=={version}")
    for wanted in sorted({*_wanted(root), *needs} - {package, "pytest"}):
        _pip(python, "install", wanted)
    _pip(python, "uninstall", "--yes", package)  # the checkout is to be tested, and only it
    _look_into(root / "src", python)
    return python


def _look_into(folder: Path, python: Path) -> None:
    """As an editable install would, for a project whose packages do not stand in its first folder."""
    (packages,) = python.parents[1].glob("lib/python*/site-packages")
    (packages / "checkout.pth").write_text(f"{folder}\n" if folder.is_dir() else "")


def _wanted(root: Path) -> set[str]:
    nodes = [
        node for path in root.rglob("*.py") if "test" in path.relative_to(root).as_posix() for node in _nodes(path)
    ]
    modules = {name.partition(".")[0] for node in nodes for name in _imported(node)} - sys.stdlib_module_names
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    fixtures = {each.arg for node in functions if node.name.startswith("test") for each in node.args.args}
    fixtures -= {node.name for node in functions}
    settings = [path for path in root.iterdir() if path.suffix in _SETTINGS and path.is_file()]
    texts = [path.read_text(errors="replace") for path in settings]
    named = {name for text in texts for name in _PLUGIN.findall(text)}
    options = [line for text in texts for line in text.splitlines() if "addopts" in line]
    wanted = {name.lower().replace("_", "-") for name in modules} | named
    return (
        {name for name in wanted if name in POPULAR}
        | {_BY_MODULE[name] for name in modules if name in _BY_MODULE}
        | {_BY_FIXTURE[name] for name in fixtures if name in _BY_FIXTURE}
        | {plugin for option, plugin in _BY_OPTION.items() if any(option in line for line in options)}
    )


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []


def _nodes(path: Path) -> list[ast.AST]:
    try:
        with warnings.catch_warnings(action="ignore"):
            return list(ast.walk(ast.parse(path.read_text(errors="replace"))))
    except (SyntaxError, ValueError):
        return []  # a file for another Python


def _pip(python: Path, *args: str) -> None:
    subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *args], check=False)
