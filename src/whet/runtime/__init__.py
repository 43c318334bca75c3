"""The part of whet that runs inside an instrumented application: tools, the capture of calls and the reloader.

Uses the standard library only and imports little before the first captured call. It writes captured calls and its own
process report; it cannot change anything else of whet. `capture/` captures calls, `reload/` replaces tools while the
application runs; neither imports the other. `settings` connects the two to the tools.

`configure` sets where calls are captured and how much that may cost, `flush` writes buffered calls to disk, `status`
reports what was written and dropped.
"""

from whet.runtime.settings import configure, flush, status

__all__ = ["configure", "flush", "status"]
