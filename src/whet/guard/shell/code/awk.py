"""awk programs: `system(...)`, a pipe to or from a command, and awk's own sockets."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import MAX_LENGTH, TOO_LONG, CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_writing

_STRING = r'"((?:\\.|[^"\\])*)"'
_SYSTEM = re.compile(rf"\bsystem\s*\(\s*(?:{_STRING}\s*(\))?|[^)])")
_TO = re.compile(rf"(?<!\|)\|&?\s*(?!getline|\|)(?:{_STRING}|([A-Za-z_]\w*))")
_FROM = re.compile(rf"(?:{_STRING}|\b(\w+)|\))\s*\|&?\s*getline")
_PATTERN = re.compile(rf"{_STRING}|/(?:\\.|[^/\\\n])*/")
_INTO = re.compile(rf">>?\s*{_STRING}")


def effects(program: str) -> Iterator[CodeEffect]:
    if len(program) > MAX_LENGTH:
        yield TOO_LONG
        return
    if "/inet/" in program:
        yield CausesHarm(Harm.REVERSE_SHELL, "the awk program opens a connection")
    if "system" in program:
        for match in _SYSTEM.finditer(program):
            yield from _started(match[1] if match[2] else None, match[1])
    if "|" in program:
        code = _PATTERN.sub(lambda match: match[0] if match[0][0] == '"' else "//", program)
        for match in (*_TO.finditer(code), *_FROM.finditer(code)):
            if match[1] is not None or match[2]:
                yield from _started(match[1], match[1])
    if ">" in program:
        for path in _INTO.findall(program):
            if (harm := harm_of_writing(path)) is not None:
                yield CausesHarm(harm, f"the awk program writes {path}")


def _started(text: str | None, beginning: str | None) -> Iterator[CodeEffect]:
    if text is None:
        if beginning and beginning.strip():
            yield RunsCommand(_plain(beginning))
        yield CausesHarm(Harm.UNRESOLVED, "the awk program starts a command that is not written down", raises=True)
    else:
        yield RunsCommand(_plain(text))


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
