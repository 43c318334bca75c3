"""Find the effects of sed scripts: the `e` command and flag, and files written with `w`."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import MAX_LENGTH, TOO_LONG, CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_replacing

_ADDRESS = r"(?:\s*(?:\d+|\$|/(?:\\.|[^/\\])*/I?)(?:,(?:\d+|\$|[+~]\d+|/(?:\\.|[^/\\])*/))?\s*!?)?\s*"
_EXECUTE_COMMAND = re.compile(rf"(?:^|[;{{}}\n]){_ADDRESS}e(?:\s+([^\n]+)|\s*$)")
_SUBSTITUTE_AND_EXECUTE = re.compile(
    r"(?:^|[;{}\n\s\d$/!])s(?P<d>[^\w\s\\])((?:\\.|(?!(?P=d))[^\\\n])*)(?P=d)(?P<new>(?:\\."
    r"|(?!(?P=d))[^\\])*)(?P=d)(?P<flags>[gpIiMm0-9]*e[gpIiMm0-9e]*)(?:\s|;|}|$)"
)
_WRITE = re.compile(r"(?:^|[;{}\n/\d$])\s*[wW]\s+([^\s;}]+)|/[gpIi\d]*w\s+([^\s;}]+)|/[gpIi\d]*w\s*(/\S+)")


def effects(script: str) -> Iterator[CodeEffect]:
    """Yield the commands that a sed script starts and the harm that it does."""
    if len(script) > MAX_LENGTH:
        yield TOO_LONG
        return
    for match in _EXECUTE_COMMAND.finditer(script):
        if match[1]:
            yield RunsCommand(match[1], slot=True)
        else:
            yield CausesHarm(Harm.SHELL_ESCAPE, "the sed script runs its input as commands")
    for match in _SUBSTITUTE_AND_EXECUTE.finditer(script):
        yield CausesHarm(Harm.SHELL_ESCAPE, "the sed script runs the text that it substitutes as a command")
        yield RunsCommand(re.sub(r"\\(.)", r"\1", match["new"]))
    for alternatives in _WRITE.findall(script):
        path = "".join(alternatives)
        harm = harm_of_replacing(path)
        if harm is not None:
            yield CausesHarm(harm, f"the sed script writes {path}")
