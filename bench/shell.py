"""How many shell commands are judged in a second, over the tables of the tests.

Peer: bashlex, which only parses the same commands, in the same run; what it cannot parse counts for it as done.
"""

import time
from collections.abc import Callable

import bashlex

from bench.table import Row
from tests.guard.shell.ordinary import ORDINARY
from tests.guard.shell.refused import REFUSED
from whet.guard.shell import inspect

ROUNDS = 5


def measure() -> list[Row]:
    refused = [command for _, command in REFUSED]
    rows = []
    for what, commands in (("ordinary commands judged", ORDINARY), ("dangerous commands judged", refused)):
        ours, peer = _a_second(inspect, commands), _a_second(_parse, commands)
        rows.append(Row("shell", what, f"{ours:,.0f} /s", f"bashlex parses {peer:,.0f} /s", ours / peer))
    return rows


def _a_second(judge: Callable[[str], object], commands: list[str]) -> float:
    """In processor time, the best of some rounds: the machine may be busy with something else."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for command in commands:
            judge(command)
        best = min(best, time.process_time() - began)
    return len(commands) / best


def _parse(command: str) -> object:
    try:
        return bashlex.parse(command)
    except (
        bashlex.errors.ParsingError,
        NotImplementedError,
        ValueError,
        AttributeError,
        AssertionError,
        IndexError,
        TypeError,
        KeyError,
    ):
        return None


if __name__ == "__main__":
    from bench.table import show

    print(show(measure()))
