"""Create an environment for a package's own test suite: its dependencies, and the packages that its tests import.

Each package has its own environment, so that it is not slowed down by the plug-ins of another. The tests are only read.
Of the packages that they import, only popular ones are installed, because a name alone is no reason to trust a package.
"""

import ast
import contextlib
import re
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

from whet.guard.content.requirements.popular import POPULAR

_BY_MODULE = {"dateutil": "python-dateutil", "yaml": "pyyaml", "freezegun": "freezegun", "nose": "pynose"}
_PYTEST = "pytest<9"  # pytest 9 is newer than the suites, and some of them turn its warnings into errors
_FOR_TESTS = re.compile(r"test|dev", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z][\w.-]*")
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
    """Return the interpreter below `folder` for the suite of the checkout `root`, with the packages in `needs` too."""
    place = folder / package
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        _pip(python, "install", _PYTEST, f"{package}=={version}")
    for requirement in sorted({*_requirements(root), *needs} - {package, "pytest"}):
        _pip(python, "install", requirement)
    _pip(python, "uninstall", "--yes", package)  # so that only the checkout is tested
    _add_to_path(root / "src", python)
    return python


def _add_to_path(folder: Path, python: Path) -> None:
    """Put a source folder on the import path, as an editable install would."""
    (packages,) = python.parents[1].glob("lib/python*/site-packages")
    (packages / "checkout.pth").write_text(f"{folder}\n" if folder.is_dir() else "")


def _requirements(root: Path) -> set[str]:
    """Return the packages that the tests import, and the plug-ins that they or their settings use."""
    nodes = [
        node for path in root.rglob("*.py") if "test" in path.relative_to(root).as_posix() for node in _nodes(path)
    ]
    modules = {name.partition(".")[0] for node in nodes for name in _imported(node)} - sys.stdlib_module_names
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    fixtures = {argument.arg for node in functions if node.name.startswith("test") for argument in node.args.args}
    fixtures -= {node.name for node in functions}
    settings = [path for path in root.iterdir() if path.suffix in _SETTINGS and path.is_file()]
    texts = [path.read_text(errors="replace") for path in settings]
    plugins = {name for text in texts for name in _PLUGIN.findall(text)}
    options = [line for text in texts for line in text.splitlines() if "addopts" in line]
    mentioned = {name.lower().replace("_", "-") for name in modules} | plugins | set(_declared(root))
    return (
        {name for name in mentioned if name in POPULAR}
        | {_BY_MODULE[name] for name in modules if name in _BY_MODULE}
        | {_BY_FIXTURE[name] for name in fixtures if name in _BY_FIXTURE}
        | {plugin for option, plugin in _BY_OPTION.items() if any(option in line for line in options)}
    )


def _declared(root: Path) -> Iterator[str]:
    """Yield the packages that the project declares for its tests: in pyproject.toml and in files of requirements."""
    lines: list[str] = []
    with contextlib.suppress(OSError, ValueError):
        settings = tomllib.loads((root / "pyproject.toml").read_text())
        groups = settings.get("project", {}).get("optional-dependencies", {}) | settings.get("dependency-groups", {})
        lines += [line for name, group in groups.items() if _FOR_TESTS.search(name) for line in group]
    for path in (*root.glob("*require*.txt"), *root.glob("requirements/*.txt")):
        if _FOR_TESTS.search(path.name):
            lines += path.read_text(errors="replace").splitlines()
    for line in lines:
        if match := _NAME.match(line if isinstance(line, str) else ""):
            yield match[0].lower().replace("_", "-")


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []


def _nodes(path: Path) -> list[ast.AST]:
    try:
        with warnings.catch_warnings(action="ignore"):
            return list(ast.walk(ast.parse(path.read_text(errors="replace"))))
    except (SyntaxError, ValueError):
        return []  # written for another Python version


def _pip(python: Path, *args: str) -> None:
    subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *args], check=False)
