"""The interface through which launchers hand nested commands back to the evaluator."""

from collections.abc import Iterable
from typing import Protocol

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import CodeEffect
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.state import ShellState


class Follower(Protocol):
    """An evaluator of nested commands. `label` says how a nested command was reached ("sh -c", "xargs")."""

    state: ShellState

    def follow_text(self, text: str, call: Call, label: str, arguments: list[str] | None = None) -> None:
        """Evaluate a command text that `call` hands to a shell, with `arguments` as $1, $2, ..."""

    def follow_program(self, text: str, call: Call, label: str) -> None:
        """Evaluate a command text given in place of a helper program of `call`, such as its pager or editor."""

    def follow_command(self, words: list[str], call: Call, label: str) -> str:
        """Evaluate a command that `call` starts without a shell, and return its output."""

    def follow_effects(self, effects: Iterable[CodeEffect], call: Call, label: str) -> None:
        """Evaluate the commands that code of another language runs, and add the harm it does."""

    def add_danger(self, call: Call, harm: Harm, reason: str, *, raises: bool = False) -> None:
        """Add a danger at the place of `call`."""
