"""Whatever it is given, the guard answers, and soon."""

import time

import pytest

from whet.guard.answer import Allow, Raise, Refuse
from whet.guard.shell import ShellPolicy, inspect, judge_command

REFUSED = [
    ("", "command_empty"), ("  \n\t", "command_empty"), (b"", "command_empty"), ("a" * 40_000, "command_too_long"),
    ("ls \0 -l", "command_unreadable"), (b"ls \xff", "command_unreadable"), ("ls \udc80", "command_unreadable"), ("ls \ue004", "command_unreadable"),
    ("$(" * 2000 + "ls" + ")" * 2000, "command_too_complex"),
    ('"$(' * 1000 + "ls" + ')"' * 1000, "command_too_complex"),
    ("if a; then " * 1000 + "b; " + "fi; " * 1000, "command_too_complex"),
    ("eval " * 5000 + "ls", "command_too_complex"),
    ("sudo " * 4000 + "ls", "command_too_complex"),
    (";".join(f"f{n}(){{ f{n + 1}; f{n + 1}; }}" for n in range(30)) + ";f0", "command_too_complex"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "code"), REFUSED)
def test_what_cannot_be_judged_is_refused_with_a_reason(command: str | bytes, code: str) -> None:
    answer = judge_command(command)
    assert isinstance(answer, Refuse)
    assert answer.code == code
    assert answer.reason


def test_the_bound_on_length_is_the_policys() -> None:
    assert isinstance(judge_command("ls -l", ShellPolicy(longest=4)), Refuse)
    assert not isinstance(judge_command("ls -l", ShellPolicy(longest=5)), Refuse)


def test_a_command_as_long_as_may_be_is_judged() -> None:
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
    "sql": "psql -c '" + "alter table " * 2500 + "'",
}


@pytest.mark.parametrize("command", HEAVY.values(), ids=HEAVY.keys())
def test_nothing_takes_long(command: str) -> None:
    """Seconds are allowed for what takes a fraction of one, so that a busy machine is not taken for a slow guard."""
    began = time.process_time()
    inspect(command)
    assert time.process_time() - began < 3


def test_twice_as_long_takes_about_twice_as_long() -> None:
    def seconds(count: int) -> float:
        command = "|".join(["grep -v x"] * count)
        return min(_spent(command) for _ in range(3))

    assert seconds(1600) < 8 * seconds(400)


def _spent(command: str) -> float:
    began = time.process_time()
    inspect(command)
    return time.process_time() - began


def test_a_brace_bomb_is_unresolved_and_a_long_range_is_not() -> None:
    assert isinstance(judge_command("echo " + "{a,b}" * 20), Raise)
    assert not isinstance(judge_command("for i in {1..1000}; do echo $i; done"), Raise | Refuse)


def test_random_bytes_are_answered() -> None:
    import random

    chance = random.Random(7)
    alphabet = "rm -f/${}()[]<>|&;`'\"\\\n\t #!*?~=+a1é{,}"
    for _ in range(1500):
        seen = inspect("".join(chance.choice(alphabet) for _ in range(chance.randrange(1, 60))))
        assert isinstance(seen.answer, Allow | Raise | Refuse)


def test_a_mark_cannot_be_forged() -> None:
    for command in ("sh -c $'\\ue004x'", "echo 7oCE | base64 -d | sh", "$'\\ue002rm' x"):
        assert isinstance(judge_command(command), Raise | Refuse)
