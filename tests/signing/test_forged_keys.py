"""Keys and signatures that no honest program makes: each would let somebody else sign, or sign twice."""

import base64
import random
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.signing import openssh
from tests.signing.envelope import FOOTER, Envelope, armor, number, signed_data, string, strings
from tests.signing.fido import TOUCHED, Authenticator
from tests.signing.messages import MESSAGE
from tests.signing.test_against_openssh import ours, theirs
from whet.errors import BadSignature
from whet.signing import sshsig
from whet.signing.keys import WEAK_ED25519, PublicKey

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
Point = tuple[int, int]


def x_of(y: int) -> int | None:
    """Return an x coordinate of the point of edwards25519 with this y."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * pow(2, (P - 1) // 4, P) % P
    return root if root * root % P == square else None


def doubled(point: Point) -> Point:
    x, y = point
    product = D * x * x * y * y % P
    return 2 * x * y * pow(1 + product, -1, P) % P, (y * y + x * x) * pow(1 - product, -1, P) % P


def ed25519_blob(y: int, sign: int = 0) -> bytes:
    return string(b"ssh-ed25519") + string((y | sign << 255).to_bytes(32, "little"))


@pytest.mark.parametrize("y", sorted(WEAK_ED25519))
def test_the_weak_points_have_small_order_and_are_refused(y: int) -> None:
    x = x_of(y)
    assert x is not None
    assert doubled(doubled(doubled((x, y)))) == (0, 1)
    for sign in (0, 1):
        with pytest.raises(BadSignature, match="weak"):
            PublicKey.from_blob(ed25519_blob(y, sign))
        with pytest.raises(BadSignature, match="weak"):
            authenticator = string(b"sk-ssh-ed25519@openssh.com") + ed25519_blob(y, sign)[15:] + string(b"ssh:")
            PublicKey.from_blob(authenticator)


def test_there_are_no_other_weak_points() -> None:
    halves = {(0, 1)}
    for _ in range(3):  # the points whose double is known already: orders 2, 4 and 8
        candidates = [(x, y) for y in WEAK_ED25519 if (root := x_of(y)) is not None for x in (root, -root % P)]
        halves |= {point for point in candidates if doubled(point) in halves}
    assert len(halves) == 8


@pytest.mark.parametrize("y", [P, P + 1, P + 3, 2**255 - 1])
def test_a_second_spelling_of_a_point_is_refused(y: int) -> None:
    with pytest.raises(BadSignature, match="canonical"):
        PublicKey.from_blob(ed25519_blob(y))


def test_anybody_can_sign_for_a_weak_key_and_whet_refuses_it() -> None:
    neutral = (1).to_bytes(32, "little")
    forged = Envelope(key=ed25519_blob(1), algorithm=b"ssh-ed25519", value=neutral + bytes(32))
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    Ed25519PublicKey.from_public_bytes(neutral).verify(forged.value, signed_data(MESSAGE))  # the library accepts it
    assert not ours(forged.armored)


def test_an_ed25519_signature_has_one_form(good: dict[str, Envelope]) -> None:
    envelope = good["ed25519"]
    scalar = int.from_bytes(envelope.value[32:], "little") + ED25519_ORDER
    assert not ours(replace(envelope, value=envelope.value[:32] + scalar.to_bytes(32, "little")).armored)


def ecdsa_numbers(envelope: Envelope) -> tuple[int, int]:
    r, s = strings(envelope.value)
    return int.from_bytes(r, "big"), int.from_bytes(s, "big")


@pytest.mark.parametrize("type_", ["ecdsa-256", "sk-ecdsa"])
def test_the_numbers_of_an_ecdsa_signature_are_checked(type_: str, good: dict[str, Envelope], tmp_path: Path) -> None:
    envelope = good[type_]
    r, s = ecdsa_numbers(envelope)
    wrong = {
        "r is zero": number(0) + number(s),
        "s is zero": number(r) + number(0),
        "r and s are zero": number(0) + number(0),
        "r is the order": number(P256_ORDER) + number(s),
        "r beyond the order": number(r + P256_ORDER) + number(s),
        "s beyond the order": number(r) + number(s + P256_ORDER),
        "swapped": number(s) + number(r),
        "negative": string(b"\xff" * 32) + number(s),
        "only r": number(r),
        "a third number": number(r) + number(s) + number(1),
        "huge": number(2**4000) + number(s),
    }
    for name, value in wrong.items():
        forged = replace(envelope, value=value)
        assert not ours(forged.armored), name
        assert not theirs(tmp_path, forged.armored, envelope.key), name
    stricter = {
        "zeros in front of r": string(b"\0" * 3 + r.to_bytes(32, "big")) + number(s),
        "zeros in front of s": number(r) + string(b"\0" * 3 + s.to_bytes(32, "big")),
        "a zero byte as number": string(b"\0") + number(s),
    }
    for name, value in stricter.items():
        assert not ours(replace(envelope, value=value).armored), name


def test_both_accept_the_other_root_of_an_ecdsa_signature(good: dict[str, Envelope], tmp_path: Path) -> None:
    envelope = good["ecdsa-256"]
    r, s = ecdsa_numbers(envelope)
    other = replace(envelope, value=number(r) + number(P256_ORDER - s))
    assert ours(other.armored)
    assert theirs(tmp_path, other.armored, envelope.key)


def test_ecdsa_keys_are_uncompressed_points_of_the_curve_they_name() -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    public = private.public_key()
    point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    type_ = b"ecdsa-sha2-nistp256"
    r, s = decode_dss_signature(private.sign(signed_data(MESSAGE), ec.ECDSA(hashes.SHA256())))
    value = number(r) + number(s)

    def signature(*fields: bytes) -> str:
        return Envelope(key=b"".join(map(string, fields)), algorithm=type_, value=value).armored

    assert ours(signature(type_, b"nistp256", point))
    assert not ours(signature(type_, b"nistp384", point))
    assert not ours(signature(type_, b"", point))
    assert not ours(signature(type_, b"nistp256", public.public_bytes(Encoding.X962, PublicFormat.CompressedPoint)))
    assert not ours(signature(type_, b"nistp256", bytes([6 + point[-1] % 2]) + point[1:]))  # the hybrid form
    assert not ours(signature(type_, b"nistp256", point[:-1] + bytes([point[-1] ^ 1])))  # not on the curve
    assert not ours(signature(type_, b"nistp256", b"\0"))  # infinity
    assert not ours(signature(type_, b"nistp256", point, b"ssh:"))
    assert not ours(signature(b"ecdsa-sha2-nistp384", b"nistp384", point))


def rsa_envelope(
    private: rsa.RSAPrivateKey, algorithm: bytes, digest: hashes.HashAlgorithm, message: bytes
) -> Envelope:
    numbers = private.public_key().public_numbers()
    key = string(b"ssh-rsa") + number(numbers.e) + number(numbers.n)
    return Envelope(key=key, algorithm=algorithm, value=private.sign(signed_data(message), padding.PKCS1v15(), digest))


@pytest.fixture(scope="module")
def rsa_private() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def test_rsa_signatures_use_sha2(rsa_private: rsa.RSAPrivateKey, tmp_path: Path) -> None:
    for algorithm, digest, accepted in (
        (b"rsa-sha2-256", hashes.SHA256(), True),
        (b"rsa-sha2-512", hashes.SHA512(), True),
        (b"ssh-rsa", hashes.SHA1(), False),
        (b"rsa-sha2-256", hashes.SHA512(), False),
        (b"rsa-sha2-512", hashes.SHA256(), False),
        (b"rsa-sha2-512", hashes.SHA1(), False),
    ):
        envelope = rsa_envelope(rsa_private, algorithm, digest, MESSAGE)
        assert ours(envelope.armored) is accepted, (algorithm, digest.name)
        assert theirs(tmp_path, envelope.armored, envelope.key) is accepted, (algorithm, digest.name)


def test_an_rsa_signature_is_as_long_as_the_key(rsa_private: rsa.RSAPrivateKey) -> None:
    for text in range(5000):
        message = str(text).encode()
        envelope = rsa_envelope(rsa_private, b"rsa-sha2-256", hashes.SHA256(), message)
        if envelope.value[0] == 0:
            break
    assert ours(envelope.armored, message)
    assert not ours(replace(envelope, value=envelope.value[1:]).armored, message)
    assert not ours(replace(envelope, value=b"\0" + envelope.value).armored, message)


def test_small_and_huge_rsa_keys_are_refused() -> None:
    small = rsa_envelope(rsa.generate_private_key(65537, 1024), b"rsa-sha2-512", hashes.SHA512(), MESSAGE)
    with pytest.raises(BadSignature, match="1024 bits"):
        PublicKey.from_blob(small.key)
    for bits, accepted in ((2047, False), (2048, True), (16384, True), (16385, False)):
        blob = string(b"ssh-rsa") + number(65537) + number(2 ** (bits - 1) + 1)
        assert accepted is not refused(blob), bits


@pytest.mark.parametrize("exponent", [1, 2, 4, 65536, 2**32 + 1])
def test_weak_rsa_exponents_are_refused(exponent: int) -> None:
    assert refused(string(b"ssh-rsa") + number(exponent) + number(2**2047 + 1))
    assert not refused(string(b"ssh-rsa") + number(3) + number(2**2047 + 1))
    assert not refused(string(b"ssh-rsa") + number(2**32 - 1) + number(2**2047 + 1))


def test_an_rsa_key_has_one_spelling() -> None:
    modulus = (2**2047 + 1).to_bytes(256, "big")
    assert not refused(string(b"ssh-rsa") + string(b"\1\0\1") + string(b"\0" + modulus))
    for exponent in (b"\0\1\0\1", b"\0\0\1\0\1"):
        assert refused(string(b"ssh-rsa") + string(exponent) + string(b"\0" + modulus)), exponent
    for spelling in (modulus, b"\0\0" + modulus, b"", b"\0"):
        assert refused(string(b"ssh-rsa") + string(b"\1\0\1") + string(spelling)), spelling[:2]


def test_an_even_rsa_modulus_is_refused() -> None:
    assert refused(string(b"ssh-rsa") + number(65537) + number(2**2047 + 2))


def test_with_exponent_one_the_padded_message_would_be_its_own_signature() -> None:
    modulus = 2**2048 - 1
    prefix = bytes.fromhex("3051300d060960864801650304020305000440")
    from hashlib import sha512

    padded = b"\0\1" + b"\xff" * (256 - 3 - len(prefix) - 64) + b"\0" + prefix + sha512(signed_data(MESSAGE)).digest()
    key = string(b"ssh-rsa") + number(1) + number(modulus)
    assert not ours(Envelope(key=key, algorithm=b"rsa-sha2-512", value=padded).armored)


@pytest.mark.parametrize(
    "type_",
    [
        "ssh-dss",
        "ssh-ed25519-cert-v01@openssh.com",
        "sk-ssh-ed25519-cert-v01@openssh.com",
        "rsa-sha2-512",
        "ssh-ed448",
        "webauthn-sk-ecdsa-sha2-nistp256@openssh.com",
        "",
    ],
)
def test_other_types_of_keys_are_refused(type_: str) -> None:
    blob = string(type_.encode()) + string(bytes(range(32)))
    with pytest.raises(BadSignature, match="not supported"):
        PublicKey.from_blob(blob)


def test_names_are_short_and_ascii(good: dict[str, Envelope]) -> None:
    """An error message quotes names, so they must not fill or control a terminal."""
    authenticator = Authenticator.make("sk-ssh-ed25519@openssh.com")
    for length, accepted in ((255, True), (256, False)):
        application = b"ssh:".ljust(length, b"x")
        assert ours(Authenticator(authenticator.private, application).sign(MESSAGE).armored) is accepted
    assert not ours(Authenticator(authenticator.private, "ssh:ö".encode()).sign(MESSAGE).armored)
    with pytest.raises(BadSignature) as raised:
        sshsig.verify(replace(good["ed25519"], namespace=b"\x1b" * 9999).armored, MESSAGE, namespace="x")
    assert len(raised.value.message) < 500
    assert raised.value.message.isprintable()
    with pytest.raises(BadSignature) as raised:
        PublicKey.from_text("\x1b" * 999 + openssh.text_of(good["ed25519"].key)[11:])
    assert len(raised.value.message) < 500
    assert raised.value.message.isprintable()


@pytest.mark.parametrize("text", ["\ud800", "\u0661", "\xe4", "\0"])
def test_characters_beyond_ascii_are_refused(text: str, good: dict[str, Envelope]) -> None:
    armored = good["ed25519"].armored
    assert not ours(armored.replace("U1NI", f"U1NI{text}"))
    assert not ours(armored + text)


def test_malformed_keys_are_refused_before_they_are_used() -> None:
    point = bytes([4]) + bytes(range(64))
    assert not refused(string(b"ssh-ed25519") + string(bytes(range(32))))
    assert not refused(string(b"ecdsa-sha2-nistp256") + string(b"nistp256") + string(point))
    for length in (0, 31, 33, 64):
        assert refused(string(b"ssh-ed25519") + string(bytes(range(length)))), length
    for malformed in (
        point[:-1],
        point + b"\0",
        b"\2" + point[1:33],
        *(bytes([first]) + point[1:] for first in (0, 3, 5, 6, 7)),
    ):
        assert refused(string(b"ecdsa-sha2-nistp256") + string(b"nistp256") + string(malformed)), malformed[:1]


def test_base64_has_one_spelling(tmp_path: Path) -> None:
    authenticator = Authenticator.make("sk-ssh-ed25519@openssh.com")
    envelope = authenticator.sign(MESSAGE)
    text = openssh.text_of(authenticator.blob)
    assert text.endswith("=")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    last = text.rstrip("=")[-1]
    other = text.rstrip("=")[:-1] + alphabet[alphabet.index(last) ^ 1] + "=" * text.count("=")
    assert base64.b64decode(other.split()[1]) == authenticator.blob
    for spelling in (other, text.rstrip("="), text + "=", text[:40] + "-" + text[40:]):
        with pytest.raises(BadSignature, match="the public key is not base64"):
            PublicKey.from_text(spelling)
    blob = armor(envelope.blob)
    padding = blob[: blob.index(FOOTER)].rstrip("\n")
    assert padding.endswith("=")
    bits = padding.rstrip("=")
    respelled = bits[:-1] + alphabet[alphabet.index(bits[-1]) ^ 1] + padding[len(bits) :] + f"\n{FOOTER}\n"
    assert not ours(respelled)
    assert not theirs(tmp_path, respelled, authenticator.blob)


def test_a_certificate_is_refused(key_files: dict[str, Path], tmp_path: Path) -> None:
    authority = openssh.make_key(tmp_path, "ed25519")
    key = openssh.make_key(tmp_path, "ed25519")
    done = openssh.run("-q", "-s", str(authority), "-I", "id", "-n", openssh.PERSON, f"{key}.pub")
    assert done.returncode == 0, done.stderr
    armored = openssh.sign(Path(f"{key}-cert.pub"), MESSAGE)
    signers = f"{openssh.PERSON} cert-authority {Path(f'{authority}.pub').read_text()}"
    assert openssh.accepts(tmp_path, armored, MESSAGE, signers)
    assert not ours(armored)


def test_a_signature_made_in_a_browser_is_refused(tmp_path: Path) -> None:
    """OpenSSH accepts WebAuthn signatures of ecdsa-sk keys from any web site; whet would have to check the origin."""
    authenticator = Authenticator.make("sk-ecdsa-sha2-nistp256@openssh.com")
    challenge = base64.urlsafe_b64encode(signed_data(MESSAGE)).decode().rstrip("=")
    data = f'{{"type":"webauthn.get","challenge":"{challenge}","origin":"https://example.com"}}'.encode()
    tail = bytes([TOUCHED]) + (7).to_bytes(4, "big")
    envelope = Envelope(
        key=authenticator.blob,
        algorithm=b"webauthn-sk-ecdsa-sha2-nistp256@openssh.com",
        value=authenticator.sign_raw(sha256(b"ssh:").digest() + tail + sha256(data).digest()),
        tail=tail + string(b"https://example.com") + string(data) + string(b""),
    )
    assert theirs(tmp_path, envelope.armored, authenticator.blob)
    assert not ours(envelope.armored)


def refused(blob: bytes) -> bool:
    try:
        PublicKey.from_blob(blob)
    except BadSignature:
        return True
    return False


def mutated(generator: random.Random, data: bytes) -> bytes:
    """Return the data with a few bytes changed, deleted, doubled or moved."""
    for _ in range(generator.randint(1, 4)):
        start = generator.randrange(len(data))
        end = min(len(data), start + generator.randint(1, 8))
        data = (
            generator.choice(
                [
                    data[:start] + generator.randbytes(end - start) + data[end:],
                    data[:start] + data[end:],
                    data[:end] + data[start:],
                    data[:start] + data[start:end][::-1] + data[end:],
                    data[:start] + generator.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0", b"\x80"]) + data[start:],
                ]
            )
            or b"\0"
        )
    return data


def test_random_changes_are_never_accepted_and_never_crash(good: dict[str, Envelope]) -> None:
    generator = random.Random(20261117)
    for name, envelope in good.items():
        blob = envelope.blob
        for _ in range(400):
            changed = mutated(generator, blob)
            if changed != blob:
                assert not ours(armor(changed)), name


def test_every_byte_of_a_signature_counts(good: dict[str, Envelope]) -> None:
    for name in ("ed25519", "ecdsa-256", "sk-ed25519", "sk-ecdsa"):
        blob = good[name].blob
        for index in range(len(blob)):
            changed = blob[:index] + bytes([blob[index] ^ (1 << index % 8)]) + blob[index + 1 :]
            assert not ours(armor(changed)), (name, index)
