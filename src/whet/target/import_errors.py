"""Name the test files of a suite that cannot be imported, with the location and text of each error."""

import re
from collections.abc import Collection

from whet.domain.suite import Failure, SuiteReport

_MISSING_MODULE = re.compile(r"No module named '(\w+)'")


def import_errors(report: SuiteReport) -> str:
    """Return one sentence part per error, e.g. `shop/core.py:2: ImportError: ... (tests/test_a.py, tests/test_b.py)`.

    The location is the innermost project frame. Test files with the same error are listed together.
    """
    files_by_error: dict[str, list[str]] = {}
    for file, failure in report.failures.items():
        if "::" not in file:
            error, place = _error(file, failure)
            files_by_error.setdefault(error, []).append(place)
    return "; ".join(_part(error, places) for error, places in files_by_error.items())


def import_remedy(report: SuiteReport, paths: Collection[str], interpreter: str) -> str:
    """Return what to do. If a missing module is a package among `paths`, the project itself is not installed; if it is
    another, the interpreter lacks a dependency of the project."""
    for failure in report.failures.values():
        for module in _MISSING_MODULE.findall(failure.message):
            ends = (f"{module}/__init__.py", f"{module}.py")
            if home := next(
                (path for path in paths if path in ends or path.endswith(tuple(f"/{end}" for end in ends))), None
            ):
                return (
                    f"{home} is in the repository, but not on the import path: install the project into the interpreter "
                    f"that runs its tests ({interpreter} -m pip install -e .)"
                )
            return (
                f"the tests run with {interpreter}: install {module} there, or set target.interpreter in whet.toml to a "
                "python that has it; `whet doctor` checks it"
            )
    return f"make it run by hand first, with the interpreter that whet uses: {interpreter} -m pytest"


def _part(error: str, places: list[str]) -> str:
    own = len(places) == 1 and ":" in places[0]
    return f"{places[0]}: {error}" if own else f"{error} ({', '.join(places)})"


def _error(file: str, failure: Failure) -> tuple[str, str]:
    """Return the error and the test file that it broke. An error in the test file itself leaves its line to the file."""
    message = " ".join(failure.message.split())
    if not failure.frames:
        return message, file
    path, line, _ = failure.frames[-1]
    return (message, f"{file}:{line}") if path == file else (f"{path}:{line}: {message}", file)
