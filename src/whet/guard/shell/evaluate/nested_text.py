"""Nested command texts: the part of the evaluator that launchers call (`model/follower.py`)."""

from abc import abstractmethod
from collections.abc import Iterable

from whet.guard.shell.evaluate.evaluate_command import evaluate_command
from whet.guard.shell.evaluate.program_slots import IDENTITY_COMMANDS, fits_slot
from whet.guard.shell.evaluate.redirections import Redirections
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import DECODED, FROM_NETWORK, UNKNOWN, is_known, without_placeholders
from whet.guard.shell.model.programs import is_foreign_program
from whet.guard.shell.model.state import MAX_DEPTH

# Labels of texts that run later or were read from standard input: the command's standard input is not theirs.
_WITHOUT_INPUT_PREFIXES = ("standard input", "trap", "alias", "crontab", "at", "batch", "start-up")
_WITHOUT_INPUT_SUFFIXES = (" code", " program", " script", " recipe")
_SAME_SHELL = frozenset({"eval", "trap", "alias", "script-file"})


class NestedText(Redirections):
    """A `Follower` that evaluates nested texts with a new instance of its own class."""

    def follow_text(self, text: str, call: Call, label: str, arguments: list[str] | None = None) -> None:
        state = self.state
        span = call.span_of_text(text)
        if FROM_NETWORK in text:
            state.add_danger(Harm.PIPE_TO_SHELL, f"the command runs text from the network ({label})", span)
        if DECODED in text:
            state.add_danger(Harm.ENCODED, f"the command runs text that it decodes first ({label})", span)
        text = text.replace(DECODED, "").replace(FROM_NETWORK, "" if text.strip() == FROM_NETWORK else UNKNOWN)
        if not text.strip():
            return
        if not is_known(text) and not without_placeholders(text).strip():
            if not (FROM_NETWORK in text or DECODED in text):
                state.add_unresolved(f"the text that is run is not known ({label})", span)
            return
        state.depth += 1
        state.text_left -= len(text)
        if state.depth > MAX_DEPTH:
            state.give_up("it is nested too deeply to be followed")
        elif state.text_left < 0:
            state.give_up("its nested command texts are too long in total")
        else:
            self._run_nested(type(self)(state, text, at=span, via=(*call.via, label)), call, label, arguments)
        state.depth -= 1

    def _run_nested(self, nested: "NestedText", call: Call, label: str, arguments: list[str] | None) -> None:
        """Run a nested evaluator. A shell of its own sees a copy of the variables; `eval` changes the outer ones."""
        state = self.state
        positional, variables, conditional_depth, cwd = (
            state.positional,
            state.variables,
            state.conditional_depth,
            state.cwd,
        )
        is_same_shell = label.partition(" ")[0] in _SAME_SHELL
        state.positional = arguments if arguments is not None else positional
        if not is_same_shell:
            state.variables, state.conditional_depth = dict(variables), 0
        has_no_input = label.startswith(_WITHOUT_INPUT_PREFIXES) or label.endswith(_WITHOUT_INPUT_SUFFIXES)
        nested.run(None if has_no_input else call.stdin)
        state.positional = positional
        if not is_same_shell:
            state.variables, state.conditional_depth, state.cwd = variables, conditional_depth, cwd

    def follow_program(self, text: str, call: Call, label: str) -> None:
        first = len(self.state.found_commands)
        self.follow_text(text, call, label)
        for command in self.state.found_commands[first:]:
            if not fits_slot(command):
                reason = f"makes {label} start {command.name}"
                self.state.add_danger(Harm.SHELL_ESCAPE, reason, call.span_of_text(text))

    def follow_command(self, words: list[str], call: Call, label: str) -> str:
        return evaluate_command(call.inner(words, label), self, by_shell=label in ("time", "coproc"))

    def follow_effects(self, effects: Iterable[CodeEffect], call: Call, label: str) -> None:
        for effect in effects:
            if not isinstance(effect, RunsCommand):
                self.state.add_danger(effect.harm, effect.reason, call.span, raises=effect.raises)
            elif effect.slot:
                self.follow_program(effect.text, call, label)
            else:
                self._follow_text_in_code(effect.text, call, label)

    def _follow_text_in_code(self, text: str, call: Call, label: str) -> None:
        first = len(self.state.found_commands)
        self.follow_text(text, call, label)
        commands = self.state.found_commands[first:]
        if label.endswith((" code", " program")) and any(command.name in IDENTITY_COMMANDS for command in commands):
            self.state.add_danger(Harm.SHELL_ESCAPE, f"has {label} start a command", call.span_of_text(text))
        if any(is_foreign_program(command.name) for command in commands):
            reason = f"has {label} start a program that no package manager installed"
            self.state.add_danger(Harm.SHELL_ESCAPE, reason, call.span_of_text(text), raises=True)

    def add_danger(self, call: Call, harm: Harm, reason: str, *, raises: bool = False) -> None:
        self.state.add_danger(harm, reason, call.span, raises=raises)

    @abstractmethod
    def run(self, stdin: str | None = None) -> str:
        """Evaluate the whole text and return its output."""
