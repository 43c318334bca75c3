"""Passkeys: the file that lists them, and the answers that hold or do not hold."""

from dataclasses import replace

import pytest

from tests.signing.software_passkey import PRESENT, SoftwarePasskey
from whet.domain.proof import PasskeyProof
from whet.errors import BadSignature, BadSigners
from whet.signing import passkeys

STATEMENT = "whet approval v1\nanswer: approved\n"
ALICE = SoftwarePasskey()
[LISTED] = passkeys.parse(ALICE.line)


def test_a_verified_answer_to_the_statement_holds() -> None:
    assert passkeys.verify(ALICE.answer(STATEMENT, counter=7), LISTED) == 7
    assert passkeys.counter_of(ALICE.answer(STATEMENT, counter=0x01020304)) == 0x01020304


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


def test_a_passkey_knows_its_own_assertions_whatever_they_are_about() -> None:
    assert passkeys.signed_by(ALICE.answer("another text", origin="https://elsewhere.example"), LISTED) is True
    for changed in ({"signature": "AAAA"}, {"authenticator_data": passkeys.encode(b"\xff" * 37)}, {"client_data": "?"}):
        fields = vars(ALICE.answer(STATEMENT)) | changed
        assert passkeys.signed_by(PasskeyProof(**fields), LISTED) is False
    assert passkeys.signed_by(SoftwarePasskey().answer(STATEMENT), LISTED) is False


def test_the_credential_of_an_answer_must_be_the_enrolled_one() -> None:
    with pytest.raises(BadSignature, match="by another passkey"):
        passkeys.verify(replace(ALICE.answer(STATEMENT), credential="AAAA"), LISTED)


def test_a_field_beyond_the_limit_is_refused_before_it_is_read() -> None:
    with pytest.raises(BadSignature, match="too long"):
        passkeys.verify(replace(ALICE.answer(STATEMENT), client_data="A" * (passkeys.LONGEST + 1)), LISTED)


@pytest.mark.parametrize("text", ["", "AB", "A", "AA=", "+A", "A A"])
def test_bytes_have_one_spelling(text: str) -> None:
    with pytest.raises(BadSignature, match="it is not base64url"):
        passkeys.decode(text, "it")
    assert passkeys.decode("AA", "it") == b"\0"


@pytest.mark.parametrize(
    ("origin", "accepted"),
    [
        ("https://whet.example.com", True), ("https://whet.example.com:8443", True), ("http://localhost", True),
        ("ftp://localhost", False), ("http://whet.example.com", False), ("https://whet_example", False),
    ],
)  # fmt: skip
def test_an_origin_has_tls_or_is_this_machine(origin: str, accepted: bool) -> None:
    line = ALICE.line.replace(ALICE.origin, origin)
    if accepted:
        assert passkeys.read(line).origin == origin
    else:
        with pytest.raises(BadSigners):
            passkeys.read(line)
