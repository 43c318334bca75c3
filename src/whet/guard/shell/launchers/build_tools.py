"""Build tools and debuggers: recipes of make, scripts of cmake, helper programs of compilers."""

import re
from collections.abc import Callable

from whet.guard.shell.code import python, scripts
from whet.guard.shell.launchers.shells import text_of_file
from whet.guard.shell.model.call import Call
from whet.guard.shell.model.follower import Follower
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.placeholders import FROM_NETWORK, UNKNOWN
from whet.guard.shell.model.programs import SHELLS

_RECIPE_SHELL_VARIABLES = ("SHELL", ".SHELLFLAGS")
_EXECUTE_PROCESS = re.compile(r"execute_process\s*\(\s*COMMAND\s+([^)]*)", re.IGNORECASE)
_COMPILERS = ("gcc", "cc", "g++", "c89", "c99", "clang", "tcc")


def make(call: Call, follower: Follower) -> None:
    """Follow the recipes of `--eval` and of a makefile that is known; report another shell for the recipes."""
    for index, word in enumerate(call.args):
        following = call.args[index + 1] if index + 1 < len(call.args) else None
        name, equals, value = word.partition("=")
        if equals and name.rstrip(":?+") in _RECIPE_SHELL_VARIABLES and value.rpartition("/")[2] not in SHELLS:
            follower.add_danger(call, Harm.SHELL_ESCAPE, "names the program that make runs recipes with")
        elif word.startswith("--ev") or word == "-E":
            _follow_recipes(call, value or following or "", follower.follow_program, follower)
        elif word in ("-f", "--file", "--makefile") and following is not None:
            if following in ("-", "/dev/stdin"):
                rules = call.stdin or UNKNOWN
            else:
                rules = text_of_file(call, following, follower) or ""
            _follow_recipes(call, rules, follower.follow_text, follower)


def _follow_recipes(call: Call, rules: str, follow: Callable[[str, Call, str], None], follower: Follower) -> None:
    if FROM_NETWORK in rules:
        follower.add_danger(call, Harm.PIPE_TO_SHELL, "the command runs a makefile from the network")
    for line in rules.replace(";", "\n\t").split("\n"):
        if line.startswith("\t"):
            follow(line.strip().lstrip("@-+").replace("$$", "$"), call, "make recipe")
        elif "$(shell" in line:
            follow(line.partition("$(shell")[2].rstrip(") "), call, "make recipe")
    if rules and not rules.strip(UNKNOWN):
        follower.state.add_unresolved("the makefile is not known", call.span)


def cmake(call: Call, follower: Follower) -> None:
    """Follow `cmake -E env|time|chdir command`, `cmake -E rm path`, and a script (`-P`) on standard input."""
    words = call.args[1:] if call.args[:1] == ["-E"] else []
    start = {"env": 1, "time": 1, "chdir": 2}.get(words[0], 0) if words else 0
    while start and start < len(words) and ("=" in words[start] or words[start].startswith("--")):
        start += 1
    if start and words[start:]:
        follower.follow_command(words[start:], call, "cmake -E")
    if words[:1] in (["rm"], ["remove"], ["remove_directory"]):
        follower.follow_command(["rm", "-r", *words[1:]], call, "cmake -E")
    if "-P" in call.args and call.stdin:
        for text in _EXECUTE_PROCESS.findall(call.stdin):
            follower.follow_text(text, call, "cmake script")


def compiler(call: Call, follower: Follower) -> None:
    """Follow `gcc -wrapper program` and C code on standard input."""
    for index, word in enumerate(call.args):
        if word == "-" and call.stdin:
            follower.follow_effects(scripts.effects(call.stdin, "C"), call, "C code")
        if word == "-wrapper" and index + 1 < len(call.args):
            follower.follow_command(call.args[index + 1].split(","), call, "gcc -wrapper")


def gdb(call: Call, follower: Follower) -> None:
    """Follow Python code in `gdb -ex 'python ...'`. Everything after `--args` belongs to the debugged program."""
    for index, word in enumerate(call.args):
        rest = call.args[index + 1 :]
        if word == "--args" and rest:
            return
        if word in ("-ex", "-iex", "-eval-command") and rest:
            text = rest[0].lstrip()
            if text.startswith(("python", "py ")):
                follower.follow_effects(python.effects(text.partition(" ")[2]), call, "gdb python")


LAUNCHERS = {
    **dict.fromkeys(("make", "gmake", "bmake"), make),
    "cmake": cmake,
    **dict.fromkeys(_COMPILERS, compiler),
    "gdb": gdb,
}
