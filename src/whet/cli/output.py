"""Output: JSON on request, else text that cannot steer the terminal."""

import json
import sys
from typing import Any

from whet.domain.sanitize import visible


def emit(data: Any) -> None:
    from whet.domain.canonical import plain

    sys.stdout.write(json.dumps(plain(data), indent=2) + "\n")


def say(*lines: str) -> None:
    sys.stdout.write(visible("\n".join(lines)) + "\n")


def note(line: str) -> None:
    """Print a remark to standard error, so that it never mixes with a command's result."""
    sys.stderr.write(f"note: {visible(line)}\n")


def show_error(code: str, message: str, remedy: str, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps({"error": {"code": code, "message": message, "remedy": remedy}}) + "\n")
        return
    sys.stderr.write(f"whet: {visible(message)}\n")
    if remedy:
        sys.stderr.write(f"      {visible(remedy)}\n")
