from typing import Protocol


class Progress(Protocol):
    """Where long work says how far it is; whoever watches decides what to show."""

    def phase(self, phase: str, step: str, subject: str) -> None: ...
    def note(self, text: str) -> None: ...
    def advance(self, what: str, done: int, total: int) -> None: ...


class Silent:
    def phase(self, phase: str, step: str, subject: str) -> None:
        del phase, step, subject

    def note(self, text: str) -> None:
        del text

    def advance(self, what: str, done: int, total: int) -> None:
        del what, done, total
