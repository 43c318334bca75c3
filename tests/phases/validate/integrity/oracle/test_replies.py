"""Replies of an untrusted process are parsed as data and never break the judge."""

import pytest

from whet.phases.validate.integrity.oracle.replies import ClassRef, Reply

FORGED = [
    "",
    "(",
    "\0",
    "exec('x')",
    "Decimal('sNaN')",
    "Fraction(1, 0)",
    "Fraction('1e999999999')",
    "{[]: 1}",
    "Decimal('1e999999')",
    "(" * 300,
]


@pytest.mark.parametrize("text", FORGED)
@pytest.mark.parametrize("array", [False, True])
def test_a_reply_that_is_not_data_is_wrong_and_raises_nothing(text: str, *, array: bool) -> None:
    reply = Reply(text, ClassRef("", ""), array)
    assert not reply.equals(2, near=False)
    assert not reply.equals(2, near=True)
    assert not reply.equals([2], near=True)
    assert not reply.is_empty
    assert not reply.matches("a word")
