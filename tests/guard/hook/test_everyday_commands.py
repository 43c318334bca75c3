"""Everyday commands that the shell guard allows stay allowed, except where they show or write a special file."""

from pathlib import Path

from tests.guard.shell.rows import must_allow
from whet.app.agent_hook.places import resolver
from whet.domain.call_policy import CallPolicy
from whet.guard.answer import Allow
from whet.guard.calls.commands import judge_shell


def test_few_everyday_commands_are_judged_more_strictly(repository: Path) -> None:
    resolve = resolver((str(repository),), ())
    commands = must_allow("common")[:600]
    stricter = [
        (command, answer)
        for command in commands
        if not isinstance(answer := judge_shell(command, CallPolicy(), resolve), Allow)
    ]
    assert {answer.code for _, answer in stricter if not isinstance(answer, Allow)} <= {"secret_file", "path_protected"}
    assert len(stricter) <= len(commands) // 50, stricter
