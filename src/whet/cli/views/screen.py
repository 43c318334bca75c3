"""The console, and foreign text made safe for it."""

import sys

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.syntax import Syntax

from whet.domain.redact import redact, redact_diff
from whet.domain.sanitize import sanitize

COLOURS = {"passed": "green", "failed": "red", "inconclusive": "yellow"}


def console() -> Console:
    """Return a console as wide as the terminal; without a terminal, so wide that no line is wrapped."""
    return Console(highlight=False, emoji=False, soft_wrap=False, width=None if sys.stdout.isatty() else 200)


def foreign(text: str) -> str:
    """Escape text that whet did not write, for a place that reads markup."""
    return escape(sanitize(redact(text)))


def diff(text: str) -> RenderableType:
    return Syntax(sanitize(redact_diff(text)), "diff", theme="ansi_dark", background_color="default", word_wrap=True)


def some(names: tuple[str, ...], shown: int) -> list[str]:
    """Return the first names, and how many more there are."""
    rest = len(names) - shown
    return [*names[:shown], *([f"and {rest} more"] if rest > 0 else [])]
