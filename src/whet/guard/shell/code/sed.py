"""sed scripts: the `e` command and flag, and files written with `w`."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import LONGEST, TOO_LONG, Does, Finding, Starts
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_writing

_ADDRESS = r"(?:\s*(?:\d+|\$|/(?:\\.|[^/\\])*/I?)(?:,(?:\d+|\$|[+~]\d+|/(?:\\.|[^/\\])*/))?\s*!?)?\s*"
_COMMAND = re.compile(rf"(?:^|[;{{}}\n]){_ADDRESS}e(?:\s+([^\n]+)|\s*$)")
_SUBSTITUTE = re.compile(
    r"(?:^|[;{}\n\s\d$/!])s(?P<d>[^\w\s\\])((?:\\.|(?!(?P=d))[^\\\n])*)(?P=d)(?P<new>(?:\\.|(?!(?P=d))[^\\])*)(?P=d)(?P<flags>[gpIiMm0-9]*e[gpIiMm0-9e]*)(?:\s|;|}|$)"
)
_WRITE = re.compile(r"(?:^|[;{}\n/\d$])\s*[wW]\s+(/\S+)|/[gpIi\d]*w\s*(/\S+)")


def findings(script: str) -> Iterator[Finding]:
    if len(script) > LONGEST:
        yield TOO_LONG
        return
    for match in _COMMAND.finditer(script):
        yield (
            Starts(match[1], slot=True)
            if match[1]
            else Does(Harm.SHELL_ESCAPE, "the sed script runs its input as commands")
        )
    for match in _SUBSTITUTE.finditer(script):
        yield Does(Harm.SHELL_ESCAPE, "the sed script runs what it puts together as a command")
        yield Starts(re.sub(r"\\(.)", r"\1", match["new"]))
    for first, second in _WRITE.findall(script):
        path = first or second
        if (harm := harm_of_writing(path)) is not None:
            yield Does(harm, f"the sed script writes {path}")
