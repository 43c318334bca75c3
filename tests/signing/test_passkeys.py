"""Passkeys: the file that lists them, and the answers that hold or do not hold."""

from dataclasses import replace

import pytest

from tests.signing.software_passkey import PRESENT, SoftwarePasskey
from whet.errors import BadSignature, BadSigners
from whet.signing import passkeys

STATEMENT = "whet approval v1\nanswer: approved\n"
ALICE = SoftwarePasskey()
[LISTED] = passkeys.parse(ALICE.line)


def test_a_verified_answer_to_the_statement_holds() -> None:
    assert passkeys.verify(ALICE.answer(STATEMENT, counter=7), LISTED) == 7
    assert passkeys.counter_of(ALICE.answer(STATEMENT, counter=7)) == 7


BAD = {
    "another statement was signed": ALICE.answer(STATEMENT, signs=STATEMENT.replace("approved", "rejected")),
    "the person was not verified": ALICE.answer(STATEMENT, flags=PRESENT),
    "nobody was present": ALICE.answer(STATEMENT, flags=0),
    "a page of another origin asked": ALICE.answer(STATEMENT, origin="http://localhost:9999"),
    "a page of another host asked": ALICE.answer(STATEMENT, origin="https://evil.example"),
    "a frame of another site asked": ALICE.answer(STATEMENT, cross_origin=True),
    "another key signed": replace(SoftwarePasskey().answer(STATEMENT), credential=ALICE.credential),
    "another credential is named": SoftwarePasskey().answer(STATEMENT),
    "the signature is cut off": replace(ALICE.answer(STATEMENT), signature="AAAA"),
    "the flags were edited": replace(
        ALICE.answer(STATEMENT, flags=PRESENT), authenticator_data=ALICE.answer(STATEMENT).authenticator_data
    ),
    "the client data is not JSON": replace(ALICE.answer(STATEMENT), client_data="AAAA"),
    "the client data is a list": replace(ALICE.answer(STATEMENT), client_data=passkeys.encode(b"[]")),
    "the data is empty": replace(ALICE.answer(STATEMENT), authenticator_data=""),
    "the data is endless": replace(ALICE.answer(STATEMENT), authenticator_data="A" * 30_000),
    "the text is not base64url": replace(ALICE.answer(STATEMENT), signature="****"),
}


@pytest.mark.parametrize("why", BAD)
def test_any_other_answer_does_not_hold(why: str) -> None:
    with pytest.raises(BadSignature):
        passkeys.verify(BAD[why], LISTED)


def test_comments_and_the_order_of_lines_do_not_count() -> None:
    bob = SoftwarePasskey("bob@example.com")
    one, two = f"# ours\n{ALICE.line}\n\n{bob.line}\n", f"{bob.line}\n{ALICE.line}"
    assert passkeys.canonical(one) == passkeys.canonical(two)
    assert passkeys.canonical("") == ""


@pytest.mark.parametrize(
    "line",
    [
        "alice@example.com",
        ALICE.line + " extra",
        ALICE.line.replace(" ", "\t"),
        ALICE.line.replace("alice", "al\u0456ce"),
        ALICE.line.replace("alice@example.com", "*@example.com"),
        ALICE.line.replace("http://localhost:8787", "http://evil.example"),
        ALICE.line.replace("http://localhost:8787", "http://localhost:8787/"),
        ALICE.line.replace("http://localhost:8787", "https://user@localhost"),
        ALICE.line.replace("http://localhost:8787", "HTTPS://localhost"),
        ALICE.line.replace("http://localhost:8787", "https://localhost:99999"),
        ALICE.line + "=",
        f"{ALICE.line}\n{ALICE.line.replace('alice', 'bob')}",
    ],
)
def test_a_file_with_a_bad_line_is_refused_as_a_whole(line: str) -> None:
    with pytest.raises(BadSigners):
        passkeys.parse(f"{SoftwarePasskey('carol@example.com').line}\n{line}\n")
