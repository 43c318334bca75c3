"""Whether a shell command may be run, judged on its syntax tree and never on its letters.

`judge.py` gives the answer. `walk.py` follows the statements of a tree, `commands.py` puts simple commands together,
`directions.py` what feeds them, `words.py` resolves their words, `nesting.py` follows texts within texts. `meet.py` takes
one command apart: `wrappers.py`, `starts/`, `escapes.py` and `code/` say what it starts, `dangers/` what it does.
"""

from whet.guard.shell.judge import Inspection, ShellPolicy, inspect, judge_command
from whet.guard.shell.model.harm import Danger, FoundCommand, Harm

__all__ = ["Danger", "FoundCommand", "Harm", "Inspection", "ShellPolicy", "inspect", "judge_command"]
