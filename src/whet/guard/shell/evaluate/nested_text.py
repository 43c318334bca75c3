"""Texts within texts: what the commands that start others ask for."""

from abc import abstractmethod
from collections.abc import Iterable

from whet.guard.shell.evaluate.evaluate_command import evaluate_command
from whet.guard.shell.evaluate.program_slots import IDENTITY_COMMANDS, fits_slot
from whet.guard.shell.evaluate.redirections import Redirections
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import DECODED, FROM_NETWORK, UNKNOWN, is_known, without_placeholders
from whet.guard.shell.model.state import MAX_DEPTH

_WITHOUT_INPUT = ("standard input", "trap", "alias", "crontab", "at", "batch", "start-up")
_READ_ITSELF = (" code", " program", " script", " recipe")
_SAME_SHELL = frozenset({"eval", "trap", "alias", "script-file"})


class NestedText(Redirections):
    """A `Follower`; nested texts are followed by the same kind of walk."""

    def follow_text(self, text: str, call: Call, label: str, arguments: list[str] | None = None) -> None:
        state = self.state
        span = call.span_of_text(text)
        if FROM_NETWORK in text:
            state.add_danger(Harm.PIPE_TO_SHELL, f"what the network sends is run as commands ({label})", span)
        if DECODED in text:
            state.add_danger(Harm.ENCODED, f"what is decoded is run as commands ({label})", span)
        text = text.replace(DECODED, "").replace(FROM_NETWORK, "" if text.strip() == FROM_NETWORK else UNKNOWN)
        if not text.strip():
            return
        if not is_known(text) and not without_placeholders(text).strip():
            if not (FROM_NETWORK in text or DECODED in text):
                state.add_unresolved(f"what is run is not known ({label})", span)
            return
        state.depth += 1
        state.text_left -= len(text)
        if state.depth > MAX_DEPTH:
            state.give_up("it is nested too deeply to be followed")
        elif state.text_left < 0:
            state.give_up("the texts in it add up to too much to be followed")
        else:
            self._nested(type(self)(state, text, at=span, via=(*call.via, label)), call, label, arguments)
        state.depth -= 1

    def _nested(self, walk: "NestedText", call: Call, label: str, arguments: list[str] | None) -> None:
        """A shell of its own sees the variables as they are and leaves them as they were; `eval` changes them."""
        state = self.state
        positional, variables, maybe, cwd = state.positional, state.variables, state.conditional_depth, state.cwd
        state.positional = arguments if arguments is not None else positional
        if label.partition(" ")[0] not in _SAME_SHELL:
            state.variables, state.conditional_depth = dict(variables), 0
        walk.run(None if label.startswith(_WITHOUT_INPUT) or label.endswith(_READ_ITSELF) else call.stdin)
        state.positional = positional
        if label.partition(" ")[0] not in _SAME_SHELL:
            state.variables, state.conditional_depth, state.cwd = variables, maybe, cwd

    def follow_program(self, text: str, call: Call, label: str) -> None:
        first = len(self.state.found_commands)
        self.follow_text(text, call, label)
        for found in self.state.found_commands[first:]:
            if not fits_slot(found):
                self.state.add_danger(
                    Harm.SHELL_ESCAPE, f"has {found.name} started by {label}", call.span_of_text(text)
                )

    def _from_code(self, text: str, call: Call, label: str) -> None:
        first = len(self.state.found_commands)
        self.follow_text(text, call, label)
        if label.endswith((" code", " program")) and any(
            found.name in IDENTITY_COMMANDS for found in self.state.found_commands[first:]
        ):
            self.state.add_danger(Harm.SHELL_ESCAPE, f"has a command started by {label}", call.span_of_text(text))

    def follow_command(self, words: list[str], call: Call, label: str) -> str:
        return evaluate_command(call.inner(words, label), self, by_shell=label in ("time", "coproc"))

    def add_danger(self, call: Call, harm: Harm, reason: str, *, raises: bool = False) -> None:
        self.state.add_danger(harm, reason, call.span, raises=raises)

    def follow_effects(self, effects: Iterable[CodeEffect], call: Call, label: str) -> None:
        for found in effects:
            if isinstance(found, RunsCommand):
                (self.follow_program if found.slot else self._from_code)(found.text, call, label)
            else:
                self.state.add_danger(found.harm, found.reason, call.span, raises=found.raises)

    @abstractmethod
    def run(self, feed: str | None = None) -> str: ...
