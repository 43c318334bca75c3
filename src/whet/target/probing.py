"""Containment tested by trying to get out: every probe outside, where it must work, and inside, where it must not."""

import io
import json
import os
import select
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from whet.sandbox.bait import Bait
from whet.sandbox.probes import run as script
from whet.sandbox.probes.probe import PROBES, Probe
from whet.sandbox.process import end, spawn
from whet.sandbox.sandbox import MEGABYTE, Finished, Job, Limits, Sandbox
from whet.target import interpreter

_MODULE = script.__name__
_SCRIPTS = Path(script.__file__).parent
_OUTSIDE_SECONDS = 90.0
_SMALL = Limits(
    wall_seconds=8, cpu_seconds=0.4, memory_bytes=80 * MEGABYTE, processes=24, files=250,
    file_bytes=4 * MEGABYTE, tree_bytes=12 * MEGABYTE, output_bytes=MEGABYTE, line_bytes=MEGABYTE,
)  # fmt: skip
_SHORT = Limits(wall_seconds=0.7)


class ProbeOutcome(StrEnum):
    HELD = "held"
    GOT_OUT = "got out"
    NOT_TRIED = "not tried"


@dataclass(frozen=True)
class Probed:
    """`said` is what the probe met inside, or why it shows nothing here."""

    family: str
    name: str
    outcome: ProbeOutcome
    said: str

    @property
    def id(self) -> str:
        return f"{self.family}: {self.name}"


def probe(
    sandbox: Sandbox, wanted: Iterable[str] | None = None, watch: Callable[[Probed], None] | None = None
) -> list[Probed]:
    """Try these probes, or all. One that does not work outside shows nothing, and is never said to be held."""
    chosen = [PROBES[name] for name in (PROBES if wanted is None else wanted)]
    found = []
    with tempfile.TemporaryDirectory(prefix="whet-probe-") as folder, Bait(Path(folder)) as bait:
        prober = _Prober(sandbox, bait)
        for tried in prober.probe(chosen):
            found.append(tried)
            if watch:
                watch(tried)
    return found


class _Prober:
    def __init__(self, sandbox: Sandbox, bait: Bait) -> None:
        self._sandbox = sandbox
        self._bait = bait
        self._tree = _tree()
        root = bait.facts["repository"]
        self._readable = interpreter.probe(Path(sys.executable), Path(root)).readable

    def probe(self, chosen: Sequence[Probe]) -> Iterable[Probed]:
        works = self._outside(chosen)
        for one in chosen:
            if not works.get(one.id, (False, "no answer"))[0]:
                yield Probed(
                    one.family, one.name, ProbeOutcome.NOT_TRIED, f"outside: {works.get(one.id, ('', '?'))[1]}"
                )
        able = [one for one in chosen if works.get(one.id, (False, ""))[0]]
        with self._bait.in_our_environment():
            yield from self._together([one for one in able if not one.alone])
            for one in able:
                if one.alone:
                    yield self._alone(one)

    def _together(self, chosen: Sequence[Probe]) -> Iterable[Probed]:
        if not chosen:
            return
        finished, answers = self._inside(chosen, Limits(wall_seconds=120))
        for one in chosen:
            if one.id not in answers:
                said = f"no answer: {finished.stopped_by} {finished.output.strip()[-200:]} ({finished.exit_code})"
                yield Probed(one.family, one.name, ProbeOutcome.GOT_OUT, said)
            else:
                yield _judged(one, *answers[one.id])

    def _alone(self, one: Probe) -> Probed:
        """A limit that ends the run has held; so has an error that the probe itself met."""
        sleeps = "beyond its time" in one.name
        finished, answers = self._inside([one], _SHORT if sleeps else _SMALL)
        if one.survives:
            left = self._bait.left_behind()
            self._bait.end_what_was_left()
            return _judged(one, left, f"{len(left)} left" if left else "nothing is left")
        through, said = answers.get(one.id, (False, ""))
        if finished.stopped_by:
            return _judged(one, None, f"ended by the limit: {finished.stopped_by}")
        if not through and not said:
            said = f"ended with {finished.exit_code}: {finished.output.strip()[-200:]}"
        return _judged(one, through, said)

    def _inside(self, chosen: Sequence[Probe], limits: Limits) -> tuple[Finished, dict[str, tuple[bool, str]]]:
        root = self._bait.facts["repository"]
        given = {**self._bait.facts, "scratch": root, "look_seconds": 0.2, "ids": [one.id for one in chosen]}
        job = Job(
            argv=(sys.executable, "-B", "-m", _MODULE, "{results}"),
            tree=self._tree,
            root=root,
            limits=limits,
            readable=self._readable,
            stdin=json.dumps(given).encode(),
        )
        finished = self._sandbox.run(job)
        return finished, _answers(finished.lines)

    def _outside(self, chosen: Sequence[Probe]) -> dict[str, tuple[bool, str]]:
        """The same script on the host, as the user that runs whet."""
        place = self._bait.folder / "outside"
        for name, data in _scripts().items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(data)
        reader, writer = os.pipe()
        child = spawn(
            ["/bin/sh", "-c", 'cd "$1" && shift && exec "$@" >/dev/null 2>&1', "sh", str(place),
             sys.executable, "-B", "-m", _MODULE, str(writer)],
            env={"PATH": os.defpath, **self._bait.environment},
            descriptors=[writer, self._bait.descriptor],
        )  # fmt: skip
        os.close(writer)
        try:
            assert child.stdin is not None  # noqa: S101 - spawn always gives a pipe
            given = {**self._bait.facts, "look_seconds": 0.0, "ids": [one.id for one in chosen]}
            child.stdin.write(json.dumps(given).encode() + b"\n")
            child.stdin.flush()
            works = _answers(_read_lines(reader, len(chosen)))
        finally:
            os.close(reader)
            end(child)
        left = bool(self._bait.left_behind())
        self._bait.end_what_was_left()
        return {
            name: (through and (left or not PROBES[name].survives), said) for name, (through, said) in works.items()
        }


def _judged(one: Probe, through: object, said: str) -> Probed:
    return Probed(one.family, one.name, ProbeOutcome.GOT_OUT if through else ProbeOutcome.HELD, said)


def _answers(lines: Iterable[bytes]) -> dict[str, tuple[bool, str]]:
    """A line that a probe has spoilt is no answer."""
    found = {}
    for line in lines:
        try:
            answer = json.loads(line[line.rfind(b'{"probe"') :])
            found[str(answer["probe"])] = (bool(answer["through"]), str(answer["said"]))
        except (ValueError, KeyError, TypeError):
            continue
    return found


def _read_lines(reader: int, count: int) -> list[bytes]:
    """Until all have answered; a process that a probe left behind may hold the pipe open for longer."""
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
    """A package of the same name, without the rest of whet."""
    scripts = {f"whet/sandbox/probes/{path.name}": path.read_bytes() for path in sorted(_SCRIPTS.glob("*.py"))}
    return {"whet/__init__.py": b"", "whet/sandbox/__init__.py": b"", **scripts}


def _tree() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as out:
        for name, data in _scripts().items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            out.addfile(member, io.BytesIO(data))
    return stream.getvalue()
