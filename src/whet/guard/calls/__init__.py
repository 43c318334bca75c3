"""Decide whether a tool may be called, from its name, its arguments and its caller, before it runs.

`judge.py` is the entry. It reads no file: the caller passes a function that says where a path really leads.
"""

from whet.guard.calls.judge import judge_call
from whet.guard.calls.place import FilePlace, Resolve

__all__ = ["FilePlace", "Resolve", "judge_call"]
