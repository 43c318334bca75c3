"""A worker: tries batches of candidates for a search on another machine, in this checkout's sandboxes."""

import json
import os
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Event
from typing import Any

from whet.app.project import Project
from whet.config import STORE_URL
from whet.domain.plural import count
from whet.errors import UsageError, WhetError
from whet.target.warm_pool import CandidateResult, WarmPool

_WARM_SECONDS = 3600.0
_Tree = tuple[str, tuple[tuple[str, str], ...]]


@dataclass
class WorkerStats:
    """The work of a worker so far. `refused` counts the batches that the searcher has to try itself."""

    batches: int = 0
    candidates: int = 0
    refused: int = 0


class BatchRunner:
    """Runs batches of candidates. The sandboxes of the last tree stay warm, because a search asks for the same tree many times."""

    def __init__(self, project: Project, stats: WorkerStats) -> None:
        self._project, self._stats = project, stats
        self._width = os.cpu_count() or 1
        self._tree_key: _Tree | None = None
        self._warm: WarmPool | None = None
        self._bases: dict[tuple[str, ...], dict[str, str]] = {}
        self._open = ExitStack()

    def answer(self, batch: str) -> str:
        """Return the outcomes of a batch, or the reason for a refusal; the searcher then tries the batch itself."""
        try:
            answer = self._answer(json.loads(batch))
        except WhetError as problem:
            self._stats.refused += 1
            answer = {"refused": problem.message}
        stats = self._stats
        self._project.progress.note(f"{count(stats.candidates, 'edit')} tried in {count(stats.batches, 'batch')}")
        return json.dumps(answer)

    def _answer(self, batch: dict[str, Any]) -> dict[str, Any]:
        self._project.refuse_unless_permitted()
        if batch["how"] != self._project.suite.run_settings():
            raise UsageError("this worker runs tests in another way: interpreter or [tests] in whet.toml differ")
        warm = self._warmed((batch["base"], tuple(sorted(batch["files"].items()))))
        tests, seconds = batch["tests"], batch["timeout_seconds"]
        if tuple(tests) not in self._bases:
            self._bases[tuple(tests)] = warm.run([{}], tests, seconds, stop_early=True)[0].outcomes
        how = {name: bool(batch[name]) for name in ("stop_early", "swift")}
        tried = warm.run(batch["versions"], tests, seconds, **how)
        self._stats.batches += 1
        self._stats.candidates += len(tried)
        return {"base": self._bases[tuple(tests)], "tried": [_plain(result) for result in tried]}

    def _warmed(self, tree_key: _Tree) -> WarmPool:
        if self._warm is None or tree_key != self._tree_key:
            base, files = tree_key
            git = self._project.git
            if not git.has(base):
                raise UsageError(f"this worker's repository does not have commit {base[:10]}", "fetch it")
            tree = git.with_files(git.tree_of(base), {path: text.encode() for path, text in files})
            self.close()
            suite = self._project.suite
            self._warm = self._open.enter_context(WarmPool(suite, tree, self._width, _WARM_SECONDS))
            self._tree_key = tree_key
        return self._warm

    def close(self) -> None:
        self._warm = None
        self._bases = {}
        self._open.close()


def work(project: Project, over: Event, stats: WorkerStats) -> None:
    """Serve searches of this repository until `over` is set."""
    if not project.store_url:
        raise UsageError(
            f"a worker takes its work from a PostgreSQL database, and {STORE_URL} is not set",
            f"set {STORE_URL} to the same value as for `whet run` or `whet repair`",
        )
    project.refuse_unless_permitted()
    from whet.durable.queue import serve  # takes a while to load

    runner = BatchRunner(project, stats)
    try:
        serve(project.work, os.cpu_count() or 1, runner.answer, over)
    finally:
        runner.close()


def _plain(result: CandidateResult) -> dict[str, Any]:
    return {"outcomes": result.outcomes, "seconds": result.seconds, "timed_out": result.timed_out}
