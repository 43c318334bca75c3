"""Path patterns with the semantics of .gitignore, compiled once.

A pattern that git would ignore or that matches nothing would be a hole in a list of protected paths. Such a pattern
counts as unreadable: a protecting list that contains one covers every path, and a list of exceptions ignores it.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from whet.guard.paths.lookalikes import as_latin

_NOT_IN_PATTERNS = frozenset("\\{},|")  # other pattern languages give these a meaning, .gitignore does not
_RANGE = re.compile(r"\[[!^]?(?:[\w.](?:-[\w.])?)+\]")
_ANYWHERE = "^(?:.+/)?"  # pathspec begins the expression of a pattern for any depth with this
_GROUP_NAME = re.compile(r"\(\?P<\w+>")

_compiled = lru_cache(maxsize=None)(re.compile)  # compiled one by one, because most are never needed


@dataclass(frozen=True)
class Matcher:
    """Patterns as regular expressions: `any` for a quick no, `each` (by pattern) to tell which one matched."""

    any: re.Pattern[str]
    each: Mapping[str, str]

    def which(self, path: str) -> str | None:
        if not self.any.match(path):
            return None
        return next((line for line, expression in self.each.items() if _compiled(expression).match(path)), None)


@dataclass(frozen=True)
class Patterns:
    """A list of patterns, matched as written (`exact`) and in the spelling that `fold` gives (`folded`)."""

    exact: Matcher
    folded: Matcher
    unreadable: tuple[str, ...]

    def catches(self, path: str) -> str | None:
        """Return the pattern that covers `path` in any spelling. For lists that protect."""
        if self.unreadable:
            return self.unreadable[0]
        return self.folded.which(fold(path)) or self.exact.which(path)

    def names(self, path: str) -> str | None:
        """Return the pattern that covers `path` exactly as it is spelled. For lists that open."""
        return self.exact.which(path)


def fold(text: str) -> str:
    """Return one spelling for all texts that a file system, a terminal or a person may take for this one."""
    if text.isascii():
        return text.lower()
    return as_latin(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", as_latin(text)).casefold()))


@lru_cache(maxsize=256)
def patterns(lines: tuple[str, ...]) -> Patterns:
    """Compile a list of patterns."""
    exact = {line: expression for line in lines if (expression := _expression(line))}
    folded = {line: expression for line in exact if (expression := _expression(fold(line)))}
    matcher = _matcher(exact)
    return Patterns(
        exact=matcher,
        folded=matcher if folded == exact else _matcher(folded),
        unreadable=tuple(line for line in lines if line not in folded),
    )


def _matcher(expressions: dict[str, str]) -> Matcher:
    return Matcher(any=re.compile(_union(expressions.values())), each=expressions)


def _union(expressions: Collection[str]) -> str:
    """Return one expression for all patterns. Those for any depth share their prefix, which saves backtracking."""
    anywhere = [expression for expression in expressions if expression.startswith(_ANYWHERE)]
    anchored = [expression for expression in expressions if not expression.startswith(_ANYWHERE)]
    if anywhere:
        tails = "|".join(f"(?:{expression.removeprefix(_ANYWHERE)})" for expression in anywhere)
        anchored.append(f"{_ANYWHERE}(?:{tails})")
    return "|".join(f"(?:{expression})" for expression in anchored) or "(?!)"


@lru_cache(maxsize=4096)
def _expression(line: str) -> str | None:
    """Return the regular expression of a pattern; None if the pattern is unreadable.

    Cached, because most patterns are their own folded spelling and would be compiled twice.
    """
    text = unicodedata.normalize("NFC", line.removeprefix("./"))
    if not _is_readable(text):
        return None
    try:
        compiled = GitIgnoreSpecPattern(text)
    except (ValueError, re.error):
        return None
    if compiled.include is not True or compiled.regex is None:
        return None
    expression = _GROUP_NAME.sub("(?:", compiled.regex.pattern)
    return expression if expression.startswith("^") else f"^.*?{expression}"


def _is_readable(text: str) -> bool:
    segments = text.removeprefix("/").removesuffix("/").split("/")
    return (
        text == text.strip()
        and text.isprintable()
        and not text.startswith("~")
        and not _NOT_IN_PATTERNS & set(text)
        and not any(character in _RANGE.sub("", text) for character in "[]")
        and not any(segment in ("", ".", "..") for segment in segments)
    )
