"""Path patterns with git's semantics, compiled once.

A pattern that git would silently drop or that can match nothing is a hole in a list that protects, so it is
unreadable here: a protecting list that holds one catches every path, an opening list does not open by it.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from whet.guard.paths.lookalikes import as_latin

_NOT_IN_PATTERNS = frozenset("\\{},|")  # other languages' separators, escapes and alternatives; not ours
_RANGE = re.compile(r"\[[!^]?(?:[\w.](?:-[\w.])?)+\]")
_ANYWHERE = "^(?:.+/)?"  # how pathspec begins a pattern that fits at any depth
_GROUP_NAME = re.compile(r"\(\?P<\w+>")

_compiled = lru_cache(maxsize=None)(re.compile)  # only those of a list that covers a path are ever asked for


@dataclass(frozen=True)
class Matcher:
    """Patterns of one spelling: one compiled expression to say no quickly, the single ones to say which."""

    any: re.Pattern[str]
    each: Mapping[str, str]

    def which(self, path: str) -> str | None:
        if not self.any.match(path):
            return None
        return next((line for line, expression in self.each.items() if _compiled(expression).match(path)), None)


@dataclass(frozen=True)
class Patterns:
    exact: Matcher
    folded: Matcher
    unreadable: tuple[str, ...]

    def catches(self, path: str) -> str | None:
        """The pattern that covers `path` in any spelling; for lists that protect."""
        if self.unreadable:
            return self.unreadable[0]
        return self.folded.which(fold(path)) or self.exact.which(path)

    def names(self, path: str) -> str | None:
        """The pattern that covers exactly this spelling of `path`; for lists that open."""
        return self.exact.which(path)


def fold(text: str) -> str:
    """The spelling that a file system, a terminal or a reader may take for this one."""
    if text.isascii():
        return text.lower()
    return as_latin(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", as_latin(text)).casefold()))


@lru_cache(maxsize=256)
def patterns(lines: tuple[str, ...]) -> Patterns:
    exact = {line: expression for line in lines if (expression := _expression(line))}
    folded = {line: expression for line in exact if (expression := _expression(fold(line)))}
    return Patterns(
        exact=_matcher(exact),
        folded=_matcher(folded),
        unreadable=tuple(line for line in lines if line not in folded),
    )


def _matcher(expressions: dict[str, str]) -> Matcher:
    return Matcher(any=re.compile(_union(expressions.values())), each=expressions)


def _union(expressions: Collection[str]) -> str:
    """One expression for all; those that may begin in any folder look for the folder once, not once each."""
    anywhere = [expression for expression in expressions if expression.startswith(_ANYWHERE)]
    anchored = [expression for expression in expressions if not expression.startswith(_ANYWHERE)]
    if anywhere:
        tails = "|".join(f"(?:{expression.removeprefix(_ANYWHERE)})" for expression in anywhere)
        anchored.append(f"{_ANYWHERE}(?:{tails})")
    return "|".join(f"(?:{expression})" for expression in anchored) or "(?!)"


def _expression(line: str) -> str | None:
    """The regular expression of one pattern, or None when it cannot be read."""
    text = unicodedata.normalize("NFC", line.removeprefix("./"))
    if not _readable(text.removeprefix("/").removesuffix("/").split("/"), text):
        return None
    try:
        compiled = GitIgnoreSpecPattern(text)
    except (ValueError, re.error):
        return None
    if compiled.include is not True or compiled.regex is None:
        return None
    expression = _GROUP_NAME.sub("(?:", compiled.regex.pattern)
    return expression if expression.startswith("^") else f"^.*?{expression}"


def _readable(segments: Sequence[str], text: str) -> bool:
    return (
        text == text.strip()
        and text.isprintable()
        and not text.startswith("~")
        and not _NOT_IN_PATTERNS & set(text)
        and not any(character in _RANGE.sub("", text) for character in "[]")
        and not any(segment in ("", ".", "..") for segment in segments)
    )
