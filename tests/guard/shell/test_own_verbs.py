"""The shell guard knows the commands of whet: those that read are allowed, all others are refused."""

from whet.cli.commands import EXAMPLES
from whet.guard.answer import Allow, Refuse
from whet.guard.shell import judge_command
from whet.guard.shell.rules.own.verbs import CHANGING_VERBS, READING_VERBS

GATES_AND_STATE = {"approve", "reject", "withdraw", "resume", "rollback", "start", "stop", "run", "worker"}


def test_every_reading_verb_is_a_command_and_its_example_is_allowed() -> None:
    assert set(EXAMPLES) >= READING_VERBS
    refused = [EXAMPLES[verb] for verb in READING_VERBS if not isinstance(judge_command(EXAMPLES[verb]), Allow)]
    # The example of `guard command` contains the dangerous command that it asks about, as text.
    assert not refused


def test_the_example_of_every_other_command_is_refused() -> None:
    others = set(EXAMPLES) - READING_VERBS - {"sync", "suggest", "approvers"}  # these read without further words
    assert others >= GATES_AND_STATE
    assert not [verb for verb in others if not isinstance(judge_command(EXAMPLES[verb]), Refuse)]


def test_no_verb_both_reads_and_changes() -> None:
    assert not READING_VERBS & CHANGING_VERBS
    assert GATES_AND_STATE <= CHANGING_VERBS


def test_a_verb_that_the_guard_does_not_know_is_refused() -> None:
    answer = judge_command("whet some-later-verb")
    assert answer == Refuse(
        "the command runs `whet some-later-verb`, which a person must run themselves", "command_whet"
    )
