"""Names that look as if whoever wrote a file had written them: nobody knows by its name what whet put there."""

import ast
import random
import re
from collections.abc import Callable

_COMMON = ("again", "all", "both", "empty", "few", "first", "large", "last", "many", "next", "other", "plain", "small")
_WORD = re.compile(r"[A-Z]?[a-z]{3,}")
_chance = random.SystemRandom()


class Naming:
    """The words of a source, and the names that are taken in it."""

    def __init__(self, *trees: ast.AST) -> None:
        self._taken = {name for tree in trees for name in _names(tree)}
        found = {word.lower() for name in self._taken for word in _WORD.findall(name)}
        self._words = sorted(found | set(_COMMON))

    def like(self, name: str) -> str:
        """A new name that begins and ends as this one does, since that may be what makes it a test."""
        first, under, rest = name.lstrip("_").partition("_")
        before = name[: len(name) - len(name.lstrip("_"))]
        if under:
            return self._new(lambda words: f"{before}{first}_{'_'.join(words)}_{rest}")
        head = re.match(r"[A-Z]?[a-z0-9]*", first)
        at = head.end() if head else 0
        return self._new(lambda words: before + first[:at] + "".join(map(str.capitalize, words)) + first[at:])

    def fresh(self) -> str:
        return self._new(lambda words: "_".join([_chance.choice(self._words), *words]))

    def fresh_class(self) -> str:
        return self._new(lambda words: "".join(map(str.capitalize, [_chance.choice(self._words), *words])))

    def _new(self, form: Callable[[list[str]], str]) -> str:
        for size in range(1, 99):
            name = form(_chance.choices(self._words, k=1 + size // 8))
            if name not in self._taken and name.isidentifier():
                break
        self._taken.add(name)
        return name


def _names(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        for field in ("name", "id", "attr", "arg", "asname"):
            if isinstance(name := getattr(node, field, None), str):
                found |= set(name.split("."))
    return found
