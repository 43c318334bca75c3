"""Check the containment by trying to get out.

Every probe runs twice: on the host, where it must succeed, and inside the sandbox, where it must fail.
"""

import io
import json
import os
import select
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from whet.sandbox.probes import run as script
from whet.sandbox.probes.bait import Bait
from whet.sandbox.probes.probe import PROBES, EscapeProbe
from whet.sandbox.process import end, spawn
from whet.sandbox.sandbox import MEGABYTE, Finished, Job, JobLimits, Sandbox

_MODULE = script.__name__
_FOLDER = Path(script.__file__).parent
_HOST_ONLY = "bait.py"  # the one module of the folder that needs the rest of whet
_OUTSIDE_SECONDS = 90.0
_ALL_PROBES = JobLimits(wall_seconds=120)
# Smaller than the amounts that the probes in probes/resources.py take.
_SMALL = JobLimits(
    wall_seconds=8, cpu_seconds=0.4, memory_bytes=80 * MEGABYTE, processes=24, files=250,
    file_bytes=4 * MEGABYTE, tree_bytes=12 * MEGABYTE, output_bytes=MEGABYTE, line_bytes=MEGABYTE,
)  # fmt: skip
_SHORT = JobLimits(wall_seconds=0.7)
# The watchdog looks every few milliseconds, and on a machine with much other work sometimes only after a second.
_LOOK_SECONDS = 2.0


class ProbeOutcome(StrEnum):
    HELD = "held"
    GOT_OUT = "got out"
    NOT_TRIED = "not tried"


@dataclass(frozen=True)
class ProbeResult:
    """The outcome of one probe. `detail` is its answer or error inside, or why it does not work on this host."""

    family: str
    name: str
    outcome: ProbeOutcome
    detail: str

    @property
    def id(self) -> str:
        return f"{self.family}: {self.name}"


@dataclass(frozen=True)
class _Answer:
    """A probe's own report: whether it got through, and its result or error as text."""

    through: bool
    detail: str


def check_escapes(
    sandbox: Sandbox,
    readable: Sequence[str],
    ids: Iterable[str] | None = None,
    on_result: Callable[[ProbeResult], None] | None = None,
) -> list[ProbeResult]:
    """Run these probes, or all, and return their results.

    `readable` are the host paths that the running interpreter needs inside. A probe that fails on the host proves
    nothing and is reported as not tried, never as held.
    """
    chosen = [PROBES[name] for name in (PROBES if ids is None else ids)]
    results = []
    with tempfile.TemporaryDirectory(prefix="whet-probe-") as folder, Bait(Path(folder)) as bait:
        for result in _EscapeCheck(sandbox, readable, bait).results(chosen):
            results.append(result)
            if on_result:
                on_result(result)
    return results


