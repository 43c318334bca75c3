"""The schemas of other projects that the formats of `whet prove` must fit; `published/SOURCES.md` says where they are from."""

import json
from pathlib import Path

import jsonschema

FOLDER = Path(__file__).parent / "published"
_SARIF = jsonschema.Draft7Validator(
    json.loads((FOLDER / "sarif-schema-2.1.0.json").read_text()), format_checker=jsonschema.FormatChecker()
)
_GITLAB = jsonschema.Draft7Validator(json.loads((FOLDER / "gitlab-code-quality.schema.json").read_text()))


def sarif_problems(text: str) -> list[str]:
    """Return what the JSON Schema of SARIF 2.1.0 says against a file; nothing about a valid one."""
    return [f"{error.json_path}: {error.message}" for error in _SARIF.iter_errors(json.loads(text))]


def gitlab_problems(text: str) -> list[str]:
    """Return what the documented form of GitLab's report says against a file: fields, and fingerprints used twice."""
    report = json.loads(text)
    prints = [entry["fingerprint"] for entry in report]
    twice = [f"{name} is used twice" for name in set(prints) if prints.count(name) > 1]
    return [f"{error.json_path}: {error.message}" for error in _GITLAB.iter_errors(report)] + twice
