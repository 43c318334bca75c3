"""`ToolFacts`: what the drainer needs to know of an implementation, computed once at its first call."""

from __future__ import annotations

import json
import time

from whet.runtime.capture.encode import Encoder
from whet.runtime.capture.redact import answers_secret, is_secret_name
from whet.runtime.capture.signature import project_of
from whet.runtime.capture.values import capture, capture_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from whet.runtime.case import Case
    from whet.runtime.implementation import Implementation


class ToolFacts:
    """The database key and description of an implementation, its project folder and its secret arguments."""

    def __init__(self, implementation: Implementation, redact: frozenset[str]) -> None:
        tool = implementation.tool
        source = tool.source
        self.key = (tool.name, implementation.version or source.version)
        self.idle = 0
        """Rounds of the drainer without a call."""
        self.kept = 0
        """Calls captured since the last round."""
        self.project = project_of(source.file)
        self.answers_secret = answers_secret(tool.name)
        self.secret_positions = frozenset(
            at for at, name in enumerate(_positional(implementation.function)) if is_secret_name(name, redact)
        )
        characteristics = tool.characteristics
        self.description: tuple[Any, ...] = (
            source.module,
            source.qualname,
            source.file,
            tool.kind,
            json.dumps(
                {name: getattr(characteristics, name) for name in characteristics.__slots__}
                | {"cases": _encode_cases(characteristics.cases, redact)},
                default=str,
            ),
            time.time_ns() // 1000,
        )


def _encode_cases(cases: Sequence[Case], redact: frozenset[str]) -> list[dict[str, Any]]:
    """Encode the cases like captured calls; leave out a case that could not be restored exactly."""
    encoder, encoded = Encoder(redact), []
    for case in cases:
        args, kwargs, _, _ = capture(*case.arguments())
        inputs = json.loads(encoder.inputs(args, kwargs, frozenset()))
        faithful = encoder.faithful
        expectation = (
            {"error": case.error}
            if case.error
            else {"expected": json.loads(encoder.output(capture_one(case.expected)[0]))}
        )
        if faithful and encoder.faithful:
            encoded.append({"args": inputs[0], "kwargs": inputs[1], **expectation, "description": case.description})
    return encoded


def _positional(function: Any) -> tuple[str, ...]:
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    return () if code is None else code.co_varnames[: code.co_argcount]
