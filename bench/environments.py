"""An interpreter for a real package's own suite: what the package needs, and what its tests import or ask for.

Each package has its own, so that none pays for the plug-ins of another. The tests are only read, and nothing is
installed for the mere sound of its name: what they import must be a package that everybody knows.
"""

import ast
import subprocess
import sys
import warnings
from pathlib import Path

from whet.guard.content.requirements.popular import POPULAR

_BY_MODULE = {"dateutil": "python-dateutil", "yaml": "pyyaml", "freezegun": "freezegun", "nose": "pynose"}
_BY_FIXTURE = {"mocker": "pytest-mock", "benchmark": "pytest-benchmark", "freezer": "pytest-freezer"}


def environment(package: str, version: str, root: Path, folder: Path) -> Path:
    """The interpreter below `folder` for the suite of the checkout `root`."""
    place = folder / package
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        _pip(python, "install", "pytest", f"{package}=={version}")
        _pip(python, "uninstall", "--yes", package)  # the checkout is to be tested, and only it
    for wanted in sorted(_wanted(root) - {package}):
        _pip(python, "install", wanted)
    return python


def _wanted(root: Path) -> set[str]:
    modules, fixtures, own = set[str](), set[str](), set[str]()
    for path in root.rglob("*.py"):
        if "test" not in path.relative_to(root).as_posix():
            continue
        for node in _nodes(path):
            if isinstance(node, ast.Import):
                modules |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules.add(node.module.partition(".")[0])
            elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                fixtures |= {argument.arg for argument in node.args.args}
            elif isinstance(node, ast.FunctionDef):
                own.add(node.name)
    known = {_BY_MODULE.get(name) or name.lower().replace("_", "-") for name in modules - sys.stdlib_module_names}
    return {name for name in known if name in POPULAR or name in _BY_MODULE.values()} | {
        _BY_FIXTURE[name] for name in fixtures - own if name in _BY_FIXTURE
    }


def _nodes(path: Path) -> list[ast.AST]:
    try:
        with warnings.catch_warnings(action="ignore"):
            return list(ast.walk(ast.parse(path.read_text(errors="replace"))))
    except (SyntaxError, ValueError):
        return []  # a file for another Python


def _pip(python: Path, *args: str) -> None:
    subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *args], check=False)
