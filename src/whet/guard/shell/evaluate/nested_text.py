"""Texts within texts: what the commands that start others ask for."""

from abc import abstractmethod
from collections.abc import Iterable

from whet.guard.shell.evaluate.evaluate_command import meet
from whet.guard.shell.evaluate.program_slots import PROOFS, is_meant
from whet.guard.shell.evaluate.redirections import Directions
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.effects import Finding, Starts
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import DECODED, HOLE, NETWORK, bare, is_known
from whet.guard.shell.model.state import DEEPEST

_WITHOUT_INPUT = ("standard input", "trap", "alias", "crontab", "at", "batch", "start-up")
_READ_ITSELF = (" code", " program", " script", " recipe")
_SAME_SHELL = frozenset({"eval", "trap", "alias", "script-file"})


class Nesting(Directions):
    """A `Follower`; nested texts are followed by the same kind of walk."""

    def text(self, text: str, call: Call, how: str, arguments: list[str] | None = None) -> None:
        scene = self.scene
        span = call.place_of(text)
        if NETWORK in text:
            scene.say(Harm.PIPE_TO_SHELL, f"what the network sends is run as commands ({how})", span)
        if DECODED in text:
            scene.say(Harm.ENCODED, f"what is decoded is run as commands ({how})", span)
        text = text.replace(DECODED, "").replace(NETWORK, "" if text.strip() == NETWORK else HOLE)
        if not text.strip():
            return
        if not is_known(text) and not bare(text).strip():
            if not (NETWORK in text or DECODED in text):
                scene.unresolved(f"what is run is not known ({how})", span)
            return
        scene.depth += 1
        scene.text -= len(text)
        if scene.depth > DEEPEST:
            scene.give_up("it is nested too deeply to be followed")
        elif scene.text < 0:
            scene.give_up("the texts in it add up to too much to be followed")
        else:
            self._nested(type(self)(scene, text, at=span, via=(*call.via, how)), call, how, arguments)
        scene.depth -= 1

    def _nested(self, walk: "Nesting", call: Call, how: str, arguments: list[str] | None) -> None:
        """A shell of its own sees the variables as they are and leaves them as they were; `eval` changes them."""
        scene = self.scene
        positional, variables, maybe, cwd = scene.positional, scene.variables, scene.maybe, scene.cwd
        scene.positional = arguments if arguments is not None else positional
        if how.partition(" ")[0] not in _SAME_SHELL:
            scene.variables, scene.maybe = dict(variables), 0
        walk.run(None if how.startswith(_WITHOUT_INPUT) or how.endswith(_READ_ITSELF) else call.stdin)
        scene.positional = positional
        if how.partition(" ")[0] not in _SAME_SHELL:
            scene.variables, scene.maybe, scene.cwd = variables, maybe, cwd

    def program(self, text: str, call: Call, how: str) -> None:
        first = len(self.scene.found)
        self.text(text, call, how)
        for found in self.scene.found[first:]:
            if not is_meant(found):
                self.scene.say(Harm.SHELL_ESCAPE, f"has {found.name} started by {how}", call.place_of(text))

    def _from_code(self, text: str, call: Call, how: str) -> None:
        first = len(self.scene.found)
        self.text(text, call, how)
        if how.endswith((" code", " program")) and any(found.name in PROOFS for found in self.scene.found[first:]):
            self.scene.say(Harm.SHELL_ESCAPE, f"has a command started by {how}", call.place_of(text))

    def command(self, words: list[str], call: Call, how: str) -> str:
        return meet(call.inner(words, how), self, by_shell=how in ("time", "coproc"))

    def say(self, call: Call, harm: Harm, reason: str, *, raises: bool = False) -> None:
        self.scene.say(harm, reason, call.span, raises=raises)

    def code(self, findings: Iterable[Finding], call: Call, how: str) -> None:
        for found in findings:
            if isinstance(found, Starts):
                (self.program if found.slot else self._from_code)(found.text, call, how)
            else:
                self.scene.say(found.harm, found.reason, call.span, raises=found.raises)

    @abstractmethod
    def run(self, feed: str | None = None) -> str: ...
