"""find, xargs, parallel and their like: one command for many files."""

import re

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.paths import harm_of_writing, is_system_path, is_unsafe_to_delete
from whet.guard.shell.model.placeholders import UNKNOWN
from whet.guard.shell.model.programs import SHELLS
from whet.guard.shell.output.find_matches import matched_by_find

_EXECUTES = ("-exec", "-execdir", "-ok", "-okdir")
_XARGS_VALUED = "aEdIiLlnPsJRS"
_XARGS_FLAGS = "0rtpxoe"
_XARGS_LONG = (
    "arg-file",
    "delimiter",
    "eof",
    "replace",
    "max-lines",
    "max-args",
    "max-procs",
    "max-chars",
    "process-slot-var",
)
_XARGS_LONG_FLAGS = ("null", "no-run-if-empty", "verbose", "interactive", "exit", "open-tty", "show-limits")
_PARALLEL_FLAGS = frozenset({"-0", "-k", "-u", "-X", "-m", "-q", "-t", "-v", "--keep-order", "--bar", "--eta", "--dry-run", "--will-cite",
                             "--ungroup", "--null", "--pipe", "--progress", "--line-buffer", "--lb", "--linebuffer", "--no-notice", "--tag"})  # fmt: skip
_GLUED = re.compile(r"-[jPNnLCSId].")
_MOST_PIECES = 64


def find(call: Call, follower: Follower) -> None:
    args, place = call.args, 0
    found = matched_by_find(args)
    while place < len(args):
        if args[place] in _EXECUTES:
            end = next((at for at in range(place + 1, len(args)) if args[at] in (";", "+")), len(args))
            for path in found:
                follower.follow_command(
                    [word.replace("{}", path) for word in args[place + 1 : end]] or [UNKNOWN],
                    call,
                    f"find {args[place]}",
                )
            place = end
        elif args[place] == "-delete":
            for path in found:
                _deleted(call, path, follower)
        elif (
            args[place] in ("-fprintf", "-fls", "-fprint", "-fprint0")
            and place + 1 < len(args)
            and is_system_path(args[place + 1])
        ):
            follower.add_danger(call, Harm.SYSTEM, f"overwrites {args[place + 1]}")
        place += 1


def _deleted(call: Call, path: str, follower: Follower) -> None:
    seen = call.resolve(path)
    harm = harm_of_writing(seen)
    if harm is not None or is_unsafe_to_delete(seen):
        harm = Harm.TRACES if harm is Harm.TRACES else Harm.DELETION
        follower.add_danger(call, harm, f"deletes everything that find meets in {seen.rstrip('/*') or '/'}")


def xargs(call: Call, follower: Follower) -> None:
    args, place, replaced, where = call.args, 0, "", None
    while place < len(args) and args[place].startswith("-") and len(args[place]) > 1:
        word = args[place]
        if word == "--":
            place += 1
            break
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if name == "replace":
                replaced = value or "{}"
            elif any(long.startswith(name) for long in _XARGS_LONG):
                place += not equals
            elif not any(long.startswith(name) for long in _XARGS_LONG_FLAGS):
                follower.state.add_unresolved("xargs has an option whose meaning is not known here", call.span)
                return
        else:
            for at, letter in enumerate(word[1:], 1):
                rest = word[at + 1 :]
                if letter in _XARGS_VALUED:
                    optional = letter in "iel"
                    value = rest or ("" if optional else (args[place + 1] if place + 1 < len(args) else ""))
                    place += not rest and not optional
                    replaced = value or "{}" if letter in "IiJ" else replaced
                    where = value if letter == "a" else where
                    break
                if letter not in _XARGS_FLAGS:
                    follower.state.add_unresolved("xargs has an option whose meaning is not known here", call.span)
                    return
        place += 1
    words = args[place:] or ["echo"]
    if len(words) == 1 and words[0].rpartition("/")[2] in SHELLS:
        follower.add_danger(call, Harm.SHELL_ESCAPE, "hands a shell to xargs")
    _spread(call, words, replaced, follower, "xargs", known=where is None)


def _spread(call: Call, words: list[str], replaced: str, follower: Follower, label: str, *, known: bool) -> None:
    fed = call.stdin if known else UNKNOWN
    pieces = (fed or "").replace("\0", "\n").split()[:_MOST_PIECES] if fed is not None else []
    if replaced:
        lines = [line for line in (fed or "").replace("\0", "\n").split("\n") if line] if fed is not None else []
        for piece in lines[:8] or [UNKNOWN]:
            follower.follow_command([word.replace(replaced, piece) for word in words], inner_of(call), label)
    else:
        follower.follow_command([*words, *pieces], inner_of(call), label)


def inner_of(call: Call) -> Call:
    """The same call with nothing on standard input: xargs has eaten it."""
    copy = call.inner([call.path, *call.args], "")
    copy.via, copy.stdin = call.via, None
    return copy


def parallel(call: Call, follower: Follower) -> None:
    words, place = call.args, 0
    while place < len(words) and words[place].startswith("-"):
        if words[place] in _PARALLEL_FLAGS or "=" in words[place] or _GLUED.match(words[place]):
            place += 1
        elif words[place] in ("-j", "--jobs", "-P", "-N", "-n", "--max-args", "-a", "--arg-file", "--colsep", "-C", "--joblog", "-S", "--sshlogin",
                              "--delay", "--timeout", "--retries", "--results", "-I", "--halt", "--tmpdir", "-d", "--max-procs"):  # fmt: skip
            place += 2
        else:
            follower.state.add_unresolved("parallel has an option whose meaning is not known here", call.span)
            return
    if len(words) > place and words[place].rpartition("/")[2] in SHELLS and words[place + 1 : place + 2] != ["-c"]:
        follower.add_danger(call, Harm.SHELL_ESCAPE, "hands a shell to parallel")
    marks = [at for at, word in enumerate(words) if word in (":::", "::::", ":::+")]
    template = words[place : marks[0]] if marks else words[place:]
    given = (
        [word for word in words[marks[0] + 1 :] if not word.startswith("::")]
        if marks
        else (call.stdin or UNKNOWN).split("\n")
    )
    for value in [one for one in given if one][:16] or [UNKNOWN]:
        text = " ".join(template)
        filled = text.replace("{}", value) if "{" in text else f"{text} {value}".strip()
        follower.follow_text(filled, inner_of(call), "parallel")


def file_finder(call: Call, follower: Follower) -> None:
    """`fd -x cmd`, `fd -X cmd`."""
    for place, word in enumerate(call.args):
        if word in ("-x", "--exec", "-X", "--exec-batch") and place + 1 < len(call.args):
            patterns = [one for one in call.args[:place] if not one.startswith("-")]
            path = f"./{UNKNOWN}/{patterns[0]}" if patterns else "./*"
            words = [one.replace("{}", path) for one in call.args[place + 1 :]]
            follower.follow_command(
                words if any("{}" in one for one in call.args[place + 1 :]) else [*words, path], call, f"fd {word}"
            )
            return


LAUNCHERS = {
    "find": find,
    "gfind": find,
    "xargs": xargs,
    "gxargs": xargs,
    "parallel": parallel,
    "fd": file_finder,
    "fdfind": file_finder,
}
