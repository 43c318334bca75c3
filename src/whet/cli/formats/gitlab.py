"""The proof as a code quality report of GitLab: remarks at their lines in a merge request."""

import json

from whet.app.prove import Proof
from whet.cli.formats.remarks import Level, Remark, remarks

_SEVERITIES = {Level.ERROR: "critical", Level.WARNING: "major", Level.NOTE: "info"}


def render(proof: Proof) -> str:
    """Return the code quality report. A remark about no file stands at the first changed file: the report needs a place."""
    first = proof.patch.paths[0] if proof.patch.paths else "whet.toml"
    return json.dumps([_entry(remark, first) for remark in remarks(proof)], indent=2) + "\n"


def _entry(remark: Remark, first: str) -> dict[str, object]:
    return {
        "description": remark.text,
        "check_name": f"whet.{remark.rule}",
        "fingerprint": remark.fingerprint,
        "severity": _SEVERITIES[remark.level],
        "location": {"path": remark.path or first, "lines": {"begin": max(remark.line, 1)}},
    }
