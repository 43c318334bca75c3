"""Every signature goes through `ssh-keygen -Y verify` too: both accept it, both refuse it, or it is listed as stricter."""

import itertools
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.signing import openssh
from tests.signing.conftest import HARDWARE, TYPES
from tests.signing.envelope import FOOTER, HEADER, Envelope, armor, string
from tests.signing.fido import TOUCHED, VERIFIED, Authenticator
from tests.signing.messages import MESSAGE
from whet.domain.proof import Assurance
from whet.errors import BadSignature
from whet.signing import sshsig
from whet.signing.keys import PublicKey

STRICTER = {
    "version 0",
    "namespace with a zero byte",
    "content in the reserved field",
    "hash with a zero byte",
    "algorithm with a zero byte",
    "text after the footer",
    "spaces in the base64",
    "carriage returns",
}
"""The changes that some release of ssh-keygen accepts and whet refuses."""


COMPARED = (b"ssh-ed25519", b"rsa-sha2-512", b"sk-ecdsa-sha2-nistp256@openssh.com")
"""The algorithms whose every change goes through ssh-keygen too; it parses the others with the same code."""


def ours(armored: str, message: bytes = MESSAGE, namespace: str = openssh.NAMESPACE) -> bool:
    try:
        sshsig.verify(armored, message, namespace=namespace)
    except BadSignature:
        return False
    return True


def theirs(folder: Path, armored: str, key: bytes, message: bytes = MESSAGE) -> bool:
    return openssh.accepts(folder, armored, message, f"{openssh.PERSON} {openssh.text_of(key)}\n")


