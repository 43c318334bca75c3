"""What a command that starts others can ask for while its text is followed."""

from collections.abc import Iterable
from typing import Protocol

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import CodeEffect
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.state import ShellState


class Follower(Protocol):
    state: ShellState

    def follow_text(self, text: str, call: Call, label: str, arguments: list[str] | None = None) -> None:
        """Follow a command text that `call` hands to a shell."""

    def follow_program(self, text: str, call: Call, label: str) -> None:
        """Follow a command text that `call` is given in the place of one of its own programs."""

    def follow_command(self, words: list[str], call: Call, label: str) -> str:
        """Follow a command that `call` starts directly; what it prints."""

    def add_danger(self, call: Call, harm: Harm, reason: str, *, raises: bool = False) -> None: ...

    def follow_effects(self, effects: Iterable[CodeEffect], call: Call, label: str) -> None: ...
