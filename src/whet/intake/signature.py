"""The signature of a failure: failures with the same one are counted as the same problem.

Version 1: the sender's fingerprint; else the exception and the project's own frames; else the exception and the template of its
message; else the template alone. Frames count by file name and function, not by line or folder, so that an edit elsewhere or
another machine does not change the signature. A new version must get a new number: old events keep theirs.
"""

from pathlib import PurePosixPath

from whet.domain.canonical import digest
from whet.domain.reported_event import Breakdown
from whet.intake.frames import is_in_app
from whet.statistics.drain import Drain

VERSION = 1
_MOST_FRAMES = 10


def signature_of(breakdown: Breakdown, templates: Drain) -> str:
    """Return the signature; the message joins a template if the signature depends on it."""
    return f"v{VERSION}-{digest(_parts(breakdown, templates))[:16]}"


def _parts(breakdown: Breakdown, templates: Drain) -> list[object]:
    if breakdown.fingerprint:
        return ["fingerprint", breakdown.fingerprint]
    own = [
        [PurePosixPath(file.replace("\\", "/")).name, function]
        for file, function, _ in breakdown.frames
        if is_in_app(file)
    ]
    if own:
        return ["stack", breakdown.exception, own[-_MOST_FRAMES:]]
    founder = templates.cluster_of(breakdown.message).founder
    return ["exception", breakdown.exception, founder] if breakdown.exception else ["message", founder]
