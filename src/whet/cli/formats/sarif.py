"""The proof as SARIF 2.1.0, the format of code scanning."""

import json
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from whet.app.proofs.prove import ProvedChange
from whet.cli.formats.annotations import annotations
from whet.domain.annotation import Annotation, fingerprints

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(proof: ProvedChange) -> str:
    """Return one SARIF run whose results are the annotations of the proof."""
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(proof)]}, indent=2) + "\n"


def _run(proof: ProvedChange) -> dict[str, Any]:
    every, evidence = annotations(proof), proof.evidence
    rules = list(dict.fromkeys(annotation.rule for annotation in every))
    return {
        "tool": {
            "driver": {
                "name": "whet",
                "version": version("whet"),
                "rules": [{"id": rule, "shortDescription": {"text": _words(rule)}} for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(annotation, name, rules) for annotation, name in zip(every, fingerprints(every), strict=True)
        ],
        "properties": {
            "verdict": evidence.verdict.value,
            "claim": evidence.claim_words,
            "evidence": evidence.digest,
            "base": evidence.base,
        },
    }


def _result(annotation: Annotation, fingerprint: str, rules: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": annotation.rule,
        "ruleIndex": rules.index(annotation.rule),
        "level": annotation.level.value,
        "message": {"text": annotation.text},
        "partialFingerprints": {"whet/1": fingerprint},
    }
    if annotation.path:
        result["locations"] = [{"physicalLocation": _location(annotation)}]
    return result


def _location(annotation: Annotation) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(annotation.path), "uriBaseId": "%SRCROOT%"}}
    return location | ({"region": {"startLine": annotation.line}} if annotation.line else {})


def _words(rule: str) -> str:
    part, _, name = rule.partition(".")
    return f"{part}: {name.replace('_', ' ')}" if name else "the verdict of the proof"
