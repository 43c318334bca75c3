"""The list of signers: what it means, compared with `ssh-keygen -Y verify`, and how it is edited."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.signing import openssh
from tests.signing.envelope import Envelope, signed_data, string
from tests.signing.messages import MESSAGE
from whet.errors import BadSigners
from whet.signing import signers, sshsig
from whet.signing.keys import PublicKey
from whet.signing.patterns import is_plain, list_matches, matches
from whet.signing.signer_line import Signer

AT = datetime(2026, 11, 17, 12, 0, 0, tzinfo=UTC)
NAMESPACE = openssh.NAMESPACE


@dataclass(frozen=True)
class Signed:
    """Two keys and a signature by the first."""

    key: str
    other: str
    armored: str

    @property
    def public(self) -> PublicKey:
        return PublicKey.from_text(self.key)


@pytest.fixture(scope="module")
def signed(key_files: dict[str, Path]) -> Signed:
    key, other = (" ".join(Path(f"{key_files[name]}.pub").read_text().split()[:2]) for name in ("ed25519", "rsa"))
    return Signed(key, other, openssh.sign(key_files["ed25519"], MESSAGE))


def ours(text: str, signed: Signed, person: str, at: datetime = AT) -> bool:
    try:
        return signers.parse(text).admits(person, signed.public, NAMESPACE, at)
    except BadSigners:
        return False


def theirs(folder: Path, text: str, signed: Signed, person: str, at: datetime = AT) -> bool:
    return openssh.accepts(folder, signed.armored, MESSAGE, text, person=person, at=f"{at:%Y%m%d%H%M%S}Z")


LINES = [  # (line, with {key} and {other}; the person who claims the signature; accepted)
    ("alice@example.com {key}", "alice@example.com", True),
    ("alice@example.com {key} her laptop", "alice@example.com", True),
    ("  alice@example.com \t {key}  ", "alice@example.com", True),
    ("alice@example.com\t{key}", "alice@example.com", True),
    ("# comment\n\n   \n   # more\nalice@example.com {key}", "alice@example.com", True),
    ("alice@example.com {key}\r", "alice@example.com", True),
    ("alice@example.com {other}", "alice@example.com", False),
    ("alice@example.com {other}\nalice@example.com {key}", "alice@example.com", True),
    ("bob@example.com {key}", "alice@example.com", False),
    ("Alice@example.com {key}", "alice@example.com", False),
    ("alice@example.com {key}", "Alice@example.com", False),
    ("alice@example.com,bob@example.com {key}", "bob@example.com", True),
    ("alice@example.com,bob@example.com {key}", "alice@example.com,bob@example.com", False),
    ("*@example.com {key}", "alice@example.com", True),
    ("*@example.com {key}", "alice@example.com.evil.org", False),
    ("*@example.com {key}", "alice@examplexcom", False),
    ("a?ice@example.com {key}", "alice@example.com", True),
    ("a?ice@example.com {key}", "aice@example.com", False),
    ("al*ce*@*.com {key}", "alice@example.com", True),
    ("al*ce*@*.com {key}", "alice@example.org", False),
    ("*a*a*a*b {key}", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", False),
    ("[a]lice@example.com {key}", "alice@example.com", False),
    ("* {key}", "anybody", True),
    ("*@example.com,!alice@example.com {key}", "alice@example.com", False),
    ("!alice@example.com,*@example.com {key}", "alice@example.com", False),
    ("!alice@example.com,*@example.com {key}", "bob@example.com", True),
    ("!bob@example.com {key}", "alice@example.com", False),
    ("!*@example.com,alice@example.com {key}", "alice@example.com", False),
    ('alice@example.com namespaces="whet-approval@v1" {key}', "alice@example.com", True),
    ('alice@example.com NameSpaces="whet-approval@v1" {key}', "alice@example.com", True),
    ('alice@example.com namespaces="git,whet-approval@v1" {key}', "alice@example.com", True),
    ('alice@example.com namespaces="whet-*" {key}', "alice@example.com", True),
    ('alice@example.com namespaces="whet-*,!whet-approval@v1" {key}', "alice@example.com", False),
    ('alice@example.com namespaces="git" {key}', "alice@example.com", False),
    ('alice@example.com namespaces="" {key}', "alice@example.com", False),
    ('alice@example.com namespaces="git" {key}\nalice@example.com {key}', "alice@example.com", True),
    ("alice@example.com namespaces=whet-approval@v1 {key}", "alice@example.com", False),
    ('alice@example.com namespaces="whet-approval@v1 {key}', "alice@example.com", False),
    ('alice@example.com namespaces="*",namespaces="*" {key}', "alice@example.com", False),
    ('alice@example.com valid-after="20261117Z" {key}', "alice@example.com", True),
    ('alice@example.com valid-after="202611171200Z" {key}', "alice@example.com", True),
    ('alice@example.com valid-after="20261117120000Z" {key}', "alice@example.com", True),
    ('alice@example.com valid-after="20261117120001Z" {key}', "alice@example.com", False),
    ('alice@example.com valid-before="20261117120000Z" {key}', "alice@example.com", True),
    ('alice@example.com valid-before="20261117115959Z" {key}', "alice@example.com", False),
    ('alice@example.com valid-before="20261117Z" {key}', "alice@example.com", False),
    ('alice@example.com valid-after="20260101Z",valid-before="20270101Z" {key}', "alice@example.com", True),
    ('alice@example.com valid-before="20270101Z",valid-after="20260101Z",namespaces="*" {key}', "alice@example.com", True),
    ('alice@example.com valid-after="20270101Z",valid-before="20260101Z" {key}', "alice@example.com", False),
    ('alice@example.com valid-after="20260101Z",valid-before="20260101Z" {key}', "alice@example.com", False),
    ('alice@example.com valid-after="20260101Z",valid-after="20260101Z" {key}', "alice@example.com", False),
    ('alice@example.com valid-after="2026" {key}', "alice@example.com", False),
    ('alice@example.com valid-after="20261301Z" {key}', "alice@example.com", False),
    ('alice@example.com valid-after="19700101Z" {key}', "alice@example.com", False),
    ('alice@example.com valid-after="19700101000001Z" {key}', "alice@example.com", True),
    ('alice@example.com valid-before="tomorrow" {key}', "alice@example.com", False),
    ('alice@example.com valid-before="" {key}', "alice@example.com", False),
    ("alice@example.com cert-authority {key}", "alice@example.com", False),
    ('alice@example.com cert-authority,namespaces="*" {key}', "alice@example.com", False),
    ("alice@example.com verify-required {key}", "alice@example.com", False),
    ('alice@example.com namespaces="*",verify-required {key}', "alice@example.com", False),
    ('alice@example.com namespaces="*",{key}', "alice@example.com", False),
    ('alice@example.com namespaces="*"x {key}', "alice@example.com", False),
    ('alice@example.com touch="yes" {key}', "alice@example.com", False),
    ('alice@example.com namespaces,valid-before="20270101Z" {key}', "alice@example.com", False),
    ('alice@example.com namespaces="*",valid-after {key}', "alice@example.com", False),
    ("Xavier {key} X", "Xavier", True),
    ("alice@example.com", "alice@example.com", False),
    ("alice@example.com ssh-ed25519", "alice@example.com", False),
    ("alice@example.com ssh-rsa {key}", "alice@example.com", False),
    ("alice@example.com {key}x", "alice@example.com", False),
    ("{key}", "alice@example.com", False),
    ("", "alice@example.com", False),
]  # fmt: skip

STRICTER = [  # lines that whet refuses; ssh-keygen reads most of them
    ('"alice@example.com" {key}', "quotes around names"),
    ('alice@example.com namespaces="*",,namespaces="*" {key}', "an empty option"),
    ('alice@example.com ,valid-after="20200101Z" {key}', "a comma in front of the options"),
    ('alice@example.com namespaces="a\\"b,*" {key}', "a quote in a namespace"),
    ('alice@example.com valid-after="20200101" {key}', "a time without Z"),
    ('alice@example.com valid-after="20200231Z" {key}', "a day that the month does not have"),
    ('alice@example.com valid-after="20200101UTC" {key}', "UTC in place of Z"),
    ('alice@example.com valid-after="2026 101Z" {key}', "a space in a time"),
    ('alice@example.com valid-after="202601 1Z" {key}', "a space in a day"),
    ('alice@example.com valid-after="\u0662\u0660\u0662\u06660101Z" {key}', "Arabic digits"),
    ('alice@example.com valid-after="20260101Z",valid-before="20260101Z" {key}', "a period of no length"),
    ('alice@example.com valid-after="20270101Z",valid-before="20260101Z" {key}', "an end before the beginning"),
    ("alice@example.com,,bob@example.com {key}", "an empty name"),
    ("alice@example.com, {key}", "a comma after the names"),
    ("alice@example.com {key}\nbob@example.com rubbish", "a later line that is not understood"),
    ("bob@example.com rubbish\nalice@example.com {key}", "an earlier line of another person that is not understood"),
    ("alice@example.com,b\xf6b@example.com {key}", "a name that is not ASCII"),
    ("alice@example.com {key} a\x0bb", "a vertical tab in a comment"),
    ("alice@example.com {key}\n# a\u202eb", "a mark that reverses text in a comment"),
    ("alice@example.com {key}\n# a\rb", "a carriage return in a line"),
]


@pytest.mark.parametrize(("line", "person", "accepted"), LINES)
def test_both_read_a_line_alike(line: str, person: str, accepted: bool, signed: Signed, tmp_path: Path) -> None:
    text = line.format(key=signed.key, other=signed.other) + "\n"
    assert ours(text, signed, person) is accepted
    assert theirs(tmp_path, text, signed, person) is accepted


@pytest.mark.parametrize(("line", "why"), STRICTER)
def test_whet_refuses_some_lines_that_openssh_reads(line: str, why: str, signed: Signed) -> None:
    with pytest.raises(BadSigners, match=r"line \d of the signers"):
        signers.parse(line.format(key=signed.key, other=signed.other))


def test_the_message_names_the_line(signed: Signed) -> None:
    with pytest.raises(BadSigners, match=r"line 3 of the signers: certificates are not supported"):
        signers.parse(f"# one\nalice {signed.key}\nbob cert-authority {signed.other}\n")


@pytest.mark.parametrize("line", ["X", "X# comment", "x", "x# comment", "- # comment", "//", "\ufeff# comment"])
def test_only_a_number_sign_makes_a_comment(line: str) -> None:
    with pytest.raises(BadSigners, match="line 1 of"):
        signers.parse(line)


@pytest.mark.parametrize("character", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\r", "\0"])
def test_no_character_but_a_newline_ends_a_line(character: str, signed: Signed) -> None:
    with pytest.raises(BadSigners, match="line 1 of"):
        signers.parse(f"# comment{character}eve@example.com {signed.key}")


def test_times_are_compared_to_the_second(signed: Signed) -> None:
    line = f'alice valid-after="20261117120000Z",valid-before="20261117120010Z" {signed.key}'
    for offset, valid in ((-1, False), (0, True), (0.9, True), (10, True), (10.9, True), (11, False)):
        at = AT + timedelta(seconds=offset)
        assert ours(line, signed, "alice", at) is valid, offset
        in_another_zone = at.astimezone(timezone(timedelta(hours=5, minutes=30)))
        assert ours(line, signed, "alice", in_another_zone) is valid, offset


def test_people_are_plain_names_of_valid_lines(signed: Signed) -> None:
    text = "\n".join(
        [
            f"alice,bob,*@example.com,!bob {signed.key}",
            f'carol namespaces="git" {signed.key}',
            f'dave valid-before="20200101Z" {signed.key}',
            f"erin {signed.other}",
            f'frank,alice namespaces="{NAMESPACE}" {signed.key}',
        ]
    )
    people = signers.parse(text)
    assert people.people_for(signed.public, NAMESPACE, AT) == ("alice", "frank")
    assert people.people_for(signed.public, "git", AT) == ("alice", "carol")
    assert people.people_for(PublicKey.from_text(signed.other), NAMESPACE, AT) == ("erin",)
    assert people.people() == ("alice", "bob", "*@example.com", "carol", "dave", "erin", "frank")
    assert people.keys() == (signed.public, PublicKey.from_text(signed.other))


def test_find_principals_gives_the_same_people(signed: Signed, tmp_path: Path) -> None:
    text = f"bob {signed.other}\nalice,carol {signed.key}\n"
    (tmp_path / "signers").write_text(text)
    (tmp_path / "signature").write_text(signed.armored)
    found = openssh.run("-Y", "find-principals", "-f", str(tmp_path / "signers"), "-s", str(tmp_path / "signature"))
    key = sshsig.verify(signed.armored, MESSAGE, namespace=NAMESPACE).key
    assert tuple(found.stdout.decode().split()) == signers.parse(text).people_for(key, NAMESPACE, AT)


def test_match_principals_matches_the_same_patterns(signed: Signed, tmp_path: Path) -> None:
    generator = random.Random(20261117)
    lists = {",".join(pattern(generator) for _ in range(generator.randint(1, 3))) for _ in range(600)}
    (tmp_path / "signers").write_text("".join(f"{names} {signed.key}\n" for names in lists))
    people = ["a", "b", "ab", "ba", "aab", "abab", "bbbb", "abbaab", "*", "a*b", "?", "a,b", "!a"]
    for person in people:
        done = openssh.run("-Y", "match-principals", "-f", str(tmp_path / "signers"), "-I", person)
        matched = {names for names in lists if list_matches(tuple(names.split(",")), person)}
        assert set(done.stdout.decode().split()) == matched, person
        assert 0 < len(matched) < len(lists)


def pattern(generator: random.Random) -> str:
    """Return a pattern over two letters."""
    return generator.choice(["", "", "", "!"]) + "".join(generator.choices("aabb**?", k=generator.randint(1, 6)))


def signed_with_fixed_keys() -> Signed:
    """Return keys and a signature that are the same in every run."""
    first, second = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2))
    blobs = [string(b"ssh-ed25519") + string(key.public_key().public_bytes_raw()) for key in (first, second)]
    envelope = Envelope(key=blobs[0], algorithm=b"ssh-ed25519", value=first.sign(signed_data(MESSAGE)))
    return Signed(openssh.text_of(blobs[0]), openssh.text_of(blobs[1]), envelope.armored)


def test_random_changes_never_crash_and_never_admit_more_than_openssh(tmp_path: Path) -> None:
    signed = signed_with_fixed_keys()
    generator = random.Random(20261117)
    options = f'namespaces="{NAMESPACE},git",valid-after="20260101Z",valid-before="20270101120000Z"'
    text = f"# people\nbob {signed.other}\nalice@example.com {options} {signed.key} laptop\n"
    place = text.index("alice")
    admitted = []
    for _ in range(3000):
        start = place + generator.randrange(len(text) - place)
        inserted = generator.choice(["", "", *' \t,=!*?"\\\n\r#Z019aA-@', generator.choice(text)])
        changed = text[:start] + inserted + text[start + generator.randint(0, 2) :]
        if ours(changed, signed, "alice@example.com"):
            admitted.append(changed)
    assert len(admitted) > 100
    for changed in generator.sample(admitted, 40):
        assert theirs(tmp_path, changed, signed, "alice@example.com"), changed


@pytest.mark.parametrize("name", ["", "!alice", "!", "*@example.com", "alice?", "al*", "a,b"])
def test_a_pattern_is_not_a_person(name: str) -> None:
    assert is_plain(name) is False
    assert is_plain("alice@example.com") is True
    assert is_plain("Xavier!") is True


@pytest.mark.parametrize(("pattern", "text"), [("aX", "a"), ("ax", "a"), ("a*X", "ab"), ("", "a"), ("a", "")])
def test_the_rest_of_a_pattern_must_match_too(pattern: str, text: str) -> None:
    assert matches(pattern, text) is False


def test_an_empty_file_has_nobody(signed: Signed) -> None:
    assert signers.parse("").people() == ()
    assert signers.parse("").people_for(signed.public, NAMESPACE, AT) == ()


def test_the_digest_is_of_what_the_file_says(signed: Signed) -> None:
    text = f'alice namespaces="{NAMESPACE}" {signed.key} laptop\nbob {signed.other}\n'
    same = [
        f'# people\n\nbob   {signed.other} x\nalice NAMESPACES="{NAMESPACE}" {signed.key}',
        text.replace("\n", "\r\n"),
        text + text,
    ]
    different = [
        text.replace("alice", "alicf"),
        text.replace(f' namespaces="{NAMESPACE}"', ""),
        text.replace(f'"{NAMESPACE}"', '"*"'),
        text.replace(f'"{NAMESPACE}"', f'"{NAMESPACE}",valid-after="20200101Z"'),
        text.replace(f'"{NAMESPACE}"', f'"{NAMESPACE}",valid-before="20200101Z"'),
        f"alice,bob {signed.key}\n",
        "",
    ]
    digest = signers.parse(text).digest
    assert {signers.parse(variant).digest for variant in same} == {digest}
    assert len({signers.parse(variant).digest for variant in different} | {digest}) == len(different) + 1


def test_the_digest_stays_the_same_from_release_to_release() -> None:
    """Recorded approvals name the digest of the signers, so another way to compute it would orphan them."""
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
    other = key.replace("AAABAgME", "AAABAgMF")
    text = f'bob,carol valid-after="20260101Z",valid-before="20270101Z",namespaces="a,b*" {key}\nalice {other}\n'
    canonical = (
        f"alice {other}\n"
        f'bob,carol namespaces="a,b*",valid-after="20260101000000Z",valid-before="20270101000000Z" {key}\n'
    )
    assert signers.parse(text).digest == sha256(canonical.encode()).hexdigest()
    assert signers.parse("").digest == sha256(b"").hexdigest()


def test_the_canonical_line_reads_back_as_the_same_signer(signed: Signed) -> None:
    for line, _, _ in LINES:
        text = line.format(key=signed.key, other=signed.other)
        try:
            entries = signers.parse(text).entries
        except BadSigners:
            continue
        for _, signer in entries:
            assert signers.parse(signer.text).entries == ((0, signer),)


def test_adding_a_person_keeps_every_line(signed: Signed) -> None:
    text = f"# our people\n\nbob   {signed.other} desk\n# end"
    added = signers.parse(text).add(Signer(names=("alice",), key=signed.public, namespaces=(NAMESPACE,)), "laptop")
    assert added == f'{text}\nalice namespaces="{NAMESPACE}" {signed.key} laptop\n'
    assert signers.parse(added).people_for(signed.public, NAMESPACE, AT) == ("alice",)
    assert signers.parse("").add(Signer(names=("alice",), key=signed.public)) == f"alice {signed.key}\n"


def test_times_are_written_in_utc(signed: Signed) -> None:
    after = AT.astimezone(timezone(timedelta(hours=5, minutes=30)))
    added = signers.parse("").add(Signer(names=("alice",), key=signed.public, valid_after=after))
    assert added == f'alice valid-after="20261117120000Z" {signed.key}\n'
    with pytest.raises(BadSigners):  # it would mean another moment on another machine
        signers.parse("").add(Signer(names=("alice",), key=signed.public, valid_after=AT.replace(tzinfo=None)))


def test_a_key_stands_for_one_person(signed: Signed) -> None:
    present = signers.parse(f"alice {signed.key}\n")
    with pytest.raises(BadSigners, match="in the list already, for alice"):
        present.add(Signer(names=("bob",), key=signed.public))


@pytest.mark.parametrize("name", ["", "a b", "a\nb", "a,b c", "#a", 'a"', "\u0430lice", "a\tb", "a" * 256])
def test_a_bad_name_is_not_added(name: str, signed: Signed) -> None:
    with pytest.raises(BadSigners):
        signers.parse("").add(Signer(names=(name,), key=signed.public))


def test_a_comment_cannot_add_a_line(signed: Signed) -> None:
    with pytest.raises(BadSigners):
        signers.parse("").add(Signer(names=("alice",), key=signed.public), f"x\neve {signed.other}")


def test_removing_a_person_keeps_the_other_lines(signed: Signed) -> None:
    text = f"# our people\n\nbob   {signed.other} desk\nalice {signed.key}\n# end\n"
    assert signers.parse(text).remove("alice") == f"# our people\n\nbob   {signed.other} desk\n# end\n"
    assert signers.parse(text).remove("bob") == f"# our people\n\nalice {signed.key}\n# end\n"


def test_removing_a_person_from_a_shared_line_keeps_the_others(signed: Signed) -> None:
    people = signers.parse(f'alice,bob,!eve namespaces="*" {signed.key} shared\nalice {signed.other}\n')
    assert people.remove("alice") == f'bob,!eve namespaces="*" {signed.key}\n'
    assert signers.parse(f"alice,bob {signed.key}\n").remove("bob") == f"alice {signed.key}\n"
    assert signers.parse(f"alice,!eve {signed.key}\n").remove("alice") == ""
    assert people.remove("alice", signed.public) == f'bob,!eve namespaces="*" {signed.key}\nalice {signed.other}\n'


def test_removing_needs_a_person_who_is_there(signed: Signed) -> None:
    people = signers.parse(f"alice {signed.key}\n")
    with pytest.raises(BadSigners, match="'bob' is not in the list"):
        people.remove("bob")
    with pytest.raises(BadSigners, match="'!eve' is not in the list"):
        signers.parse(f"*,!eve {signed.key}\n").remove("!eve")
    with pytest.raises(BadSigners, match="with this key"):
        people.remove("alice", PublicKey.from_text(signed.other))


def test_a_person_whom_a_pattern_admits_cannot_be_removed_by_name(signed: Signed) -> None:
    people = signers.parse(f"alice@x {signed.other}\n*@x {signed.key}\n")
    with pytest.raises(BadSigners, match=r"\*@x still admits 'alice@x'"):
        people.remove("alice@x")
    assert people.remove("alice@x", PublicKey.from_text(signed.other)) == f"*@x {signed.key}\n"
