"""Find the effects of awk programs: `system(...)`, pipes to or from a command, sockets, written files."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.effects import MAX_LENGTH, TOO_LONG, CausesHarm, CodeEffect, RunsCommand
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_replacing, is_secret

_STRING = r'"((?:\\.|[^"\\])*)"'
_SYSTEM_CALL = re.compile(rf"\bsystem\s*\(\s*(?:{_STRING}\s*(\))?|[^)])")
_PIPE_TO = re.compile(rf"(?<!\|)\|&?\s*(?!getline|\|)(?:{_STRING}|([A-Za-z_]\w*))")
_PIPE_FROM = re.compile(rf"(?:{_STRING}|\b(\w+)|\))\s*\|&?\s*getline")
_STRING_OR_REGEX = re.compile(rf"{_STRING}|/(?:\\.|[^/\\\n])*/")
_INDIRECT_CALL = re.compile(r"(?<![\w\"/])@[A-Za-z_]\w*\s*\(")
_LOAD = re.compile(r"@load\s+\"([^\"]*/[^\"]*)\"")
_ADJACENT_STRINGS = re.compile(r'(?<=\w)"\s+"(?=[\w.])')  # awk joins strings that stand side by side
_WRITE = re.compile(rf">>?\s*{_STRING}")
_READ = re.compile(rf"\bgetline\b[^;{{}}\n<]{{0,60}}<\s*{_STRING}")


def effects(program: str) -> Iterator[CodeEffect]:
    """Yield the commands that an awk program starts and the harm that it does."""
    if len(program) > MAX_LENGTH:
        yield TOO_LONG
        return
    if "/inet/" in program:
        yield CausesHarm(Harm.REVERSE_SHELL, "the awk program opens a connection")
    if "system" in program:
        for match in _SYSTEM_CALL.finditer(program):
            yield from _run(match[1], is_complete=bool(match[2]))
    if _INDIRECT_CALL.search(program):
        yield CausesHarm(Harm.UNRESOLVED, "the awk program calls a function by a computed name", raises=True)
    for library in _LOAD.findall(program):
        yield CausesHarm(Harm.SHELL_ESCAPE, f"the awk program loads the library {library}")
    if "|" in program:
        # Empty the regular expressions, in which `|` does not mean a pipe.
        code = _STRING_OR_REGEX.sub(lambda match: match[0] if match[0][0] == '"' else "//", program)
        for match in (*_PIPE_TO.finditer(code), *_PIPE_FROM.finditer(code)):
            if match[1] is not None or match[2]:
                yield from _run(match[1], is_complete=match[1] is not None)
    for path in _READ.findall(program) if "getline" in program else ():
        if is_secret(path):
            yield CausesHarm(Harm.SECRETS, f"the awk program reads {path}")
    if ">" in program:
        for path in _WRITE.findall(_ADJACENT_STRINGS.sub("", program)):
            harm = harm_of_replacing(path)
            if harm is not None:
                yield CausesHarm(harm, f"the awk program writes {path}")


def _run(text: str | None, *, is_complete: bool) -> Iterator[CodeEffect]:
    """Yield a started command. If it is only partly a literal, follow the literal part and raise the rest."""
    if text is not None and (is_complete or text.strip()):
        yield RunsCommand(re.sub(r"\\(.)", r"\1", text))
    if not is_complete:
        yield CausesHarm(Harm.UNRESOLVED, "the awk program starts a command that is not a literal", raises=True)
