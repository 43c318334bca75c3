"""The journal: runs a phase function once as a durable step and records its result in the ledger.

After a crash the step runs again, finds its own ledger entry and returns it instead of repeating the work. An error is
recorded with step, code and cause, and is raised again.
"""

import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar

from whet.domain.progress import Progress
from whet.errors import PARKING, Internal, StateUnusable, WhetError
from whet.ledger.ledger import Ledger

Noun = TypeVar("Noun")


class Turn(Enum):
    """The other steps that a step excludes while it runs."""

    ALONE = "alone"
    OBSERVES_CALLS = "observes calls"
    REPLACES_CODE = "replaces code"


class Durable(Protocol):
    """The durable engine as the journal needs it. `run_step` is the engine's own function, so that a stack trace has
    no frame of ours between the journal and the step."""

    def run_step(self, options: Mapping[str, str], function: Callable[[], str], /) -> str: ...

    def parking(self, errors: tuple[type[WhetError], ...]) -> AbstractContextManager[None]:
        """Suspend the workflow, instead of failing it, on one of these errors."""
        ...

    def receive(self, topic: str, timeout_seconds: float) -> bool: ...
    def start(self, name: str, identity: str) -> None: ...


@dataclass(frozen=True)
class Step(Generic[Noun]):
    """A step's place in the record: `<subject>/<phase>/<name>`, and the type that it returns.

    `kind` is the ledger kind of the entry, by default the name of the returned type. `within` wraps the run, for example
    in a reservation of wall time. On an error in `parks_on` the workflow is suspended until `whet resume`, as it is when whet
    is stopped or its record cannot be used; any other error fails the step.
    """

    phase: str
    name: str
    subject: str
    returns: type[Noun]
    kind: str = ""
    turn: Turn = Turn.ALONE
    within: Callable[[], AbstractContextManager[None]] = nullcontext
    parks_on: tuple[type[WhetError], ...] = ()

    @property
    def key(self) -> str:
        return f"{self.subject}/{self.phase}/{self.name}"


class Journal:
    def __init__(
        self, durable: Durable, ledger: Ledger, progress: Progress, refuse_unless_permitted: Callable[[], None]
    ) -> None:
        self.durable = durable
        self.ledger = ledger
        self._progress = progress
        self.refuse_unless_permitted = refuse_unless_permitted
        alone, live_calls = threading.Lock(), threading.Lock()
        self._locks = {
            Turn.ALONE: (alone,),
            Turn.OBSERVES_CALLS: (live_calls,),
            Turn.REPLACES_CODE: (live_calls, alone),
        }

    def step(self, step: Step[Noun], function: Callable[[], Noun]) -> Noun:
        """Run `function` as `step`, or return what the ledger holds for it already.

        Pass a `functools.partial` of the phase function: it adds no frame to the stack.
        """

        def recorded_step() -> str:
            with self.durable.parking((*PARKING, *step.parks_on)), self._turn(step.turn):
                if self.ledger.find(step.key) is None:
                    self.refuse_unless_permitted()
                    self._progress.phase(step.phase, step.name, step.subject)
                    with self._recording_errors(step), step.within():
                        noun = function()
                    kind = step.kind or (step.phase.capitalize() if isinstance(noun, tuple) else type(noun).__name__)
                    self.ledger.append(step.phase, noun, subject=step.subject, key=step.key, kind=kind)
                return step.key

        key = self.durable.run_step({"name": f"{step.phase}.{step.name}"}, recorded_step)
        if key != step.key or self.ledger.find(step.key) is None:
            raise StateUnusable(
                f"the durable engine says that {step.key} is done, and the ledger does not have it",
                "the engine's rows were edited or belong to another ledger: move .whet/durable.sqlite away (or drop the "
                "schema that ends in _durable) and run `whet resume`: open proposals continue from the ledger",
            )
        return self.recall(step.key, step.returns)

    def recall(self, key: str, returns: type[Noun]) -> Noun:
        entry = self.ledger.find(key)
        if entry is None:
            raise LookupError(f"the ledger has no {key}")
        return entry.read(returns)

    @contextmanager
    def _turn(self, turn: Turn) -> Iterator[None]:
        locks = self._locks[turn]
        for lock in locks:
            lock.acquire()
        try:
            yield
        finally:
            for lock in reversed(locks):
                lock.release()

    @contextmanager
    def _recording_errors(self, step: Step[Noun]) -> Iterator[None]:
        try:
            yield
        except (*PARKING, *step.parks_on):
            raise  # not the step's failure: the workflow is parked and the step runs again
        except WhetError as problem:
            self._record_error(step, problem)
            raise
        except Exception as problem:
            broken = Internal(f"{step.phase} broke: {type(problem).__name__}: {problem}", "please report this")
            self._record_error(step, broken, traceback.format_exc())
            raise broken from problem

    def _record_error(self, step: Step[Noun], problem: WhetError, trace: str = "") -> None:
        failure = {
            "step": step.key,
            "code": problem.code,
            "message": problem.message,
            "remedy": problem.remedy,
            "trace": trace,
        }
        unique = f"{step.key}/error/{self.ledger.head().seq}"
        self.ledger.append(step.phase, failure, subject=step.subject, key=unique, kind="Error")
