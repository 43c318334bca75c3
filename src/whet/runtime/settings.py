"""Where records go and how much they may cost, for the whole process.

Read from the environment here and not in `whet.config`: an application must not need whet's configuration, nor a TOML
or validation library, to record. `WHET_STATE` names a state folder, or is empty to record nothing; without it, it is the
`.whet` folder beside the nearest `whet.toml` above the file that declares the tool. Without either nothing is recorded.
"""

from __future__ import annotations

import os
import sys
from weakref import WeakSet

from whet.domain.execution import MOST_SHARE
from whet.errors import UsageError
from whet.runtime.record.recorder import Recorder
from whet.runtime.record.sampling import Sampling
from whet.runtime.reload.watcher import follow, unfollow

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
_recorders: dict[str, Recorder] = {}
_unrecorded: WeakSet[Implementation] = WeakSet()
"""What was called while nothing said where records go: `configure` may say it later."""


def configure(
    *,
    state: str | os.PathLike[str] | None = None,
    sampling: float = 1.0,
    limit: float = DEFAULT_LIMIT,
    redact: Iterable[str] = (),
) -> None:
    """`state`: the folder that records go to. `sampling`: the largest share of calls whose inputs and outputs are kept.
    `limit`: the largest share of a tool's own time that recording it may take. `redact`: further names whose values are
    never kept. Holds for all tools of the process from their next call on."""
    global _state, _sampling, _limit, _redact
    if not 0 <= sampling <= 1:
        raise UsageError(f"sampling is a share between 0 and 1, not {sampling}")
    if not 0 < limit <= MOST_SHARE:
        raise UsageError(f"limit is a share above 0 and at most {MOST_SHARE}, not {limit}")
    flush()
    _state = None if state is None else os.path.abspath(os.fspath(state))
    _sampling, _limit, _redact = sampling, limit, frozenset(name.lower() for name in redact)
    for recorder in _recorders.values():
        recorder.release()
    _recorders.clear()
    unfollow()
    for implementation in list(_unrecorded):
        implementation.new_counts()  # what happened so far was not to be recorded
        implementation.reset()
    _unrecorded.clear()


def flush(timeout_seconds: float = 5.0) -> bool:
    """Waits until what was recorded before this call is on disk; False if that took too long."""
    done = [recorder.flush(timeout_seconds) for recorder in list(_recorders.values())]
    return all(done)


def status() -> list[dict[str, Any]]:
    """How recording goes: one entry per state folder, with what was written, dropped, and the last problem."""
    return [recorder.status() for recorder in list(_recorders.values())]


def recorder_of(implementation: Implementation) -> Recorder | None:
    """The recorder for a tool's calls, None where nothing says where they should go."""
    try:
        state = _place(implementation.tool.source.file)
    except OSError:  # the working folder is gone
        return None
    if not state:
        _unrecorded.add(implementation)
        return None
    recorder = _recorders.get(state)
    if recorder is None:
        recorder = _recorders.setdefault(state, Recorder(state, Sampling(_sampling, _limit), _redact))
    follow(state, implementation.tool.source.module)
    return recorder if recorder.enrol(implementation) else None


def _place(file: str | None) -> str | None:
    """A test suite fails on purpose and is no place to learn from: under pytest, only what was said counts."""
    if _state is not None or "WHET_STATE" in os.environ:
        return _state or os.environ.get("WHET_STATE")
    return None if "_pytest" in sys.modules else _beside_policy(file)


def _beside_policy(file: str | None) -> str | None:
    folder = os.path.dirname(os.path.abspath(file)) if file else ""
    while folder:
        if os.path.isfile(os.path.join(folder, "whet.toml")):
            return os.path.join(folder, ".whet")
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return None
