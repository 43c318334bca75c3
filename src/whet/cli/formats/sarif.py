"""The proof as SARIF 2.1.0, the format of code scanning."""

import json
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from whet.app.prove import Proof
from whet.cli.formats.remarks import Remark, remarks

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(proof: Proof) -> str:
    """Return one SARIF run whose results are the remarks of the proof."""
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(proof)]}, indent=2) + "\n"


def _run(proof: Proof) -> dict[str, Any]:
    every, evidence = remarks(proof), proof.evidence
    rules = list(dict.fromkeys(remark.rule for remark in every))
    return {
        "tool": {
            "driver": {
                "name": "whet",
                "version": version("whet"),
                "rules": [{"id": rule, "shortDescription": {"text": _words(rule)}} for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(remark, rules) for remark in every],
        "properties": {"verdict": evidence.verdict.value, "evidence": evidence.digest, "base": evidence.base},
    }


def _result(remark: Remark, rules: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": remark.rule,
        "ruleIndex": rules.index(remark.rule),
        "level": remark.level.value,
        "message": {"text": remark.text},
        "partialFingerprints": {"whet/1": remark.fingerprint},
    }
    if remark.path:
        result["locations"] = [{"physicalLocation": _location(remark)}]
    return result


def _location(remark: Remark) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(remark.path), "uriBaseId": "%SRCROOT%"}}
    return location | ({"region": {"startLine": remark.line}} if remark.line else {})


def _words(rule: str) -> str:
    part, _, name = rule.partition(".")
    return f"{part}: {name.replace('_', ' ')}" if name else "the verdict of the proof"
