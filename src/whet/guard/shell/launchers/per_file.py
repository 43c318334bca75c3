"""find, xargs, parallel and fd: they start a command for each of many files."""

import re
from dataclasses import dataclass, replace

from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_writing, is_system_path, is_unsafe_to_delete
from whet.guard.shell.model.placeholders import UNKNOWN
from whet.guard.shell.model.programs import SHELLS
from whet.guard.shell.output.fd_matches import protected_by_fd
from whet.guard.shell.output.find_matches import matched_by_find

_FIND_EXEC = ("-exec", "-execdir", "-ok", "-okdir")
_FIND_WRITE = ("-fprintf", "-fls", "-fprint", "-fprint0")
_XARGS_VALUED_LETTERS = "aEdIiLlnPsJRS"
_XARGS_OPTIONAL_LETTERS = "iel"  # their value is attached or left out, never the next word
_XARGS_FLAGS = "0rtpxoe"
_XARGS_LONG_VALUED = (
    "arg-file", "delimiter", "eof", "replace", "max-lines", "max-args", "max-procs", "max-chars", "process-slot-var",
)  # fmt: skip
_XARGS_LONG_FLAGS = ("null", "no-run-if-empty", "verbose", "interactive", "exit", "open-tty", "show-limits")
_PARALLEL_FLAGS = frozenset({
    "-0", "-k", "-u", "-X", "-m", "-q", "-t", "-v", "--keep-order", "--bar", "--eta", "--dry-run", "--will-cite",
    "--ungroup", "--null", "--pipe", "--progress", "--line-buffer", "--lb", "--linebuffer", "--no-notice",
    "--tag", "--tty", "-z", "--citation", "--xargs", "--joblog-append", "--semaphore", "--shuf", "--plus",
})  # fmt: skip
_PARALLEL_VALUED = frozenset({
    "-j", "--jobs", "-P", "-N", "-n", "--max-args", "-a", "--arg-file", "--colsep", "-C", "--joblog", "-S",
    "--sshlogin", "--delay", "--timeout", "--retries", "--results", "-I", "--halt", "--tmpdir", "-d",
    "--max-procs", "--block", "--recstart", "--recend", "-L", "-s", "--load", "--memfree", "--nice", "--env",
    "--arg-sep", "--header", "--rpl", "--wd", "--workdir", "--tagstring",
})  # fmt: skip
_PARALLEL_ATTACHED_VALUE = re.compile(r"-[jPNnLCSId].")
_MAX_ARGUMENTS = 64
_MAX_REPLACEMENTS = 8
_MAX_PARALLEL_INPUTS = 16


def find(call: Call, follower: Follower) -> None:
    """Follow `-exec` for the paths that find matches, and judge `-delete` and `-fprint`."""
    args, index = call.args, 0
    paths = matched_by_find(args)
    while index < len(args):
        word = args[index]
        if word in _FIND_EXEC:
            end = next((at for at in range(index + 1, len(args)) if args[at] in (";", "+")), len(args))
            template = args[index + 1 : end]
            for path in paths:
                words = [part.replace("{}", path) for part in template]
                follower.follow_command(words or [UNKNOWN], call, f"find {word}")
            index = end
        elif word == "-delete":
            for path in paths:
                _judge_deletion(call, path, follower)
        elif word in _FIND_WRITE and index + 1 < len(args) and is_system_path(args[index + 1]):
            follower.add_danger(call, Harm.SYSTEM, f"overwrites {args[index + 1]}")
        index += 1


def _judge_deletion(call: Call, path: str, follower: Follower) -> None:
    resolved = call.resolve(path)
    harm = harm_of_writing(resolved)
    if harm is not None or is_unsafe_to_delete(resolved):
        harm = Harm.TRACES if harm is Harm.TRACES else Harm.DELETION
        follower.add_danger(call, harm, f"deletes everything that find matches in {resolved.rstrip('/*') or '/'}")


@dataclass(slots=True)
class _XargsOptions:
    """`replaced` is the text that each input line replaces; `file` is the file that the input comes from (`-a`)."""

    replaced: str = ""
    file: str = ""


def xargs(call: Call, follower: Follower) -> None:
    args, index = call.args, 0
    options = _XargsOptions()
    while index < len(args) and args[index].startswith("-") and len(args[index]) > 1:
        if args[index] == "--":
            index += 1
            break
        take = _take_long_option if args[index].startswith("--") else _take_short_options
        length = take(args, index, options)
        if length == 0:
            follower.state.add_unresolved("the guard does not know an option of xargs", call.span)
            return
        index += length
    words = args[index:] or ["echo"]
    if len(words) == 1 and words[0].rpartition("/")[2] in SHELLS:
        follower.add_danger(call, Harm.SHELL_ESCAPE, "hands a shell to xargs")
    _follow_for_input(call, words, options, follower)