class _EscapeCheck:
    def __init__(self, sandbox: Sandbox, readable: Sequence[str], bait: Bait) -> None:
        self._sandbox = sandbox
        self._readable = tuple(readable)
        self._bait = bait
        self._tree = _tree()

    def results(self, chosen: Sequence[EscapeProbe]) -> Iterable[ProbeResult]:
        outside = self._run_outside(chosen)
        working = []
        for probe in chosen:
            answer = outside.get(probe.id, _Answer(through=False, detail="?"))
            if answer.through:
                working.append(probe)
            else:
                detail = f"outside: {answer.detail}"
                yield ProbeResult(probe.family, probe.name, ProbeOutcome.NOT_TRIED, detail)
        with self._bait.in_our_environment():
            yield from self._check_together([probe for probe in working if not probe.alone])
            for probe in working:
                if probe.alone:
                    yield self._check_alone(probe)

    def _check_together(self, chosen: Sequence[EscapeProbe]) -> Iterable[ProbeResult]:
        """Run all probes in one sandbox; a probe without an answer counts as escaped."""
        if not chosen:
            return
        finished, answers = self._run_inside(chosen, _ALL_PROBES)
        for probe in chosen:
            if probe.id in answers:
                yield _result(probe, answers[probe.id])
            else:
                output = finished.output.strip()[-200:]
                detail = f"no answer: {finished.stopped_by} {output} ({finished.exit_code})"
                yield _result(probe, _Answer(through=True, detail=detail))

    def _check_alone(self, probe: EscapeProbe) -> ProbeResult:
        """Run one probe in a sandbox of its own; it is held if a limit ended the run or the probe met an error."""
        sleeps = "beyond its time" in probe.name
        finished, answers = self._run_inside([probe], _SHORT if sleeps else _SMALL)
        if probe.survives:
            left = self._bait.left_behind()
            self._bait.kill_left_behind()
            return _result(probe, _Answer(bool(left), f"{len(left)} left" if left else "nothing is left"))
        if finished.stopped_by:
            return _result(probe, _Answer(through=False, detail=f"ended by the limit: {finished.stopped_by}"))
        answer = answers.get(probe.id, _Answer(through=False, detail=""))
        if not answer.through and not answer.detail:
            detail = f"ended with {finished.exit_code}: {finished.output.strip()[-200:]}"
            return _result(probe, _Answer(through=False, detail=detail))
        return _result(probe, answer)

    def _run_inside(self, chosen: Sequence[EscapeProbe], limits: JobLimits) -> tuple[Finished, dict[str, _Answer]]:
        root = self._bait.facts["repository"]
        request = {
            **self._bait.facts,
            "scratch": root,
            "look_seconds": _LOOK_SECONDS,
            "ids": [probe.id for probe in chosen],
        }
        job = Job(
            argv=(sys.executable, "-B", "-m", _MODULE, "{results}"),
            tree=self._tree,
            root=root,
            limits=limits,
            readable=self._readable,
            stdin=json.dumps(request).encode(),
        )
        finished = self._sandbox.run(job)
        return finished, _answers(finished.lines)

    def _run_outside(self, chosen: Sequence[EscapeProbe]) -> dict[str, _Answer]:
        """Run the same script on the host, as the user that runs whet."""
        folder = self._bait.folder / "outside"
        for name, data in _scripts().items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        reader, writer = os.pipe()
        child = spawn(
            ["/bin/sh", "-c", 'cd "$1" && shift && exec "$@" >/dev/null 2>&1', "sh", str(folder),
             sys.executable, "-B", "-m", _MODULE, str(writer)],
            env={"PATH": os.defpath, **self._bait.environment},
            descriptors=[writer, self._bait.descriptor],
        )  # fmt: skip
        os.close(writer)
        try:
            assert child.stdin is not None  # noqa: S101 - spawn always gives a pipe
            request = {**self._bait.facts, "look_seconds": 0.0, "ids": [probe.id for probe in chosen]}
            child.stdin.write(json.dumps(request).encode() + b"\n")
            child.stdin.flush()
            answers = _answers(_read_lines(reader, len(chosen)))
        finally:
            os.close(reader)
            end(child)
        return self._confirm_survivors(answers)

    def _confirm_survivors(self, answers: Mapping[str, _Answer]) -> dict[str, _Answer]:
        """Count a probe that leaves processes behind as working only if one of them is still alive."""
        left = bool(self._bait.left_behind())
        self._bait.kill_left_behind()
        return {
            name: _Answer(answer.through and (left or not PROBES[name].survives), answer.detail)
            for name, answer in answers.items()
        }


def _result(probe: EscapeProbe, answer: _Answer) -> ProbeResult:
    outcome = ProbeOutcome.GOT_OUT if answer.through else ProbeOutcome.HELD
    return ProbeResult(probe.family, probe.name, outcome, answer.detail)


def _answers(lines: Iterable[bytes]) -> dict[str, _Answer]:
    """Parse the probes' answers by probe id; skip lines that are not JSON, since a probe can write there too."""
    answers = {}
    for line in lines:
        try:
            answer = json.loads(line[line.rfind(b'{"probe"') :])
            answers[str(answer["probe"])] = _Answer(bool(answer["through"]), str(answer["detail"]))
        except (ValueError, KeyError, TypeError):
            continue
    return answers


def _read_lines(reader: int, count: int) -> list[bytes]:
    """Read until all probes have answered; a process that a probe left behind can hold the pipe open for longer."""
    until = time.monotonic() + _OUTSIDE_SECONDS
    text = b""
    while text.count(b'{"probe"') < count and (left := until - time.monotonic()) > 0:
        if select.select([reader], [], [], left)[0]:
            chunk = os.read(reader, 1 << 16)
            if not chunk:
                break
            text += chunk
    return text.split(b"\n")


def _scripts() -> dict[str, bytes]:
    """Return the probes as a package of the same name, without the rest of whet."""
    scripts = {
        f"whet/sandbox/probes/{path.name}": path.read_bytes()
        for path in sorted(_FOLDER.glob("*.py"))
        if path.name != _HOST_ONLY
    }
    return {"whet/__init__.py": b"", "whet/sandbox/__init__.py": b"", **scripts}


def _tree() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as out:
        for name, data in _scripts().items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            out.addfile(member, io.BytesIO(data))
    return stream.getvalue()
