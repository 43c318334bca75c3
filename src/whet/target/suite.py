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
from whet.domain.diagnostic import DiagnosticReport
from whet.domain.suite import Outcome, SuiteReport
from whet.errors import Internal, InterpreterMissing, UsageError
from whet.git.git import Git
from whet.sandbox.bubblewrap import INSIDE_AT
from whet.sandbox.sandbox import MEGABYTE, Finished, Job, JobLimits, Sandbox
from whet.target.base_file import BaseFile
from whet.target.environment_digest import environment_digest
from whet.target.interpreter import Interpreter
from whet.target.junit import read_junit
from whet.target.result_stream import OnProgress, ResultReader
from whet.target.scripts import INSIDE
from whet.target.shown_ids import ShownIds

Overlay = Mapping[str, bytes | None]
Part = Mapping[str, object]
NO_OVERLAY: Overlay = MappingProxyType({})
PER_TEST_RUNNERS = ("pytest", "unittest")


@dataclass
class Suite:
    """The test suite of the target project; runs it on any tree.

    `extra_files` are files outside git that are added to every tree. `cache` holds complete runs of the whole suite, so
    that all phases and commands share the run of a base; `base_file` is a cache that comes from outside.

    The suite of one package of several runs in its `folder`; `whole` is then the suite of all, which counts its runs.
    """

    git: Git
    sandbox: Sandbox
    interpreter: Interpreter
    policy: Config
    extra_files: Mapping[str, bytes] = field(default_factory=dict)
    cache: MutableMapping[str, SuiteReport] = field(default_factory=dict)
    diagnostics_cache: MutableMapping[str, DiagnosticReport] = field(default_factory=dict)
    runs: int = 0
    containment: Containment | None = None
    latest: SuiteReport | None = None  # of the whole suite
    shown_ids: ShownIds = field(default_factory=ShownIds)
    base_file: BaseFile | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    whole: "Suite | None" = None
    package: str = ""
    folder: str = ""
    _prefetched: "_Prefetch | None" = None

    def prefetch(self, tree: str) -> None:
        """Start a run of the whole suite in a thread; the next `run` of the same tree returns its report."""
        self._prefetched = _Prefetch(tree, self)

    def run(
        self,
        tree: str,
        ids: Sequence[str] = (),
        *,
        overlay: Overlay = NO_OVERLAY,
        planted: Sequence[str] = (),
        part: Part | None = None,
        fresh: bool = True,
        on_progress: OnProgress | None = None,
    ) -> SuiteReport:
        """Run the whole suite, or only `ids`; with `fresh=False`, accept a cached run of the same tree.

        `overlay` replaces files of the tree (None removes a file). `planted` are test files to run as well, even if
        the suite's own settings would not collect them. `part` leaves out the test files of other parts (inside/parts.py).
        """
        whole = not ids and not overlay and part is None
        if whole and not fresh and (cached := self._cached(tree)):
            return cached
        prefetched, self._prefetched = self._prefetched, None
        if whole and prefetched and prefetched.tree == tree:
            report = prefetched.report(on_progress)
        else:
            report = self._run(_Request(tree, tuple(ids), overlay, tuple(planted), part), on_progress)
        if whole:
            self.latest = report
            if report.complete:
                self.remember(report)
        return report

    def keep_runs_in(
        self, runs: MutableMapping[str, SuiteReport], diagnostics: MutableMapping[str, DiagnosticReport]
    ) -> None:
        """Use these caches from now on."""
        self.cache, self.diagnostics_cache = runs, diagnostics

    def remember(self, report: SuiteReport) -> None:
        """Replace the cached run of a tree by a newer complete run of the whole suite."""
        key = self.key(report.tree)
        self.cache[key] = report
        if self.base_file:
            self.base_file.write(key, report)

    def divide(self, tests: Sequence[str]) -> "list[tuple[Suite, list[str]]]":
        """Return (suite, tests) for each suite that holds some of these tests."""
        return [(self, list(tests))]

    def of(self, tests: Sequence[str]) -> "Suite":
        """Return the suite that holds the first of these tests."""
        return self.divide(tests)[0][0] if tests else self

    def affected(self, paths: Sequence[str], base: str) -> dict[str, str]:
        """Return why each package is affected by a change of these paths, by name; none in a repository of one project."""
        return {}

    def of_package(self, name: str) -> "Suite":
        raise Internal(f"there is no package {name!r}", "please report this")

    def count_runs(self, number: int) -> None:
        self.runs += number
        if self.whole:
            self.whole.count_runs(number)

    def list_tests(self, tree: str) -> SuiteReport:
        """Collect the suite without running a test. Every test is listed as passed, and doctests are told apart; only what
        cannot be collected has an outcome of its own, an error."""
        request = _Request(tree, part={"keep": [], "list": True})
        reader, finished = self._read_per_test(request, None)
        report = reader.report(tree, finished, finished.problem)
        listed = dict.fromkeys(reader.listed or (), Outcome.PASSED)
        complete = report.complete and reader.listed is not None
        return replace(report, outcomes={**listed, **report.outcomes}, complete=complete)

    def key(self, tree: str) -> str:
        """Return the key of a run of the whole suite on this tree: a digest of everything that its outcomes depend on.

        Two machines with the same tree, Python version, packages, settings and version of whet have the same key.
        """
        tests = self.policy.tests.model_dump(mode="json", exclude={"at_once"})
        limits = self.policy.sandbox.model_dump(mode="json")
        packages = environment_digest(self.interpreter.imported)
        extra_files = {path: hashlib.sha256(data).hexdigest() for path, data in self.extra_files.items()}
        facts = [tree, self.interpreter.version, packages, tests, limits, _scripts_digest(), extra_files]
        return digest([*facts, self.folder] if self.folder else facts)

    def _cached(self, tree: str) -> SuiteReport | None:
        key = self.key(tree)
        report = self.cache.get(key)
        if report and report.complete and report.tree == tree:
            if self.base_file:
                self.base_file.write(key, report)
            return report
        return self.base_file.read(key, tree) if self.base_file else None

    def job(self, tree: str, argv: Sequence[str], wall_seconds: float, overlay: Overlay = NO_OVERLAY) -> Job:
        """Return the sandbox job that runs `argv` in a copy of the tree, under the limits of the policy."""
        limits = self.policy.sandbox
        tracked = self.git.files(tree)
        extra_files = {path: data for path, data in self.extra_files.items() if path not in tracked}
        return Job(
            argv=tuple(argv),
            tree=self.git.tar(tree, {**extra_files, **overlay}),
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
            env={"PATH": f"{Path(self.interpreter.path).parent}:/usr/local/bin:/usr/bin:/bin", **self.env},
        )

    def real_ids(self, tree: str, tests: Sequence[str]) -> list[str]:
        """Return the ids that the test runner knows. If secrets are redacted in some that no run of this process has
        shown yet, run the suite first."""
        if not all(map(self.shown_ids.knows, tests)):
            self._run_per_test(_Request(tree), None)
        return list(map(self.shown_ids.real, tests))

    def run_settings(self) -> dict[str, object]:
        """Return the settings that must be equal on another machine for its outcomes to be comparable."""
        return {"python": self.interpreter.version, "tests": self.policy.tests.model_dump(mode="json")}

    def _run(self, request: "_Request", on_progress: OnProgress | None) -> SuiteReport:
        self.count_runs(request.part is None or "keep" not in request.part)  # the parts of a run count once
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
        reader, finished = self._read_per_test(request, on_progress)
        return reader.report(request.tree, finished, finished.problem)

    def _read_per_test(self, request: "_Request", on_progress: OnProgress | None) -> tuple[ResultReader, Finished]:
        """Run pytest or unittest by the script inside that reports every test id."""
        policy = self.policy.tests
        if policy.runner == "pytest" and not self.interpreter.has_pytest:
            raise InterpreterMissing(
                f"{self.interpreter.path} has no pytest",
                "install pytest there, or set `interpreter` in the package's [[project]] table"
                if self.package
                else "install pytest there, or set `target.interpreter` or `tests.runner` in whet.toml",
            )
        ids = self.real_ids(request.tree, request.ids)
        question = {
            "args": policy.args, "ids": ids or policy.folders, "planted": request.planted, "part": request.part,
        }  # fmt: skip
        argv = (self.interpreter.path, f"{INSIDE_AT}/run_{policy.runner}.py", "{results}")
        reader = ResultReader(on_progress, policy.runner, self.shown_ids)
        job = self.job(request.tree, argv, policy.timeout_seconds, request.overlay)
        return reader, self._finish(job, reader.line, json.dumps(question).encode())

    def _finish(self, job: Job, on_line: Callable[[bytes], None] | None, standard_input: bytes = b"") -> Finished:
        finished = self.sandbox.run(replace(job, stdin=standard_input), on_line)
        self.containment = finished.containment
        if self.whole:
            self.whole.containment = finished.containment
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
    part: Part | None = None


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
    scripts = sorted(INSIDE.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in scripts)).hexdigest()
