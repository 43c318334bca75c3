"""What the drainer knows of an implementation: found out once, when its first call comes through."""

from __future__ import annotations

import json
import time

from whet.runtime.redact import is_secret_name
from whet.runtime.signature import project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from whet.runtime.implementation import Implementation


class Known:
    def __init__(self, implementation: Implementation, redact: frozenset[str]) -> None:
        tool = implementation.tool
        source = tool.source
        self.key = (tool.name, implementation.version or source.version)
        self.idle = 0
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
            json.dumps({name: getattr(told, name) for name in told.__slots__ if name != "cases"}, default=str),
            time.time_ns() // 1000,
        )


def _positional(function: Any) -> tuple[str, ...]:
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = getattr(function, "__code__", None)
    return () if code is None else code.co_varnames[: code.co_argcount]
