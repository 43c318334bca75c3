"""What a command that starts others can ask for while its text is followed."""

from collections.abc import Iterable
from typing import Protocol

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import Finding
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.state import Scene


class Follower(Protocol):
    scene: Scene

    def text(self, text: str, call: Call, how: str, arguments: list[str] | None = None) -> None:
        """Follow a command text that `call` hands to a shell."""

    def program(self, text: str, call: Call, how: str) -> None:
        """Follow a command text that `call` is given in the place of one of its own programs."""

    def command(self, words: list[str], call: Call, how: str) -> str:
        """Follow a command that `call` starts directly; what it prints."""

    def say(self, call: Call, harm: Harm, reason: str, *, raises: bool = False) -> None: ...

    def code(self, findings: Iterable[Finding], call: Call, how: str) -> None: ...
