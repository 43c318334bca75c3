"""Generate identifiers in a file's own style, so that a patch cannot recognise by name what was inserted."""

import ast
import random
import re
from collections.abc import Callable

_COMMON_WORDS = (
    "again", "all", "both", "empty", "few", "first", "large", "last", "many", "next", "other", "plain", "small",
)  # fmt: skip
_WORD = re.compile(r"[A-Z]?[a-z]{3,}")
_ATTRIBUTES_WITH_NAMES = ("name", "id", "attr", "arg", "asname")
_MOST_TRIES = 98
_random = random.SystemRandom()


class IdentifierGenerator:
    """Makes unused names out of the words that the given sources use."""

    def __init__(self, *trees: ast.AST) -> None:
        self._taken = {name for tree in trees for name in _names(tree)}
        words = {word.lower() for name in self._taken for word in _WORD.findall(name)}
        self._words = sorted(words | set(_COMMON_WORDS))

    def similar_to(self, name: str) -> str:
        """Return a new name that begins and ends as `name` does, since that may be how the runner knows a test."""
        bare = name.lstrip("_")
        underscores = name[: len(name) - len(bare)]
        first, separator, rest = bare.partition("_")
        if separator:
            return self._unused(lambda words: f"{underscores}{first}_{'_'.join(words)}_{rest}")
        head = re.match(r"[A-Z]?[a-z0-9]*", first)
        end = head.end() if head else 0
        return self._unused(lambda words: underscores + first[:end] + "".join(map(str.capitalize, words)) + first[end:])

    def function_name(self) -> str:
        return self._unused(lambda words: "_".join([_random.choice(self._words), *words]))

    def _unused(self, build: Callable[[list[str]], str]) -> str:
        """Build names out of more and more words until one is free."""
        for attempt in range(1, _MOST_TRIES + 1):
            name = build(_random.choices(self._words, k=1 + attempt // 8))
            if name not in self._taken and name.isidentifier():
                break
        self._taken.add(name)
        return name


def _names(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        for attribute in _ATTRIBUTES_WITH_NAMES:
            name = getattr(node, attribute, None)
            if isinstance(name, str):
                names |= set(name.split("."))
    return names
