"""Copy the inputs and outputs of a call, on the caller's thread, as they are at that moment.

Values that cannot change (numbers, short text) are kept by reference. Containers and data objects (dataclasses, attrs,
pydantic) are copied at once, because the tool or its caller may change them before the drainer encodes them. The size of
a copy is bounded by `HEAVIEST`. No `repr`, pickle or `__reduce__` runs; of any other object only the name of its type is
kept.
"""

from __future__ import annotations

from _thread import _local

from whet.runtime.source import importable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Captured = tuple[Any, Any, int, bool]
    """Positional and keyword arguments, their weight (0: only numbers and short text), and True if they were captured before
    the call could change them."""

SHORT = 1024
HEAVIEST = 512
"""The largest weight that is copied of one value: an item weighs 1, and each 64 characters or bytes weigh 1 more."""

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


class Placeholder:
    """Takes the place of a value that JSON cannot express, or that was not copied.

    `what` says why: opaque, cut, cycle, record, enum, type and so on. `kind` is the name of the value's type.
    """

    __slots__ = ("body", "kind", "what")

    def __init__(self, what: str, kind: str, body: Any = None) -> None:
        self.what = what
        self.kind = kind
        self.body = body


NOT_CAPTURED: Captured = ((Placeholder("opaque", "no room"),), {}, 1, False)

_copying = _local()


def capture(args: tuple[Any, ...], kwargs: dict[str, Any], *, before: bool = True) -> Captured:
    """Capture the arguments of a call. Pass `before=False` if the call has run already."""
    for value in args:
        kind = type(value)
        if kind is str:
            if len(value) > SHORT:
                return _copy(args, kwargs, before=before)
        elif kind not in UNCHANGING:
            return _copy(args, kwargs, before=before)
    if kwargs:
        for value in kwargs.values():
            kind = type(value)
            if kind is str:
                if len(value) > SHORT:
                    return _copy(args, kwargs, before=before)
            elif kind not in UNCHANGING:
                return _copy(args, kwargs, before=before)
    return args, kwargs, 0, True


def capture_one(value: Any) -> tuple[Any, int]:
    """Return a captured value and its weight."""
    kind = type(value)
    if kind in UNCHANGING or (kind is str and len(value) <= SHORT):
        return value, 0
    if kind is Placeholder:
        return value, HEAVIEST // 64
    (copy,), _, weight, _ = _copy((value,), {}, before=True)
    return copy, weight


def _copy(args: tuple[Any, ...], kwargs: dict[str, Any], *, before: bool) -> Captured:
    """Copy the arguments. An exception in a foreign property or descriptor makes them opaque and is not raised."""
    # A property that calls a tool gets here again: do not copy the inputs of that inner call.
    if getattr(_copying, "now", False):
        return (Placeholder("opaque", "nested call"),), {}, 1, before
    _copying.now = True
    snapshot = _Snapshot()
    try:
        positional = tuple([snapshot.take(value) for value in args])
        named = {name: snapshot.take(value) for name, value in kwargs.items()}
    except Exception as problem:  # noqa: BLE001 (a foreign property or descriptor; the application's call must go on)
        return (Placeholder("opaque", type(problem).__name__),), {}, 1, before
    finally:
        _copying.now = False
    return positional, named, 1 + (HEAVIEST - snapshot.left) // 64, before


class _Snapshot:
    """The state of one copy: the weight that is left, and the ids of the containers around the present value."""

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
            return Placeholder("cut", _name(kind), None)
        if id(value) in self.inside:
            return Placeholder("cycle", _name(kind))
        if len(self.inside) >= 40:
            return Placeholder("cut", _name(kind), None)
        self.inside.append(id(value))
        try:
            return self._items(value, kind) if kind in _CONTAINERS else self._other(value, kind)
        finally:
            self.inside.pop()

    def _text(self, value: str | bytes) -> Any:
        room = max(self.left, 1) * 64
        self.left -= len(value) // 64
        return value if len(value) <= room else Placeholder("cut", type(value).__name__, (len(value), value[:256]))

    def _items(self, value: Any, kind: type) -> Any:
        if len(value) > self.left:
            return Placeholder("cut", kind.__name__, (len(value), None))
        if kind is dict:
            return {self._key(key): self.take(item) for key, item in list(value.items())}
        items = [self.take(item) for item in list(value)]
        if kind is list:
            return items
        return tuple(items) if kind is tuple else Placeholder("set", kind.__name__, items)

    def _key(self, key: Any) -> Any:
        """Return a short text key as it is; wrap any other in a `CopiedKey`, which is hashable and equal to nothing else."""
        return key if type(key) is str and len(key) <= SHORT else CopiedKey(self.take(key))

    def _other(self, value: Any, kind: type) -> Any:
        if kind is bytearray:
            return Placeholder("bytearray", "bytearray", self._text(bytes(value)))
        if (kind.__module__, kind.__qualname__) in _BY_REFERENCE:
            return value
        if isinstance(value, type):
            return Placeholder("type", _name(value))
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return Placeholder("namedtuple", _name(kind), (kind._fields, [self.take(item) for item in value]))
        if hasattr(kind, "__members__") and hasattr(value, "_name_"):
            return Placeholder("enum", _name(kind), value._name_)
        names = _fields(value, kind)
        if names is None:
            return Placeholder("opaque", _name(kind))
        return Placeholder("record", _name(kind), {name: self.take(getattr(value, name)) for name in names})


class CopiedKey:
    """The copy of a dictionary key that is not short text."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key


def _fields(value: Any, kind: type) -> list[str] | None:
    """Return the field names of a dataclass, attrs, pydantic or `BaseTool` object; None for any other object."""
    if hasattr(kind, "__dataclass_fields__"):
        return list(kind.__dataclass_fields__)
    if hasattr(kind, "__attrs_attrs__"):
        return [field.name for field in kind.__attrs_attrs__]
    if hasattr(kind, "__pydantic_fields__"):
        return list(kind.__pydantic_fields__)
    return list(vars(value)) if hasattr(kind, "__whet_tool__") else None


def _name(kind: type) -> str:
    return f"{importable(kind.__module__)}:{kind.__qualname__}"
