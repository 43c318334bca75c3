"""The files that belong to a declared benchmark or evaluation: they are taken from the base, so that no patch changes the measure."""

import itertools
import posixpath
from collections.abc import Sequence

from whet.errors import EnvironmentProblem
from whet.git.git import Git
from whet.guard.paths.patterns import Patterns, patterns


class CommandFiles:
    """The files of one declared command: its script, and what `files` names as paths, folders or globs."""

    def __init__(self, title: str, command: Sequence[str], files: Sequence[str], git: Git) -> None:
        self._title, self._git = title, git
        self._named = tuple(dict.fromkeys(map(posixpath.normpath, files)))
        self._command = frozenset(_paths_in(command))

    def hold(self, path: str) -> bool:
        """True if the path belongs to the command."""
        return path in self._command or (bool(self._named) and self._patterns(self._named).names(path) is not None)

    def from_base(self, tree: str, base: str) -> str:
        """Return the tree with these files as they are in the base, and without those that only the tree has.

        Raise EnvironmentProblem if `files` names something that the base does not have: it would protect nothing.
        """
        before = set(self._git.files(base))
        for name in self._named:
            if not any(self._patterns((name,)).names(path) for path in before):
                raise EnvironmentProblem(
                    f"{self._title} names {name} in `files`, and the base has no such file", "correct it in whet.toml"
                )
        own = [path for path in sorted(before | set(self._git.files(tree))) if self.hold(path)]
        return self._git.with_entries(tree, base, own) if own and tree != base else tree

    @staticmethod
    def _patterns(names: tuple[str, ...]) -> Patterns:
        return patterns(tuple(f"/{name}" for name in names))


def _paths_in(command: Sequence[str]) -> list[str]:
    """Return the paths that a command may start: its parts as they are, and as modules of `python -m`."""
    parts = [part.partition("::")[0] for part in command]
    modules = [name.replace(".", "/") for option, name in itertools.pairwise(parts) if option == "-m"]
    places = [f"{folder}{name}{end}" for name in modules for folder in ("", "src/") for end in (".py", "/__main__.py")]
    return [posixpath.normpath(part) for part in (*parts, *places) if part]
