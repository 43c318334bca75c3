"""Decide whether a shell command may run, from its syntax tree and without running anything.

`judge.py` is the entry. Below it, each folder imports only the ones after it:

- `evaluate/` walks the syntax tree in the order of execution and evaluates every command;
- `launchers/` finds the commands that a command starts;
- `rules/` decides what is dangerous, `output/` predicts what a command prints;
- `code/` reads code of other languages;
- `parse/` turns text into a syntax tree and expands words;
- `model/` holds the types they share.

Of whet, the package imports only `whet.guard.answer` and `whet.pyast` (an import contract in pyproject.toml checks it).
"""

from whet.guard.shell.judge import Inspection, ShellPolicy, inspect, judge_command
from whet.guard.shell.model.harm import Danger, FoundCommand, Harm

__all__ = ["Danger", "FoundCommand", "Harm", "Inspection", "ShellPolicy", "inspect", "judge_command"]
