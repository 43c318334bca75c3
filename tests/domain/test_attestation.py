"""An attestation is read only as whet wrote it: a change anywhere in the file is refused in one sentence."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.domain.test_evidence_form import RECORDED, bundle
from whet.domain.attestation import attest, read_attestation
from whet.domain.canonical import digest
from whet.errors import BadAttestation

TEXT = attest(bundle())
STATEMENT = json.loads(TEXT)
Place = tuple[str | int, ...]


def written(statement: Any) -> bytes:
    return (json.dumps(statement, indent=2, sort_keys=True) + "\n").encode()


def forged(**members: Any) -> bytes:
    """Return an attestation of other evidence, with a digest that fits, as somebody who knows the form can write it."""
    evidence = {**RECORDED, **members}
    predicate = {
        "verdict": evidence["verdict"], "evidenceDigest": {"sha256": digest(evidence)}, "base": {"gitCommit": evidence["base"]},
        "patchDigest": {"sha256": evidence["patch_digest"]}, "policyDigest": {"sha256": evidence["policy_digest"]},
        "madeAt": evidence["made_at"], "madeBy": evidence["made_by"], "evidence": evidence,
    }  # fmt: skip
    return written({**STATEMENT, "subject": [{"digest": {"gitTree": evidence["tree"]}}], "predicate": predicate})


def refused(content: bytes) -> str:
    with pytest.raises(BadAttestation) as refusal:
        read_attestation(content)
    assert "\n" not in refusal.value.message
    assert len(refusal.value.message) < 300
    return refusal.value.message


def leaves(value: Any, place: Place = ()) -> Iterator[Place]:
    """Yield the place of every value in the statement that holds no others."""
    parts = (
        list(value.items() if isinstance(value, dict) else enumerate(value)) if isinstance(value, dict | list) else []
    )
    if not parts:
        yield place
    for key, part in parts:
        yield from leaves(part, (*place, key))


def changed(place: Place, value: Any) -> bytes:
    statement = copy.deepcopy(STATEMENT)
    holder = statement
    for step in place[:-1]:
        holder = holder[step]
    if value is None:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    return written(statement)


def test_the_statement_names_the_tree_the_verdict_and_the_evidence() -> None:
    assert STATEMENT["_type"] == "https://in-toto.io/Statement/v1"
    assert STATEMENT["subject"] == [{"digest": {"gitTree": RECORDED["tree"]}}]
    assert STATEMENT["predicate"]["verdict"] == "passed"
    assert STATEMENT["predicate"]["evidenceDigest"] == {"sha256": bundle().digest}
    assert STATEMENT["predicate"]["evidence"] == RECORDED


def test_what_whet_wrote_is_read() -> None:
    assert read_attestation(TEXT.encode()) == RECORDED
    assert read_attestation(forged(new_field="of a later version"))["new_field"] == "of a later version"


@pytest.mark.parametrize("place", list(leaves(STATEMENT)), ids=lambda place: ".".join(map(str, place)))
def test_another_value_anywhere_is_refused(place: Place) -> None:
    refused(changed(place, "0" * 40))
    refused(changed(place, 7))
    refused(changed(place, None))


def test_another_byte_anywhere_is_refused() -> None:
    content = TEXT.encode()
    for index in range(0, len(content), 5):
        refused(content[:index] + bytes([content[index] ^ 1]) + content[index + 1 :])
    for cut in (0, 1, len(content) // 2, len(content) - 1):
        refused(content[:cut])


CHANGED = {
    "verdict": (changed(("predicate", "verdict"), "failed"), 'predicate.verdict is "failed", and its evidence says "passed"'),
    "subject": (changed(("subject", 0, "digest", "gitTree"), "0" * 40), "subject is "),
    "another subject": (written({**STATEMENT, "subject": [*STATEMENT["subject"], {}]}), "subject is "),
    "evidence": (changed(("predicate", "evidence", "reasons", 0), "fine"), "predicate.evidenceDigest.sha256 is "),
    "a new member": (changed(("predicate", "note"), "x"), "predicate.note is not a member that whet writes"),
    "a missing member": (changed(("predicate", "madeBy"), None), "predicate.madeBy is missing"),
    "other spaces": (json.dumps(STATEMENT).encode(), "its spaces or the order of its keys"),
    "another order": ((json.dumps(dict(reversed(STATEMENT.items())), indent=2) + "\n").encode(), "its spaces or the order"),
    "a control character": (changed(("predicate", "a\x1b[2Jb"), "x"), r"predicate.a\x1b[2Jb is not"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "words"), CHANGED.values(), ids=CHANGED.keys())
def test_the_refusal_names_the_change(content: bytes, words: str) -> None:
    message = refused(content)
    assert message.startswith("the attestation was changed after it was made: ")
    assert words in message


DEEP = b'{"_type":' + b"[" * 500 + b"]" * 500 + b"}"
UNREADABLE = {
    "nothing": (b"", "not JSON"),
    "words": (b"passed\n", "not JSON"),
    "not UTF-8": (b'{"_type": "\xff"}', "not JSON"),
    "a byte order mark": (b"\xef\xbb\xbf" + TEXT.encode(), "not JSON"),
    "a repeated key": (TEXT.replace('"_type"', '"_type": "x", "_type"').encode(), "not JSON"),
    "no number": (TEXT.replace('"held": 2', '"held": NaN').encode(), "not JSON"),
    "an infinite number": (TEXT.replace('"held": 2', '"held": 1e999').encode(), "not JSON"),
    "a very long number": (TEXT.replace('"held": 2', f'"held": {"9" * 9999}').encode(), "not JSON"),
    "very deep": (b"[" * 200_000, "not JSON"),
    "deep": (DEEP, "not an in-toto statement"),
    "a list": (b"[]", "not an in-toto statement"),
    "a text": (b'"https://in-toto.io/Statement/v1"', "not an in-toto statement"),
    "an older statement": (written({**STATEMENT, "_type": "https://in-toto.io/Statement/v0.1"}), "not an in-toto"),
    "another predicate": (written({**STATEMENT, "predicateType": "https://slsa.dev/provenance/v1"}), "slsa.dev"),
    "no predicate": (written({**STATEMENT, "predicate": None}), "no evidence"),
    "no evidence": (written({**STATEMENT, "predicate": {"evidence": []}}), "no evidence"),
    "another schema": (forged(schema="whet.evidence/2"), 'the schema "whet.evidence/2"'),
    "no schema": (forged(schema=None), "the schema null"),
}


@pytest.mark.parametrize(("content", "words"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_file_that_is_no_attestation_is_refused_in_one_sentence(content: bytes, words: str) -> None:
    assert words in refused(content)


@pytest.mark.parametrize("name", ["tree", "base", "patch_digest", "policy_digest"])
@pytest.mark.parametrize("value", ["--output=x", "HEAD", "", "A" * 40, f"{'0' * 40}\n", 7, None, ["0" * 40]])
def test_a_hash_that_git_could_take_for_something_else_is_refused(name: str, value: Any) -> None:
    assert f"its {name} is " in refused(forged(**{name: value}))


@pytest.mark.parametrize("name", ["verdict", "made_at", "made_by"])
def test_a_member_of_another_type_is_refused(name: str) -> None:
    assert f"its {name} is " in refused(forged(**{name: {"a": 1}}))
