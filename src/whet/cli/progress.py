"""Progress on standard error: a line per finished step, and a moving line, or one every ten seconds, for the current step."""

import sys
import threading
import time

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from whet.domain.progress import Silent
from whet.domain.redact import redact
from whet.domain.sanitize import one_line

_WORDS = {
    "observe.base": "finding the base",
    "observe.observe": "observing",
    "diagnose.diagnose": "diagnosing",
    "propose.propose": "proposing",
    "propose.build": "building the patch",
    "validate.validate": "proving",
    "deploy.snapshot": "saving the state before",
    "deploy.rehearse": "rehearsing the rollback",
    "deploy.branch": "deploying to a branch",
    "deploy.merge": "deploying",
    "deploy.request": "opening the pull request",
    "deploy.pr": "fetching what was merged",
    "deploy.close": "closing the pull request",
    "deploy.hot_reload": "deploying, also to the processes that run it",
    "deploy.canary": "deploying, also to the processes that run it",
    "deploy.ab": "deploying, also to the processes that run it",
    "deploy.shadow": "deploying, also to the processes that run it",
    "deploy.trial": "trying it on real calls",
    "deploy.watch": "watching the calls since",
    "deploy.verify": "verifying what was deployed",
    "deploy.rollback": "rolling back",
    "learn.learn": "learning",
    "propose.decide": "choosing the patch by the answer",
    "propose.rebase": "rebasing: the branch has moved",
}


_QUIET_SECONDS = 10.0


_LOOK_SECONDS = 1.0


_spinning: set[Status] = set()
_repeating: dict[threading.Thread, threading.Event] = {}


def stop_spinning() -> None:
    """Stop every spinner and every repeated line: one that still runs when the process exits erases or follows what was
    printed after it."""
    for status in list(_spinning):
        status.stop()
        _spinning.discard(status)
    while _repeating:
        thread, stop = _repeating.popitem()
        stop.set()
        thread.join(5.0)


def warn(console: Console, text: str) -> None:
    """Print a warning on a line of its own; a spinner moves below it."""
    console.print(f"  ! {one_line(redact(text))}", markup=False, soft_wrap=True)


class OnlyWarnings(Silent):
    """Shows warnings and nothing else, for commands whose output is JSON."""

    def warn(self, text: str) -> None:
        warn(Console(stderr=True, highlight=False), text)


class Terminal:
    """Shows a spinner on a terminal. Elsewhere it prints finished steps, and every ten seconds how far a step has come.

    A step may report nothing for minutes (one slow test, an engine that searches). `repeats` starts a thread that then
    prints the last line again.
    """

    def __init__(self, *, repeats: bool = True) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._status: Status | None = None
        self._current = self._text = ""
        self._printing = threading.Lock()
        self._repeats = repeats
        self._since = self._printed_at = time.monotonic()

    def phase(self, phase: str, step: str, subject: str) -> None:
        del subject
        self.done()
        self._current = _WORDS.get(f"{phase}.{step.partition('-')[0]}", "")
        self._since = self._printed_at = time.monotonic()
        if self._current:
            self._show(self._current)

    def note(self, text: str) -> None:
        self._show(f"{self._current}: {text}" if self._current else text)

    def warn(self, text: str) -> None:
        warn(self._console, text)

    def advance(self, what: str, done: int, total: int) -> None:
        share = f"{done}/{total}" if total else str(done)
        self._show(f"{self._current or what}: {what} {share}")

    def done(self) -> None:
        """End the current line; called before anything else is printed."""
        if self._status:
            self._status.stop()
            _spinning.discard(self._status)
            self._status = None
        if self._current:
            seconds = time.monotonic() - self._since
            with self._printing:
                self._text = ""
                self._console.print(f"  [green]✓[/green] {self._current} [dim]{seconds:.1f} s[/dim]")
        self._current = self._text = ""

    def _show(self, text: str) -> None:
        text = one_line(redact(text))
        if not sys.stderr.isatty():
            self._text = text
            self.print_if_quiet()
            if self._repeats:
                self._repeats = False
                self._start_repeating()
        elif self._status is None:
            self._status = self._console.status(escape(text), spinner="dots")
            self._status.start()
            _spinning.add(self._status)
        else:
            self._status.update(escape(text))

    def print_if_quiet(self) -> None:
        """Print how far the current step has come, if nothing was printed for ten seconds."""
        with self._printing:
            now = time.monotonic()
            if self._text and now - self._printed_at >= _QUIET_SECONDS:
                self._printed_at = now
                self._console.print(f"  … {self._text}, {now - self._since:.0f} s", markup=False, soft_wrap=True)

    def _start_repeating(self) -> None:
        stop = threading.Event()

        def repeat() -> None:
            while not stop.wait(_LOOK_SECONDS):
                self.print_if_quiet()

        thread = threading.Thread(target=repeat, name="progress", daemon=True)
        _repeating[thread] = stop
        thread.start()
