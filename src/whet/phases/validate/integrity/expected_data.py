"""Code that takes its answers from the files that a test compares with, or puts them there.

A file that a test reads by itself holds what it expects. A fix has no business there, unless the code read it before the
fix as well: then it is what the code works on.
"""

from collections.abc import Collection, Sequence

from whet.target.tracer import FileAccess, TracedTest

NAME = "data of the tests"


def reached_for(seen: Sequence[TracedTest], tests: Collection[str], tree: Collection[str]) -> set[FileAccess]:
    """What code that is no test opens of the files in the `tree`: to write, or although a test reads it by itself."""
    return {
        opening
        for traced in seen
        for opening in traced.opened
        if opening.path in tree
        and not _is_test(opening.opener, tests)
        and (opening.writes or _read_by_test(opening.path, traced, tests))
    }


def words(openings: Collection[FileAccess], before: Collection[FileAccess]) -> str:
    """What is new beside the openings `before` the patch, as a sentence, or nothing."""
    known = {(opening.path, opening.writes) for opening in before}
    for opening in sorted(openings):
        if (opening.path, opening.writes) not in known:
            does = "writes" if opening.writes else "reads"
            return f"{opening.opener} {does} {opening.path}, which the tests compare with, and did not before"
    return ""


def _read_by_test(path: str, traced: TracedTest, tests: Collection[str]) -> bool:
    return any(opening.path == path and _is_test(opening.opener, tests) for opening in traced.opened)


def _is_test(path: str, tests: Collection[str]) -> bool:
    return path in tests or path.rpartition("/")[2] == "conftest.py"
