"""The target's own test suite, run in the sandbox, with an outcome for every test id."""

import hashlib
import json
import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from whet.config import Config, TestsPolicy
from whet.domain.canonical import digest
from whet.domain.containment import Containment
from whet.domain.suite import Failure, Outcome, SuiteReport
from whet.errors import InterpreterMissing, UsageError
from whet.git.git import Git
from whet.sandbox.bubblewrap import INSIDE_AT
from whet.sandbox.mounts import INSIDE
from whet.sandbox.sandbox import MEGABYTE, Finished, Job, Limits, Sandbox
from whet.target.interpreter import Interpreter

Watch = Callable[[int, int], None]
Over = Mapping[str, bytes | None]
_INTERNAL = "INTERNALERROR>"
_USAGE_ERROR = ": error: "
_NOT_OURS = "the result stream was not what the reporter writes"


@dataclass
class Suite:
    """Runs a tree's tests; `cache` lets a base that was just run be shared by the phases of one cycle."""

    git: Git
    sandbox: Sandbox
    interpreter: Interpreter
    policy: Config
    carried: Mapping[str, bytes] = field(default_factory=dict)
    cache: MutableMapping[str, SuiteReport] = field(default_factory=dict)
    runs: int = 0
    containment: Containment | None = None
    latest: SuiteReport | None = None  # of the whole suite
    _ahead: "_Ahead | None" = None

    def look_ahead(self, tree: str) -> None:
        """Begin a run of the whole suite; the next call that asks for it gets this one."""
        self._ahead = _Ahead(tree, self)

    def run(
        self,
        tree: str,
        ids: Sequence[str] = (),
        *,
        over: Over = MappingProxyType({}),
        planted: Sequence[str] = (),
        fresh: bool = True,
        watch: Watch | None = None,
    ) -> SuiteReport:
        """One run of the whole suite, or of these ids; `fresh=False` accepts a recorded run of the same tree.

        `over` are files laid over the tree (None leaves one out), `planted` test files that are run as well, wherever
        the suite's settings look for tests.
        """
        key = self._key(tree)
        if not fresh and not ids and not over and (known := self.cache.get(key)):
            return known
        ahead, self._ahead = self._ahead, None
        if ahead and ahead.tree == tree and not ids and not over:
            report = ahead.report(watch)
        else:
            report = self._run(_Asked(tree, tuple(ids), over, tuple(planted)), watch)
        if not ids and not over:
            self.latest = report
            if report.complete:
                self.cache[key] = report
        return report

    def job(self, tree: str, argv: Sequence[str], wall_seconds: float, over: Over = MappingProxyType({})) -> Job:
        """A command of the target's interpreter over a tree, contained as the policy says."""
        limits = self.policy.sandbox
        carried = {path: data for path, data in self.carried.items() if path not in self.git.files(tree)}
        return Job(
            argv=tuple(argv),
            tree=self.git.tar(tree, {**carried, **over}),
            root=str(self.git.root),
            limits=Limits(
                wall_seconds=wall_seconds,
                memory_bytes=limits.memory_mb * MEGABYTE,
                processes=limits.processes,
                file_bytes=limits.file_size_mb * MEGABYTE,
                tree_bytes=limits.tree_size_mb * MEGABYTE,
                output_bytes=limits.output_mb * MEGABYTE,
            ),
            readable=self.interpreter.readable,
            env={"PATH": f"{Path(self.interpreter.path).parent}:/usr/local/bin:/usr/bin:/bin"},
        )

    def how(self) -> dict[str, object]:
        """What must be the same elsewhere for outcomes there to mean what they mean here."""
        return {"python": self.interpreter.version, "tests": self.policy.tests.model_dump(mode="json")}

    def _key(self, tree: str) -> str:
        stamps = [_stamp(Path(folder)) for folder in self.interpreter.readable]
        asked = [tree, self.interpreter.path, self.interpreter.version, self.policy.tests.model_dump(), stamps]
        return digest([*asked, _reporter()])

    def _run(self, asked: "_Asked", watch: Watch | None) -> SuiteReport:
        self.runs += 1
        runner = self.policy.tests.runner
        if runner == "pytest":
            return self._pytest(asked, watch)
        if runner == "junit":
            return self._junit(asked)
        if runner == "exit":
            return self._exit(asked)
        return SuiteReport(
            tree=asked.tree, outcomes={}, seconds=0.0, complete=True, problem="no test runner is configured"
        )

    def _pytest(self, asked: "_Asked", watch: Watch | None) -> SuiteReport:
        policy = self.policy.tests
        if not self.interpreter.has_pytest:
            raise InterpreterMissing(
                f"{self.interpreter.path} has no pytest",
                "install pytest there, or set `target.interpreter` or `tests.runner` in whet.toml",
            )
        request = {"args": policy.args, "ids": asked.ids or policy.folders, "planted": asked.planted}
        argv = (self.interpreter.path, f"{INSIDE_AT}/run_pytest.py", "{results}")
        reader = _Reader(watch)
        job = self.job(asked.tree, argv, policy.timeout_seconds, asked.over)
        finished = self._finish(job, reader.line, json.dumps(request).encode())
        return reader.report(asked.tree, finished, finished.problem)

    def _finish(self, job: Job, on_line: Callable[[bytes], None] | None, given: bytes = b"") -> Finished:
        finished = self.sandbox.run(replace(job, given=given), on_line)
        self.containment = finished.containment
        return finished

    def _junit(self, asked: "_Asked") -> SuiteReport:
        tree, policy = asked.tree, self.policy.tests
        script = 'out=$1 file=$2; shift 2; "$@" </dev/null; code=$?; cat "$file" >&"$out"; exit $code'
        argv = ("bash", "-c", script, "bash", "{results}", policy.junit_path, *_command(policy))
        finished = self._finish(self.job(tree, argv, policy.timeout_seconds, asked.over), None)
        text = b"\n".join(finished.lines)
        problem = finished.problem or ("" if text else f"the command wrote no {policy.junit_path}")
        outcomes = {} if problem else read_junit(text)
        problem = problem or ("" if outcomes else f"{policy.junit_path} names no test case")
        return SuiteReport(
            tree=tree,
            outcomes=outcomes,
            seconds=finished.seconds,
            complete=not problem,
            problem=problem,
            exit_code=finished.exit_code,
        )

    def _exit(self, asked: "_Asked") -> SuiteReport:
        tree, policy = asked.tree, self.policy.tests
        finished = self._finish(self.job(tree, _command(policy), policy.timeout_seconds, asked.over), None)
        return SuiteReport(
            tree=tree,
            outcomes={},
            seconds=finished.seconds,
            complete=not finished.stopped_by,
            problem=finished.problem,
            exit_code=finished.exit_code,
            exit_only=True,
        )


