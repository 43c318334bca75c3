"""Run one whet command and kill this process, with SIGKILL, at the first durable step that was not killed before.

`python killed.py WHEN FILE COMMAND...`: WHEN is `before` or `after` the step's effect, `after:deploy.merge` for steps
whose name begins with that prefix, or `over` for the end of a workflow. FILE lists the steps that were killed. The kill
happens before the durable engine has recorded the step or the end, like a power failure.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

from dbos._sys_db import SystemDatabase

from whet.cli.main import main
from whet.durable.engine import Engine

_kill_is_pending = threading.Event()
_exit = os._exit


def wait_for_death(status: int) -> NoReturn:
    """Delay the exit if a kill is pending: the command may see a step's effect before the step's thread kills."""
    if _kill_is_pending.is_set():
        threading.Event().wait(60)
    _exit(status)


def die(*_: object, **__: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


def install(moment: str, remembered: Path) -> None:
    original = Engine.run_step
    when, _, only = moment.partition(":")
    if when == "over":
        SystemDatabase.update_workflow_outcome = die  # type: ignore[method-assign]
        return

    def run_step(options: Mapping[str, str], function: Callable[[], str]) -> str:
        name = options["name"]

        def dying() -> str:
            killed = remembered.read_text().splitlines() if remembered.exists() else []
            if name in killed or not name.startswith(only):
                return function()
            _kill_is_pending.set()
            with remembered.open("a") as file:
                file.write(f"{name}\n")
            if when == "after":
                function()
            die()

        return original(options, dying)

    Engine.run_step = staticmethod(run_step)


if __name__ == "__main__":
    os._exit = wait_for_death
    install(sys.argv[1], Path(sys.argv[2]))
    sys.argv = ["whet", *sys.argv[3:]]
    main()
