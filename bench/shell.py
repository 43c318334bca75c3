"""Measure how many shell commands the guard judges per second, on the core tables of its tests.

The peer is bashlex, which only parses the same commands in the same run. A command that bashlex cannot parse counts as
parsed.
"""

import time
from collections.abc import Callable

import bashlex

from bench.table import Row
from tests.guard.shell.rows import must_allow, must_refuse
from whet.guard.shell import inspect

ROUNDS = 5


def measure() -> list[Row]:
    dangerous = [command for _, command in must_refuse("core")]
    tables = {"ordinary commands judged": must_allow("core"), "dangerous commands judged": dangerous}
    rows = []
    for title, commands in tables.items():
        ours, peer = _commands_per_second(inspect, commands), _commands_per_second(_parse, commands)
        rows.append(Row("shell", title, f"{ours:,.0f} /s", f"bashlex parses {peer:,.0f} /s", ours / peer))
    return rows


def _commands_per_second(judge: Callable[[str], object], commands: list[str]) -> float:
    """Return the best of several rounds, in processor time, so that other load on the machine counts less."""
    best_seconds = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        for command in commands:
            judge(command)
        best_seconds = min(best_seconds, time.process_time() - started)
    return len(commands) / best_seconds


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
