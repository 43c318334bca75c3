"""`whet init`: detect how the repository is built and tested, and write a short policy."""

import json
import os
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from whet.config import Config, parse
from whet.domain.own_files import FILE_NAME
from whet.errors import Refused
from whet.git.git import Git
from whet.phases.diagnose.layer_of import layer_of
from whet.sandbox.bubblewrap import Bubblewrap
from whet.target import interpreter

_VENVS = (".venv", "venv", "env")
_BUILD_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
_PYTEST_FILES = frozenset({"pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml"})
_COLLECTED = ("test_*.py", "*_test.py")  # the default of pytest's `python_files`
_NO_PACKAGES = frozenset({"tests", "test", "testing", "fixtures", "examples", "docs", "templates"})


@dataclass(frozen=True)
class Detected:
    interpreter: str
    version: str
    runner: str
    folders: tuple[str, ...]
    layers: dict[str, int]
    notes: tuple[str, ...]
    packages: tuple[str, ...] = ()
    path: str = ""
    """The path of the interpreter on this machine."""


def init(git: Git, *, signed: bool = False) -> tuple[Path, Detected]:
    """Write whet.toml. An existing file is never touched. `signed` asks for a signature at every apply gate."""
    path = git.root / FILE_NAME
    if path.exists() or path.is_symlink():
        raise Refused(f"{path} exists already and is left as it is", "edit it, or remove it and run `whet init` again")
    detected = detect(git)
    text = render(detected, git)
    if signed:
        text = text.replace('\napply = "confirm"', '\napply = "approve"', 1)
    parse(text.encode())
    try:
        with path.open("x") as file:
            file.write(text)
    except OSError as problem:
        raise Refused(f"{path} cannot be written: {problem.strerror}") from problem
    return path, detected


def detect(git: Git) -> Detected:
    local = next((f"{name}/bin/python" for name in _VENVS if (git.root / name / "bin" / "python").exists()), "")
    configured = "" if local == ".venv/bin/python" else local
    path = interpreter.find(git, configured)
    probed = interpreter.probe(Bubblewrap(), path, git.root)
    paths = [entry.path for entry in git.entries(git.tree_of("HEAD"))]
    policy = Config()
    notes = []
    tests = [name for name in paths if name.rpartition("/")[2].startswith("test") and name.endswith(".py")]
    runner = "pytest" if probed.has_pytest or not _uses_only_unittest(git, tests) else "unittest"
    if not probed.has_pytest and runner == "pytest":
        notes.append(f"{path} has no pytest: install it there, or set tests.runner to junit and tests.command")
    active = os.environ.get("VIRTUAL_ENV", "")
    if active and not path.is_relative_to(active):
        notes.append(
            f"the active environment {active} does not run the tests: set target.interpreter to its python for that"
        )
    if not tests:
        notes.append("no test files found: without tests nothing can be proved")
    layers: dict[str, int] = {}
    for name in paths:
        layer = layer_of(name, policy.target).value
        layers[layer] = layers.get(layer, 0) + 1
    packages = _packages(paths, tests) if runner == "pytest" else ()
    folders = () if packages else _oddly_named(git, paths, tests, runner) or _folders(paths, runner)
    return Detected(configured, probed.version, runner, folders, layers, tuple(notes), packages, str(path))


def _packages(paths: list[str], tests: list[str]) -> tuple[str, ...]:
    """Return the folders of the packages of a repository with several: each has a build file and tests of its own.

    Tests outside them belong to the top folder, which is then a package too. None for a repository that is one project.
    """
    built = {name.rpartition("/")[0] for name in paths if "/" in name and name.rpartition("/")[2] in _BUILD_FILES}
    folders = sorted(folder for folder in built if not _NO_PACKAGES & set(folder.split("/")))
    packages = [folder for folder in folders if any(test.startswith(f"{folder}/") for test in tests)]
    if len(packages) < 2:
        return ()
    outside = any(not test.startswith(tuple(f"{folder}/" for folder in packages)) for test in tests)
    return (*packages, *(["."] if outside else []))


