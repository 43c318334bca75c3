"""Output: JSON on request, else text that cannot steer the terminal."""

import json
import sys
from typing import Any

from whet.domain.sanitize import sanitize


def emit(data: Any) -> None:
    from whet.domain.canonical import to_plain

    sys.stdout.write(json.dumps(to_plain(data), indent=2) + "\n")


def say(*lines: str) -> None:
    sys.stdout.write(sanitize("\n".join(lines)) + "\n")


def note(line: str) -> None:
    """Print a remark to standard error, so that it never mixes with a command's result."""
    sys.stderr.write(f"note: {sanitize(line)}\n")


def show_error(code: str, message: str, remedy: str, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps({"error": {"code": code, "message": message, "remedy": remedy}}) + "\n")
        return
    sys.stderr.write(f"whet: {sanitize(message)}\n")
    if remedy:
        sys.stderr.write(f"      {sanitize(remedy)}\n")
