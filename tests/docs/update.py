"""Refresh the documents: `python -m tests.docs.update [DOCUMENT ...]` runs their console snippets and writes the output
into them, and generates the reference pages. Read the difference before you commit it."""

import re
import sys
import tempfile
from pathlib import Path

from tests.docs import reference
from tests.docs.console import Command, Session, commands, documents, has_gaps, ids, matches
from tests.docs.repositories import BUILDERS


def main(names: list[str]) -> None:
    for path, text in reference.pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for document in documents():
        if not names or any(document.match(name) for name in names):
            refresh(document)


def refresh(document: Path) -> None:
    """Run a document's commands and write their output below them."""
    sessions: dict[str, Session] = {}
    outputs: list[tuple[Command, str]] = []
    with tempfile.TemporaryDirectory(prefix="whet-docs-") as place:
        for command in commands(document):
            if command.place not in sessions:
                folder = Path(place) / command.place / "my-repo"
                folder.mkdir(parents=True)
                sessions[command.place] = Session(folder, BUILDERS[command.place](folder))
            session = sessions[command.place]
            _bind(command, session, outputs)
            output = session.run(command.text)
            session.learn(command.expected, output)
            if has_gaps(command.expected) and not matches(command.expected, output):
                sys.stdout.write(f"{document.name}:{command.line}: the part around `...` changed:\n{output}\n")
            outputs.append((command, output))
    if outputs:
        _write(document, outputs, sessions)
        sys.stdout.write(f"{document.name}: {len(outputs)} commands\n")


def _bind(command: Command, session: Session, outputs: list[tuple[Command, str]]) -> None:
    """Let an id of a command that no output has shown stand for the newest id of the same form."""
    for shown in ids(command.text):
        if shown not in session.real:
            prefix = shown[:2] if shown[1] == "-" else ""
            form = re.compile(rf"\b{prefix}[0-9a-f]{{{len(shown) - len(prefix)}}}\b")
            earlier = [real for _, output in outputs for real in form.findall(output)]
            if earlier:
                session.real[shown] = earlier[-1]


def _write(document: Path, outputs: list[tuple[Command, str]], sessions: dict[str, Session]) -> None:
    lines = document.read_text().splitlines()
    for command, output in reversed(outputs):
        if not has_gaps(command.expected) and not matches(command.expected, output):
            for shown, real in sessions[command.place].real.items():
                output = output.replace(real, shown)
            lines[command.line : command.line + len(command.expected)] = output.splitlines()
    document.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
