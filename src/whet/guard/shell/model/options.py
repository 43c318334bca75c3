"""Parse command-line options in any order and spelling: clusters, abbreviations, values, after the operands."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

_SHORTEST_ABBREVIATION = 2  # letters of an abbreviated long option
_SHORTEST_LONG_NAME = 4  # characters of one in `values_of`, with its dashes: `--to` is no abbreviation of `--to-cmd`


class Options:
    """The parsed arguments of a command.

    `shorts` are all letters of short options, `longs` the long options with their values, `values` the values of short
    options, `operands` the rest. `valued` and `valued_longs` name the options that take the next word.
    """

    __slots__ = ("longs", "operands", "shorts", "values")

    def __init__(self, arguments: Sequence[str], valued: str = "", valued_longs: Sequence[str] = ()) -> None:
        self.shorts = ""
        self.longs: list[tuple[str, str]] = []
        self.operands: list[str] = []
        self.values: list[tuple[str, str]] = []
        rest = iter(arguments)
        for argument in rest:
            if argument == "--":
                self.operands.extend(rest)
            elif argument.startswith("--"):
                name, equals, value = argument[2:].partition("=")
                if not equals and name in valued_longs:
                    value = next(rest, "")
                self.longs.append((name, value))
            elif argument.startswith("-") and len(argument) > 1:
                self._add_cluster(argument[1:], valued, rest)
            else:
                self.operands.append(argument)

    def _add_cluster(self, letters: str, valued: str, rest: Iterator[str]) -> None:
        for index, letter in enumerate(letters):
            self.shorts += letter
            if letter in valued:
                self.values.append((letter, letters[index + 1 :] or next(rest, "")))
                return

    def has(self, letters: str = "", *longs: str) -> bool:
        """True if one of the short options (letters) or long options is given, abbreviated or not."""
        if any(letter in self.shorts for letter in letters):
            return True
        return any(_abbreviates(name, long) for name, _ in self.longs for long in longs)

    def value(self, letters: str = "", *longs: str) -> list[str]:
        """Return the values given to these short options (letters) and long options."""
        values = [value for letter, value in self.values if letter in letters]
        return values + [value for name, value in self.longs if any(_abbreviates(name, long) for long in longs)]


@lru_cache(maxsize=4096)
def _abbreviates(name: str, long: str) -> bool:
    return name == long or (len(name) >= _SHORTEST_ABBREVIATION and long.startswith(name))


def values_of(args: list[str], option: str) -> Iterator[str]:
    """Yield the values of one option, in the next word or attached, also if its long name is abbreviated.

    An option ending in "=" is a prefix of the word.
    """
    beginning = option[:2]
    for index, word in enumerate(args):
        if word[:2] != beginning:
            continue
        if word == option:
            yield args[index + 1] if index + 1 < len(args) else ""
        elif option[-1] == "=":
            if word.startswith(option):
                yield word[len(option) :]
        elif beginning == "--":
            name, equals, value = word.partition("=")
            if name == option or (len(name) > _SHORTEST_LONG_NAME and option.startswith(name)):
                yield value if equals else (args[index + 1] if index + 1 < len(args) else "")
        elif len(option) == 2:
            yield word[2:]
