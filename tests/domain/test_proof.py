"""Proofs survive the record without being taken for one another, and assurances have an order."""

import itertools

import pytest

from whet.domain.canonical import to_plain
from whet.domain.proof import Assurance, ForgeProof, OsProof, PasskeyProof, Proof, SshProof
from whet.errors import Corrupt
from whet.store.codec import decode

PROOFS: list[Proof] = [
    OsProof(uid=1000, user="alice"),
    SshProof(public_key="ssh-ed25519 AAAA", signature="-----BEGIN", statement="yes"),
    PasskeyProof(credential="c", client_data="d", authenticator_data="a", signature="s", statement="yes"),
    ForgeProof(host="github.com", review="1", commit="abc", login="alice"),
]


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.kind)
def test_a_proof_survives_the_record(proof: Proof) -> None:
    plain = to_plain(proof)
    assert plain["kind"] == proof.kind
    assert decode(Proof, plain) == proof  # type: ignore[arg-type]  # a union has no class of its own


@pytest.mark.parametrize(("proof", "other"), list(itertools.permutations(PROOFS, 2)))
def test_a_proof_is_not_read_as_one_of_another_kind(proof: Proof, other: Proof) -> None:
    mixtures = [{**to_plain(proof), "kind": other.kind}, {**to_plain(proof), "kind": "none"}]
    if not to_plain(proof).keys() <= to_plain(other).keys():
        mixtures.append({**to_plain(proof), **to_plain(other)})
    for data in mixtures:
        with pytest.raises(Corrupt):
            decode(Proof, data)  # type: ignore[arg-type]


def test_assurances_are_ordered_by_what_they_show() -> None:
    order = [Assurance.OS, Assurance.SIGNATURE, Assurance.PRESENCE, Assurance.VERIFIED]
    assert max(order) is Assurance.VERIFIED
    for (left, low), (right, high) in itertools.product(enumerate(order), repeat=2):
        assert (low < high, low <= high, low > high, low >= high) == (
            left < right,
            left <= right,
            left > right,
            left >= right,
        )
    assert Assurance.VERIFIED >= "presence"


def test_an_assurance_does_not_compare_with_other_words() -> None:
    with pytest.raises(ValueError, match="high"):
        assert Assurance.OS < "high"
