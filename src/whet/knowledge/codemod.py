"""A declared rewrite on files: where it matches, and the files with all matches rewritten."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from whet.config import CodemodPolicy
from whet.domain.pattern import Rule
from whet.guard.paths.patterns import patterns
from whet.kit import Kit
from whet.knowledge.rewrite import AppliedRule, applications

_LARGEST = 500_000


def matches(policy: CodemodPolicy, tree: str, kit: Kit) -> Iterator[tuple[str, str, list[AppliedRule]]]:
    """Yield (path, text, places) of each file of a tree with code that the rewrite is about, and that is no test."""
    rule, globs = Rule(policy.search, policy.replace), patterns(policy.paths)
    paths = [
        path
        for path in kit.git.regular_files(tree)
        if path.endswith(".py") and globs.names(path) and not kit.is_test(path)
    ]
    for path, content in kit.git.read_all(tree, paths).items():
        if len(content) > _LARGEST:
            continue
        try:
            text = content.decode()
        except UnicodeDecodeError:
            continue
        if places := list(applications(rule, text)):
            yield path, text, places


def rewritten_file(text: str, places: list[AppliedRule]) -> str:
    """Return the text with every place rewritten; of places inside each other, the outer one. Unchanged if that is no Python."""
    new, first = text, len(text) + 1
    for place in sorted(_outermost(places), key=lambda place: -place.start):
        if place.end <= first:
            new = new[: place.start] + place.replacement + new[place.end :]
            first = place.start
    try:
        ast.parse(new)
    except SyntaxError:
        return text
    return new


def _outermost(places: list[AppliedRule]) -> list[AppliedRule]:
    return [
        place
        for place in places
        if not any(other is not place and other.start <= place.start and place.end <= other.end for other in places)
    ]


def package_of(path: str, files: Mapping[str, object]) -> str:
    """Return the topmost package of a module, as a folder; the module's own folder if it is in no package."""
    folder = PurePosixPath(path).parent
    package = folder
    while str(folder) != "." and f"{folder}/__init__.py" in files:
        package, folder = folder, folder.parent
    return str(package)
