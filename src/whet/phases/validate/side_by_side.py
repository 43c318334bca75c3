"""Run several functions at the same time."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def side_by_side(runs: Sequence[Callable[[], Result]], at_once: int | None = None) -> list[Result]:
    """Call the functions in threads, at most `at_once` or one per core, and return their results in order.

    If one raises, the exception is raised after the others have ended. On Ctrl-C the threads are not waited for: what they
    started in the sandbox ends with this process.
    """
    cores = os.cpu_count() or 1
    pool = ThreadPoolExecutor(max_workers=min(cores, at_once or cores))
    wait = True
    try:
        return list(pool.map(lambda run: run(), runs))
    except KeyboardInterrupt:
        wait = False
        raise
    finally:
        pool.shutdown(wait=wait, cancel_futures=True)
