"""The JSON Schema of whet.toml beside whet.toml, where the editors of everybody who clones the repository find it."""

import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from whet.domain.own_files import FILE_NAME
from whet.errors import Refused
from whet.files import MB, read_file

SCHEMA_NAME = "whet.schema.json"
_LINE = f"#:schema ./{SCHEMA_NAME}"
_ANY_LINE = re.compile(rb"^#:schema[ \t]", re.MULTILINE)


@dataclass(frozen=True)
class EditorSchema:
    """The written schema. `added` is false if whet.toml names a schema already."""

    path: Path
    added: bool


def settings_schema() -> str:
    """Return the JSON Schema of whet.toml, which is generated from the settings."""
    return (resources.files("whet.config") / "whet-toml.schema.json").read_text()


def write_schema(root: Path) -> EditorSchema:
    """Write the schema, or replace that of an earlier version, and name it in the first line of whet.toml."""
    schema, policy = root / SCHEMA_NAME, root / FILE_NAME
    for path in (schema, policy):
        if path.is_symlink():
            raise Refused(f"{path} is a link, and whet writes only regular files", "replace it by the file itself")
    try:
        text = read_file(policy, MB)
        schema.write_text(settings_schema())
        named = _ANY_LINE.search(text) is not None
        if not named:
            end = b"\r\n" if text.partition(b"\n")[0].endswith(b"\r") else b"\n"
            policy.write_bytes(_LINE.encode() + end + text)
    except OSError as problem:
        raise Refused(f"{problem.filename} cannot be written: {problem.strerror}") from problem
    return EditorSchema(schema, added=not named)
