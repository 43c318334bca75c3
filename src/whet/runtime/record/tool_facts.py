"""What the drainer knows of an implementation: found out once, when its first call comes through."""

from __future__ import annotations

import json
import time

from whet.runtime.record.capture import capture, capture_one
from whet.runtime.record.encode import Encoder
from whet.runtime.record.redact import is_secret_name
from whet.runtime.record.signature import project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from whet.runtime.case import Case
    from whet.runtime.implementation import Implementation


class Known:
    def __init__(self, implementation: Implementation, redact: frozenset[str]) -> None:
        tool = implementation.tool
        source = tool.source
        self.key = (tool.name, implementation.version or source.version)
        self.idle = 0
        self.kept = 0
        """Calls that were kept since they were last counted."""
        self.project = project_of(source.file)
        self.secret_positions = frozenset(
            at for at, name in enumerate(_positional(implementation.function)) if is_secret_name(name, redact)
        )
        told = tool.characteristics
        self.described: tuple[Any, ...] = (
            source.module,
            source.qualname,
            source.file,
            tool.kind,
            json.dumps(
                {name: getattr(told, name) for name in told.__slots__} | {"cases": _cases(told.cases, redact)},
                default=str,
            ),
            time.time_ns() // 1000,
        )


def _cases(cases: Sequence[Case], redact: frozenset[str]) -> list[dict[str, Any]]:
    """The cases as recorded calls are; one that cannot be given back as it is is left out."""
    encoder, told = Encoder(redact), []
    for case in cases:
        args, kwargs, _, _ = capture(*case.arguments())
        inputs = json.loads(encoder.inputs(args, kwargs, frozenset()))
        faithful = encoder.faithful
        wanted = (
            {"error": case.error}
            if case.error
            else {"expected": json.loads(encoder.output(capture_one(case.expected)[0]))}
        )
        if faithful and encoder.faithful:
            told.append({"args": inputs[0], "kwargs": inputs[1], **wanted, "description": case.description})
    return told


def _positional(function: Any) -> tuple[str, ...]:
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    return () if code is None else code.co_varnames[: code.co_argcount]
