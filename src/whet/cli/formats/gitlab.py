"""The proof as a code quality report of GitLab: annotations at their lines in a merge request."""

import json

from whet.app.proofs.prove import ProvedChange
from whet.cli.formats.annotations import annotations
from whet.domain.annotation import Annotation, Level, fingerprints

_SEVERITIES = {Level.ERROR: "critical", Level.WARNING: "major", Level.NOTE: "info"}


def render(proof: ProvedChange) -> str:
    """Return the code quality report. An annotation about no file stands at the first changed file: the report needs a place."""
    first = proof.patch.paths[0] if proof.patch.paths else "whet.toml"
    every = annotations(proof)
    rows = [_entry(annotation, name, first) for annotation, name in zip(every, fingerprints(every), strict=True)]
    return json.dumps(rows, indent=2) + "\n"


def _entry(annotation: Annotation, fingerprint: str, first: str) -> dict[str, object]:
    return {
        "description": annotation.text,
        "check_name": f"whet.{annotation.rule}",
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[annotation.level],
        "location": {"path": annotation.path or first, "lines": {"begin": max(annotation.line, 1)}},
    }
