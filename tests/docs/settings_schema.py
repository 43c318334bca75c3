"""Generate the JSON Schema of whet.toml from whet.config and the words of `settings.toml`."""

import json
import tomllib
from pathlib import Path
from typing import Any

from tests.docs.console import ROOT
from whet.config import Config

SCHEMA_FILE = ROOT / "src" / "whet" / "config" / "whet-toml.schema.json"
WORDS = Path(__file__).parent / "settings.toml"
Schema = dict[str, Any]


def pages() -> dict[Path, str]:
    """Return the generated text by its path."""
    return {SCHEMA_FILE: json.dumps(schema(), indent=2) + "\n"}


def schema() -> Schema:
    """Return the JSON Schema of whet.toml. It allows what whet reads, but not every rule between two keys is in it."""
    words, made = tomllib.loads(WORDS.read_text()), Config.model_json_schema()
    tables = {name: made["$defs"][_reference(made, name)] for name in words if isinstance(words[name], dict)}
    for name, table in tables.items():
        for key, text in words[name].items():
            _describe(table if key == "_" else table["properties"][key], text)
    for key, text in words.items():
        if isinstance(text, str):
            _describe(made["properties"][key], text)
    _tidy(made)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:whet:schema:whet.toml",
        **made,
        "title": "whet.toml",
        "description": "The policy of whet for one repository. `whet init` writes a short one.",
    }


def _reference(made: Schema, table: str) -> str:
    return str(made["properties"][table]["$ref"]).rpartition("/")[2]


def _describe(part: Schema, text: str) -> None:
    part["description"] = text


def _tidy(part: Any) -> None:
    """Remove the titles that pydantic makes from names, and defaults of whole tables, which editors would insert."""
    if isinstance(part, dict):
        if isinstance(part.get("title"), str):
            del part["title"]
        if "$ref" in part and isinstance(part.get("default"), dict):
            del part["default"]
        for child in part.values():
            _tidy(child)
    elif isinstance(part, list):
        for child in part:
            _tidy(child)
