"""A raised error as plain data, taken while its traceback is at hand and without keeping a frame alive."""

from __future__ import annotations

from whet.runtime.record.capture import SHORT

TYPE_CHECKING = False
if TYPE_CHECKING:
    Frame = tuple[str, str, int]
    Failure = tuple[str, str, list[Frame]]
    """Type, message, and (file, function, line) from the tool inwards."""

_OUTER, _INNER = 10, 40
"""How many frames are kept at either end of a deep stack."""

_OWN = __file__.rpartition("record")[0]


def describe(error: BaseException) -> Failure:
    frames: list[Frame] = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not code.co_filename.startswith(_OWN):
            if len(frames) == _OUTER + _INNER:
                del frames[_OUTER]
            frames.append((code.co_filename, getattr(code, "co_qualname", code.co_name), trace.tb_lineno))
        trace = trace.tb_next
    kind = type(error)
    return f"{kind.__module__}.{kind.__qualname__}", _message(error), frames


def _message(error: BaseException) -> str:
    """What the error says. Other people's `__str__` may fail; the error they are about is the host's to see."""
    try:
        return str(error)[:SHORT]
    except Exception as problem:  # noqa: BLE001 (the boundary to somebody else's __str__)
        return f"(its __str__ raised {type(problem).__name__})"
