"""The nouns of the oracle: a query for one value, and the scripts that produce the values in the sandbox."""

from dataclasses import dataclass, field
from enum import StrEnum


class Comparison(StrEnum):
    """A way to compare a value with the expected one."""

    EQUAL = "equal"
    NEAR = "near"  # equal but for rounding
    RAISES = "raises"  # `expected` is the name of the exception
    MATCHES = "matches"  # `expected` is a regular expression for the message of the exception
    KEPT = "kept"  # an argument that the test compares the result with: it must keep its value
    SEEN = "seen"  # a side of a comparison made in the sandbox; `expected` is the key of the other side
    ALL = "all"  # as SEEN, for a comparison that holds for anything empty
    FIXED = "fixed"  # computed by the test without the code: it must be the same as on the base


@dataclass(frozen=True)
class Query:
    """A value that the sandbox is asked for, and what the test expects of it.

    `conditional` queries are in a loop or a branch; they count only if the base or the patch executes them.
    """

    key: str
    shown: str
    expected: object
    comparison: Comparison = Comparison.EQUAL
    conditional: bool = False

    @property
    def side(self) -> bool:
        """True if the value is only a part of what the test asserts."""
        return self.comparison in (Comparison.KEPT, Comparison.SEEN, Comparison.ALL, Comparison.FIXED)


@dataclass
class Script:
    """One run of one test function, as the source of a generator that yields a value for each query."""

    source: str
    queries: list[Query]


@dataclass
class FileScripts:
    """The scripts of a test file, by function; a parametrized function has one script per parameter set, in order."""

    imports: str
    scripts: dict[str, list[Script]] = field(default_factory=dict)
