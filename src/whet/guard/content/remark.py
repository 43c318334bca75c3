from dataclasses import dataclass
from typing import Literal

# `block` stops a change, `raise` asks for a higher approval tier, `note` is only reported.
Severity = Literal["block", "raise", "note"]


@dataclass(frozen=True, order=True)
class Remark:
    """A rule's report about one line. `what` is the rest of a sentence that begins with the file."""

    line: int
    severity: Severity
    code: str
    what: str
