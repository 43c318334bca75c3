"""Describe a raised error as plain data while its traceback exists, without keeping a frame alive."""

from __future__ import annotations

from whet.runtime.capture.values import SHORT

TYPE_CHECKING = False
if TYPE_CHECKING:
    Frame = tuple[str, str, int]
    Failure = tuple[str, str, list[Frame]]
    """Type, message, and the frames (file, function, line) from the tool inwards."""

_OUTER, _INNER = 10, 40
"""The number of frames that are captured of the outer and of the inner end of a deep stack."""

_OWN = __file__.rpartition("capture")[0]
"""The folder of `whet.runtime`, whose own frames are left out."""


def describe(error: BaseException) -> Failure:
    """Return the type, message and frames of an error."""
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
    """Return the text of an error. An exception in its `__str__` must not replace the error that the application sees."""
    try:
        return str(error)[:SHORT]
    except Exception as problem:  # noqa: BLE001 (a foreign __str__ may raise anything)
        return f"(its __str__ raised {type(problem).__name__})"
