"""Progress reports of long work."""

from typing import Protocol


class Progress(Protocol):
    """Receiver of progress reports; the command line shows them, tests and libraries ignore them."""

    def phase(self, phase: str, step: str, subject: str) -> None: ...
    def note(self, text: str) -> None: ...
    def warn(self, text: str) -> None:
        """Say something that must stay visible, unlike a note, which the next one replaces."""
        ...

    def advance(self, what: str, done: int, total: int) -> None: ...


class Silent:
    """A `Progress` that shows nothing."""

    def phase(self, phase: str, step: str, subject: str) -> None:
        del phase, step, subject

    def note(self, text: str) -> None:
        del text

    def warn(self, text: str) -> None:
        del text

    def advance(self, what: str, done: int, total: int) -> None:
        del what, done, total
