"""The formats of `whet prove --format`: one file per format that other programs read, and the table of all."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from whet.app.proofs.prove import ProvedChange
from whet.errors import UsageError

NAMES = ("text", "json", "markdown", "sarif", "github", "gitlab", "junit")


@dataclass(frozen=True)
class Output:
    """One requested output: the format, and the file to write; None means standard output."""

    format: str
    file: Path | None


def parse(requested: Sequence[str]) -> list[Output]:
    """Return the outputs that `NAME` and `NAME=FILE` ask for. At most one goes to standard output."""
    outputs = [_parse_one(text) for text in requested]
    if sum(output.file is None for output in outputs) > 1:
        raise UsageError("only one format can go to standard output", "give the others a file: --format sarif=FILE")
    return outputs


def _parse_one(text: str) -> Output:
    name, equals, file = text.partition("=")
    if name not in NAMES:
        raise UsageError(f"there is no format {name!r}", f"the formats are {', '.join(NAMES)}")
    if equals and not file:
        raise UsageError(f"{text!r} names no file", f"write --format {name}=FILE, or --format {name} to print it")
    return Output(name, Path(file) if file else None)


def write_files(outputs: Sequence[Output], proof: ProvedChange) -> None:
    """Write every output that has a file."""
    for output in outputs:
        if output.file is None:
            continue
        try:
            output.file.write_text(render(output.format, proof), encoding="utf-8")
        except OSError as problem:
            raise UsageError(f"{output.file} cannot be written: {problem.strerror}") from problem


def render(name: str, proof: ProvedChange) -> str:
    """Return a proof in a format, ending with a newline."""
    module = "json_report" if name == "json" else name
    return str(import_module(f"{__name__}.{module}").render(proof))  # deferred: a run needs one or two formats
