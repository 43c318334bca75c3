import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def side_by_side(runs: Sequence[Callable[[], Result]], at_once: int | None = None) -> list[Result]:
    """What each gives, in order, no more at a time than there are cores. All are over when it returns or breaks; whoever
    interrupts does not wait for them, since they end with the process."""
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
