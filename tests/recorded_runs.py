"""Keep the results of sandbox runs during a run of the tests, and let the proof draw the same random values each time.

Most tests that need a finished proof are about something else: a gate, a deployment, a record. They use the same few
repositories, so that whet would run the same suites on the same trees hundreds of times. Here a Python program that has
already run, with the same command, tree, limits and input, is answered with the recorded result. Nothing else is recorded:
coding agents, jobs that were ended early, and jobs that somebody talks to while they run, always run.

Results are kept for the place of the repository that they are asked for: its path is replaced in what came out.

The search of repair talks to its sandboxes while they run. Here each of its questions, one version of the code and the tests
to run on it, is answered with the recorded answer. A sandbox starts for the first question that has none.
"""

import hashlib
import importlib
import io
import json
import os
import pickle
import pkgutil
import random
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from whet.sandbox.bubblewrap import Bubblewrap
from whet.sandbox.sandbox import Finished, Job, Sandbox
from whet.target import warm_pool

_ROOT = b"\0root of the repository\0"
_PROOF = "whet.phases.validate.integrity"
_run_in_sandbox = Bubblewrap.run


class Predictable:
    """The functions of the module `secrets` that the proof uses, with values that are the same in every run."""

    def __init__(self, seed: str) -> None:
        generator = random.Random(seed)
        self.choice = generator.choice
        self.randbelow = generator.randrange
        self.token_hex = lambda count: generator.randbytes(count).hex()


def recording_run(folder: Path) -> Callable[..., Finished]:
    """Return a function to use as `Bubblewrap.run`, which keeps results in this folder."""

    def run(sandbox: Bubblewrap, job: Job, on_line: Callable[[bytes], None] | None = None) -> Finished:
        if sandbox._stopped() or Path(job.argv[0]).name not in ("python", "bash") or job.door:
            return _run_in_sandbox(sandbox, job, on_line)
        record = folder / _key(job)
        if not record.exists():
            finished = _run_in_sandbox(sandbox, job, on_line)
            if not finished.stopped_by:
                _keep(record, finished, job.root.encode())
            return finished
        recorded = _read(record, job.root.encode())
        for line in recorded.lines if on_line else ():
            on_line(line)  # type: ignore[misc] # there are no lines to go through without it
        return recorded

    return run


def recording_worker(folder: Path) -> type[warm_pool._Worker]:
    """Return a class to use as `warm_pool._Worker`, which keeps answers in this folder."""

    class RecordingWorker(warm_pool._Worker):
        def __init__(self, sandbox: Sandbox, job: Job, *, required: bool = True) -> None:
            super().__init__(sandbox, job, required=required)
            self._key = _key(job)

        def _work_through(self, queue: warm_pool._Queue) -> dict[int, warm_pool.CandidateResult]:
            results = {}
            while taken := queue.take():
                results[taken[0]] = result = self._recorded(*taken)
                self.seconds += result.seconds
                queue.add_seconds(result.seconds)
            return results

        def _recorded(self, index: int, request: Mapping[str, object]) -> warm_pool.CandidateResult:
            question = json.dumps(request, sort_keys=True).replace(self._job.root, "the root")
            record = folder / hashlib.sha256(f"{self._key} {question}".encode()).hexdigest()
            stopped = isinstance(self._sandbox, Bubblewrap) and self._sandbox._stopped()
            if record.exists() and not stopped:
                recorded: warm_pool.CandidateResult = pickle.loads(record.read_bytes())
                return recorded
            self._send(index, request)
            result = self._result(index)
            if result is None:
                return self._restart()
            content = pickle.dumps(result)
            if not result.timed_out and self._job.root.encode() not in content:
                _write(record, content)
            return result

    return RecordingWorker


def predictable_values() -> Iterator[tuple[ModuleType, str, Any]]:
    """Yield each module of the proof that draws random values, the name there, and the replacement."""
    package = importlib.import_module(_PROOF)
    for found in pkgutil.walk_packages(package.__path__, f"{_PROOF}."):
        module = importlib.import_module(found.name)
        if hasattr(module, "_random"):
            yield module, "_random", random.Random(found.name)
        if hasattr(module, "secrets"):
            yield module, "secrets", Predictable(found.name)


def install(folder: str) -> None:
    """Use recorded results, and predictable values in proofs, in the rest of this process."""
    Bubblewrap.run = recording_run(Path(folder))  # type: ignore[method-assign]
    vars(warm_pool)["_Worker"] = recording_worker(Path(folder))
    for module, name, value in predictable_values():
        setattr(module, name, value)


def _key(job: Job) -> str:
    parts = [job.argv, sorted(job.env.items()), job.limits, job.readable, job.scripts, job.door, sys.executable]
    content = [repr(parts).encode(), *_files(job.tree), job.stdin]
    root = job.root.encode()
    return hashlib.sha256(b"".join(hashlib.sha256(part.replace(root, _ROOT)).digest() for part in content)).hexdigest()


def _files(tree: bytes) -> Iterator[bytes]:
    """Yield the names, modes and contents in a tar. The policy is left out: tests vary it, and no suite here reads it."""
    with tarfile.open(fileobj=io.BytesIO(tree)) as archive:
        for member in archive:
            if member.name.removeprefix("./") != "whet.toml":
                content = archive.extractfile(member) if member.isfile() else None
                yield repr((member.name, member.mode, member.type, member.linkname)).encode()
                yield content.read() if content else b""


def _keep(record: Path, finished: Finished, root: bytes) -> None:
    output = finished.output.encode(errors="surrogateescape").replace(root, _ROOT)
    lines = tuple(line.replace(root, _ROOT) for line in finished.lines)
    _write(record, pickle.dumps((finished, output, lines)))


def _write(record: Path, content: bytes) -> None:
    unfinished = record.with_suffix(f".{os.getpid()}.{random.SystemRandom().getrandbits(64)}")
    unfinished.write_bytes(content)
    unfinished.replace(record)


def _read(record: Path, root: bytes) -> Finished:
    kept: tuple[Finished, bytes, tuple[bytes, ...]] = pickle.loads(record.read_bytes())
    finished, output, lines = kept
    text = output.replace(_ROOT, root).decode(errors="surrogateescape")
    return replace(finished, output=text, lines=tuple(line.replace(_ROOT, root) for line in lines))
