"""A row of the tables: the ways in which one program starts other code."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Starts:
    """The ways in which a program starts other code. Several options are separated by spaces.

    - `commands`: options whose value is a command text, judged by what it does;
    - `programs`: options whose value names a helper program (see `evaluate/program_slots.py`);
    - `words`: options after which all words are a command; `verbs`: operands after which all words are one;
    - `texts`: operands after which the other words, joined, are a command text;
    - `each`: every operand of several words is a command text;
    - `code`: options whose value is code of `language`;
    - `libraries`: options whose value is loaded as code, from installed places only;
    - `plugins`: the same, but files of the project are allowed;
    - `uploads`: options whose value is a local file that is sent away;
    - `settings`: a pattern that is searched in every word; its groups are helper programs;
    - `embedded`: a pattern that is searched in every word; its group is code of `language`.

    An option that ends in "=" or ":" is a prefix of the word. `skipped` operands stand between a verb and its command.
    With `clusters`, single letters are found in clusters (`-qvp`).
    """

    commands: str = ""
    programs: str = ""
    words: str = ""
    verbs: str = ""
    texts: str = ""
    each: bool = False
    code: str = ""
    language: str = ""
    libraries: str = ""
    plugins: str = ""
    uploads: str = ""
    settings: re.Pattern[str] | None = None
    embedded: re.Pattern[str] | None = None
    skipped: int = 0
    clusters: bool = False


def pattern(text: str) -> re.Pattern[str]:
    """Return a pattern for `settings`, in which upper and lower case are the same."""
    return re.compile(text, re.IGNORECASE | re.DOTALL)
