"""Encode captured values as JSON that `whet.runtime.capture.decode` can decode again.

Types that JSON lacks (tuples, sets, bytes, dates, data objects) become objects with a single key that begins with `$`. So do
values that cannot be restored (objects of unknown classes; values that were cut, cyclic or redacted); a call that contains
one is not replayable.
"""

from __future__ import annotations

import re
import sys
from json.encoder import encode_basestring_ascii as quote

from whet.runtime.capture.redact import REPLACEMENT, SHORTEST, Echoes, has_secret, is_secret_name, redacted
from whet.runtime.capture.values import CopiedKey, Placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LONGEST = 16_384
"""The largest number of characters captured of the inputs or of the output of one call."""

_MOST_NAMES = 10_000
_LONGEST_NAME, _MOST_ARGUMENTS = 60, 64
_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_LARGE = 1 << 64
_FAITHFUL = frozenset({"set", "bytearray", "type", "namedtuple", "enum", "record", "generator"})


class Encoder:
    """Encodes values; `faithful` is True if the last one can be restored exactly."""

    __slots__ = ("_echoes", "_harmless", "_redact", "faithful")

    def __init__(self, redact: frozenset[str] = frozenset()) -> None:
        self._redact = redact
        self._harmless: dict[str, str] = {}
        """Cache: names known not to be secret -> the JSON text to write before their value."""
        self.faithful = True
        self._echoes = Echoes()

    def inputs(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], secret_positions: frozenset[int], *, plain: bool = False
    ) -> str:
        """Encode the arguments of a call. `plain` promises only numbers, short text and None, which is the fast path.

        Texts that a name shows to be secret are replaced also where these arguments, the output and the message repeat them.
        """
        self.faithful = True
        if self._echoes:
            self._echoes = Echoes()
        if plain and not secret_positions and kwargs.keys() <= self._harmless.keys():
            text = self._plain_inputs(args, kwargs)
            if text is not None:
                return text
        text = self._all_inputs(args, kwargs, secret_positions)
        if self._echoes:
            text = self._all_inputs(args, kwargs, secret_positions)  # again: a text may stand before its secret name
        return self._capped(text)

    def _all_inputs(self, args: tuple[Any, ...], kwargs: dict[str, Any], secret_positions: frozenset[int]) -> str:
        if secret_positions:
            parts = [
                self._redacted(item) if at in secret_positions else self.value(item) for at, item in enumerate(args)
            ]
        else:
            parts = [self.value(item) for item in args]
        return f"[[{','.join(parts)}],{self._members(kwargs) if kwargs else '{}'}]"

    def _plain_inputs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
        parts = [_plain_text(value) for value in args]
        named = [_plain_text(value) for value in kwargs.values()] if kwargs else []
        if None in parts or None in named:
            return None
        members = ",".join([self._harmless[name] + text for name, text in zip(kwargs, named, strict=True)])  # type: ignore[operator] # no None
        return f"[[{','.join(parts)}],{{{members}}}]"  # type: ignore[arg-type] # no None

    def output(self, value: Any, *, secret: bool = False) -> str:
        """Encode the output of the call whose inputs were encoded last. `secret` says that a text is a secret."""
        self.faithful = True
        return self._redacted() if secret and type(value) in (str, bytes) else self._capped(self.value(value))

    def message(self, text: str) -> str:
        """Return the message of an error of that call without secrets."""
        return self._echoes.replaced(redacted(text)) if self._echoes else redacted(text)

    def value(self, value: Any) -> str:
        return _WRITERS.get(type(value), Encoder._other)(self, value)

    def _capped(self, text: str) -> str:
        if len(text) <= LONGEST:
            return text
        self.faithful = False
        return f'{{"$cut":["record",{len(text)},{quote(text[:256])}]}}'

    def _redacted(self, value: Any = None) -> str:
        self.faithful = False
        self._echoes.add(value)
        return '{"$redacted":true}'

    def _text(self, value: str) -> str:
        if self._echoes and self._echoes.replaced(value) != value:
            self.faithful = False
            return f'{{"$redacted":{quote(self._echoes.replaced(redacted(value)))}}}'
        if len(value) >= SHORTEST and has_secret(value):
            self.faithful = False
            return f'{{"$redacted":{quote(redacted(value))}}}'
        return quote(value)

    def _integer(self, value: int) -> str:
        bits = value.bit_length()
        if bits < 4096:
            return int.__repr__(value)
        if bits < 4 * LONGEST:
            return f'{{"$int":"{value:x}"}}'
        self.faithful = False
        return f'{{"$cut":["int",{bits},null]}}'

    def _float(self, value: float) -> str:
        return float.__repr__(value) if value - value == 0 else f'{{"$float":"{value}"}}'

    def _bytes(self, value: bytes) -> str:
        from binascii import b2a_base64

        if has_secret(value.decode("latin-1")):
            return self._redacted()
        return f'{{"$bytes":"{b2a_base64(value, newline=False).decode()}"}}'

    def _list(self, value: list[Any]) -> str:
        if len(value) == 2 and type(value[0]) is str and type(value[1]) in (str, bytes) and self._is_secret(value[0]):
            return f"[{self._text_key(value[0])},{self._redacted(value[1])}]"  # a header, or an item of a dictionary
        if self._is_command(value):
            return self._redacted(list(value))
        return f"[{','.join([self.value(item) for item in value])}]"

    def _is_secret(self, name: str) -> bool:
        return len(name) <= _LONGEST_NAME and _NAME.fullmatch(name) is not None and is_secret_name(name, self._redact)

    @staticmethod
    def _is_command(value: list[Any]) -> bool:
        """True if the texts are the arguments of a command, and one of them is a secret."""
        if not 2 <= len(value) <= _MOST_ARGUMENTS or not all(type(item) is str for item in value):
            return False
        return any(item[:1] == "-" for item in value) and has_secret(" ".join(value))

    def _tuple(self, value: tuple[Any, ...]) -> str:
        return f'{{"$tuple":{self._list(value)}}}'  # type: ignore[arg-type] # any iterable will do

    def _dict(self, value: dict[Any, Any]) -> str:
        if all(type(key) is str and key[:1] != "$" for key in value):
            return self._members(value)
        pairs = [f"[{self.value(key)},{self._member(key, item)}]" for key, item in value.items()]
        return f'{{"$dict":[{",".join(pairs)}]}}'

    def _members(self, value: dict[str, Any]) -> str:
        name = value.get("name", value.get("key"))
        if type(name) is str and type(value.get("value")) in (str, bytes) and self._is_secret(name):
            self._echoes.add(value["value"])
            self.faithful = False
            value = {**value, "value": REPLACEMENT}
        return "{" + ",".join([f"{self._text_key(key)}:{self._member(key, item)}" for key, item in value.items()]) + "}"

    def _text_key(self, key: str) -> str:
        if len(key) >= SHORTEST and has_secret(key):
            self.faithful = False
            return quote(redacted(key))
        return quote(key)

    def _member(self, key: Any, item: Any) -> str:
        if type(key) is CopiedKey and type(key.key) is bytes:
            key = key.key.decode("latin-1")
        if type(key) is str and key not in self._harmless:
            if is_secret_name(key, self._redact):
                return self.value(None) if item is None else self._redacted(item)
            if len(self._harmless) < _MOST_NAMES:
                self._harmless[key] = self._text_key(key) + ":"
        return self.value(item)

    def _key(self, value: CopiedKey) -> str:
        return self.value(value.key)

    def _placeholder(self, placeholder: Placeholder) -> str:
        if placeholder.what not in _FAITHFUL:
            self.faithful = False
        return _PLACEHOLDER_WRITERS[placeholder.what](self, placeholder)

    def _cut(self, placeholder: Placeholder) -> str:
        length, head = placeholder.body or (0, None)
        return (
            f'{{"$cut":[{quote(placeholder.kind)},{length},{quote(redacted(head)) if type(head) is str else "null"}]}}'
        )

    def _generator(self, placeholder: Placeholder) -> str:
        items, returned = placeholder.body
        return f'{{"$generator":[{self._list(items)},{self.value(returned)}]}}'

    def _namedtuple(self, placeholder: Placeholder) -> str:
        items = [self._member(name, item) for name, item in zip(*placeholder.body, strict=False)]
        return f'{{"$namedtuple":[{quote(placeholder.kind)},[{",".join(items)}]]}}'

    def _other(self, value: Any) -> str:
        kind = type(value)
        write = _BY_NAME.get((kind.__module__, kind.__qualname__))
        if write is not None and getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is kind:
            return write(self, value)
        return self._placeholder(Placeholder("opaque", f"{kind.__module__}:{kind.__qualname__}"))

    def _datetime(self, value: Any) -> str:
        zone = getattr(value, "tzinfo", None)
        if zone is not None and type(zone).__module__ not in ("datetime", "zoneinfo"):
            return self._placeholder(Placeholder("opaque", f"{type(zone).__module__}:{type(zone).__qualname__}"))
        return f'{{"${type(value).__name__}":"{value.isoformat()}"}}'


