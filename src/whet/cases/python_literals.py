"""Write captured values as Python source, for a test that a person will read."""

import base64
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


class Unwritable(Exception):
    """A value without a source text, because it was truncated, redacted, malformed or of an unknown class."""


@dataclass
class Literals:
    """Writes values as source text. `imports` collects the (module, name) pairs that the texts need."""

    imports: set[tuple[str, str]] = field(default_factory=set)

    def write(self, value: Any) -> str:
        if isinstance(value, list):
            return f"[{', '.join(map(self.write, value))}]"
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, float) and not math.isfinite(value):
            raise Unwritable("a float without a literal: an infinity or not-a-number")
        return repr(value)

    def arguments(self, args: list[Any], kwargs: Mapping[str, Any]) -> str:
        """Return the arguments as they stand between the parentheses of a call."""
        if not all(name.isidentifier() for name in kwargs):
            raise Unwritable("a keyword that is not an identifier")
        return ", ".join([*map(self.write, args), *(f"{name}={self.write(value)}" for name, value in kwargs.items())])

    def _object(self, value: Mapping[str, Any]) -> str:
        tag = next(iter(value), "")
        if not tag.startswith("$"):
            return f"{{{', '.join(f'{key!r}: {self.write(item)}' for key, item in value.items())}}}"
        if tag not in _TAGS:
            raise Unwritable(f"a value marked {tag}")
        try:
            return _TAGS[tag](self, value[tag])
        except (ValueError, TypeError, AttributeError) as malformed:
            # the value comes from the application and may have any form
            raise Unwritable(f"a malformed {tag}") from malformed

    def _tuple(self, items: list[Any]) -> str:
        inner = ", ".join(map(self.write, items))
        return f"({inner},)" if len(items) == 1 else f"({inner})"

    def _pairs(self, pairs: list[list[Any]]) -> str:
        return f"{{{', '.join(f'{self.write(key)}: {self.write(item)}' for key, item in pairs)}}}"

    def _set(self, items: list[Any]) -> str:
        return f"{{{', '.join(sorted(map(self.write, items)))}}}" if items else "set()"

    def _frozenset(self, items: list[Any]) -> str:
        return f"frozenset({self._set(items) if items else ''})"

    def _named(self, module: str, name: str, text: str) -> str:
        self.imports.add((module, name))
        return f"{name}({text})"

    def _from_iso(self, name: str) -> Callable[[str], str]:
        self.imports.add(("datetime", name))
        return lambda text: f"{name}.fromisoformat({text!r})"

    def _class(self, kind: str) -> str:
        """Return the name of a class and note its import; refuse a nested class, which cannot be imported by name."""
        module, _, name = kind.partition(":")
        outer = name.partition(".")[0]
        if "<locals>" in name or not all(part.isidentifier() for part in [*module.split("."), *name.split(".")]):
            raise Unwritable(f"a class that cannot be imported: {kind}")
        if module != "builtins":
            self.imports.add((module, outer))
        return name

    def _data_object(self, body: list[Any]) -> str:
        kind, members = body
        return f"{self._class(kind)}({self.arguments([], members)})"

    def _namedtuple(self, body: list[Any]) -> str:
        kind, items = body
        return f"{self._class(kind)}({self.arguments(items, {})})"

    def _enum(self, body: list[Any]) -> str:
        kind, member = body
        if not member.isidentifier():
            raise Unwritable(f"a member that is not a name: {member}")
        return f"{self._class(kind)}.{member}"


_TAGS: dict[str, Callable[[Literals, Any], str]] = {
    "$tuple": Literals._tuple,
    "$dict": Literals._pairs,
    "$set": Literals._set,
    "$frozenset": Literals._frozenset,
    "$bytes": lambda _, text: repr(base64.b64decode(text)),
    "$bytearray": lambda self, inner: f"bytearray({self.write(inner)})",
    "$int": lambda _, text: hex(int(text, 16)),
    "$float": lambda _, text: f"float({text!r})",
    "$complex": lambda self, parts: f"complex({self.write(parts[0])}, {self.write(parts[1])})",
    "$datetime": lambda self, text: self._from_iso("datetime")(text),
    "$date": lambda self, text: self._from_iso("date")(text),
    "$time": lambda self, text: self._from_iso("time")(text),
    "$timedelta": lambda self, parts: self._named("datetime", "timedelta", ", ".join(map(repr, parts))),
    "$decimal": lambda self, text: self._named("decimal", "Decimal", repr(text)),
    "$fraction": lambda self, text: self._named("fractions", "Fraction", repr(text)),
    "$uuid": lambda self, text: self._named("uuid", "UUID", repr(text)),
    "$path": lambda self, text: self._named("pathlib", "Path", self.write(text)),
    "$record": Literals._data_object,
    "$namedtuple": Literals._namedtuple,
    "$enum": Literals._enum,
    "$type": Literals._class,
}
