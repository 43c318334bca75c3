"""An interpreter for a real package's own suite: what the package needs, and what its tests import or ask for.

Each package has its own, so that none pays for the plug-ins of another.
"""

import re
import subprocess
import sys
from pathlib import Path

_MISSING = re.compile(r"No module named '(\w+)")
_PLUGINS = {"mocker": "pytest-mock", "benchmark": "pytest-benchmark", "snapshot": "syrupy", "freezer": "pytest-freezer"}
_MOST_MISSING = 10


def environment(package: str, version: str, root: Path, folder: Path) -> Path:
    """The interpreter below `folder` with which the suite of the checkout `root` can be collected, if one can be had."""
    place = folder / package
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        _pip(python, "install", "pytest", f"{package}=={version}")
        _pip(python, "uninstall", "--yes", package)  # the checkout is to be tested, and only it
    if wanted := _asked_for(root):
        _pip(python, "install", *wanted)
    for _ in range(_MOST_MISSING):
        missing = _missing(python, root)
        if not missing or not _pip(python, "install", *missing):
            break
    return python


def _asked_for(root: Path) -> list[str]:
    """Plug-ins by the fixtures that are not fixtures of the project's own."""
    texts = "\n".join(path.read_text(errors="replace") for path in root.rglob("*test*.py"))
    used = set(re.findall(r"\w+", " ".join(re.findall(r"def test_\w+\(([^)]*)\)", texts))))
    own = set(re.findall(r"@pytest\.fixture[^\n]*\n(?:@[^\n]*\n)*\s*def (\w+)", texts))
    return [_PLUGINS[name] for name in sorted(used - own) if name in _PLUGINS]


def _missing(python: Path, root: Path) -> list[str]:
    command = [str(python), "-B", "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=300)
    return sorted({name for name in _MISSING.findall(done.stdout + done.stderr) if not any(root.rglob(f"{name}.py"))})


def _pip(python: Path, *args: str) -> bool:
    done = subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *args], check=False)
    return done.returncode == 0
