"""Run the target's own test suite in the sandbox, with an outcome for every test id."""

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from whet.config import Config, TestsPolicy
from whet.domain.canonical import digest
from whet.domain.containment import Containment
from whet.domain.suite import SuiteReport
from whet.errors import InterpreterMissing, UsageError
from whet.git.git import Git
from whet.sandbox.bubblewrap import INSIDE_AT
from whet.sandbox.sandbox import MEGABYTE, Finished, Job, JobLimits, Sandbox
from whet.target.interpreter import Interpreter
from whet.target.junit import read_junit
from whet.target.result_stream import OnProgress, ResultReader
from whet.target.scripts import INSIDE

Overlay = Mapping[str, bytes | None]
_NO_OVERLAY: Overlay = MappingProxyType({})
PER_TEST_RUNNERS = ("pytest", "unittest")


@dataclass
class Suite:
    """The test suite of the target project; runs it on any tree.

    `carried` are files outside git that are added to every tree. `cache` holds complete runs of the whole suite, so
    that the phases of one cycle share the run of their base.
    """

    git: Git
    sandbox: Sandbox
    interpreter: Interpreter
    policy: Config
    carried: Mapping[str, bytes] = field(default_factory=dict)
    cache: MutableMapping[str, SuiteReport] = field(default_factory=dict)
    runs: int = 0
    containment: Containment | None = None
    latest: SuiteReport | None = None  # of the whole suite
    _prefetched: "_Prefetch | None" = None

    def prefetch(self, tree: str) -> None:
        """Start a run of the whole suite in a thread; the next `run` of the same tree returns its report."""
        self._prefetched = _Prefetch(tree, self)

    def run(
        self,
        tree: str,
        ids: Sequence[str] = (),
        *,
        overlay: Overlay = _NO_OVERLAY,
        planted: Sequence[str] = (),
        fresh: bool = True,
        on_progress: OnProgress | None = None,
    ) -> SuiteReport:
        """Run the whole suite, or only `ids`; with `fresh=False`, accept a cached run of the same tree.

        `overlay` replaces files of the tree (None removes a file). `planted` are test files to run as well, even if
        the suite's own settings would not collect them.
        """
        whole = not ids and not overlay
        key = self._key(tree)
        if whole and not fresh:
            cached = self.cache.get(key)
            if cached:
                return cached
        prefetched, self._prefetched = self._prefetched, None
        if whole and prefetched and prefetched.tree == tree:
            report = prefetched.report(on_progress)
        else:
            report = self._run(_Request(tree, tuple(ids), overlay, tuple(planted)), on_progress)
        if whole:
            self.latest = report
            if report.complete:
                self.cache[key] = report
        return report

    def job(self, tree: str, argv: Sequence[str], wall_seconds: float, overlay: Overlay = _NO_OVERLAY) -> Job:
        """Return the sandbox job that runs `argv` in a copy of the tree, under the limits of the policy."""
        limits = self.policy.sandbox
        tracked = self.git.files(tree)
        carried = {path: data for path, data in self.carried.items() if path not in tracked}
        return Job(
            argv=tuple(argv),
            tree=self.git.tar(tree, {**carried, **overlay}),
            root=str(self.git.root),
            limits=JobLimits(
                wall_seconds=wall_seconds,
                memory_bytes=limits.memory_mb * MEGABYTE,
                processes=limits.processes,
                file_bytes=limits.file_size_mb * MEGABYTE,
                tree_bytes=limits.tree_size_mb * MEGABYTE,
                output_bytes=limits.output_mb * MEGABYTE,
            ),
            readable=self.interpreter.readable,
            scripts=str(INSIDE),
            env={"PATH": f"{Path(self.interpreter.path).parent}:/usr/local/bin:/usr/bin:/bin"},
        )

    def run_settings(self) -> dict[str, object]:
        """Return the settings that must be equal on another machine for its outcomes to be comparable."""
        return {"python": self.interpreter.version, "tests": self.policy.tests.model_dump(mode="json")}

    def _key(self, tree: str) -> str:
        interpreter = [self.interpreter.path, self.interpreter.version]
        stamps = [_installed_at(Path(folder)) for folder in self.interpreter.readable]
        return digest([tree, *interpreter, self.policy.tests.model_dump(), stamps, _scripts_digest()])

    def _run(self, request: "_Request", on_progress: OnProgress | None) -> SuiteReport:
        self.runs += 1
        runner = self.policy.tests.runner
        if runner in PER_TEST_RUNNERS:
            return self._run_per_test(request, on_progress)
        if runner == "junit":
            return self._run_junit(request)
        if runner == "exit":
            return self._run_command(request)
        return SuiteReport(
            tree=request.tree, outcomes={}, seconds=0.0, complete=True, problem="no test runner is configured"
        )

    def _run_per_test(self, request: "_Request", on_progress: OnProgress | None) -> SuiteReport:
        """Run pytest or unittest by the script inside that reports every test id."""
        policy = self.policy.tests
        if policy.runner == "pytest" and not self.interpreter.has_pytest:
            raise InterpreterMissing(
                f"{self.interpreter.path} has no pytest",
                "install pytest there, or set `target.interpreter` or `tests.runner` in whet.toml",
            )
        question = {"args": policy.args, "ids": request.ids or policy.folders, "planted": request.planted}
        argv = (self.interpreter.path, f"{INSIDE_AT}/run_{policy.runner}.py", "{results}")
        reader = ResultReader(on_progress, policy.runner)
        job = self.job(request.tree, argv, policy.timeout_seconds, request.overlay)
        finished = self._finish(job, reader.line, json.dumps(question).encode())
        return reader.report(request.tree, finished, finished.problem)

    def _finish(self, job: Job, on_line: Callable[[bytes], None] | None, standard_input: bytes = b"") -> Finished:
        finished = self.sandbox.run(replace(job, stdin=standard_input), on_line)
        self.containment = finished.containment
        return finished

    def _run_junit(self, request: "_Request") -> SuiteReport:
        policy = self.policy.tests
        script = 'out=$1 file=$2; shift 2; "$@" </dev/null; code=$?; cat "$file" >&"$out"; exit $code'
        argv = ("bash", "-c", script, "bash", "{results}", policy.junit_path, *_command(policy))
        finished = self._finish(self.job(request.tree, argv, policy.timeout_seconds, request.overlay), None)
        text = b"\n".join(finished.lines)
        problem = finished.problem or ("" if text else f"the command wrote no {policy.junit_path}")
        outcomes = {} if problem else read_junit(text)
        problem = problem or ("" if outcomes else f"{policy.junit_path} names no test case")
        return SuiteReport(
            tree=request.tree,
            outcomes=outcomes,
            seconds=finished.seconds,
            complete=not problem,
            problem=problem,
            exit_code=finished.exit_code,
        )

    def _run_command(self, request: "_Request") -> SuiteReport:
        policy = self.policy.tests
        job = self.job(request.tree, _command(policy), policy.timeout_seconds, request.overlay)
        finished = self._finish(job, None)
        return SuiteReport(
            tree=request.tree,
            outcomes={},
            seconds=finished.seconds,
            complete=not finished.stopped_by,
            problem=finished.problem,
            exit_code=finished.exit_code,
            exit_only=True,
        )


