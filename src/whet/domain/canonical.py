"""Convert nouns to plain data, canonical JSON and digests; the ledger, the evidence and `--json` share this form."""

import hashlib
import json
from dataclasses import Field, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

ADDED = {"absent_by_default": True}
"""The metadata of a field that was added to a recorded noun. Its default is left out of the plain form, so that older
records keep their digests."""


def to_plain(value: Any) -> Any:
    """Return a noun as data that JSON can hold. Raise TypeError for an unknown type; never fall back to `repr`."""
    if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if is_dataclass(value) and not isinstance(value, type):
        members = ((field, getattr(value, field.name)) for field in fields(value))
        return {field.name: to_plain(member) for field, member in members if not _absent(field, member)}
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(to_plain(item) for item in value)
    raise TypeError(f"{type(value).__name__} has no plain form")


def _absent(field: Field[Any], member: Any) -> bool:
    return "absent_by_default" in field.metadata and bool(member == field.default)


def canonical(value: Any) -> str:
    """Return the canonical JSON text: sorted keys, no spaces, no NaN."""
    return json.dumps(to_plain(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()
