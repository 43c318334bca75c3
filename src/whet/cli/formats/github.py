"""The proof as workflow commands of GitHub Actions: one per annotation, at its line."""

from whet.app.proofs.prove import ProvedChange
from whet.cli.formats.annotations import annotations
from whet.domain.annotation import Annotation, Level
from whet.domain.verdict import Verdict

_MOST_ANNOTATIONS = 50  # GitHub shows that many of one job; it drops the rest without a word
_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def render(proof: ProvedChange) -> str:
    """Return one workflow command per annotation, and one with the verdict of a passed proof."""
    every = annotations(proof)
    lines = [_command(annotation) for annotation in every[:_MOST_ANNOTATIONS]]
    if len(every) > _MOST_ANNOTATIONS:
        lines[-1] = f"::notice title=whet::{len(every) - _MOST_ANNOTATIONS + 1} more annotations are in the job summary"
    if proof.evidence.verdict is Verdict.PASSED:
        lines.insert(0, f"::notice title=whet%3A passed::{_data(proof.evidence.scope.text)}")
    return "\n".join(lines) + "\n"


def _command(annotation: Annotation) -> str:
    place = {"file": annotation.path, "line": str(annotation.line or "")} if annotation.path else {}
    properties = {**place, "title": f"whet: {annotation.rule}"}
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    return f"::{_COMMANDS[annotation.level]} {shown}::{_data(annotation.text)}"


def _data(text: str) -> str:
    """Escape a message, so that nothing in it starts a command of its own."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
