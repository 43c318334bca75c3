"""The process-wide settings of capturing: the state folder and the limits on what capturing may cost.

The state folder is that of `configure`, else that of the environment variable `WHET_STATE` (empty: capture nothing), else
the `.whet` folder beside the nearest `whet.toml` above the file that declares the tool. Without any of these nothing is
captured.

The environment is read here and not in `whet.config`, so that an application needs neither whet's configuration nor a
TOML or validation library to capture calls.
"""

from __future__ import annotations

import os
import sys
from weakref import WeakSet

from whet.domain.execution import MOST_SHARE
from whet.errors import UsageError
from whet.runtime import implementation as implementations
from whet.runtime.capture.capturer import Capturer
from whet.runtime.capture.sampling import Sampling
from whet.runtime.reload.watcher import start_watching, stop_watching

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from whet.runtime.implementation import Implementation

DEFAULT_LIMIT = 0.01

_state: str | None = None
_sampling = 1.0
_limit = DEFAULT_LIMIT
_redact: frozenset[str] = frozenset()
_capturers: dict[str, Capturer] = {}
_uncaptured: WeakSet[Implementation] = WeakSet()
"""Implementations that were called while there was no state folder; a later `configure` may set one."""


def configure(
    *,
    state: str | os.PathLike[str] | None = None,
    sampling: float = 1.0,
    limit: float = DEFAULT_LIMIT,
    redact: Iterable[str] = (),
) -> None:
    """Set where and how much the calls of all tools of this process are captured, from their next call on.

    `state` is the folder of the captured calls, `sampling` the largest share of calls whose inputs and outputs are captured,
    `limit` the largest share of a tool's own run time that capturing it may take, and `redact` further argument and
    field names whose values are never captured.
    """
    global _state, _sampling, _limit, _redact
    if not 0 <= sampling <= 1:
        raise UsageError(f"sampling is a share between 0 and 1, not {sampling}")
    if not 0 < limit <= MOST_SHARE:
        raise UsageError(f"limit is a share above 0 and at most {MOST_SHARE}, not {limit}")
    flush()
    _state = None if state is None else os.path.abspath(os.fspath(state))
    _sampling, _limit, _redact = sampling, limit, frozenset(name.lower() for name in redact)
    for capturer in _capturers.values():
        capturer.release()
    _capturers.clear()
    stop_watching()
    for implementation in list(_uncaptured):
        implementation.take_counts()  # drop the calls of the time when nothing was to be captured
        implementation.reset()
    _uncaptured.clear()


def flush(timeout_seconds: float = 5.0) -> bool:
    """Wait until the calls captured so far are on disk. Return False if that took longer than the timeout."""
    flushed = [capturer.flush(timeout_seconds) for capturer in list(_capturers.values())]
    return all(flushed)


def status() -> list[dict[str, Any]]:
    """Return one entry per state folder: the number of calls written and dropped, and the last problem."""
    return [capturer.status() for capturer in list(_capturers.values())]


def capturer_of(implementation: Implementation) -> Capturer | None:
    """Return the capturer for a tool's calls, or None if no state folder is set."""
    try:
        state = _state_folder(implementation.tool.source.file)
    except OSError:  # the working directory was removed
        return None
    if not state:
        _uncaptured.add(implementation)
        return None
    capturer = _capturers.get(state)
    if capturer is None:
        capturer = _capturers.setdefault(state, Capturer(state, Sampling(_sampling, _limit), _redact))
    start_watching(state, implementation.tool.source.module)
    return capturer if capturer.enrol(implementation) else None


implementations.capturer_for = capturer_of


def _state_folder(file: str | None) -> str | None:
    """Return the state folder for a tool that `file` declares; None or an empty string means: capture nothing.

    Under pytest a `.whet` folder is not searched for: tests fail on purpose, and their failures are not to be captured.
    """
    if _state is not None or "WHET_STATE" in os.environ:
        return _state or os.environ.get("WHET_STATE")
    return None if "_pytest" in sys.modules else _nearest_state_folder(file)


def _nearest_state_folder(file: str | None) -> str | None:
    folder = os.path.dirname(os.path.abspath(file)) if file else ""
    while folder:
        if os.path.isfile(os.path.join(folder, "whet.toml")):
            return os.path.join(folder, ".whet")
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return None
