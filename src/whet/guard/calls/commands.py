"""Rules about shell commands in a call: the shell guard, and the files that a command names.

The shell guard judges the text alone. Here the words of the command are also looked up, so that a link to whet.toml, a
read of the record or of a file for secrets, and a write to the settings of an agent are noticed.
"""

import re
from collections.abc import Iterable, Iterator

from whet.domain.call_policy import CallPolicy
from whet.domain.own_files import STATE_FOLDER
from whet.guard.answer import Allow, GuardAnswer, Raise, Refuse, strictest
from whet.guard.calls.patches import is_patch, patched_paths
from whet.guard.calls.path_rules import covers_state, judge_change, judge_read, judge_write, names_state
from whet.guard.calls.place import FilePlace, Resolve
from whet.guard.paths.protected import CORE, OWN
from whet.guard.shell import FoundCommand, inspect

_TOKEN = re.compile(r"[^\s'\"`|&;<>()=,]+")
_INPUT = re.compile(r"(?<!<)<\s*['\"]?([^\s'\"`|&;<>()]+)")
_OUTPUT = re.compile(r"(?<![=</-])>{1,2}[|&]?\s*['\"]?([^\s'\"`|&;<>()]+)")
# Commands that print the files they are given; those of the second list may print only a harmless part.
_SHOW = frozenset({
    "cat", "bat", "batcat", "head", "tail", "less", "more", "nl", "tac", "od", "xxd", "hexdump", "strings", "base64",
    "base32", "column", "cut", "sort", "uniq",
})  # fmt: skip
_SHOW_PARTS = frozenset({"grep", "egrep", "fgrep", "rg", "ag", "awk", "gawk", "sed", "diff", "cmp", "comm", "jq", "yq"})
# Commands that tell only that a file exists, and options that leave a file out.
_NAME_ONLY = frozenset(
    {"ls", "ll", "stat", "du", "test", "[", "[[", "tree", "file", "realpath", "readlink", "echo", "printf"}
)
_LEAVE_OUT = {"rsync": "--exclude", "tar": "--exclude", "zip": "-x", "grep": "--exclude-dir", "du": "--exclude"}
_FIND_OTHERS = frozenset({"-prune", "-not", "!"})
# Commands that move or delete whole folders, and the folders in which agents keep their hooks.
_MOVE = frozenset({"rm", "mv", "rmdir", "unlink", "shred", "find", "ln", "chmod", "chown", "rsync"})
_AGENT_FOLDERS = (".claude", ".codex", ".gemini", ".cursor", ".copilot", ".github/hooks", ".github/copilot")
_SCRIPTED = frozenset({"sed", "awk", "gawk", "grep", "egrep", "rg", "ag", "perl", "find", "fd", "jq", "yq", "echo"})
# Commands that leave the files they are given as they are. git changes them by some of its commands only.
_HARMLESS = _SHOW | (_SHOW_PARTS - {"awk", "gawk", "sed"}) | frozenset({
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
    resolve = _from_each_folder(found, resolve)
    if is_patch(command):
        yield from _writes(patched_paths(command), policy, resolve)
    yield from _writes(_OUTPUT.findall(command), policy, resolve)
    inputs = _INPUT.findall(command)
    yield from _record_answers(inputs, resolve)
    yield from _secret_answers(inputs, resolve, certain=True)
    for each in found:
        words = list(_words(each))
        name = each.name.rpartition("/")[2]
        if name not in _NAME_ONLY and not (name == "find" and _FIND_OTHERS & set(each.arguments)):
            in_code = [token for word in words for token in _TOKEN.findall(word)]
            yield from _record_answers((*words, *in_code), resolve, globs=name not in _SCRIPTED)
        if name in _SHOW or name in _SHOW_PARTS:
            yield from _secret_answers(words, resolve, certain=name in _SHOW)
        yield from _changes(each, words, policy, resolve)


def _from_each_folder(found: tuple[FoundCommand, ...], resolve: Resolve) -> Resolve:
    """Return a function that looks a path up from every folder that the command changes to (`cd .claude`)."""
    folders = [""]
    for each in found:
        if each.name in ("cd", "pushd") and each.arguments[-1:]:
            folders.append(_joined(folders[-1], each.arguments[-1]))
    distinct = tuple(dict.fromkeys(folders))

    def resolve_from_each(path: str) -> tuple[FilePlace, ...]:
        return tuple(place for folder in distinct for place in resolve(_joined(folder, path)))

    return resolve_from_each


def _joined(folder: str, path: str) -> str:
    is_absolute = path.startswith(("/", "~", "$", "file:"))
    return path if is_absolute or not folder else f"{folder}/{path}"


def _words(found: FoundCommand) -> Iterator[str]:
    """Yield the arguments of a command and the values in options such as `--file=x`. Skip files that are left out."""
    option = _LEAVE_OUT.get(found.name)
    is_left_out = False
    for word in found.arguments:
        is_left_out = is_left_out or bool(option and word.startswith(option))
        if not is_left_out:
            yield word
            if "=" in word:
                yield word.partition("=")[2]
        # `zip -x` leaves out all that follow, the others one word.
        is_left_out = word == option or (is_left_out and option == "-x")


def _writes(paths: Iterable[str], policy: CallPolicy, resolve: Resolve) -> Iterator[GuardAnswer]:
    """Judge files that are written. The shell guard judges `.git` by what is written there."""
    for path in paths:
        if not path.startswith("/dev/"):
            answers = (judge_write(place, policy) for place in resolve(path))
            yield from (answer for answer in answers if not _is_git(answer) and not _is_unclear(answer))


def _is_git(answer: GuardAnswer) -> bool:
    return answer.pattern in (".git", "git~1")


def _is_unclear(answer: GuardAnswer) -> bool:
    """True for a text after `>` that is no path, such as a part of a program in quotes."""
    return isinstance(answer, Refuse) and answer.code == "path_unsafe"


def _record_answers(words: Iterable[str], resolve: Resolve, *, globs: bool = False) -> Iterator[GuardAnswer]:
    """Refuse a command that names whet's record, with `globs` also by a pattern such as `.wh*`."""
    for word in words:
        if names_state(word) or (globs and covers_state(word)):
            yield Refuse(f"the command names {STATE_FOLDER}, whet's record", "path_protected")
        for place in resolve(word):
            answer = judge_read(place)
            if isinstance(answer, Refuse) and answer.code != "secret_file":
                yield Refuse(f"the command names a file: {answer.reason}", answer.code)


def _secret_answers(words: Iterable[str], resolve: Resolve, *, certain: bool) -> Iterator[GuardAnswer]:
    """Refuse to print a file for secrets; raise it if maybe only a part is printed."""
    for place in (place for word in words for place in resolve(word)):
        answer = judge_read(place)
        if isinstance(answer, Refuse) and answer.code == "secret_file":
            reason = f"the command shows a file: {answer.reason}"
            yield Refuse(reason, answer.code) if certain else Raise(reason, answer.code)


def _changes(found: FoundCommand, words: list[str], policy: CallPolicy, resolve: Resolve) -> Iterator[GuardAnswer]:
    """Refuse a command that may change a file of whet or of the guard. Adding such a file to a commit is raised."""
    name = found.name.rpartition("/")[2]
    verb = next((word for word in found.arguments if not word.startswith("-")), "")
    if name in _MOVE:
        yield from _moved_folders(name, words, resolve)
    if name in _HARMLESS or (name == "git" and verb in _GIT_READS):
        return
    for word in words:
        for place in resolve(word):
            answer = judge_change(place, policy)
            if not isinstance(answer, Refuse) or answer.code != "path_protected" or _is_git(answer):
                continue
            # A test run is given whet's own source; and the shell guard knows the names of whet's files.
            if answer.pattern in OWN or (answer.pattern in CORE and answer.pattern in word.casefold()):
                continue
            if answer.setting or (name == "git" and verb in _GIT_RECORDS):
                yield Raise(f"{name} is given a file: {answer.reason}", answer.code)
            else:
                yield Refuse(f"{name} is given a file: {answer.reason}", answer.code)


def _moved_folders(name: str, words: list[str], resolve: Resolve) -> Iterator[GuardAnswer]:
    """Refuse to move or delete a folder in which an agent keeps its hooks."""
    for place in (place for word in words for place in resolve(word)):
        if place.path.casefold().endswith(tuple(f"/{folder}" for folder in _AGENT_FOLDERS)):
            yield Refuse(f"{name} is given {place.path}, which holds the hooks of a coding agent", "path_protected")
