"""Rules about shell commands in a call: the shell guard, and the files that a command names.

The shell guard judges the text alone. Here the words of the command are also looked up, so that a link to whet.toml, a
read of the record or of a file for secrets, and a write to the settings of an agent are noticed.
"""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from whet.domain.call_policy import CallPolicy
from whet.domain.own_files import STATE_FOLDER
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse, strictest
from whet.guard.calls.patches import is_patch, patched_paths
from whet.guard.calls.path_rules import judge_read, judge_write
from whet.guard.calls.place import Resolve
from whet.guard.shell import FoundCommand, inspect

_MOST_WORDS = 400
_TOKEN = re.compile(r"[^\s'\"`|&;<>()=,]+")
_OUTPUT = re.compile(r">{1,2}[|&]?\s*['\"]?([^\s'\"`|&;<>()]+)")
_GLOB = frozenset("*?[")
# Commands that show the files they are given.
_READERS = frozenset({
    "cat", "bat", "batcat", "head", "tail", "less", "more", "nl", "tac", "od", "xxd", "hexdump", "strings",
    "grep", "egrep", "fgrep", "rg", "ag", "awk", "gawk", "sed", "cut", "sort", "uniq", "column", "base64",
    "base32", "diff", "cmp", "comm", "jq", "yq", "source", ".", "tee", "curl", "openssl",
})  # fmt: skip
# Commands that leave the files they are given as they are. git changes them by some of its commands only.
_HARMLESS = (_READERS - {"tee", "sed", "awk", "gawk", "curl"}) | frozenset({
    "ls", "ll", "stat", "file", "wc", "du", "test", "[", "[[", "echo", "printf", "find", "fd", "tree",
    "realpath", "readlink", "dirname", "basename", "md5sum", "sha1sum", "sha256sum", "cksum", "which", "cd",
    "pushd", "true", "false", "whet",
})  # fmt: skip
_GIT_READS = frozenset({"diff", "log", "show", "status", "blame", "grep", "ls-files", "cat-file", "check-ignore"})
_GIT_RECORDS = frozenset({"add", "commit", "stage"})


def judge_shell(command: str, policy: CallPolicy, resolve: Resolve) -> GuardAnswer:
    """Return the shell guard's answer, or a stricter one because of a file that the command names."""
    inspection = inspect(command)
    if isinstance(inspection.answer, Refuse):
        return inspection.answer
    answers = _file_answers(command, inspection.commands, policy, resolve)
    return strictest((*answers, inspection.answer), Allow())


def _file_answers(
    command: str, found: tuple[FoundCommand, ...], policy: CallPolicy, resolve: Resolve
) -> Iterator[GuardAnswer]:
    if is_patch(command):
        yield from _writes(patched_paths(command), policy, resolve)
    yield from _writes(_OUTPUT.findall(command), policy, resolve)
    yield from _reads(_TOKEN.findall(command)[:_MOST_WORDS], resolve, certain=False)
    for each in found:
        words = list(_words(each))[:_MOST_WORDS]
        yield from _reads(words, resolve, certain=each.name.rpartition("/")[2] in _READERS)
        yield from _changes(each, words, policy, resolve)


def _words(found: FoundCommand) -> Iterator[str]:
    """Yield the arguments of a command, and the values in options such as `--file=x`."""
    for word in found.arguments:
        yield word
        if "=" in word:
            yield word.partition("=")[2]


def _writes(paths: Iterable[str], policy: CallPolicy, resolve: Resolve) -> Iterator[GuardAnswer]:
    for path in paths:
        if path.startswith("/dev/"):
            continue
        yield from (judge_write(place, policy) for place in resolve(path))


def _reads(words: Iterable[str], resolve: Resolve, *, certain: bool) -> Iterator[GuardAnswer]:
    """Refuse whet's record. A file for secrets is refused if the command shows it (`certain`), else raised."""
    for word in words:
        if _names_state(word):
            yield Refuse(f"the command names {STATE_FOLDER}, whet's record", "path_protected")
        for place in resolve(word):
            answer = judge_read(place)
            if not isinstance(answer, Refuse):
                continue
            if certain or answer.code != "secret_file":
                yield Refuse(f"the command names a file: {answer.reason}", answer.code)
            elif "/" in word or word.startswith("."):
                yield Raise(f"the command names a file: {answer.reason}", answer.code)


def _names_state(word: str) -> bool:
    """True if a part of a path is the state folder, or a glob that covers it (`.wh*`). A final `.*` is left alone."""
    parts = word.casefold().rstrip("/").split("/")
    return any(
        part == STATE_FOLDER
        or (_GLOB & set(part) and part.startswith(".") and (part != ".*" or index < len(parts) - 1)
            and fnmatchcase(STATE_FOLDER, part))
        for index, part in enumerate(parts)
    )  # fmt: skip


def _changes(found: FoundCommand, words: list[str], policy: CallPolicy, resolve: Resolve) -> Iterator[GuardAnswer]:
    """Refuse a command that may change a file of whet or of the guard. Adding such a file to a commit is raised."""
    name = found.name.rpartition("/")[2]
    verb = next((word for word in found.arguments if not word.startswith("-")), "")
    if name in _HARMLESS or (name == "git" and verb in _GIT_READS):
        return
    for word in words:
        for place in resolve(word):
            answer = judge_write(place, policy)
            if not isinstance(answer, Refuse) or answer.code != "path_protected" or _is_folder_above(answer):
                continue
            if answer.setting or (name == "git" and verb in _GIT_RECORDS):
                yield Raise(f"{name} is given a file: {answer.reason}", answer.code)
            else:
                yield Refuse(f"{name} is given a file: {answer.reason}", answer.code)


def _is_folder_above(answer: Refuse) -> bool:
    """True if the whole folder of whet's own source is meant, as in `pytest src/whet`."""
    return answer.reason.endswith("part of whet itself")
