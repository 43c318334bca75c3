"""Compare with bash: random texts run under bash with a marker command, and the guard must find that command."""

import random
import subprocess
from pathlib import Path

import pytest

from whet.guard.answer import Allow
from whet.guard.shell import inspect

PIECES = [
    "qqq", "qqq", "q", "qq", "''", '""', "$x", "${x}", "x=q;", "x=qqq;", "x='qqq a';", "$(echo qqq)", "`echo qqq`",
    ";", " | ", " && ", " || ", "( ", " )", "{ ", "; }", "eval ", "\\\n", "\\", "$'\\x71'", "$'qqq'", "\n", " <<E\n",
    "\nE\n", " ", "echo ", "sh -c ", "'", '"', "[[ -n ", " ]]", "if true; then ", "; fi", "! ", "case a in a) ",
    ";; esac", "for i in qqq; do $i; done", "f(){ qqq; }; f", "{q,q}qq", "{qqq,a}", " # ", "$@", "${x:-qqq}",
    "${x:+qqq}", "<(qqq)", "env ", "command ", "exec ", "xargs ", "true ", "cat ", "| sh", "$IFS", "a=b ",
    "a[0]=qqq;", "${a[0]}", "\t", "time ", "coproc ", '$"qqq"', "2>&1 ", ">/dev/null ", "trap qqq EXIT;", '"$(', ')"',
    "builtin ", "echo qqq|bash", "source /dev/stdin <<< qqq",
]  # fmt: skip


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """Install a command `qqq` that creates the returned file when it runs."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "here").mkdir()
    command = tmp_path / "bin" / "qqq"
    command.write_text(f"#!/bin/sh\n: > {tmp_path}/ran\n")
    command.chmod(0o755)
    return tmp_path / "ran"


@pytest.mark.parametrize("seed", range(4))
def test_a_command_that_bash_runs_is_found_or_raised(seed: int, marker: Path) -> None:
    generator, ran = random.Random(seed), 0
    for _ in range(150):
        text = "".join(generator.choice(PIECES) for _ in range(generator.randint(2, 6)))
        if not _runs_marker(text, marker):
            continue
        ran += 1
        result = inspect(text)
        assert not isinstance(result.answer, Allow) or "qqq" in {command.name for command in result.commands}, text
    assert ran > 5, "too few texts ran the marker for a meaningful comparison"


def _runs_marker(text: str, marker: Path) -> bool:
    marker.unlink(missing_ok=True)
    environment = {"PATH": f"{marker.parent}/bin:/usr/bin:/bin"}
    try:
        subprocess.run(
            ["bash", "-c", text],
            cwd=marker.parent / "here",
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=5,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return marker.exists()
