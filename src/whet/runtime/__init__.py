"""What runs inside the instrumented application: tools and the recorder of their calls.

Standard library only, and little of that before the first recorded call. It appends executions and can do nothing else
to whet. `configure` says where and how much; `flush` writes now what is waiting; `status` says how recording goes.
"""

from whet.runtime.settings import configure, flush, status

__all__ = ["configure", "flush", "status"]
