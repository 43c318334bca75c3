"""Run tests in the sandbox and ask the functions that they call for other inputs, in forks of the running test."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from whet.sandbox.bubblewrap import INSIDE_AT
from whet.target.suite import Overlay, Suite

SECONDS = 5.0  # of processor time, in forks
_WALL_SECONDS, _MORE_SECONDS = 120.0, 20.0  # only a busy machine needs so long


@dataclass(frozen=True)
class WatchedFunction:
    """A function whose calls are watched: its dotted name, and its first line with decorators in the tree that runs.

    `parameters` are those that the function has in both trees; only they are varied. A `stateful` function may remember
    calls where the base does not: more of its calls are repeated and asked after others.
    """

    path: str
    name: str
    line: int
    method: bool
    parameters: tuple[str, ...] = ()
    stateful: bool = False


@dataclass(frozen=True)
class CallAnswer:
    """The answer of one call: `kind` is `answer`, `raised`, `blocked` (it has an effect outside) or `slow`.

    `digest` identifies the structure of the result, or the type of the exception; `text` shows it, shortened. `plain` is
    false if the result holds instances of the project's classes. `state` has the plain attributes that the object of a
    method has after the call, each as (digest, short text).
    """

    kind: str
    digest: str = ""
    text: str = ""
    plain: bool = True
    effects: frozenset[str] = frozenset()
    state: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """True if the call came to its end within its limits."""
        return self.kind in ("answer", "raised")

    @property
    def answered(self) -> bool:
        return self.kind == "answer"

    @property
    def raised(self) -> bool:
        return self.kind == "raised"

    def same(self, other: "CallAnswer") -> bool:
        return (self.kind, self.digest) == (other.kind, other.digest)

    def different_attribute(self, other: "CallAnswer", among: Collection[str]) -> str:
        """Return the first of these attributes that the object has with another value after the other call."""
        common = (name for name in sorted(among) if name in self.state and name in other.state)
        return next((name for name in common if self.state[name][0] != other.state[name][0]), "")


SLOW = CallAnswer("slow")


@dataclass(frozen=True)
class VariedCall:
    """A call with varied arguments: the kind of variation, the call as text, its answer."""

    kind: str
    call: str
    answer: CallAnswer


@dataclass(frozen=True)
class AskedCall:
    """A call that a test made, and what the function answers to it and to its variations.

    `clean` and `again` are two answers from the same state. `repeated` is the number of equal answers in a row, `then` the
    first other one. `after` is the answer after `others` calls with other arguments. `fresh` are the answers of a process
    without a test runner: to the call itself, then to the first variations. `sequence` has the variations that are
    answered differently if they are all asked in one process; None if they were not. `sizes` are those of the object
    of a method before, after 10 and after `grown` calls. `length` is that of the longest collection among the arguments.
    """

    function: int
    test: str
    key: str
    call: str
    clean: CallAnswer
    again: CallAnswer
    varied: Mapping[int, VariedCall] = field(default_factory=dict)
    repeated: int = 0
    then: CallAnswer | None = None
    after: CallAnswer = SLOW
    others: int = 0
    fresh: tuple[CallAnswer, ...] = ()
    sequence: Mapping[int, CallAnswer] | None = None
    sizes: tuple[int, ...] = ()
    grown: int = 0
    length: int = 0

    @property
    def steady(self) -> bool:
        """True if the same call from the same state gives the same answer: no clock, no random numbers."""
        return self.clean.known and self.clean.same(self.again)


@dataclass(frozen=True)
class VariedRun:
    """The calls that one tree made, by function and arguments; `complete` is false if the run did not end."""

    calls: Mapping[tuple[int, str], AskedCall]
    complete: bool

    def of(self, functions: Sequence[int]) -> "VariedRun":
        """Return the calls of these functions, numbered by their place in `functions`."""
        calls = {
            (functions.index(number), key): replace(call, function=functions.index(number))
            for (number, key), call in self.calls.items()
            if number in functions
        }
        return replace(self, calls=calls)


def vary(
    suite: Suite,
    tree: str,
    functions: Sequence[WatchedFunction],
    tests: Sequence[str],
    words: Sequence[str | int],
    seed: str,
    overlay: Overlay = MappingProxyType({}),
    *,
    deep: bool = True,
) -> VariedRun:
    """Run the tests, in this order, and return the answers of the functions to varied arguments.

    The files of `overlay` replace those of the tree. Without `deep`, no call is repeated, asked after other calls or asked
    in a fresh process, which takes most of the time.
    """
    policy = suite.policy.tests
    request = {
        "runner": policy.runner,
        "args": policy.args,
        "tests": suite.real_ids(tree, tests),
        "functions": [vars(function) for function in functions],
        "words": list(words),
        "seed": seed,
        "deep": deep,
        "seconds": SECONDS,
        "wall_seconds": _WALL_SECONDS,
    }
    argv = (suite.interpreter.path, f"{INSIDE_AT}/varied/vary.py", "{results}")
    job = suite.job(tree, argv, _WALL_SECONDS + _MORE_SECONDS, overlay)
    job = replace(job, stdin=json.dumps(request).encode(), env={**job.env, "PYTHONHASHSEED": "0"})
    finished = suite.sandbox.run(job)
    calls = list(_calls(finished.lines, len(functions)))
    shown = suite.shown_ids.shown
    ended = any(line.strip() == b'{"end": true}' for line in finished.lines)
    return VariedRun({(call.function, call.key): replace(call, test=shown(call.test)) for call in calls}, ended)


def _calls(lines: Sequence[bytes], functions: int) -> Iterator[AskedCall]:
    """Yield the calls. Lines of another form are dropped: code under test can write to the same pipe."""
    for line in lines:
        try:
            event = json.loads(line)
            if "function" in event and 0 <= event["function"] < functions:
                yield _call(event)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            continue


def _call(event: Mapping[str, Any]) -> AskedCall:
    repeat, after = event.get("repeat") or {}, event.get("after") or {}
    growth, sequence = event.get("growth") or {}, event.get("sequence")
    varied = {
        int(item["index"]): VariedCall(str(item["kind"]), str(item["call"]), _answer(item["answer"]))
        for item in event["varied"]
    }
    return AskedCall(
        function=int(event["function"]),
        test=str(event["test"]),
        key=str(event["key"]),
        call=str(event["call"]),
        clean=_answer(event["clean"]),
        again=_answer(event["again"]),
        varied=varied,
        repeated=int(repeat.get("times", 0)),
        then=_answer(repeat["then"]) if repeat.get("then") else None,
        after=_answer(after) if after else SLOW,
        others=int(after.get("others", 0)),
        fresh=tuple(_answer(answer) for answer in event.get("fresh") or ()),
        sequence=None if sequence is None else {int(row["index"]): _answer(row["answer"]) for row in sequence},
        sizes=tuple(map(int, growth.get("sizes", ()))),
        grown=int(growth.get("others", 0)),
        length=int(event.get("length", 0)),
    )


def _answer(raw: Mapping[str, Any]) -> CallAnswer:
    return CallAnswer(
        kind=str(raw["kind"]),
        digest=str(raw.get("print", "")),
        text=str(raw.get("text", "")),
        plain=raw.get("plain", True) is True,
        effects=frozenset(map(str, raw.get("effects", ()))),
        state={str(name): (str(item[0]), str(item[1])) for name, item in (raw.get("state") or {}).items()},
    )
