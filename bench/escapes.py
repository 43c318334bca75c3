"""Count how the shell guard answers to a public list of programs that can start other programs or move files.

The list is not part of this repository. Clone GTFOBins and give its folder of entries:

    python -m bench.escapes path/to/GTFOBins.github.io/_gtfobins

Every code sample is judged twice: as it stands, and with its placeholders replaced by what an attacker would put there
(a program in a temporary folder, a file with account names). `--allowed` lists the samples that are allowed.
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from whet.guard.answer import Allow, Raise
from whet.guard.shell import inspect

# Functions of the list that only read or write a file of the machine; they are counted, but not in the total.
_ON_FILES = frozenset({"file-read", "file-write"})
_DOCUMENT_END = re.compile(r"^(?:---|\.\.\.)\s*$", re.MULTILINE)
_FILLED = (
    ("/path/to/command", "/tmp/command"),
    ("/path/to/temp-file", "/tmp/file"),
    ("/path/to/temp-dir", "/tmp/dir"),
    ("/path/to/lib", "/tmp/lib"),
    ("/path/to/script", "/tmp/script"),
    ("/path/to/input-file", "/etc/passwd"),
    ("/path/to/output-file", "./output"),
    ("/path/to/", "./"),
)
_DATA = re.compile(r"(?<![A-Za-z])DATA\b")


class Sample(NamedTuple):
    """One command text of the list, and the function that it shows."""

    program: str
    function: str
    text: str


def samples(folder: Path) -> Iterator[Sample]:
    """Yield every different command text of every entry."""
    for path in sorted(folder.iterdir()):
        entry = _entry(path.read_text(encoding="utf-8"))
        for function, rows in (entry.get("functions") or {}).items():
            for row in rows or ():
                for text in dict.fromkeys(_texts(row if isinstance(row, dict) else {})):
                    yield Sample(path.stem, function, text)


def _entry(text: str) -> dict[str, Any]:
    front_matter = _DOCUMENT_END.split(text.removeprefix("---\n"))[0]
    entry = yaml.safe_load(front_matter)
    return entry if isinstance(entry, dict) else {}


def _texts(row: dict[str, Any]) -> Iterator[str]:
    """Yield the text of a row, and the texts that replace it in some contexts."""
    contexts = row.get("contexts") or {"": None}
    for context in contexts.values():
        text = (context or {}).get("code") or row.get("code")
        if text:
            yield text


def filled(sample: Sample) -> str:
    """Return the text of a sample with its placeholders replaced."""
    text = sample.text
    for placeholder, value in _FILLED:
        text = text.replace(placeholder, value)
    return _DATA.sub("$(cat /etc/passwd)", text) if "upload" in sample.function else text


def answer(text: str) -> str:
    given = inspect(text).answer
    return "allowed" if isinstance(given, Allow) else "raised" if isinstance(given, Raise) else "refused"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--allowed", action="store_true", help="list the samples that are allowed with both readings")
    arguments = parser.parse_args()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for sample in samples(arguments.folder):
        plain, replaced = answer(sample.text), answer(filled(sample))
        for name in (sample.function, *(() if sample.function in _ON_FILES else ("total",))):
            counts[name].update({f"as it stands: {plain}": 1, f"filled: {replaced}": 1})
        if arguments.allowed and replaced == "allowed" and sample.function not in _ON_FILES:
            print(f"# {sample.function}, {sample.program}\n{sample.text}\n")
    for name, count in sorted(counts.items(), key=lambda item: (item[0] == "total", item[0])):
        print(f"{name:30}", ", ".join(f"{key} {number}" for key, number in sorted(count.items())))


if __name__ == "__main__":
    main()
