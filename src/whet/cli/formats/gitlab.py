"""The proof as a code quality report of GitLab: annotations at their lines in a merge request."""

import json

from whet.app.proofs.prove import Proof
from whet.cli.formats.annotations import Annotation, Level, annotations

_SEVERITIES = {Level.ERROR: "critical", Level.WARNING: "major", Level.NOTE: "info"}


def render(proof: Proof) -> str:
    """Return the code quality report. A annotation about no file stands at the first changed file: the report needs a place."""
    first = proof.patch.paths[0] if proof.patch.paths else "whet.toml"
    return json.dumps([_entry(annotation, first) for annotation in annotations(proof)], indent=2) + "\n"


def _entry(annotation: Annotation, first: str) -> dict[str, object]:
    return {
        "description": annotation.text,
        "check_name": f"whet.{annotation.rule}",
        "fingerprint": annotation.fingerprint,
        "severity": _SEVERITIES[annotation.level],
        "location": {"path": annotation.path or first, "lines": {"begin": max(annotation.line, 1)}},
    }
