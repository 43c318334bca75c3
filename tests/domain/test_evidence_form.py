"""The evidence in JSON keeps its form within a version, and recorded evidence keeps its digest."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import jsonschema
import pytest

from tests.docs import evidence as form
from whet.domain.canonical import ADDED, digest, to_plain
from whet.domain.evidence import SCHEMA, Evidence
from whet.domain.verdict import CheckResult, Verdict
from whet.store.codec import decode

FOLDER = Path(__file__).parent
FROZEN = (FOLDER / "evidence-1.fields").read_text().splitlines()
RECORDED = json.loads((FOLDER / "evidence-1.json").read_text())
RECORDED_DIGEST = "3f9bad61cd92bea2de3a35027ceb6ee665c830331ea1d1c3464509e0819fba95"


def bundle() -> Evidence:
    return decode(Evidence, RECORDED)


@pytest.mark.parametrize("line", FROZEN, ids=[line.split()[0] for line in FROZEN])
def test_a_field_of_version_1_stays_and_keeps_its_type(line: str) -> None:
    assert line in form.contract(), "version 1 is public: add fields, or start whet.evidence/2 (docs/evidence.md)"


def test_every_field_of_version_1_is_on_record() -> None:
    assert set(form.contract()) == set(FROZEN), "a field was added: append it to tests/domain/evidence-1.fields"


def test_evidence_that_was_recorded_keeps_its_digest() -> None:
    """Approvals and attestations name this digest. A new field needs `field(default=..., metadata=ADDED)`."""
    assert bundle().digest == digest(RECORDED) == RECORDED_DIGEST


def test_evidence_from_before_version_1_keeps_its_digest() -> None:
    older = {name: value for name, value in RECORDED.items() if name not in ("schema", "made_by")}
    assert decode(Evidence, older).digest == digest(older)


def test_the_recorded_evidence_follows_the_schema() -> None:
    jsonschema.validate(RECORDED, form.schema())
    assert json.loads(form.SCHEMA_FILE.read_text()) == form.schema()


@pytest.mark.parametrize("name", form.schema()["$defs"]["Evidence"]["required"])
def test_the_schema_refuses_evidence_that_lacks_a_field(name: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({key: value for key, value in RECORDED.items() if key != name}, form.schema())


def test_the_schema_refuses_other_types_and_versions_and_allows_new_fields() -> None:
    for change in ({"schema": "whet.evidence/2"}, {"verdict": "great"}, {"reasons": "one"}, {"cost": None}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**RECORDED, **change}, form.schema())
    jsonschema.validate({**RECORDED, "new": 1}, form.schema())
    assert decode(Evidence, {**RECORDED, "new": 1}) == bundle()


def test_an_added_field_with_its_default_is_absent() -> None:
    @dataclass(frozen=True)
    class Noun:
        old: str = ""
        new: tuple[str, ...] = field(default=(), metadata=ADDED)

    assert to_plain(Noun()) == {"old": ""}
    assert to_plain(Noun(new=("a",))) == {"old": "", "new": ["a"]}


def test_a_new_proof_names_its_version() -> None:
    assert bundle().schema == SCHEMA
    assert to_plain(replace(bundle(), schema=""))["verdict"] == "passed"


def test_a_measured_gain_is_not_called_a_fix() -> None:
    gain = CheckResult(
        check="benchmarks", verdict=Verdict.PASSED, reason="", red=("sort",), green=("sort",), reverted=("sort",)
    )
    evidence = replace(bundle(), checks=(gain,), verdict=Verdict.PASSED)
    assert (evidence.claim, evidence.claim_words) == (None, "proved: a gain, by a measure that the policy declares")
    both = replace(evidence, checks=(gain, replace(gain, check="tests")))
    assert both.claim_words == "proved: a fix, by tests that were there before"
    assert replace(evidence, checks=(replace(gain, green=()),)).claim_words == ""
