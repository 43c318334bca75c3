"""The one place where a phase function meets the durable engine and the ledger.

A step runs once. Its noun is recorded; an error is recorded with step, code and cause, and goes on up. A step that
was cut off and runs again finds what it already recorded.
"""

import threading
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from enum import Enum
from typing import Protocol, TypeVar

from whet.domain.progress import Progress
from whet.errors import DamagedLedger, Internal, StateUnusable, Stopped, WhetError
from whet.ledger.ledger import Ledger

Noun = TypeVar("Noun")


class Turn(Enum):
    """What a step waits for. Most run alone. One that looks at the calls of an application does so for minutes: others go
    on meanwhile, but for those that would change what it looks at."""

    ALONE = "alone"
    LOOKS = "looks"
    LANDS = "lands"


class Durable(Protocol):
    def step(self, name: str, function: Callable[[], str]) -> str: ...
    def receive(self, topic: str, timeout_seconds: float) -> bool: ...
    def start(self, name: str, identity: str) -> None: ...


class Journal:
    def __init__(self, durable: Durable, ledger: Ledger, progress: Progress, permitted: Callable[[], None]) -> None:
        self.durable = durable
        self.ledger = ledger
        self._progress = progress
        self.permitted = permitted
        self._one_at_a_time, self._on_real_calls = threading.Lock(), threading.Lock()
        self._locks = {
            Turn.ALONE: (self._one_at_a_time,),
            Turn.LOOKS: (self._on_real_calls,),
            Turn.LANDS: (self._on_real_calls, self._one_at_a_time),
        }

    def step(
        self,
        phase: str,
        name: str,
        subject: str,
        returns: type[Noun],
        function: Callable[[], Noun],
        kind: str = "",
        turn: Turn = Turn.ALONE,
    ) -> Noun:
        """Run `function` as the step `phase.name` of `subject`, or give back what it gave before."""
        key = f"{subject}/{phase}/{name}"

        def run() -> str:
            with ExitStack() as turns:
                for lock in self._locks[turn]:
                    turns.enter_context(lock)
                if self.ledger.find(key) is None:
                    self.permitted()
                    self._progress.phase(phase, name, subject)
                    self._record(phase, key, subject, function, kind)
                return key

        return self.recall(self.durable.step(f"{phase}.{name}", run), returns)

    def recall(self, key: str, returns: type[Noun]) -> Noun:
        entry = self.ledger.find(key)
        if entry is None:
            raise LookupError(f"the ledger has no {key}")
        return entry.read(returns)

    def _record(self, phase: str, key: str, subject: str, function: Callable[[], object], kind: str) -> None:
        try:
            noun = function()
        except (Stopped, StateUnusable, DamagedLedger):
            raise  # not the step's failure: it is parked and runs again
        except WhetError as problem:
            self._record_error(phase, key, subject, problem)
            raise
        except Exception as problem:
            broken = Internal(f"{phase} broke: {type(problem).__name__}: {problem}", "please report this")
            self._record_error(phase, key, subject, broken, traceback.format_exc())
            raise broken from problem
        kind = kind or (phase.capitalize() if isinstance(noun, tuple) else type(noun).__name__)
        self.ledger.append(phase, noun, subject=subject, key=key, kind=kind)

    def _record_error(self, phase: str, key: str, subject: str, problem: WhetError, trace: str = "") -> None:
        failure = {
            "step": key,
            "code": problem.code,
            "message": problem.message,
            "remedy": problem.remedy,
            "trace": trace,
        }
        unique = f"{key}/error/{self.ledger.head().seq}"
        self.ledger.append(phase, failure, subject=subject, key=unique, kind="Error")
