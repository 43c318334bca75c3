"""Words of settings that hold several values in one text or in a list."""

import re
from collections.abc import Iterator
from typing import Any

# A Python file that a command starts: `python tools/release.py`, `./scripts/build.py`, `entry: uv run check.py`.
_FILE = re.compile(
    r"(?:\b(?:python[\d.]*w?|pypy\d?|coverage run|(?:uv|poetry|pdm|hatch|pipx|pixi|rye) run|entry:|exec|source|bash|sh)[ \t\"']"
    r"[^\n;&|]*?|\./)(?<![\w/-])((?:[\w.-]+/)*[\w-][\w.-]*\.py)\b"
)
_MODULE = re.compile(r"\bpython[\d.]*\s+(?:-\w\s+)*-m\s+([A-Za-z_][\w.]*)")


def words(value: Any) -> list[str]:
    """Return the values of a setting: a list, or a text with commas or white space between them."""
    if isinstance(value, str):
        return [word for word in re.split(r"[\s,]+", value) if word]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def options_after(value: Any, option: str) -> Iterator[str]:
    """Yield the values of a repeated option, `-p name` or `-pname`; those that switch something off are left out."""
    parts = words(value)
    for number, word in enumerate(parts):
        if word == option and number + 1 < len(parts):
            value = parts[number + 1]
        elif word.startswith(option) and not word.startswith("--"):
            value = word.removeprefix(option)
        else:
            continue
        if value and not value.startswith("no:"):
            yield value


def files_in(text: str) -> set[str]:
    """Return the paths of Python files that a text mentions."""
    return {match.removeprefix("./") for match in _FILE.findall(text)}


def modules_in(text: str) -> set[str]:
    """Return the names of the modules that a command line runs with `python -m`."""
    return set(_MODULE.findall(text))