def _uses_only_unittest(git: Git, tests: list[str]) -> bool:
    """True if test files import unittest and none imports pytest."""
    texts = git.read_all(git.tree_of("HEAD"), tests).values()
    return any(b"unittest" in text for text in texts) and not any(b"import pytest" in text for text in texts)


def _oddly_named(git: Git, paths: list[str], tests: list[str], runner: str) -> tuple[str, ...]:
    """Return the test files of a repository in which pytest finds none by name, such as `tests.py`; else nothing.

    pytest collects a file of any name that is named to it.
    """
    names = [name.rpartition("/")[2] for name in paths]
    if runner != "pytest" or any(fnmatch(name, pattern) for name in names for pattern in _COLLECTED):
        return ()
    tree = git.tree_of("HEAD")
    if any(b"python_files" in text for text in git.read_all(tree, sorted(_PYTEST_FILES & set(paths))).values()):
        return ()
    return tuple(name for name, text in sorted(git.read_all(tree, tests).items()) if b"def test" in text)


def _folders(paths: list[str], runner: str) -> tuple[str, ...]:
    """Return the test folder, so that nothing else is collected; empty if a file that configures pytest exists."""
    configured = _PYTEST_FILES & set(paths) if runner == "pytest" else set()
    folder = next((name for name in ("tests", "test") if any(path.startswith(f"{name}/") for path in paths)), "")
    return () if configured or not folder else (folder,)


def render(detected: Detected, git: Git) -> str:
    branch = (git.branch() or "").removeprefix("refs/heads/")
    named = (
        f"interpreter = {json.dumps(detected.interpreter)}"
        if detected.interpreter
        else '# interpreter = ".venv/bin/python"'
    )
    layers = ", ".join(f"{count} {name}" for name, count in sorted(detected.layers.items()))
    collected = (
        ""
        if detected.packages
        else f"folders = {json.dumps(list(detected.folders))}        # what is collected; empty: as pytest is configured, or what unittest discovers\n"
    )
    packages = "".join(f"\n[[project]]\nfolder = {json.dumps(folder)}\n" for folder in detected.packages)
    if packages:
        packages = f"\n# The packages, each with its own tests; a change is proved in those that it affects.{packages}"
    return f"""# What whet may do in this repository. Every key: `whet init --print`.

environment = "production"        # in production a person is on record for every deployment

[target]
{named}        # runs the target; default: .venv, else the python that runs whet
branch = {json.dumps(branch)}        # the branch that is improved
# extra_files = ["src/pkg/_version.py"]  # files that git ignores and the tests need
# layers found: {layers}

[tests]
runner = {json.dumps(detected.runner)}        # "pytest" or "unittest"; "junit" with command and junit_path; "exit" proves nothing
{collected}timeout_seconds = 900
{packages}
[deploy]
strategy = "branch"        # leaves the change on whet/<proposal>; "merge" moves the branch above
                           # for tools that run: "hot_reload", or a trial first: "canary", "ab", "shadow"
# smoke = ["python", "-c", "import pkg"]  # run on the deployed tree; a failure rolls it back

[approve]
apply = "confirm"        # auto, notify, confirm, approve, require: the least that is asked for
timeout_hours = 168
proof = {{ confirm = "os", approve = "signature", require = "presence" }}  # presence: a touched security key
# need = {{ approve = "1 maintainer", require = "2 maintainer, 1 owner" }}   # default: 1 person
# [approve.roles]
# maintainer = ["alice@example.com", "bob@example.com"]  # as whet.signers names them
# owner = ["alice@example.com"]

# [guard]
# protected = ["src/pkg/legal/**"]  # more paths that no change may touch
# open = ["pyproject.toml"]         # taken out of the protected defaults
# denied = ["database_migrations"]  # refused kinds of changes; default: also security, auth and settings schemas
"""


def every_key() -> str:
    """Return all settings with their defaults, as TOML. A setting without a default is left out."""
    lines: list[str] = []
    defaults = Config().model_dump(mode="json", exclude_none=True)
    lines += [f"{key} = {_toml(value)}" for key, value in defaults.items() if not isinstance(value, dict)]
    for section, keys in defaults.items():
        if isinstance(keys, dict):
            lines += ["", f"[{section}]", *(f"{key} = {_toml(value)}" for key, value in keys.items())]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, dict) and value:
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value)
