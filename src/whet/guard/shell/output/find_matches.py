"""Predict the paths that `find` matches, as patterns."""

from itertools import pairwise, takewhile

from whet.guard.shell.model.placeholders import UNKNOWN

_LINK_OPTIONS = frozenset({"-H", "-L", "-P"})
_NAME_TESTS = frozenset({"-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"})
_OTHER_TESTS = frozenset({
    "-mtime", "-mmin", "-atime", "-ctime", "-amin", "-cmin", "-size", "-empty", "-newer", "-perm", "-user",
    "-links", "-inum", "-group", "-xtype", "-nouser", "-nogroup",
})  # fmt: skip
# From these folders, even a search for a name reaches too many files of others.
_WIDE_ROOTS = ("", "~", "/home", "/root", "/etc", "/usr", "/var", "/bin", "/lib", "/boot", "/opt")


def matched_by_find(args: list[str]) -> list[str]:
    """Return patterns for the paths that `find` matches: its roots combined with the names it searches."""
    without_links = (word for word in args if word not in _LINK_OPTIONS)
    roots = list(takewhile(lambda word: not word.startswith(("-", "(", "!", "\\(")), without_links)) or ["."]
    names = _searched_names(args)
    if not names and not _OTHER_TESTS.isdisjoint(args):
        names = ["*.tmp"]  # a search by age or size: treated as a search for temporary files
    matches = [f"{root.rstrip('/')}/{UNKNOWN}/{name}" for root in roots for name in names]
    wide_roots = [root for root in roots if not names or root.rstrip("/") in _WIDE_ROOTS]
    return matches + [f"{root.rstrip('/')}/*" for root in wide_roots]


def _searched_names(args: list[str]) -> list[str]:
    names = []
    for index, (test, value) in enumerate(pairwise(args)):
        is_negated = index > 0 and args[index - 1] in ("!", "-not", "\\!")
        if test in _NAME_TESTS and not is_negated and value.strip("*./"):
            names.append(value.rpartition("/")[2] or value)
    return names
