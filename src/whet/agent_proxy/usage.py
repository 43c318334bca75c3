"""The tokens that a provider reports, in whole answers and in events of a stream."""

from collections.abc import Mapping
from typing import Any

from whet.models.prices import Usage

_HOLDERS = ("response", "message")  # objects of an event that may hold the usage
_REPORTS = ("usage", "usageMetadata")
# Of each row the first name that is present counts, and the sum of the rows is the number of tokens.
_INPUT = (
    ("prompt_tokens", "input_tokens", "promptTokenCount"),
    ("cache_creation_input_tokens",),
    ("cache_read_input_tokens",),
)
_OUTPUT = (("completion_tokens", "output_tokens", "candidatesTokenCount"), ("thoughtsTokenCount",))
_MOST = 10**9


class UsageReader:
    """Collects the usage of one answer. A stream reports its usage in parts and repeats itself, so the largest count wins."""

    def __init__(self) -> None:
        self._input: int | None = None
        self._output: int | None = None

    def read(self, message: object) -> None:
        """Take the usage out of a whole answer or one event, if it reports any."""
        if not isinstance(message, dict):
            return
        for holder in (message, *(message.get(name) for name in _HOLDERS)):
            for report in (holder.get(name) for name in _REPORTS) if isinstance(holder, dict) else ():
                if isinstance(report, dict):
                    self._input = _larger(self._input, _total(report, _INPUT))
                    self._output = _larger(self._output, _total(report, _OUTPUT))

    @property
    def usage(self) -> Usage | None:
        """Return the reported tokens; None if the provider reported none."""
        if self._input is None and self._output is None:
            return None
        return Usage(input_tokens=self._input or 0, output_tokens=self._output or 0)


def _total(report: Mapping[str, Any], rows: tuple[tuple[str, ...], ...]) -> int | None:
    counts = [next((report[name] for name in names if _is_count(report.get(name))), None) for names in rows]
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _MOST


def _larger(before: int | None, now: int | None) -> int | None:
    return now if before is None else before if now is None else max(before, now)
