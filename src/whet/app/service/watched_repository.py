"""One repository as the parent process of the service sees it: looks from outside, and a child while there is work."""

import os
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from whet.app.approvals.forge_answers import take_answers
from whet.app.project import open_project
from whet.app.service.beside import Beside
from whet.app.service.child import BUSY, WorkingChild
from whet.app.service.due import Debounce, Due
from whet.app.service.facts import FactsReader
from whet.app.service.heartbeat import Heartbeat, beat, take_service_lock
from whet.app.service.signs import engine_is_held, time_of, traces_of
from whet.app.service.work import what_is_due
from whet.domain.clock import now
from whet.domain.own_files import FILE_NAME
from whet.errors import Stopped, WhetError
from whet.phases.observe.health import ask_addresses

_FIRST_RETRY_SECONDS = 15.0
_LONGEST_RETRY_SECONDS = 3600.0
_RECHECK_SECONDS = 30.0
Log = Callable[[str], None]


class WatchedRepository:
    """Looks at one repository again and again. `tick` never raises for a problem of the repository; it records it."""

    def __init__(self, root: Path, log: Log, *, shared: bool = False) -> None:
        self._root, self._log = root, log
        self._project = open_project(root)
        self._facts, self._on_forge = FactsReader(self._project.ledger), tuple[str, ...]()
        self._project.ledger.head()  # so that a state folder that cannot be used is refused at the start
        self._lock = take_service_lock(self._project.state, shared=shared)
        self._settings = self._read_settings()
        self._debounce, self._child = Debounce(), None  # type: Debounce, WorkingChild | None
        self._traces: tuple[object, ...] = ()
        self._due: Due | None = None
        self._checked_at, self._failures, self._retry_clock = 0.0, 0, 0.0
        self._forge, self._probes = Beside(), Beside()
        self._unwritten = ""
        self._parked: dict[str, tuple[int, float]] = {}
        """Proposals that could not go on: how often they were tried, and the clock of the next try."""
        self._beat = Heartbeat(
            pid=os.getpid(), started_at=now(), at=now(), poll_seconds=self._project.policy.service.poll_seconds
        )

    @property
    def name(self) -> str:
        return self._root.name

    @property
    def poll_seconds(self) -> float:
        return self._project.policy.service.poll_seconds

    @property
    def works(self) -> bool:
        return self._child is not None

    def tick(self, *, may_start: bool) -> None:
        """Look once: collect an ended child, or start one if something is due. `may_start` is false if too many run."""
        try:
            self._collect()
            self._ask_others()
            if self._child is None and may_start and time.monotonic() >= self._retry_clock:
                self._start_if_due()
        except Stopped as problem:
            self._report(problem.message, problem.remedy)
        except WhetError as problem:
            self._failed(problem.message, problem.remedy)
        except OSError as problem:
            self._failed(f"{problem.strerror or problem}", "")
        self._beat = replace(self._beat, at=now(), doing=self._child.reason if self._child else "")
        self._write_beat()

    def _write_beat(self) -> None:
        """Write the heartbeat. A failure is logged once, until a heartbeat is written again: a full disk may last for days."""
        try:
            beat(self._project.state, self._beat)
            self._unwritten = ""
        except OSError as problem:
            reason = problem.strerror or str(problem)
            if reason != self._unwritten:
                self._log(f"{self.name}: the state of the service cannot be written: {reason}")
            self._unwritten = reason

    def close(self) -> None:
        """End the child, if one runs, and release the repository."""
        if self._child:
            self._child.stop()
            self._child = None
        self._forge.close()
        self._probes.close()
        self._project.store.close()
        os.close(self._lock)

    def _ask_others(self) -> None:
        """Look at the open pull requests and ask the health probes, each now and then."""
        policy = self._project.policy
        if self._on_forge and policy.deploy.requests:
            self._forge.run(policy.service.forge_seconds, partial(self._take_answers, self._on_forge))
        if policy.service.health_seconds and policy.sources.health and "health" in policy.observe.sources:
            self._probes.run(policy.service.health_seconds, self._ask_probes)

    def _ask_probes(self) -> None:
        """Ask the addresses of the health probes and keep the answers. A breach that they show is due at a later tick."""
        try:
            ask_addresses(self._project.policy.sources, self._project.state)
        except WhetError as problem:
            self._log(f"{self.name}: the answers of health probes were not kept: {problem}")

    def _take_answers(self, proposals: tuple[str, ...]) -> None:
        """Record the answers that people gave on the forge. The next look finds them and goes on."""
        try:
            for proposal in take_answers(self._project, proposals):
                self._log(f"{self.name}: {proposal} was answered on the forge")
        except (WhetError, OSError) as problem:
            self._log(f"{self.name}: pull requests were not looked at: {problem}")

    def _start_if_due(self) -> None:
        self._reload_policy()
        task, policy = self._what_is_due(), self._project.policy.service
        if task is None or engine_is_held(self._project.state):
            return
        head = self._project.git.read_ref(self._project.ref) if task.settles else ""
        quiet = policy.debounce_seconds, policy.debounce_most_seconds
        if task.settles and not self._debounce.settled(f"{task.kind} {head}", time.monotonic(), *quiet):
            return
        self._debounce.reset()
        self._log(f"{self.name}: {task.reason}")
        self._child = WorkingChild(self._root, task.reason)

    def _what_is_due(self) -> Due | None:
        """Return what is due. The record and git are read only after a change, or half a minute after the last time."""
        traces = (
            *traces_of(self._project.git, self._project.ref, self._project.state),
            self._project.ledger.head().seq,
        )
        clock = time.monotonic()
        if traces != self._traces or clock - self._checked_at >= _RECHECK_SECONDS:
            waiting = {name for name, (_, retry_clock) in self._parked.items() if clock < retry_clock}
            facts = self._facts.read()
            self._due, self._on_forge = what_is_due(self._project, waiting, facts), facts.on_forge
            self._traces, self._checked_at = traces, clock
            if not waiting:
                self._report("", "")
        return self._due

    def _collect(self) -> None:
        """Take the result of a child that has ended."""
        if self._child is None or (code := self._child.code) is None:
            return
        result, self._child, self._traces = self._child.result(), None, ()
        if code == BUSY:
            self._retry_clock = time.monotonic() + self.poll_seconds
        elif code == 0:
            self._failures = 0
            self._report("", "")
            for line in lines_of(result):
                self._log(f"{self.name}: {line}")
            self._note_parked(result)
        else:
            error = result.get("error", {}) if isinstance(result, dict) else {}
            how = "was killed" if code < 0 else f"ended with code {code}"
            self._failed(str(error.get("message") or f"the process {how}"), str(error.get("remedy", "")))

    def _note_parked(self, result: object) -> None:
        """Remember the proposals that could not go on, and try each again later, twice as late each time."""
        parked = {each["proposal"]: each for done in _items(result) for each in done.get("parked", ())}
        for name, each in parked.items():
            tries, _ = self._parked.get(name, (0, 0.0))
            delay = min(_FIRST_RETRY_SECONDS * 2**tries, _LONGEST_RETRY_SECONDS)
            self._parked[name] = min(tries + 1, 16), time.monotonic() + delay
            self._log(f"{self.name}: {name} waits: {each['message']}; next try in {delay:.0f} s")
            self._report(f"{name} waits: {each['message']}", each["remedy"], now() + timedelta(seconds=delay))
        went_on = {str(proposal["proposal"]) for done in _items(result) for proposal in done["proposals"]}
        for name in went_on - set(parked):
            self._parked.pop(name, None)

    def _failed(self, message: str, remedy: str) -> None:
        """Wait before the next try, twice as long after each failure."""
        delay = min(_FIRST_RETRY_SECONDS * 2**self._failures, _LONGEST_RETRY_SECONDS)
        self._failures = min(self._failures + 1, 16)
        self._retry_clock = time.monotonic() + delay
        self._log(f"{self.name}: {message}; next try in {delay:.0f} s")
        self._report(message, remedy, now() + timedelta(seconds=delay))

    def _report(self, problem: str, remedy: str, retry_at: datetime | None = None) -> None:
        self._beat = replace(self._beat, problem=problem, remedy=remedy, retry_at=retry_at)

    def _reload_policy(self) -> None:
        """Open the repository again if whet.toml has changed or another branch is checked out."""
        if (settings := self._read_settings()) != self._settings:
            self._project.store.close()
            self._project = open_project(self._root)
            self._facts = FactsReader(self._project.ledger)
            self._settings, self._traces = settings, ()
            self._log(f"{self.name}: whet.toml or the checked-out branch has changed")

    def _read_settings(self) -> tuple[object, ...]:
        return time_of(self._root / FILE_NAME), time_of(self._project.git.common_folder / "HEAD")


def _items(result: object) -> list[dict[str, Any]]:
    return result if isinstance(result, list) else []


def lines_of(result: object) -> list[str]:
    """Return, for people, what a child says it did."""
    lines = []
    for done in _items(result):
        proposals = [
            f"{proposal['proposal']} {proposal['status']}: {proposal['title']}" for proposal in done["proposals"]
        ]
        lines += proposals or [done["result"] or "done"]
    return lines