def _plain_text(value: Any) -> str | None:
    """Return the JSON of a number, short text or None; return None if the value needs the slow path."""
    kind = type(value)
    if kind is str:
        return None if len(value) >= SHORTEST and has_secret(value) else quote(value)
    if kind is int:
        return repr(value) if -_LARGE < value < _LARGE else None
    if kind is float:
        return repr(value) if value - value == 0 else None
    return "null" if value is None else "true" if value else "false"


_WRITERS: dict[type, Callable[[Encoder, Any], str]] = {
    int: Encoder._integer,
    str: Encoder._text,
    float: Encoder._float,
    bool: lambda _, value: "true" if value else "false",
    type(None): lambda *_: "null",
    complex: lambda self, value: f'{{"$complex":[{self._float(value.real)},{self._float(value.imag)}]}}',
    bytes: Encoder._bytes,
    list: Encoder._list,
    tuple: Encoder._tuple,
    dict: Encoder._dict,
    CopiedKey: Encoder._key,
    Placeholder: Encoder._placeholder,
}

_PLACEHOLDER_WRITERS: dict[str, Callable[[Encoder, Placeholder], str]] = {
    "cut": Encoder._cut,
    "generator": Encoder._generator,
    "opaque": lambda _, placeholder: f'{{"$opaque":{quote(placeholder.kind)}}}',
    "cycle": lambda _, placeholder: f'{{"$cycle":{quote(placeholder.kind)}}}',
    "type": lambda _, placeholder: f'{{"$type":{quote(placeholder.kind)}}}',
    "set": lambda self, placeholder: f'{{"${placeholder.kind}":{self._list(placeholder.body)}}}',
    "bytearray": lambda self, placeholder: f'{{"$bytearray":{self.value(placeholder.body)}}}',
    "namedtuple": Encoder._namedtuple,
    "enum": lambda _, placeholder: f'{{"$enum":[{quote(placeholder.kind)},{quote(placeholder.body)}]}}',
    "record": lambda self, placeholder: f'{{"$record":[{quote(placeholder.kind)},{self._members(placeholder.body)}]}}',
}

_PATHS = [(module, name) for module in ("pathlib", "pathlib._local")
          for name in ("PosixPath", "WindowsPath", "PurePosixPath", "PureWindowsPath")]  # fmt: skip

_BY_NAME: dict[tuple[str, str], Callable[[Encoder, Any], str]] = {
    ("datetime", "datetime"): Encoder._datetime,
    ("datetime", "date"): Encoder._datetime,
    ("datetime", "time"): Encoder._datetime,
    ("datetime", "timedelta"): lambda _, value: f'{{"$timedelta":[{value.days},{value.seconds},{value.microseconds}]}}',
    ("decimal", "Decimal"): lambda _, value: f'{{"$decimal":"{value}"}}',
    ("fractions", "Fraction"): lambda _, value: f'{{"$fraction":"{value}"}}',
    ("uuid", "UUID"): lambda _, value: f'{{"$uuid":"{value}"}}',
    **{path: lambda self, value: f'{{"$path":{self._text(str(value))}}}' for path in _PATHS},
}
