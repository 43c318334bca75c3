"""What bash really runs is found: texts put together at random, run with a command that leaves a trace."""

import random
import subprocess
from pathlib import Path

import pytest

from whet.guard.answer import Allow
from whet.guard.shell import inspect

PIECES = [
    "qqq", "qqq", "q", "qq", "''", '""', "$x", "${x}", "x=q;", "x=qqq;", "x='qqq a';", "$(echo qqq)", "`echo qqq`", ";", " | ", " && ", " || ", "( ", " )",
    "{ ", "; }", "eval ", "\\\n", "\\", "$'\\x71'", "$'qqq'", "\n", " <<E\n", "\nE\n", " ", "echo ", "sh -c ", "'", '"', "[[ -n ", " ]]", "if true; then ", "; fi",
    "! ", "case a in a) ", ";; esac", "for i in qqq; do $i; done", "f(){ qqq; }; f", "{q,q}qq", "{qqq,a}", " # ", "$@", "${x:-qqq}", "${x:+qqq}", "<(qqq)", "env ",
    "command ", "exec ", "xargs ", "true ", "cat ", "| sh", "$IFS", "a=b ", "a[0]=qqq;", "${a[0]}", "\t", "time ", "coproc ", '$"qqq"', "2>&1 ", ">/dev/null ",
    "trap qqq EXIT;", '"$(', ')"', "builtin ", "echo qqq|bash", "source /dev/stdin <<< qqq",
]  # fmt: skip


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    (tmp_path / "here").mkdir()
    command = tmp_path / "bin" / "qqq"
    command.write_text(f"#!/bin/sh\n: > {tmp_path}/ran\n")
    command.chmod(0o755)
    return tmp_path / "ran"


@pytest.mark.parametrize("seed", range(4))
def test_what_bash_runs_is_found_or_raised(seed: int, trace: Path) -> None:
    chance, ran = random.Random(seed), 0
    for _ in range(150):
        text = "".join(chance.choice(PIECES) for _ in range(chance.randint(2, 6)))
        if not _runs(text, trace):
            continue
        ran += 1
        seen = inspect(text)
        assert not isinstance(seen.answer, Allow) or "qqq" in {found.name for found in seen.commands}, text
    assert ran > 5, "hardly anything ran: the comparison says nothing"


def _runs(text: str, trace: Path) -> bool:
    trace.unlink(missing_ok=True)
    environment = {"PATH": f"{trace.parent}/bin:/usr/bin:/bin"}
    try:
        subprocess.run(
            ["bash", "-c", text], cwd=trace.parent / "here", env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=5, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return trace.exists()
