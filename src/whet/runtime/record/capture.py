"""Values as they were at the moment of the call, taken on the caller's thread.

What cannot change (numbers, short text) is kept by reference. What can is copied at once, because the tool or its caller
may change it before the recorder looks: a copy of plain containers, records and nothing else, bounded by `HEAVIEST`. No
`repr`, no pickle and no `__reduce__` runs; an object that is neither plain nor a record stays a name of its type.
"""

from __future__ import annotations

from _thread import _local

from whet.runtime.source import importable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Captured = tuple[Any, Any, int, bool]
    """Positional, named, weight (0: nothing but short unchanging values), and whether they are as they were before the call."""

SHORT = 1024
HEAVIEST = 512
"""How much of one value is copied: an item weighs 1, and each 64 characters or bytes another."""

UNCHANGING = frozenset({int, float, bool, type(None)})
_CONTAINERS = frozenset({list, tuple, set, frozenset, dict})
_BY_REFERENCE = frozenset(
    {
        ("datetime", "datetime"), ("datetime", "date"), ("datetime", "time"), ("datetime", "timedelta"),
        ("decimal", "Decimal"), ("fractions", "Fraction"), ("uuid", "UUID"),
        ("pathlib", "PosixPath"), ("pathlib", "WindowsPath"), ("pathlib", "PurePosixPath"), ("pathlib", "PureWindowsPath"),
        ("pathlib._local", "PosixPath"), ("pathlib._local", "WindowsPath"),
    }
)  # fmt: skip


class StandIn:
    """Stands where a value could not be taken as it is: `what` is opaque, cut, cycle, record, enum, type..."""

    __slots__ = ("body", "kind", "what")

    def __init__(self, what: str, kind: str, body: Any = None) -> None:
        self.what = what
        self.kind = kind
        self.body = body


NOT_TAKEN: Captured = ((StandIn("opaque", "no room"),), {}, 1, False)

_copying = _local()


def capture(args: tuple[Any, ...], kwargs: dict[str, Any], *, before: bool = True) -> Captured:
    for value in args:
        kind = type(value)
        if kind is str:
            if len(value) > SHORT:
                return _copied(args, kwargs, before=before)
        elif kind not in UNCHANGING:
            return _copied(args, kwargs, before=before)
    if kwargs:
        for value in kwargs.values():
            kind = type(value)
            if kind is str:
                if len(value) > SHORT:
                    return _copied(args, kwargs, before=before)
            elif kind not in UNCHANGING:
                return _copied(args, kwargs, before=before)
    return args, kwargs, 0, True


def capture_one(value: Any) -> tuple[Any, int]:
    kind = type(value)
    if kind in UNCHANGING or (kind is str and len(value) <= SHORT):
        return value, 0
    if kind is StandIn:
        return value, HEAVIEST // 64
    (copy,), _, weight, _ = _copied((value,), {}, before=True)
    return copy, weight


def _copied(args: tuple[Any, ...], kwargs: dict[str, Any], *, before: bool) -> Captured:
    """The boundary to other people's classes: whatever they raise while their fields are read, the call goes on."""
    if getattr(_copying, "now", False):  # a field that is computed by a tool: its own call is not copied again
        return (StandIn("opaque", "nested call"),), {}, 1, before
    _copying.now = True
    snapshot = _Snapshot()
    try:
        taken = tuple([snapshot.take(value) for value in args])
        named = {name: snapshot.take(value) for name, value in kwargs.items()}
    except Exception as problem:  # noqa: BLE001 (somebody else's property or descriptor; the host's call comes first)
        return (StandIn("opaque", type(problem).__name__),), {}, 1, before
    finally:
        _copying.now = False
    return taken, named, 1 + (HEAVIEST - snapshot.left) // 64, before


class _Snapshot:
    __slots__ = ("inside", "left")

    def __init__(self) -> None:
        self.left = HEAVIEST
        self.inside: list[int] = []

    def take(self, value: Any) -> Any:
        self.left -= 1
        kind = type(value)
        if kind in UNCHANGING:
            return value
        if kind is str or kind is bytes:
            return self._text(value)
        if kind is complex:
            return value
        if self.left <= 0:
            return StandIn("cut", _name(kind), None)
        if id(value) in self.inside:
            return StandIn("cycle", _name(kind))
        if len(self.inside) >= 40:
            return StandIn("cut", _name(kind), None)
        self.inside.append(id(value))
        try:
            return self._items(value, kind) if kind in _CONTAINERS else self._other(value, kind)
        finally:
            self.inside.pop()

    def _text(self, value: str | bytes) -> Any:
        room = max(self.left, 1) * 64
        self.left -= len(value) // 64
        return value if len(value) <= room else StandIn("cut", type(value).__name__, (len(value), value[:256]))

    def _items(self, value: Any, kind: type) -> Any:
        if len(value) > self.left:
            return StandIn("cut", kind.__name__, (len(value), None))
        if kind is dict:
            return {self._key(key): self.take(item) for key, item in list(value.items())}
        taken = [self.take(item) for item in list(value)]
        if kind is list:
            return taken
        return tuple(taken) if kind is tuple else StandIn("set", kind.__name__, taken)

    def _key(self, key: Any) -> Any:
        """A key as it is where it is plain; anything else makes a key that nothing else has."""
        return key if type(key) is str and len(key) <= SHORT else Key(self.take(key))

    def _other(self, value: Any, kind: type) -> Any:
        if kind is bytearray:
            return StandIn("bytearray", "bytearray", self._text(bytes(value)))
        if (kind.__module__, kind.__qualname__) in _BY_REFERENCE:
            return value
        if isinstance(value, type):
            return StandIn("type", _name(value))
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return StandIn("namedtuple", _name(kind), [self.take(item) for item in value])
        if hasattr(kind, "__members__") and hasattr(value, "_name_"):
            return StandIn("enum", _name(kind), value._name_)
        names = _fields(value, kind)
        if names is None:
            return StandIn("opaque", _name(kind))
        return StandIn("record", _name(kind), {name: self.take(getattr(value, name)) for name in names})


class Key:
    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key


def _fields(value: Any, kind: type) -> list[str] | None:
    """The names of what a record consists of: dataclasses, attrs, pydantic, and tools that are classes."""
    if hasattr(kind, "__dataclass_fields__"):
        return list(kind.__dataclass_fields__)
    if hasattr(kind, "__attrs_attrs__"):
        return [field.name for field in kind.__attrs_attrs__]
    if hasattr(kind, "__pydantic_fields__"):
        return list(kind.__pydantic_fields__)
    return list(vars(value)) if hasattr(kind, "__whet_tool__") else None


def _name(kind: type) -> str:
    return f"{importable(kind.__module__)}:{kind.__qualname__}"
