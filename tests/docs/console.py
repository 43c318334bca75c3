"""Console snippets of the documents: find them, run them, compare the output with the text.

A snippet is a fenced block with the language `console`. Lines that begin with `$ ` are commands; the lines below a command
are its expected output, in which `...` stands for any text within a line and, alone on a line, for any number of lines.
`<!-- snippets run in: NAME -->` names the prepared repository (see `repositories.py`) for the snippets that follow.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
WIDTH = "100"
DOCUMENTED_ADDRESS = "127.0.0.1:8787"
_ANY = re.compile(r"(?<![\"\w])\.\.\.(?!\")")  # `--why "..."` is meant literally
_PLACE = re.compile(r"<!-- snippets run in: (\w+) -->")
_IDENTITY = re.compile(r"\b[a-z]-[0-9a-f]{8}\b|\b(?=[0-9a-f]*[0-9])[0-9a-f]{10,64}\b")
_VOLATILE = (
    (re.compile(r"\b[a-z]-[0-9a-f]{8}\b"), "ID"),
    (re.compile(r"\b(?=[0-9a-f]*[0-9])[0-9a-f]{10,64}\b"), "DIGEST"),
    (re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?"), "DATE"),
    (re.compile(r"\b\d+(?:\.\d+)? (?:s|ms|min|seconds)\b"), "TIME"),
    (re.compile(r"\b\d+ suite runs\b"), "SUITE RUNS"),
    (re.compile(r"\b3\.\d+\.\d+\b"), "VERSION"),
    (re.compile(r"[ \t]+"), " "),
)
_PROGRESS = "  … "
_BROKEN = {70: "a bug in whet", 126: "a command that cannot run", 127: "a command that does not exist"}


@dataclass(frozen=True)
class Command:
    """A command of a document, its expected output, and the repository that it runs in."""

    document: Path
    line: int
    place: str
    text: str
    expected: tuple[str, ...]


def documents() -> list[Path]:
    """Return every document of the project, except the fixtures of tests."""
    return [
        *sorted(ROOT.glob("*.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
        *sorted((ROOT / "examples").rglob("*.md")),
    ]


def commands(document: Path) -> Iterator[Command]:
    """Yield the commands of a document in their order."""
    place, inside = "", False
    pending: tuple[int, str] | None = None
    output: list[str] = []
    for number, line in enumerate(document.read_text().splitlines(), start=1):
        if not inside and (named := _PLACE.search(line)):
            place = named[1]
        if line.startswith("```"):
            opening = not inside and line == "```console"
            if pending:
                yield Command(document, pending[0], place, pending[1], tuple(output))
            inside, pending, output = opening, None, []
        elif inside and line.startswith("$ "):
            if pending:
                yield Command(document, pending[0], place, pending[1], tuple(output))
            pending, output = (number, line[2:]), []
        elif inside:
            if not pending:
                raise AssertionError(f"{document.name}:{number}: output without a command")
            output.append(line)


@dataclass
class Session:
    """Runs the commands of one document, one after the other, in one repository."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    real: dict[str, str] = field(default_factory=dict)
    """The ids and digests of this run by those that the document shows."""
    code: int = 0
    programs: Path = Path(sys.executable).parent
    """The folder of the program `whet`."""

    def run(self, text: str) -> str:
        """Return what a command prints. `$?` is the exit code of the command before it."""
        for shown, real in self.real.items():
            text = text.replace(shown, real)
        text = text.replace(DOCUMENTED_ADDRESS, self.env.get("SERVED_AT", DOCUMENTED_ADDRESS))
        folders = [str(self.programs), str(Path(sys.executable).parent), os.environ["PATH"]]
        env = {**os.environ, "COLUMNS": WIDTH, "PATH": os.pathsep.join(folders), "LC_ALL": "C.UTF-8", **self.env}
        env.pop("VIRTUAL_ENV", None)  # `whet init` would remark on it
        done = subprocess.run(
            ["bash", "-c", f"(exit {self.code}); {text}"],
            cwd=self.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=240,
            check=False,
        )
        self.code = done.returncode
        assert done.returncode not in _BROKEN, f"{text}: {_BROKEN[done.returncode]}\n{done.stdout}"
        assert "Traceback" not in done.stdout, f"{text}: a Python error\n{done.stdout}"
        lines = done.stdout.replace(str(self.folder), "/path/to/my-repo").splitlines()
        return "\n".join(line.rstrip() for line in lines if not line.startswith(_PROGRESS))

    def learn(self, expected: tuple[str, ...], output: str) -> None:
        """Remember which id of this run stands for which id of the document."""
        lines = {normal(line): line for line in reversed(output.splitlines())}
        for line in expected:
            for shown, real in zip(ids(line), ids(lines.get(normal(line), "")), strict=False):
                self.real.setdefault(shown, real)


def ids(text: str) -> list[str]:
    return _IDENTITY.findall(text)


def normal(text: str) -> str:
    """Replace what differs from run to run: ids, digests, dates, times, versions, the width of columns."""
    for pattern, word in _VOLATILE:
        text = pattern.sub(word, text)
    return text.rstrip()


def has_gaps(expected: tuple[str, ...]) -> bool:
    """True if the expected output leaves parts open with `...`."""
    return any(_ANY.search(line) for line in expected)


def matches(expected: tuple[str, ...], output: str) -> bool:
    """True if the output is what the document shows."""
    parts = []
    for line in expected:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(part) for part in _ANY.split(normal(line))) + r"\n")
    actual = "".join(normal(line) + "\n" for line in output.splitlines())
    return re.fullmatch("".join(parts), actual) is not None
