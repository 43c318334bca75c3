"""Output: JSON on request, else text that cannot steer the terminal."""

import json
import sys
from typing import Any

from whet.domain.redact import redact
from whet.domain.sanitize import sanitize


def emit(data: Any) -> None:
    """Print a noun as JSON, with secrets in its texts redacted."""
    from whet.domain.canonical import to_plain
    from whet.domain.redact_noun import redact_noun

    sys.stdout.write(json.dumps(to_plain(redact_noun(data)), indent=2) + "\n")


def say(*lines: str) -> None:
    sys.stdout.write(_safe("\n".join(lines)) + "\n")


def note(line: str) -> None:
    """Print a remark to standard error, so that it never mixes with a command's result."""
    sys.stderr.write(f"note: {_safe(line)}\n")


def show_error(code: str, message: str, remedy: str, *, as_json: bool) -> None:
    if as_json:
        error = {"code": code, "message": redact(message), "remedy": redact(remedy)}
        sys.stdout.write(json.dumps({"error": error}) + "\n")
        return
    sys.stderr.write(f"whet: {_safe(message)}\n")
    if remedy:
        sys.stderr.write(f"      {_safe(remedy)}\n")


def _safe(text: str) -> str:
    """Return text that neither controls the terminal nor shows a secret."""
    return sanitize(redact(text))