@dataclass(frozen=True)
class _Asked:
    tree: str
    ids: tuple[str, ...] = ()
    over: Over = field(default_factory=dict)
    planted: tuple[str, ...] = ()


class _Ahead:
    """A run of the suite that is under way before anyone has asked for it."""

    def __init__(self, tree: str, suite: Suite) -> None:
        self.tree = tree
        self._watch: Watch | None = None
        self._done: Future[SuiteReport] = Future()
        threading.Thread(target=self._go, args=(suite,), daemon=True).start()

    def report(self, watch: Watch | None) -> SuiteReport:
        self._watch = watch
        return self._done.result()

    def _go(self, suite: Suite) -> None:
        try:
            self._done.set_result(suite._run(_Asked(self.tree), self._seen))
        except BaseException as problem:  # noqa: BLE001 - for the one who asks
            self._done.set_exception(problem)

    def _seen(self, done: int, total: int) -> None:
        if self._watch:
            self._watch(done, total)


class _Reader:
    """Result lines into outcomes. A duplicate or a missing end record makes the run incomplete, never a pass."""

    def __init__(self, watch: Watch | None) -> None:
        self._watch = watch
        self._total = self._collecting = 0
        self._running = ""
        self._ended: int | None = None
        self._broken = ""
        self.outcomes: dict[str, Outcome] = {}
        self.failures: dict[str, Failure] = {}
        self.looks: dict[str, str] = {}

    def line(self, line: bytes) -> None:
        """Nothing is believed after the first line that the reporter would not have written."""
        if self._broken:
            return
        try:
            self._take(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._broken = _NOT_OURS

    def _take(self, event: dict[str, object]) -> None:
        if self._ended is not None:
            raise ValueError("nothing comes after the end")
        match event["event"]:
            case "collected":
                self._total = int(str(event["count"]))
            case "start":
                self._running = str(event["test"])
            case "end":
                self._ended = int(str(event["code"]))
                self.looks = _digests(event.get("looks", {}))
            case "outcome":
                self._outcome(str(event["test"]), event)
            case _:
                raise ValueError("no such event")

    def _outcome(self, test: str, event: dict[str, object]) -> None:
        if test in self.outcomes:
            self._broken = f"{test} was reported twice"
            return
        self._running = ""
        self._collecting += event.get("collecting") is True
        self.outcomes[test] = Outcome(str(event["outcome"]))
        if isinstance(failure := event.get("failure"), dict) and self.outcomes[test].red:
            self.failures[test] = _failure(failure)
        if self._watch:
            self._watch(len(self.outcomes), max(self._total, len(self.outcomes)))

    def report(self, tree: str, finished: Finished, problem: str) -> SuiteReport:
        if not problem and self._ended is None:
            problem = "ended before its end record" + (f", in {self._running}" if self._running else "")
            problem += f": {finished.output.strip()[-600:]}" if finished.output.strip() else ""
        elif problem and self._running:
            problem += f" (it was in {self._running})"
        if not problem and self._ended not in (0, 1):
            problem = _pytest_problem(self._ended, finished.output, self.outcomes)
        problem = problem or self._broken or self._uneven(finished)
        return SuiteReport(
            tree=tree,
            outcomes=self.outcomes,
            seconds=finished.seconds,
            complete=not problem,
            problem=problem,
            exit_code=finished.exit_code,
            failures=self.failures,
            looks=self.looks,
        )

    def _uneven(self, finished: Finished) -> str:
        """What was collected, what was reported and how the process ended must fit together."""
        if finished.exit_code != self._ended:
            return f"said that it ended with {self._ended}, and ended with {finished.exit_code}"
        if (reported := len(self.outcomes) - self._collecting) != self._total:
            return f"collected {self._total} tests and reported {reported}"
        if self._ended == 0 and any(outcome.red for outcome in self.outcomes.values()):
            return "ended as if nothing had failed, and reported a failure"
        if self._ended == 1 and not any(outcome.red for outcome in self.outcomes.values()):
            return "ended as if something had failed, and reported no failure"
        return ""


def _pytest_problem(code: int | None, output: str, outcomes: Mapping[str, Outcome]) -> str:
    if code == 5:
        return ""  # no tests were collected: a complete run of nothing
    if code == 2 and outcomes:
        return ""  # some modules did not collect; they are reported as errors of their own
    lines = output.strip().splitlines() or [f"exit code {code}"]
    inner = [line.removeprefix(_INTERNAL).strip() for line in lines if line.startswith(_INTERNAL)]
    usage = [line for line in lines if _USAGE_ERROR in line]  # what follows it is where, not why
    return f"could not be run by pytest: {(inner or usage or lines)[-1]}"


def _digests(raw: object) -> dict[str, str]:
    if not isinstance(raw, dict):
        raise TypeError("how things look is told by name")
    return {str(name): str(digest) for name, digest in raw.items()}


def _failure(raw: Mapping[str, object]) -> Failure:
    frames, compared = raw["frames"], raw.get("compared") or []
    if not isinstance(frames, list) or not isinstance(compared, list):
        raise TypeError("frames and what was compared are lists")
    return Failure(
        exception=str(raw["exception"]),
        message=str(raw["message"]),
        frames=tuple((str(path), int(line), str(name)) for path, line, name in frames),
        text=str(raw["text"]),
        compared=tuple(map(str, compared[:2])),
    )


def _command(policy: TestsPolicy) -> tuple[str, ...]:
    if not policy.command:
        raise UsageError(f"tests.runner = {policy.runner!r} needs tests.command in whet.toml")
    return policy.command


@cache
def _reporter() -> str:
    """Another reporter may say something else of the same tree."""
    return hashlib.sha256((INSIDE / "run_pytest.py").read_bytes()).hexdigest()


def _stamp(folder: Path) -> str:
    packages = [folder, *folder.glob("lib/python*/site-packages")]
    return ",".join(str(path.stat().st_mtime_ns) for path in packages if path.exists())


class _NoDefinitions(ElementTree.TreeBuilder):
    """Without a document type there are no entities that could grow. The parser says whether there is one: a search
    for the words would overlook those of another encoding."""

    def doctype(self, *_: object) -> None:
        raise ValueError("a document type")


def read_junit(text: bytes) -> dict[str, Outcome]:
    """Outcomes from JUnit XML of any runner; a document with a DTD is not believed, of a name given twice the worse counts."""
    try:
        root = ElementTree.fromstring(text, ElementTree.XMLParser(target=_NoDefinitions()))  # noqa: S314 - see there
    except (ElementTree.ParseError, ValueError):
        return {}
    outcomes: dict[str, Outcome] = {}
    for case in root.iter("testcase"):
        name = f"{case.get('classname', '')}::{case.get('name', '')}"
        outcome = _junit_outcome(case)
        outcomes[name] = outcome if name not in outcomes or outcome.red else outcomes[name]
    return outcomes


def _junit_outcome(case: "ElementTree.Element") -> Outcome:
    for tag, outcome in (("failure", Outcome.FAILED), ("error", Outcome.ERROR), ("skipped", Outcome.SKIPPED)):
        if case.find(tag) is not None:
            return outcome
    return Outcome.PASSED
