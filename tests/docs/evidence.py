"""Generate the JSON Schema of the evidence, and the tables of docs/evidence.md, from the dataclasses and `evidence.toml`."""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from tests.docs.console import ROOT
from whet.domain.canonical import ADDED
from whet.domain.evidence import SCHEMA, Evidence

PAGE = ROOT / "docs" / "evidence.md"
SCHEMA_FILE = ROOT / "src" / "whet" / "domain" / "evidence-1.schema.json"
WORDS = tomllib.loads((Path(__file__).parent / "evidence.toml").read_text())
_TABLES = re.compile(r"(<!-- fields: generated .* -->\n).*(<!-- end of fields -->)", re.DOTALL)
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_IN_VERSION_1 = {(Evidence, "schema"), (Evidence, "made_by")}  # absent only in records that have no version yet
Schema = dict[str, Any]


def pages() -> dict[Path, str]:
    """Return the generated texts by their paths."""
    page = _TABLES.sub(lambda marks: f"{marks[1]}\n{_tables()}\n{marks[2]}", PAGE.read_text())
    return {SCHEMA_FILE: json.dumps(schema(), indent=2) + "\n", PAGE: page}


def schema() -> Schema:
    """Return the JSON Schema of the evidence. Unknown fields are allowed, because later versions of whet add some."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:whet:schema:{SCHEMA.replace('/', ':')}",
        "title": SCHEMA,
        "$ref": "#/$defs/Evidence",
        "$defs": {cls.__name__: _object(cls) for cls in nouns(Evidence)},
    }


def nouns(cls: Any) -> Iterator[Any]:
    """Yield a dataclass and those that its fields hold, each once."""
    seen: dict[Any, None] = {}
    waiting: list[Any] = [cls]
    while waiting:
        noun = waiting.pop(0)
        if noun not in seen:
            seen[noun] = None
            waiting += [part for hint in get_type_hints(noun).values() for part in _parts(hint) if is_dataclass(part)]
    yield from seen


def _parts(hint: Any) -> list[Any]:
    return [hint, *(part for argument in get_args(hint) for part in _parts(argument))]


def _object(cls: Any) -> Schema:
    hints, words = get_type_hints(cls), WORDS[cls.__name__]
    properties = {name: {"description": words[name], **_type(hints[name])} for name in _names(cls)}
    if cls is Evidence:
        properties["schema"]["const"] = SCHEMA
    optional = {field.name for field in fields(cls) if field.metadata == ADDED}
    required = [name for name in properties if name not in optional or (cls, name) in _IN_VERSION_1]
    return {"description": words["_"], "type": "object", "properties": properties, "required": required}


def _names(cls: Any) -> list[str]:
    """Return the fields in the order of their descriptions, which begins with what matters most."""
    real = {field.name for field in fields(cls)}
    described = [name for name in WORDS[cls.__name__] if name != "_"]
    assert set(described) == real, f"evidence.toml: {cls.__name__}: {real ^ set(described)}"
    return described


def _type(hint: Any) -> Schema:
    arguments = get_args(hint)
    if hint is Any:
        return {}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if hint is datetime:
        return {"type": "string", "format": "date-time"}
    if isinstance(hint, type) and is_dataclass(hint):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _type(arguments[0])}
    if get_origin(hint) is dict:
        return {"type": "object", "additionalProperties": _type(arguments[1]) or True}
    if get_origin(hint) in (Union, UnionType):
        return {"anyOf": [{"type": "null"} if part is NoneType else _type(part) for part in arguments]}
    raise TypeError(f"{hint} has no JSON Schema: add it to {__file__}")


def _tables() -> str:
    lines = []
    for name, noun in schema()["$defs"].items():
        lines += [f"### {name}", "", noun["description"], "", "| field | type | meaning |", "| --- | --- | --- |"]
        for field, kind in noun["properties"].items():
            optional = "" if field in noun["required"] else ", may be absent"
            lines.append(f"| `{field}` | {_shown(kind)}{optional} | {kind['description']} |")
        lines.append("")
    return "\n".join(lines)


def _shown(kind: Schema) -> str:
    """Return a type in words."""
    if "const" in kind:
        return "string"
    if "$ref" in kind:
        name = kind["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in kind:
        return "verdict" if "passed" in kind["enum"] else " or ".join(kind["enum"])
    if "anyOf" in kind:
        return " or ".join(_shown(part) for part in kind["anyOf"])
    if kind.get("type") == "array":
        return f"list of {_shown(kind['items'])}"
    if kind.get("type") == "object":
        values = kind["additionalProperties"]
        return "object" if values is True else f"object of {_shown(values)}"
    return "time" if kind.get("format") else str(kind["type"])


def contract() -> list[str]:
    """Return one line for each field, with its type and if it is always there: what must not change within a version."""
    lines = []
    for name, noun in schema()["$defs"].items():
        for field, kind in noun["properties"].items():
            bare = {key: value for key, value in kind.items() if key != "description"}
            presence = "always" if field in noun["required"] else "may be absent"
            lines.append(f"{name}.{field} {json.dumps(bare, sort_keys=True)} {presence}")
    return lines
