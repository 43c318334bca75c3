"""The shell guard answers every input, and within a bounded time."""

import time

import pytest

from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.shell import ShellPolicy, inspect, judge_command

REFUSED = [
    ("", "command_empty"), ("  \n\t", "command_empty"), (b"", "command_empty"), ("a" * 40_000, "command_too_long"),
    ("ls \0 -l", "command_unreadable"), (b"ls \xff", "command_unreadable"), ("ls \udc80", "command_unreadable"),
    ("ls \ue004", "command_unreadable"), ("$(" * 2000 + "ls" + ")" * 2000, "command_too_complex"),
    ('"$(' * 1000 + "ls" + ')"' * 1000, "command_too_complex"),
    ("if a; then " * 1000 + "b; " + "fi; " * 1000, "command_too_complex"),
    ("eval " * 5000 + "ls", "command_too_complex"), ("sudo " * 4000 + "ls", "command_too_complex"),
    (";".join(f"f{n}(){{ f{n + 1}; f{n + 1}; }}" for n in range(30)) + ";f0", "command_too_complex"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "code"), REFUSED)
def test_text_that_cannot_be_judged_is_refused_with_a_reason(command: str | bytes, code: str) -> None:
    answer = judge_command(command)
    assert isinstance(answer, Refuse)
    assert answer.code == code
    assert answer.reason


def test_the_policy_sets_the_maximum_length() -> None:
    assert isinstance(judge_command("ls -l", ShellPolicy(longest=4)), Refuse)
    assert not isinstance(judge_command("ls -l", ShellPolicy(longest=5)), Refuse)


def test_a_command_of_maximum_length_is_judged() -> None:
    ending = "; rm -rf /"
    assert isinstance(judge_command("echo " + "a" * (32_768 - 5 - len(ending)) + ending), Refuse)


HEAVY = {
    "pipes": "|".join(["a"] * 5000),
    "lists": " && ".join(["a"] * 4000),
    "words": "a " * 16_000,
    "brace bomb": "echo " + "{a,b}" * 200,
    "nested braces": "echo " + "{a," * 500 + "b" + "}" * 500,
    "a range": "echo {1..999999999}",
    "a function that calls itself": "f(){ f; f; };f",
    "aliases in a ring": "alias a=b b=a; a",
    "a doubled variable": "a=x;" + "a=$a$a;" * 500 + "$a",
    "quotes": '"' * 20_001,
    "backticks": "`" * 20_001,
    "parentheses": "(" * 20_000,
    "dollars": "$" * 20_000,
    "backslashes": "\\" * 20_001,
    "heredocs": "".join(f"cat <<E{n}\nx\nE{n}\n" for n in range(1000)),
    "open heredocs": "".join(f"cat <<E{n}\n" for n in range(500)),
    "arithmetic": "echo $((" + "1+" * 8000 + "1))",
    "defaults": "${a:-" * 3000 + "}" * 3000,
    "slashes": "rm -rf " + "/" * 20_000,
    "folders": "cat " + "a/" * 9000,
    "redirections": "ls " + ">x " * 8000,
    "cases": "case x in " + "a) b;;" * 3000 + " esac",
    "sed": "sed '" + "s/a/b/;" * 4000 + "'",
    "awk": "awk '" + '"a" | ' * 4000 + "'",
    "perl": "perl -e '" + 'system("' * 4000 + "'",
    "python": "python3 -c '" + "(" * 3000 + "'",
    "find tests": "find . " + "-name a -prune -o " * 1500 + "-delete",
    "find groups": "find . " + "\\( " * 3000 + "-name a " + "\\) " * 3000,
    "a find pattern": "find . -regex '" + "\\(.*" * 12 + "\\)*" * 12 + "x' -delete",
    "an fd pattern": "fd -H '" + "(.*" * 12 + ")*" * 12 + "x' -x rm",
    "protected globs": "rm " + ".g*?t*a*b*c*d " * 2000,
    "one-liner": "perl -e '" + "unlink rmtree( " * 500 + "'",
    "search path": "PYTHONPATH=" + "a/b:" * 8000 + " ls",
    "sql": "psql -c '" + "alter table " * 2500 + "'",
}


@pytest.mark.parametrize("command", HEAVY.values(), ids=HEAVY.keys())
def test_a_heavy_command_is_judged_in_time(command: str) -> None:
    """The limit is far above the usual fraction of a second, so that a busy machine does not fail the test."""
    started = time.process_time()
    inspect(command)
    assert time.process_time() - started < 3


def test_the_time_grows_about_linearly_with_the_length() -> None:
    def seconds(count: int) -> float:
        command = "|".join(["grep -v x"] * count)
        return min(_seconds_to_inspect(command) for _ in range(3))

    assert seconds(1600) < 8 * seconds(400)


def _seconds_to_inspect(command: str) -> float:
    started = time.process_time()
    inspect(command)
    return time.process_time() - started


def test_a_brace_bomb_is_unresolved_and_a_long_range_is_not() -> None:
    assert isinstance(judge_command("echo " + "{a,b}" * 20), Raise)
    assert not isinstance(judge_command("for i in {1..1000}; do echo $i; done"), Raise | Refuse)


def test_random_text_is_answered() -> None:
    import random

    generator = random.Random(7)
    alphabet = "rm -f/${}()[]<>|&;`'\"\\\n\t #!*?~=+a1é{,}"
    for _ in range(1500):
        text = "".join(generator.choice(alphabet) for _ in range(generator.randrange(1, 60)))
        assert isinstance(inspect(text).answer, Allow | Raise | Refuse)


def test_a_placeholder_cannot_be_forged() -> None:
    for command in ("sh -c $'\\ue004x'", "echo 7oCE | base64 -d | sh", "$'\\ue002rm' x"):
        assert isinstance(judge_command(command), Raise | Refuse)


def test_a_container_option_without_a_name_is_answered() -> None:
    """`-=v` has no option letter before the "="; parsing it once raised IndexError."""
    assert isinstance(judge_command("docker run -=v alpine sh"), Allow | Raise | Refuse)
