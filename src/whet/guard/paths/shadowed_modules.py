"""New modules that would be imported instead of a library, a test plug-in or another file."""

import re
import sys

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.categories import pattern_of_test
from whet.guard.change.submission import Submission
from whet.guard.paths.patterns import fold

_RUNNER_MODULES = {
    "pytest", "_pytest", "pluggy", "py", "coverage", "iniconfig", "packaging", "pygments", "exceptiongroup", "tomli",
    "colorama", "attr", "attrs", "argcomplete", "xmlschema", "xdist", "execnet", "hypothesis", "_hypothesis_pytestplugin",
    "_hypothesis_ftz_detector", "_hypothesis_globals", "sortedcontainers", "anyio", "sniffio", "nose", "setuptools",
    "pkg_resources", "_distutils_hack", "importlib_metadata", "zipp", "typing_extensions", "sitecustomize",
    "usercustomize", "distutils-precedence", "mock", "trio", "twisted", "asynctest", "pyreadline", "readline",
}  # fmt: skip
_TAKEN_NAMES = sys.stdlib_module_names | _RUNNER_MODULES
_PLUGIN_NAME = re.compile(r"_?pytest_\w+|hypothesis_\w+|__editable__\w+")


def shadowed_module(change: Change, submission: Submission) -> GuardAnswer:
    """Refuse a new module that hides another one.

    Imports are searched from the root, from `src/` and from test folders, which pytest puts first on `sys.path`.
    """
    module = _module(change.path)
    if change.status != ChangeStatus.ADDED or module is None:
        return Allow()
    existing = "" if change.path.endswith(".pyi") else _existing_file(module, change.path, submission)
    if existing:
        return Refuse(f"{change.path} would be imported instead of {existing}", "shadows_module")
    folder, _, name = module.rpartition("/")
    is_import_root = folder in ("", "src") or pattern_of_test(change.path, submission.policy) is not None
    if is_import_root and (_is_taken(name) or _is_installed(module, submission)):
        return Refuse(f"{change.path} would be imported instead of {name!r}", "shadows_module")
    return Allow()


def _is_taken(name: str) -> bool:
    return fold(name) in _TAKEN_NAMES or _PLUGIN_NAME.fullmatch(fold(name)) is not None


def _is_installed(module: str, submission: Submission) -> bool:
    """True if the interpreter has a module of this name and the base does not.

    A top-level folder of tests is exempt: other installed projects call theirs `tests` too.
    """
    folder, _, name = module.rpartition("/")
    if folder in ("", "src") and pattern_of_test(f"{module}/__init__.py", submission.policy) is not None:
        return False
    is_in_base = any(path.startswith((f"{module}/", f"{module}.")) for path in submission.context.paths)
    return not is_in_base and fold(name) in map(fold, submission.context.installed)


def _existing_file(module: str, path: str, submission: Submission) -> str:
    """Return another file of the base that is imported as `module`; empty if there is none.

    A package is imported before a module of its name, and a compiled module before a source file.
    """
    deleted = {change.path for change in submission.changes if change.status == ChangeStatus.DELETED}
    others = submission.context.paths - deleted - {path}
    candidates = (f"{module}.py", f"{module}/__init__.py")
    return next((candidate for candidate in candidates if candidate in others), "")


def _module(path: str) -> str | None:
    """Return the path under which a source or compiled file is imported; for a package its folder."""
    match = re.fullmatch(r"(.*?)(?:\.py[cdiw]?|(?:\.[\w-]+)?\.(?:so|pyd))", path)
    return match[1].removesuffix("/__init__") if match else None
