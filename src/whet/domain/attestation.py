"""An attestation: a proof as an in-toto statement, which can be verified elsewhere without running anything.

Every member is made from the evidence that the statement embeds. Reading an attestation makes the statement again from
the embedded evidence and compares both, so that a change anywhere in the file is noticed. That shows that the file is
whole, not who wrote it; a signature shows that.
"""

import json
import math
import re
from typing import Any, NoReturn

from whet.domain.canonical import digest, to_plain
from whet.domain.evidence import SCHEMA, Evidence
from whet.domain.sanitize import one_line
from whet.errors import BadAttestation

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:whet:proof:v1"
_GIT_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_HASHES = {"tree": _GIT_HASH, "base": _GIT_HASH, "patch_digest": _SHA256, "policy_digest": _SHA256}
_AGAIN = "get the file again from its author, or prove the change here: whet prove --attest FILE"
_DEEPEST = 64  # levels of JSON; evidence has fewer than ten
_LONGEST_VALUE = 60


def attest(evidence: Evidence) -> str:
    """Return the attestation of a proof as the text of a file."""
    return _text(_statement(to_plain(evidence)))


def read_attestation(content: bytes) -> dict[str, Any]:
    """Return the evidence that an attestation embeds. Raise BadAttestation unless `content` is what `attest` writes.

    The evidence is returned as plain data, because the digest of evidence that another version of whet made covers fields
    that this version may not know.
    """
    statement = _parse(content)
    evidence = _embedded(statement)
    expected = _statement(evidence)
    if difference := _difference(statement, expected):
        raise BadAttestation(f"the attestation was changed after it was made: {difference}", _AGAIN)
    if content != _text(statement).encode():
        raise BadAttestation(
            "the attestation was changed after it was made: its spaces or the order of its keys", _AGAIN
        )
    return evidence


def _statement(evidence: dict[str, Any]) -> dict[str, Any]:
    """Return the statement about evidence in its plain form."""
    return {
        "_type": STATEMENT_TYPE,
        "subject": [{"digest": {"gitTree": evidence["tree"]}}],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "verdict": evidence["verdict"],
            "evidenceDigest": {"sha256": digest(evidence)},
            "base": {"gitCommit": evidence["base"]},
            "patchDigest": {"sha256": evidence["patch_digest"]},
            "policyDigest": {"sha256": evidence["policy_digest"]},
            "madeAt": evidence["made_at"],
            "madeBy": evidence["made_by"],
            "evidence": evidence,
        },
    }


def _text(statement: dict[str, Any]) -> str:
    return json.dumps(statement, indent=2, sort_keys=True, allow_nan=False) + "\n"


def _parse(content: bytes) -> dict[str, Any]:
    try:
        statement = json.loads(
            content.decode(),
            object_pairs_hook=_without_repeated_keys,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except (
        ValueError,
        RecursionError,
    ) as problem:  # ValueError: also text that is not UTF-8, and numbers with too many digits
        raise BadAttestation("the file is not JSON that whet could have written", _AGAIN) from problem
    if not isinstance(statement, dict) or _depth(statement) > _DEEPEST or statement.get("_type") != STATEMENT_TYPE:
        raise BadAttestation(f"the file is not an in-toto statement: its _type is not {STATEMENT_TYPE}", _AGAIN)
    if statement.get("predicateType") != PREDICATE_TYPE:
        kind = statement.get("predicateType")
        raise BadAttestation(f"the statement is not about a proof of whet: its predicateType is {_shown(kind)}", _AGAIN)
    return statement


def _embedded(statement: dict[str, Any]) -> dict[str, Any]:
    """Return the embedded evidence, after a check of the members that the statement and git commands are made from."""
    predicate = statement.get("predicate")
    evidence = predicate.get("evidence") if isinstance(predicate, dict) else None
    if not isinstance(evidence, dict):
        raise BadAttestation("the attestation has no evidence in it", _AGAIN)
    if evidence.get("schema") != SCHEMA:
        version = _shown(evidence.get("schema"))
        raise BadAttestation(f"the evidence has the schema {version}, and this whet reads {SCHEMA}", "update whet")
    for name in ("verdict", "made_at", "made_by", *_HASHES):
        value = evidence.get(name)
        if not isinstance(value, str) or (name in _HASHES and not _HASHES[name].fullmatch(value)):
            raise BadAttestation(f"the evidence is not well-formed: its {name} is {_shown(value)}", _AGAIN)
    return evidence


def _difference(actual: Any, expected: Any, place: str = "") -> str:
    """Return the first difference between two values of JSON in words; empty if there is none."""
    if isinstance(actual, dict) and isinstance(expected, dict):
        if odd := sorted(actual.keys() ^ expected.keys()):
            return f"{_at(place, odd[0])} is {'missing' if odd[0] in expected else 'not a member that whet writes'}"
        return next(
            filter(None, (_difference(actual[key], expected[key], _at(place, key)) for key in sorted(actual))), ""
        )
    if type(actual) is type(expected) and actual == expected:
        return ""
    return f"{place} is {_shown(actual)}, and its evidence says {_shown(expected)}"


def _at(place: str, name: str) -> str:
    return f"{place}.{one_line(name)[:_LONGEST_VALUE]}".lstrip(".")


def _shown(value: Any) -> str:
    text = one_line(json.dumps(value))
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def _depth(value: Any) -> int:
    """Return how deep the lists and objects of a value are nested."""
    level, deep = [value], 0
    while level and deep <= _DEEPEST:
        level = [part for each in level for part in _parts(each)]
        deep += 1
    return deep


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse repeated keys: readers differ in which of them counts."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key is repeated")
    return members


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