@dataclass(frozen=True)
class _Request:
    tree: str
    ids: tuple[str, ...] = ()
    overlay: Overlay = field(default_factory=dict)
    planted: tuple[str, ...] = ()


class _Prefetch:
    """A run of the whole suite that was started in a thread before it is needed."""

    def __init__(self, tree: str, suite: Suite) -> None:
        self.tree = tree
        self._on_progress: OnProgress | None = None
        self._future: Future[SuiteReport] = Future()
        threading.Thread(target=self._run, args=(suite,), daemon=True).start()

    def report(self, on_progress: OnProgress | None) -> SuiteReport:
        """Wait for the run and return its report; raises the exception that ended it, if any."""
        self._on_progress = on_progress
        return self._future.result()

    def _run(self, suite: Suite) -> None:
        try:
            self._future.set_result(suite._run(_Request(self.tree), self._advance))
        except BaseException as problem:  # noqa: BLE001 - raised again by `report`
            self._future.set_exception(problem)

    def _advance(self, done: int, total: int) -> None:
        if self._on_progress:
            self._on_progress(done, total)


def _command(policy: TestsPolicy) -> tuple[str, ...]:
    if not policy.command:
        raise UsageError(f"tests.runner = {policy.runner!r} needs tests.command in whet.toml")
    return policy.command


@cache
def _scripts_digest() -> str:
    """Return a digest of the scripts that run inside: a new version may report another outcome of the same tree."""
    scripts = sorted(INSIDE.glob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in scripts)).hexdigest()


def _installed_at(folder: Path) -> str:
    """Return the modification times of an environment and its site-packages; they change with every install."""
    packages = [folder, *folder.glob("lib/python*/site-packages")]
    return ",".join(str(path.stat().st_mtime_ns) for path in packages if path.exists())
