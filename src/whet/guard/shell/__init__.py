"""Whether a shell command may be run, judged on its syntax tree and never on its letters.

`judge.py` gives the answer; `walk.py` follows the tree; `words.py` resolves words; `meet.py` takes one command apart;
`wrappers.py`, `starts/`, `escapes.py` and `code/` say what commands start; `dangers/` says what they do.
"""

from whet.guard.shell.harm import Danger, FoundCommand, Harm
from whet.guard.shell.judge import Inspected, ShellPolicy, inspect, judge_command

__all__ = ["Danger", "FoundCommand", "Harm", "Inspected", "ShellPolicy", "inspect", "judge_command"]
