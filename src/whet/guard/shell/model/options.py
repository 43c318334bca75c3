"""Options in any order and spelling: clusters, abbreviations, values, after the operands."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

_LONG_ENOUGH = 2  # letters of an abbreviated long option


class Options:
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
                self._cluster(argument[1:], valued, rest)
            else:
                self.operands.append(argument)

    def _cluster(self, letters: str, valued: str, rest: "object") -> None:
        for place, letter in enumerate(letters):
            self.shorts += letter
            if letter in valued:
                value = letters[place + 1 :] or next(rest, "")  # type: ignore[call-overload]
                self.values.append((letter, value))
                return

    def has(self, letters: str = "", *longs: str) -> bool:
        if any(letter in self.shorts for letter in letters):
            return True
        return any(_abbreviates(said, long) for said, _ in self.longs for long in longs)

    def value(self, letters: str = "", *longs: str) -> list[str]:
        found = [value for letter, value in self.values if letter in letters]
        return found + [value for said, value in self.longs if any(_abbreviates(said, long) for long in longs)]


@lru_cache(maxsize=4096)
def _abbreviates(said: str, long: str) -> bool:
    return said == long or (len(said) >= _LONG_ENOUGH and long.startswith(said))


def values_of(args: list[str], option: str) -> Iterator[str]:
    beginning = option[:2]
    for place, word in enumerate(args):
        if word[:2] != beginning:
            continue
        if word == option:
            yield args[place + 1] if place + 1 < len(args) else ""
        elif option[-1] == "=":
            if word.startswith(option):
                yield word[len(option) :]
        elif beginning == "--":
            if word.startswith(f"{option}="):
                yield word[len(option) + 1 :]
        elif len(option) == 2:
            yield word[2:]
