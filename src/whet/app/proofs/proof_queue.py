"""Proofs that agents and programs ask for, one after the other in a thread of their own."""

import queue
import threading
from collections import OrderedDict
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from whet.app.project import Project, open_project
from whet.app.proofs import prove
from whet.app.proofs.changes import from_branch, from_diff
from whet.domain.canonical import digest
from whet.domain.patch import Patch
from whet.errors import Internal, NotOnRecord, Refused, UsageError, WhetError

_MOST_OPEN = 4
_MOST_KEPT = 50
_LARGEST_PATCH = 2_000_000


def requested_change(project: Project, patch: str = "", branch: str = "", base: str = "") -> Patch:
    """Return the change of a unified diff or of a branch, against `base` or the branch that whet improves."""
    if bool(patch) == bool(branch):
        raise UsageError("name one change: patch (a unified diff) or branch")
    if len(patch) > _LARGEST_PATCH:
        raise UsageError(f"the patch is larger than {_LARGEST_PATCH:,} characters", "commit it to a branch")
    project.refuse_unless_permitted()
    against = project.git.resolve(base or project.ref)
    if branch:
        return from_branch(project.git, against, branch)
    return from_diff(project.git, against, patch.encode(errors="surrogateescape"), "the patch")


class Proofs:
    """The proofs of this server, by handle. A handle is a digest of the change, so asking twice starts one proof.

    Handles are lost when the server ends. The evidence stays in the ledger, and the run of the base in its cache.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._proofs: OrderedDict[str, Future[prove.ProvedChange]] = OrderedDict()
        self._queue: queue.SimpleQueue[tuple[Patch, Future[prove.ProvedChange]]] = queue.SimpleQueue()
        # A daemon: when the client goes away, the server ends at once, and the kernel ends the sandbox with it.
        threading.Thread(target=self._work, name="proofs", daemon=True).start()

    def start(self, change: Patch) -> dict[str, Any]:
        """Start a proof, unless the same change is being proved or was proved by this server."""
        handle = digest([change.base, change.tree])[:16]
        with self._lock:
            known = self._proofs.get(handle)
            if known is None or _broken(known):
                self._refuse_too_many()
                self._proofs[handle] = Future()
                self._queue.put((change, self._proofs[handle]))
                while len(self._proofs) > _MOST_KEPT:
                    self._proofs.popitem(last=False)
        return self.state(handle)

    def state(self, handle: str) -> dict[str, Any]:
        """Return whether a proof waits, runs, has failed or is done, with its evidence or the error."""
        with self._lock:
            proof = self._proofs.get(handle)
        if proof is None:
            raise NotOnRecord(
                f"there is no proof {handle!r} in this server", "call prove again: it is quick if the base was run"
            )
        if not proof.done():
            return {"handle": handle, "state": "running" if proof.running() else "waiting"}
        problem = proof.exception()
        if isinstance(problem, WhetError):
            error = {"code": problem.code, "message": problem.message, "remedy": problem.remedy}
            return {"handle": handle, "state": "failed", "error": error}
        if problem:
            raise Internal(f"the proof broke off: {problem}", "please report this with .whet/") from problem
        return {"handle": handle, "state": "done", **prove.report(proof.result().evidence)}

    def _work(self) -> None:
        while True:
            change, proof = self._queue.get()
            proof.set_running_or_notify_cancel()
            try:
                proof.set_result(prove.prove(open_project(self._root), change, trust_tests=False))
            except Exception as problem:  # noqa: BLE001 - handed on to whoever asks for the result
                proof.set_exception(problem)

    def _refuse_too_many(self) -> None:
        if sum(not proof.done() for proof in self._proofs.values()) >= _MOST_OPEN:
            raise Refused(f"{_MOST_OPEN} proofs are waiting or running", "ask for their results first")


def _broken(proof: "Future[prove.ProvedChange]") -> bool:
    return proof.done() and proof.exception() is not None
