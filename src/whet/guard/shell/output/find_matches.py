"""Predict the paths that `find` matches, as patterns."""

import re
from itertools import dropwhile, pairwise, takewhile

from whet.guard.shell.model.placeholders import UNKNOWN
from whet.guard.shell.model.protected import SAMPLES, owner_of
from whet.guard.shell.output.find_expression import is_pruned_only, reaches_action

_LINK_OPTIONS = frozenset({"-H", "-L", "-P"})
_NAME_TESTS = frozenset({"-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"})
_OTHER_TESTS = frozenset({
    "-mtime", "-mmin", "-atime", "-ctime", "-amin", "-cmin", "-size", "-empty", "-newer", "-perm", "-user",
    "-links", "-inum", "-group", "-xtype", "-nouser", "-nogroup", "-samefile", "-newermt", "-newerct", "-newerat",
    "-anewer", "-cnewer", "-uid", "-gid", "-used",
})  # fmt: skip
_SINGLE_FILE_TESTS = frozenset({"-inum", "-samefile"})
_OR = frozenset({"-o", "-or", ","})
_GLOB = re.compile(r"[*?\[\\]")
_EXPRESSION_STARTS = ("-", "(", "!", "\\(")
_MAX_WORDS = 200  # of an expression
# From these folders, even a search for a name reaches too many files of others.
_WIDE_ROOTS = ("", "~", "/home", "/root", "/etc", "/usr", "/var", "/bin", "/lib", "/boot", "/opt")


def matched_by_find(args: list[str]) -> list[str]:
    """Return patterns for the paths that `find` matches: its roots combined with the names it searches."""
    without_links = (word for word in args if word not in _LINK_OPTIONS)
    roots = list(takewhile(lambda word: not word.startswith(_EXPRESSION_STARTS), without_links)) or ["."]
    names = _searched_names(args)
    if names and _OTHER_TESTS.isdisjoint(args) and _selects_everything(args):
        names = []
    if not names and not _OTHER_TESTS.isdisjoint(args):
        names = ["*.tmp"]  # a search by age or size: treated as a search for temporary files
    matches = [f"{root.rstrip('/')}/{UNKNOWN}/{name}" for root in roots for name in names]
    is_specific = _selects_specific_files(args, names)
    wide_roots = [root for root in roots if not names or (root.rstrip("/") in _WIDE_ROOTS and not is_specific)]
    return matches + [f"{root.rstrip('/')}/*" for root in wide_roots] + _protected_matches(args, roots)


def _selects_specific_files(args: list[str], names: list[str]) -> bool:
    """True if only files of a complete name, or the names of one file, are matched: `-name core`, `-samefile x`."""
    if not _SINGLE_FILE_TESTS.isdisjoint(args):
        return _OR.isdisjoint(args)
    return not any(_GLOB.search(name) for name in names) and not _selects_everything(args)


def _selects_everything(args: list[str]) -> bool:
    """True if an action is reached without a name: `-delete -name x` deletes before it looks at the name."""
    expression = list(dropwhile(lambda word: not word.startswith(_EXPRESSION_STARTS), args))
    return len(expression) > _MAX_WORDS or reaches_action(expression, "./other-folder/other.name")[0]


def _protected_matches(args: list[str], roots: list[str]) -> list[str]:
    """Return the sample paths of whet and git that a test for a name, a path or a pattern selects.

    A search without such a test selects everything, and a root in a protected folder is judged by its own name.
    """
    words = [word for word in args if word not in _LINK_OPTIONS]
    expression = words[len(roots) if words[:1] == roots[:1] else 0 :]
    if _NAME_TESTS.isdisjoint(expression):
        return []
    paths = [f"{root.rstrip('/')}/{sample}" for root in roots if owner_of(root) is None for sample in SAMPLES]
    if len(expression) > _MAX_WORDS:
        return paths  # too long to be evaluated for every path
    return [path for path in paths if all(reaches_action(expression, path))]


def _searched_names(args: list[str]) -> list[str]:
    names = []
    for index, (test, value) in enumerate(pairwise(args)):
        is_negated = index > 0 and args[index - 1] in ("!", "-not", "\\!")
        if test in _NAME_TESTS and not is_negated and value.strip("*./") and not _is_left_out(args, test, value):
            names.append(value.rpartition("/")[2] or value)
    return names


def _is_left_out(args: list[str], test: str, value: str) -> bool:
    """True if the test selects what `-prune` leaves out, and no action reaches it: `-path ./x -prune -o ...`."""
    if "-prune" not in args or len(args) > _MAX_WORDS:
        return False
    expression = list(dropwhile(lambda word: not word.startswith(_EXPRESSION_STARTS), args))
    sample = value.replace("*", "x").replace("?", "x")
    path = f"./{sample}" if test in ("-name", "-iname") else sample
    return is_pruned_only(expression, path)
