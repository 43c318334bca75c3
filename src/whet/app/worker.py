"""A worker: tries batches of candidates for a search on another machine, in this checkout's sandboxes."""

import json
import os
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Event
from typing import Any

from whet.app.project import Project
from whet.config import STORE_URL
from whet.errors import UsageError, WhetError
from whet.target.warm_pool import CandidateResult, WarmPool

_WARM_SECONDS = 3600.0
_Ground = tuple[str, tuple[tuple[str, str], ...]]


@dataclass
class Worked:
    """The work of a worker so far. `refused` counts the batches that it gave back."""

    batches: int = 0
    candidates: int = 0
    refused: int = 0


class Bench:
    """Answers batches. The sandboxes of the last tree stay warm, because a search asks for the same tree many times."""

    def __init__(self, project: Project, worked: Worked) -> None:
        self._project, self._worked = project, worked
        self._width = os.cpu_count() or 1
        self._ground: _Ground | None = None
        self._warm: WarmPool | None = None
        self._bases: dict[tuple[str, ...], dict[str, str]] = {}
        self._open = ExitStack()

    def answer(self, batch: str) -> str:
        """Return the outcomes of a batch, or the reason for a refusal; the searcher then tries the batch itself."""
        try:
            answer = self._answer(json.loads(batch))
        except WhetError as problem:
            self._worked.refused += 1
            answer = {"refused": problem.message}
        self._project.progress.note(f"{self._worked.candidates} edits tried in {self._worked.batches} batches")
        return json.dumps(answer)

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        self._project.permitted()
        if asked["how"] != self._project.suite.run_settings():
            raise UsageError("this worker runs tests in another way: interpreter or [tests] in whet.toml differ")
        warm = self._warmed((asked["base"], tuple(sorted(asked["files"].items()))))
        tests, seconds = asked["tests"], asked["timeout_seconds"]
        if tuple(tests) not in self._bases:
            self._bases[tuple(tests)] = warm.run([{}], tests, seconds, stop_early=True)[0].outcomes
        tried = warm.run(asked["versions"], tests, seconds, stop_early=True, swift=asked["swift"])
        self._worked.batches += 1
        self._worked.candidates += len(tried)
        return {"base": self._bases[tuple(tests)], "tried": [_plain(one) for one in tried]}

    def _warmed(self, ground: _Ground) -> WarmPool:
        if self._warm is None or ground != self._ground:
            base, files = ground
            git = self._project.git
            if not git.has(base):
                raise UsageError(f"this worker's repository does not have commit {base[:10]}", "fetch it")
            tree = git.with_files(git.tree_of(base), {path: text.encode() for path, text in files})
            self.close()
            suite = self._project.suite
            self._warm = self._open.enter_context(WarmPool(suite, tree, self._width, _WARM_SECONDS))
            self._ground = ground
        return self._warm

    def close(self) -> None:
        self._warm = None
        self._bases = {}
        self._open.close()


def work(project: Project, over: Event, worked: Worked) -> None:
    """Serve searches of this repository until `over` is set."""
    if not project.store_url:
        raise UsageError(
            f"a worker takes its work from a PostgreSQL database, and {STORE_URL} is not set",
            f"set {STORE_URL} as it is where `whet run` or `whet repair` runs",
        )
    project.permitted()
    from whet.durable.queue import serve  # takes a while to load

    bench = Bench(project, worked)
    try:
        serve(project.work, os.cpu_count() or 1, bench.answer, over)
    finally:
        bench.close()


def _plain(one: CandidateResult) -> dict[str, Any]:
    return {"outcomes": one.outcomes, "seconds": one.seconds, "timed_out": one.timed_out}
