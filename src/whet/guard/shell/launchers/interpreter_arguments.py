"""Code in unusual arguments of Python and Perl: `python -m timeit CODE`, `perl -MModule;CODE`, `perl -ne 1 'ls|'`."""

import re

from whet.guard.shell.code import python, scripts
from whet.guard.shell.launchers import interpreters, read_files
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.options import values_of

_TIMED_CODE_OPTIONS = ("-s", "--setup")
_CODE_IN_MODULE = re.compile(r"-[mM][^'\"(;]*[;(](.+)", re.DOTALL)


def python_arguments(call: Call, follower: Follower) -> None:
    """Judge the statements of `python -m timeit`, the code of `python -m idlelib -c`, the files of `python -m pytest`."""
    module = next(values_of(call.args, "-m"), "")
    if module == "timeit":
        rest = call.args[call.args.index("-m") + 2 :] if "-m" in call.args else call.args[1:]
        codes = [word for word in rest if not word.startswith("-")]
        codes += [value for option in _TIMED_CODE_OPTIONS for value in values_of(rest, option)]
    elif module in ("idlelib", "idlelib.idle"):
        codes = list(values_of(call.args, "-c"))
    else:
        if module in read_files.TABLE:
            read_files.read_files(call.inner([module], "python -m"), follower)
        return
    for code in codes:
        if not code.isdecimal():
            follower.follow_effects(python.effects(code), call, "python code")


def perl_arguments(call: Call, follower: Follower) -> None:
    """Judge code after the name of a module, and file names that Perl opens as commands (`-n`, `-p`)."""
    for word in call.args:
        code = _CODE_IN_MODULE.fullmatch(word)
        if code is not None:
            follower.follow_effects(scripts.effects(code[1], "perl"), call, "perl code")
    reads_operands = any(re.match(r"-\w*[np]", word) for word in call.args)
    for word in call.args[1:] if reads_operands else ():
        is_pipe = word.lstrip().startswith("|") or word.rstrip().endswith("|")
        if is_pipe and word not in values_of(call.args, "-e"):
            follower.follow_program(word.strip().strip("|"), call, "perl")


LAUNCHERS = {
    name: python_arguments if name.startswith(("python", "pypy")) else perl_arguments
    for name in interpreters.LAUNCHERS
    if name.startswith(("python", "pypy", "perl")) and name != "perlbug"
}
