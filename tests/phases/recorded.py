"""Calls of a tool as the recorder would have kept them."""

import json
from datetime import UTC, datetime
from typing import Any

from whet.domain.captured import CapturedCall, CapturedTool

THEN = datetime(2026, 1, 2, tzinfo=UTC)


def tool(qualname: str = "divide", kind: str = "plain", **declared: Any) -> CapturedTool:
    return CapturedTool(
        name="calculator.divide",
        version="0" * 16,
        module="calculator",
        qualname=qualname,
        file=None,
        kind=kind,
        characteristics=declared,
        first_at=THEN,
    )


def call(*args: Any, output: Any = None, failed: bool = False, replayable: bool = True) -> CapturedCall:
    return CapturedCall(
        number=1,
        tool="calculator.divide",
        version="0" * 16,
        arm="control",
        at=THEN,
        duration_ns=5,
        failed=failed,
        replayable=replayable,
        inputs=json.dumps([list(args), {}]),
        output=None if failed else json.dumps(output),
        signature="s" if failed else None,
        message=None,
    )