def _take_long_option(args: list[str], index: int, options: _XargsOptions) -> int:
    """Return how many words a long option of xargs takes; 0 if it is unknown."""
    name, equals, value = args[index][2:].partition("=")
    if name == "replace":
        options.replaced = value or "{}"
        return 1
    if any(long.startswith(name) for long in _XARGS_LONG_VALUED):
        if "arg-file".startswith(name):
            options.file = value if equals else "".join(args[index + 1 : index + 2])
        return 1 if equals else 2
    return 1 if any(long.startswith(name) for long in _XARGS_LONG_FLAGS) else 0


def _take_short_options(args: list[str], index: int, options: _XargsOptions) -> int:
    """Return how many words a cluster of short options of xargs takes; 0 if one is unknown."""
    letters = args[index][1:]
    for position, letter in enumerate(letters):
        if letter in _XARGS_VALUED_LETTERS:
            attached = letters[position + 1 :]
            takes_next = not attached and letter not in _XARGS_OPTIONAL_LETTERS
            value = args[index + 1] if takes_next and index + 1 < len(args) else attached
            if letter in "IiJ":
                options.replaced = value or "{}"
            if letter == "a":
                options.file = value
            return 2 if takes_next else 1
        if letter not in _XARGS_FLAGS:
            return 0
    return 1


def _follow_for_input(call: Call, words: list[str], options: _XargsOptions, follower: Follower) -> None:
    """Follow the command of xargs with its input as arguments, or in place of `options.replaced`."""
    text = (_text_of_file(call, options.file, follower) if options.file else call.stdin or "").replace("\0", "\n")
    inner = _without_stdin(call)
    if not options.replaced:
        follower.follow_command([*words, *text.split()[:_MAX_ARGUMENTS]], inner, "xargs")
        return
    lines = [line for line in text.split("\n") if line]
    for line in lines[:_MAX_REPLACEMENTS] or [UNKNOWN]:
        follower.follow_command([word.replace(options.replaced, line) for word in words], inner, "xargs")


def _text_of_file(call: Call, path: str, follower: Follower) -> str:
    """Return the input that xargs reads from a file: known if the command text wrote the file, else unknown."""
    if path in ("-", "/dev/stdin"):
        return call.stdin or UNKNOWN
    text = text_of_file(call, path, follower)
    return UNKNOWN if text is None else text


def _without_stdin(call: Call) -> Call:
    """Return the same call with nothing on standard input, because xargs and parallel have consumed it."""
    return replace(call, stdin=None)


def parallel(call: Call, follower: Follower) -> None:
    """Follow the command of GNU parallel for each input, as a command text."""
    words, start = call.args, 0
    while start < len(words) and words[start].startswith("-"):
        word = words[start]
        if word in _PARALLEL_FLAGS or "=" in word or _PARALLEL_ATTACHED_VALUE.match(word):
            start += 1
        elif word in _PARALLEL_VALUED:
            start += 2
        else:
            follower.state.add_unresolved("the guard does not know an option of parallel", call.span)
            return
    is_shell = start < len(words) and words[start].rpartition("/")[2] in SHELLS
    if is_shell and words[start + 1 : start + 2] != ["-c"]:
        follower.add_danger(call, Harm.SHELL_ESCAPE, "hands a shell to parallel")
    separator = next((index for index, word in enumerate(words) if word in (":::", "::::", ":::+")), None)
    if separator is None:
        template, inputs = words[start:], (call.stdin or UNKNOWN).split("\n")
    else:
        template = words[start:separator]
        inputs = [word for word in words[separator + 1 :] if not word.startswith("::")]
    text = " ".join(template)
    for value in [value for value in inputs if value][:_MAX_PARALLEL_INPUTS] or [UNKNOWN]:
        filled = text.replace("{}", value) if "{" in text else f"{text} {value}".strip()
        follower.follow_text(filled, _without_stdin(call), "parallel")
        if is_shell and template[-1:] == ["-c"]:  # parallel quotes the value, so that the shell gets it as one text
            follower.follow_text(value, _without_stdin(call), "parallel")


def fd(call: Call, follower: Follower) -> None:
    """Follow `fd pattern -x command`."""
    for index, word in enumerate(call.args):
        template = call.args[index + 1 :]
        if word in ("-x", "--exec", "-X", "--exec-batch") and template:
            patterns = [argument for argument in call.args[:index] if not argument.startswith("-")]
            selected = f"./{UNKNOWN}/{patterns[0]}" if patterns else "./*"
            for path in (selected, *protected_by_fd(call.args[:index])):
                words = [part.replace("{}", path) for part in template]
                if not any("{}" in part for part in template):
                    words.append(path)
                follower.follow_command(words, call, f"fd {word}")
            return


LAUNCHERS = {
    "find": find,
    "gfind": find,
    "xargs": xargs,
    "gxargs": xargs,
    "parallel": parallel,
    "fd": fd,
    "fdfind": fd,
}
