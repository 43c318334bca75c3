"""A benchmark made from captured calls of a tool."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class TimedCalls:
    """A script that runs some of a tool's captured calls and prints their seconds. It fails if an answer is not the captured one.

    `name` is what proofs call the benchmark, `path` where the script is planted, `calls` the number of distinct calls in it.
    """

    name: str
    path: str
    text: str
    calls: int
