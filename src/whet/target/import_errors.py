"""Name the test files of a suite that cannot be imported, with the location and text of each error."""

from whet.domain.suite import Failure, SuiteReport


def import_errors(report: SuiteReport) -> str:
    """Return one sentence part per error, e.g. `shop/core.py:2: ImportError: ... (tests/test_a.py, tests/test_b.py)`.

    The location is the innermost project frame. Files with the same error are listed together.
    """
    files_by_error: dict[str, list[str]] = {}
    for file, failure in report.failures.items():
        if "::" not in file:
            files_by_error.setdefault(_error(file, failure), []).append(file)
    parts = []
    for error, files in files_by_error.items():
        named = len(files) == 1 and error.startswith(f"{files[0]}:")
        parts.append(error if named else f"{error} ({', '.join(files)})")
    return "; ".join(parts)


def _error(file: str, failure: Failure) -> str:
    message = " ".join(failure.message.split())
    if not failure.frames:
        return f"{file}: {message}"
    path, line, _ = failure.frames[-1]
    return f"{path}:{line}: {message}"
