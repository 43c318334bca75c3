"""A new module may not take the place of one that the interpreter or the test runner imports."""

import re
import sys

from whet.domain.change import Change, ChangeStatus
from whet.guard.answer import Allow, GuardAnswer, Refuse
from whet.guard.change.categories import pattern_of_test
from whet.guard.change.submission import Submission
from whet.guard.paths.patterns import fold

_RUNNERS = {
    "pytest", "_pytest", "pluggy", "py", "coverage", "iniconfig", "packaging", "pygments", "exceptiongroup", "tomli",
    "colorama", "attr", "attrs", "argcomplete", "xmlschema", "xdist", "execnet", "hypothesis", "_hypothesis_pytestplugin",
    "_hypothesis_ftz_detector", "_hypothesis_globals", "sortedcontainers", "anyio", "sniffio", "nose", "setuptools",
    "pkg_resources", "_distutils_hack", "importlib_metadata", "zipp", "typing_extensions", "sitecustomize",
    "usercustomize", "distutils-precedence", "mock", "trio", "twisted", "asynctest", "pyreadline", "readline",
}  # fmt: skip
_TAKEN = sys.stdlib_module_names | _RUNNERS
_PLUGIN = re.compile(r"_?pytest_\w+|hypothesis_\w+|__editable__\w+")


def shadow(change: Change, submission: Submission) -> GuardAnswer:
    """Looks where imports begin: the root, `src/`, and test folders, which pytest puts first on the path."""
    module = _module(change.path)
    if change.status != ChangeStatus.ADDED or module is None:
        return Allow()
    if not change.path.endswith(".pyi") and (twin := _same_module(module, change.path, submission)):
        return Refuse(f"{change.path} would be imported instead of {twin}", "shadows_module")
    folder, _, name = module.rpartition("/")
    begins_here = folder in ("", "src") or pattern_of_test(change.path, submission.policy) is not None
    if begins_here and (_taken(name) or _installed(module, submission)):
        return Refuse(f"{change.path} would be imported instead of {name!r}", "shadows_module")
    return Allow()


def _taken(name: str) -> bool:
    return fold(name) in _TAKEN or _PLUGIN.fullmatch(fold(name)) is not None


def _installed(module: str, submission: Submission) -> bool:
    """The interpreter has it and the base does not; a folder of tests is called as in many other projects."""
    folder, _, name = module.rpartition("/")
    if folder in ("", "src") and pattern_of_test(f"{module}/__init__.py", submission.policy) is not None:
        return False
    there = any(path.startswith((f"{module}/", f"{module}.")) for path in submission.around.paths)
    return not there and fold(name) in map(fold, submission.around.installed)


def _same_module(module: str, path: str, submission: Submission) -> str:
    """A file of the base that is imported under the same name: a package goes before a module, a compiled one too."""
    gone = {change.path for change in submission.changes if change.status == ChangeStatus.DELETED}
    ends = (".py", "/__init__.py")
    return next((module + end for end in ends if module + end in submission.around.paths - gone - {path}), "")


def _module(path: str) -> str | None:
    """What a file is imported as, a compiled one included; the folder is enough for a package."""
    match = re.fullmatch(r"(.*?)(?:\.py[cdiw]?|(?:\.[\w-]+)?\.(?:so|pyd))", path)
    return match[1].removesuffix("/__init__") if match else None
