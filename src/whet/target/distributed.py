"""Candidates tried here and by workers elsewhere, at the same time; what no worker answers is tried here."""

import json
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from types import TracebackType
from typing import Any, Protocol

from whet.domain.progress import Progress
from whet.target.warm_pool import Tried

_WORTH_SHARING = 2  # candidates for each that is tried at a time
_PATIENCE_SECONDS, _PATIENCE = 2.0, 3.0  # and times as long as our own share took
_WAITED, _SLOWER, _FASTER, _SLOWEST, _FASTEST = 1.25, 0.7, 1.2, 0.05, 4.0
_Version = Mapping[str, str]


class Crew(Protocol):
    """Workers that try batches. They are believed for the order of a search alone: the proof runs where whet runs."""

    def widths(self) -> list[int]: ...

    def put(self, batch: str) -> str: ...

    def answer(self, name: str, patience_seconds: float) -> str | None: ...

    def forget(self, names: list[str]) -> None: ...

    def close(self) -> None: ...


class Trier(Protocol):
    """What a search needs of `Warm`."""

    @property
    def width(self) -> int: ...

    def run(
        self,
        versions: Iterable[_Version],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        stop_early: bool,
        swift: bool = False,
    ) -> list[Tried]: ...

    def observe(
        self, versions: Iterable[tuple[_Version, str, str]], tests: Sequence[str], timeout_seconds: float
    ) -> list[Tried]: ...


class Spread(AbstractContextManager["Spread"]):
    """`Warm`, with a crew. `ground` is what a worker needs to stand where we stand: the commit, the files over it, and
    how tests are run. A worker that sees something else in the unchanged code than we do is not asked again."""

    def __init__(self, warm: Trier, crew: Crew, ground: Mapping[str, Any], progress: Progress) -> None:
        self._warm, self._crew, self._ground, self._progress = warm, crew, ground, progress
        self._bases: dict[tuple[str, ...], dict[str, str]] = {}
        self._trusted, self._pace = True, 1.0

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._crew.close()

    @property
    def width(self) -> int:
        return self._warm.width + sum(self._elsewhere)

    @property
    def _elsewhere(self) -> list[int]:
        return self._crew.widths() if self._trusted else []

    def observe(
        self, versions: Iterable[tuple[_Version, str, str]], tests: Sequence[str], timeout_seconds: float
    ) -> list[Tried]:
        return self._warm.observe(versions, tests, timeout_seconds)

    def run(
        self,
        versions: Iterable[_Version],
        tests: Sequence[str],
        timeout_seconds: float,
        *,
        stop_early: bool,
        swift: bool = False,
    ) -> list[Tried]:
        """The outcomes in the order of the versions, whoever found them."""

        def here(some: Iterable[_Version]) -> list[Tried]:
            return self._warm.run(some, tests, timeout_seconds, stop_early=stop_early, swift=swift)

        crew = self._elsewhere if stop_early else []
        if not crew:
            return here(versions)
        known, elsewhere = list(versions), sum(crew)
        if len(known) < _WORTH_SHARING * (elsewhere + self._warm.width):
            return here(known)
        given = int(len(known) * self._pace * elsewhere / (self._pace * elsewhere + self._warm.width))
        batches = _parts(known[:given], len(crew))
        asked = {**self._ground, "tests": list(tests), "timeout_seconds": timeout_seconds, "swift": swift}
        base = self._base(tests, timeout_seconds)
        names = [self._crew.put(json.dumps({**asked, "versions": [dict(one) for one in batch]})) for batch in batches]
        began = time.monotonic()
        ours = here(known[given:])
        answers = self._answers(names, began)
        theirs = [self._read(told, len(batch), base) for told, batch in zip(answers, batches, strict=True)]
        found = [here(batch) if tried is None else tried for tried, batch in zip(theirs, batches, strict=True)]
        return [*chain.from_iterable(found), *ours]

    def _answers(self, names: Sequence[str], began: float) -> list[str | None]:
        """What the workers say in the time that they have left, now that our own share is done."""
        took = time.monotonic() - began
        until = began + took + _PATIENCE_SECONDS + _PATIENCE * took
        told = [self._crew.answer(name, until - time.monotonic()) if name else None for name in names]
        self._crew.forget([name for name in names if name])
        self._keep_pace(took, time.monotonic() - began)
        return told

    def _keep_pace(self, ours: float, both: float) -> None:
        """Workers that we waited for get less next time, those that were done before us get more."""
        factor = _SLOWER if both > _WAITED * ours else _FASTER
        self._pace = min(max(self._pace * factor, _SLOWEST), _FASTEST)

    def _base(self, tests: Sequence[str], timeout_seconds: float) -> dict[str, str]:
        if tuple(tests) not in self._bases:
            tried = self._warm.run([{}], tests, timeout_seconds, stop_early=True)[0]
            self._bases[tuple(tests)] = tried.outcomes
        return self._bases[tuple(tests)]

    def _read(self, told: str | None, count: int, base: Mapping[str, str]) -> list[Tried] | None:
        """What a worker said, if it can be what was asked for."""
        if told is None:
            return None
        try:
            said = json.loads(told)
            if "refused" in said:
                return self._distrusted(str(said["refused"]))
            if said["base"] != base:
                return self._distrusted("the unchanged code does something else there")
            tried = [_tried(one) for one in said["tried"]]
        except (ValueError, KeyError, TypeError):
            return self._distrusted("its answer cannot be read")
        return tried if len(tried) == count else self._distrusted("it did not answer what it was asked")

    def _distrusted(self, why: str) -> list[Tried] | None:
        self._trusted = False
        self._progress.note(f"the search goes on without workers: {why}")
        return None


def _parts(versions: Sequence[_Version], count: int) -> list[Sequence[_Version]]:
    """As many stretches as there are workers, as even as can be, none of them empty."""
    size = max(1, math.ceil(len(versions) / count))
    return [versions[start : start + size] for start in range(0, len(versions), size)]


def _tried(one: Mapping[str, Any]) -> Tried:
    outcomes = {str(test): str(outcome) for test, outcome in one["outcomes"].items()}
    seconds = float(one["seconds"])
    return Tried(outcomes, seconds if math.isfinite(seconds) else 0.0, one["timed_out"] is True)