def changed(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the data with one bit turned at its beginning, in its middle and at its end; shorter; longer; empty."""
    for name, index in (("first", 0), ("middle", len(data) // 2), ("last", len(data) - 1)):
        yield f"{name} byte changed", data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :]
    yield "last byte missing", data[:-1]
    yield "first byte missing", data[1:]
    yield "one byte more", data + b"\0"
    yield "one byte more in front", b"\0" + data
    yield "empty", b""


def with_field(envelope: Envelope, field: str, content: bytes) -> Envelope:
    changes: dict[str, Any] = {field: content}
    return replace(envelope, **changes)


def variants(envelope: Envelope) -> Iterator[tuple[str, str]]:
    """Yield (name, armored signature) for every change to one field of the signature."""
    for field in ("magic", "key", "hash", "namespace", "algorithm", "value", "tail"):
        content = getattr(envelope, field)
        for name, data in changed(content) if content else ():
            yield f"{field}: {name}", with_field(envelope, field, data).armored
    for version in (0, 2, 256, 0xFFFFFFFF):
        yield f"version {version}", replace(envelope, version=version).armored
    for hash_ in (b"sha256", b"sha1", b"md5", b"sha384", b"SHA512", b"sha512,sha256", b"sha*"):
        yield f"hash {hash_.decode()}", replace(envelope, hash=hash_).armored
    for algorithm in (b"ssh-rsa", b"ssh-dss", b"ssh-ed25519", b"ecdsa-sha2-nistp256", b"none"):
        if algorithm != envelope.algorithm:
            yield f"algorithm {algorithm.decode()}", replace(envelope, algorithm=algorithm).armored
    for field in ("namespace", "hash", "algorithm"):
        yield f"{field} with a zero byte", with_field(envelope, field, getattr(envelope, field) + b"\0").armored
    yield "namespace of git", replace(envelope, namespace=b"git").armored
    yield "content in the reserved field", replace(envelope, reserved=b"x").armored
    yield "data after the signature", replace(envelope, after=b"\0").armored
    yield "signature twice", replace(envelope, after=envelope.blob).armored
    yield "data after the inner signature", replace(envelope, tail=envelope.tail + b"\0").armored


def armor_variants(envelope: Envelope) -> Iterator[tuple[str, str]]:
    """Yield (name, text) for other ways to write the same signature."""
    text = envelope.armored
    body = "".join(text.splitlines()[1:-1])
    yield "one long line", f"{HEADER}\n{body}\n{FOOTER}\n"
    yield "carriage returns", text.replace("\n", "\r\n")
    yield "no newline at the end", text.rstrip("\n")
    yield "text after the footer", text + "and more\n"
    yield "text before the header", "and more\n" + text
    yield "no header", text.removeprefix(HEADER + "\n")
    yield "no footer", text.replace(FOOTER, "")
    yield "another header", text.replace("SSH SIGNATURE", "PGP SIGNATURE")
    yield "header in small letters", text.replace(HEADER, HEADER.lower())
    yield "spaces in the base64", text.replace(body[:4], body[:2] + " " + body[2:4], 1)
    yield "a character that is not base64", text.replace(body[:4], body[:2] + "-" + body[2:4], 1)
    yield "padding in the middle", f"{HEADER}\n{body[:4]}====\n{body[4:]}\n{FOOTER}\n"
    yield "no base64", f"{HEADER}\n{FOOTER}\n"
    yield "only a newline", f"{HEADER}\n\n{FOOTER}\n"
    yield "nothing", ""
    yield "raw bytes", envelope.blob.decode("latin-1")


@pytest.mark.parametrize("type_", TYPES)
def test_both_accept_a_good_signature(type_: str, good: dict[str, Envelope], tmp_path: Path) -> None:
    envelope = good[type_]
    verified = sshsig.verify(envelope.armored, MESSAGE, namespace=openssh.NAMESPACE)
    assert theirs(tmp_path, envelope.armored, envelope.key)
    assert verified.key.blob == envelope.key
    assert verified.key.text == openssh.text_of(envelope.key)
    assert verified.assurance is (Assurance.PRESENCE if type_ in HARDWARE else Assurance.SIGNATURE)


@pytest.mark.parametrize("hash_", ["sha256", "sha512"])
def test_both_accept_both_hashes(hash_: str, key_files: dict[str, Path], tmp_path: Path) -> None:
    for key in key_files.values():
        armored = openssh.sign(key, MESSAGE, hash_=hash_)
        assert ours(armored)
        assert openssh.accepts(tmp_path, armored, MESSAGE, f"{openssh.PERSON} {Path(f'{key}.pub').read_text()}")


def test_both_agree_on_every_changed_field(envelope: Envelope, tmp_path: Path) -> None:
    disagree = set()
    for name, armored in variants(envelope):
        assert not ours(armored), name
        if envelope.algorithm in COMPARED and theirs(tmp_path, armored, envelope.key):
            disagree.add(name)
    assert disagree <= STRICTER | {f"{field}: one byte more" for field in ("namespace", "hash", "algorithm")}


def test_both_agree_on_the_armor(envelope: Envelope, tmp_path: Path) -> None:
    for name, armored in armor_variants(envelope):
        accepted = ours(armored)
        assert accepted is (name in ("one long line", "no newline at the end")), name
        if "\0" not in armored:
            assert accepted == theirs(tmp_path, armored, envelope.key) or name in STRICTER, name


def test_both_refuse_another_message(envelope: Envelope, tmp_path: Path) -> None:
    for message in (b"", MESSAGE[:-1], MESSAGE + b"\n", MESSAGE.replace(b"approved", b"rejected")):
        assert not ours(envelope.armored, message)
        assert not theirs(tmp_path, envelope.armored, envelope.key, message)


def test_both_refuse_another_namespace(envelope: Envelope, tmp_path: Path) -> None:
    signers = f"{openssh.PERSON} {openssh.text_of(envelope.key)}\n"
    for namespace in ("git", "whet-approval@v2", "whet-approval@v1 ", "whet-approval@v"):
        assert not ours(envelope.armored, namespace=namespace)
        assert not openssh.accepts(tmp_path, envelope.armored, MESSAGE, signers, namespace=namespace)


def test_a_signature_needs_a_namespace() -> None:
    unbound = Authenticator.make("sk-ssh-ed25519@openssh.com").sign(MESSAGE, namespace=b"")
    with pytest.raises(BadSignature, match="the signature is for '', not for ''"):
        sshsig.verify(unbound.armored, MESSAGE, namespace="")


def test_both_refuse_the_key_of_another_signature(good: dict[str, Envelope], tmp_path: Path) -> None:
    for name, envelope in good.items():
        for other in good.values():
            if other is not envelope:
                mixed = replace(envelope, key=other.key).armored
                assert not ours(mixed), name
                assert not ours(replace(envelope, key=other.key, algorithm=other.algorithm).armored), name

    for envelope, other in itertools.pairwise(good.values()):
        assert not theirs(tmp_path, replace(envelope, key=other.key).armored, other.key)


def test_both_refuse_a_signature_that_is_cut_off(good: dict[str, Envelope], tmp_path: Path) -> None:
    blob = good["sk-ed25519"].blob
    for length in range(len(blob)):
        assert not ours(armor(blob[:length])), length
    for length in range(0, len(blob), 23):
        assert not theirs(tmp_path, armor(blob[:length]), good["sk-ed25519"].key), length


def test_both_refuse_lengths_that_lie(good: dict[str, Envelope], tmp_path: Path) -> None:
    envelope = good["ed25519"]
    blob = envelope.blob
    places = [blob.index(string(field)) for field in (envelope.key, envelope.namespace, envelope.hash, envelope.inner)]
    for place in (*places, blob.index(string(envelope.value)), blob.index(string(envelope.algorithm), 60)):
        true_length = int.from_bytes(blob[place : place + 4], "big")
        for length in (0, true_length - 1, true_length + 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
            lying = armor(blob[:place] + length.to_bytes(4, "big") + blob[place + 4 :])
            assert not ours(lying), (place, length)
            if abs(length - true_length) == 1:
                assert not theirs(tmp_path, lying, envelope.key), (place, length)


@pytest.mark.parametrize("type_", HARDWARE.values())
@pytest.mark.parametrize(
    ("flags", "assurance"),
    [
        (TOUCHED, Assurance.PRESENCE),
        (TOUCHED | VERIFIED, Assurance.VERIFIED),
        (TOUCHED | 0x18, Assurance.PRESENCE),  # backed up
        (0, None),
        (VERIFIED, None),
        (0xFE, None),
    ],
)
def test_the_flags_say_what_the_person_did(type_: str, flags: int, assurance: Assurance | None, tmp_path: Path) -> None:
    authenticator = Authenticator.make(type_)
    armored = authenticator.sign(MESSAGE, flags, counter=4_000_000_000).armored
    assert theirs(tmp_path, armored, authenticator.blob)  # ssh-keygen does not look at the flags
    if assurance is None:
        with pytest.raises(BadSignature, match="nobody touched"):
            sshsig.verify(armored, MESSAGE, namespace=openssh.NAMESPACE)
    else:
        verified = sshsig.verify(armored, MESSAGE, namespace=openssh.NAMESPACE)
        assert (verified.flags, verified.counter, verified.assurance) == (flags, 4_000_000_000, assurance)


@pytest.mark.parametrize("type_", HARDWARE.values())
def test_flags_and_counter_are_signed(type_: str, tmp_path: Path) -> None:
    authenticator = Authenticator.make(type_)
    untouched, touched = authenticator.sign(MESSAGE, 0, 7), authenticator.sign(MESSAGE, TOUCHED, 7)
    forged = [
        replace(untouched, tail=touched.tail),
        replace(touched, tail=bytes([TOUCHED | VERIFIED]) + touched.tail[1:]),
        replace(touched, tail=touched.tail[:-1] + b"\x08"),
        replace(touched, tail=b""),
        replace(touched, tail=touched.tail[:1]),
    ]
    for envelope in forged:
        assert not ours(envelope.armored)
        assert not theirs(tmp_path, envelope.armored, authenticator.blob)


@pytest.mark.parametrize("type_", HARDWARE.values())
def test_the_application_is_signed_and_is_one_of_ssh(type_: str, tmp_path: Path) -> None:
    authenticator = Authenticator.make(type_, b"ssh:whet")
    envelope = authenticator.sign(MESSAGE)
    assert ours(envelope.armored)
    assert theirs(tmp_path, envelope.armored, authenticator.blob)
    renamed = replace(envelope, key=authenticator.blob_for(b"ssh:"))
    assert not ours(renamed.armored)
    assert not theirs(tmp_path, renamed.armored, renamed.key)
    for application in (b"https://example.com", b"", b"SSH:", b"ssh", b"\xff"):
        website = Authenticator(authenticator.private, application).sign(MESSAGE)
        assert not ours(website.armored), application


def test_the_library_of_primitives_is_loaded_only_to_check_a_signature() -> None:
    code = (
        "import sys, whet, whet.signing.keygen, whet.signing.signers, whet.signing.sshsig; "
        "assert not [name for name in sys.modules if name.startswith('cryptography')]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_namespace_of_approvals_is_part_of_every_recorded_signature() -> None:
    assert sshsig.APPROVAL_NAMESPACE == "whet-approval@v1"


def test_a_huge_signature_is_refused_before_it_is_read(good: dict[str, Envelope]) -> None:
    armored = good["ed25519"].armored
    for length in (sshsig.LONGEST, sshsig.LONGEST + 1):
        padded = armored.replace("\n", "\n" * (1 + length - len(armored)), 1)
        assert ours(padded) is (length == 32_768)


def test_an_assurance_is_never_more_than_the_flags_show(good: dict[str, Envelope]) -> None:
    """A signature by a security key without flags does not exist; if it did, it would show nothing."""
    hardware, software = (PublicKey.from_blob(good[type_].key) for type_ in ("sk-ed25519", "ed25519"))
    for key, flags, assurance in (
        (hardware, None, Assurance.OS),
        (hardware, 0x00, Assurance.OS),
        (hardware, 0x04, Assurance.OS),
        (hardware, 0x01, Assurance.PRESENCE),
        (hardware, 0x05, Assurance.VERIFIED),
        (software, None, Assurance.SIGNATURE),
    ):
        assert sshsig.VerifiedSignature(key, flags, 1).assurance is assurance


def test_fingerprints_are_those_of_openssh(key_files: dict[str, Path]) -> None:
    for path in key_files.values():
        listed = openssh.run("-l", "-f", f"{path}.pub").stdout.decode().split()[1]
        assert PublicKey.from_text(Path(f"{path}.pub").read_text()).fingerprint == listed


@pytest.mark.parametrize(
    "text", ["", " ", "ssh-ed25519", "ssh-ed25519 ", "ssh-ed25519 !", "ssh-rsa {key}", "{key}", "{key} {key}"]
)
def test_a_line_that_is_no_public_key_is_refused(text: str, good: dict[str, Envelope]) -> None:
    encoded = openssh.text_of(good["ed25519"].key).split()[1]
    with pytest.raises(BadSignature):
        PublicKey.from_text(text.format(key=encoded))


def test_a_second_key_is_not_ignored(good: dict[str, Envelope]) -> None:
    text = openssh.text_of(good["ed25519"].key)
    with pytest.raises(BadSignature, match="more than one line"):
        PublicKey.from_text(f"{text}\n{text}\n")


def test_a_public_key_reads_back_from_its_text(good: dict[str, Envelope]) -> None:
    for envelope in good.values():
        text = openssh.text_of(envelope.key)
        for line in (text, f"{text}\n", f"  {text}  a comment", text.replace(" ", "\t")):
            assert PublicKey.from_text(line).text == text


def test_the_namespaces_are_those_that_the_documents_name() -> None:
    """Signatures in the record stay valid only as long as the namespaces do not change."""
    assert (sshsig.APPROVAL_NAMESPACE, sshsig.ATTESTATION_NAMESPACE) == ("whet-approval@v1", "whet-attestation@v1")
