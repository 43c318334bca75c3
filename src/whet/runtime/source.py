"""Where a tool was declared, and what its source was then.

The bytes are read when the module that declares it is loaded and hashed when the version is first needed: a file that
is edited later is another version, not this one.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Source:
    __slots__ = ("_text", "_version", "file", "module", "qualname")

    def __init__(self, module: str, qualname: str, file: str | None, text: bytes) -> None:
        self.module = module
        self.qualname = qualname
        self.file = file
        self._text = text
        self._version = ""

    @property
    def version(self) -> str:
        """The first 16 hex digits of the SHA-256 of the module's source."""
        if not self._version:
            from hashlib import sha256

            self._version = sha256(self._text).hexdigest()[:16]
        return self._version

    @property
    def text(self) -> bytes:
        return self._text

    @property
    def default_name(self) -> str:
        return _readable(self.module, self.qualname)


_read: tuple[object, bytes] = (None, b"")
"""The file that was read last, as it was then: a module declares its tools one after another."""


def source_of(function: Any) -> Source:
    inner = function
    while hasattr(inner, "__wrapped__") or hasattr(inner, "__func__") or hasattr(inner, "func"):
        inner = getattr(inner, "__wrapped__", None) or getattr(inner, "__func__", None) or inner.func
    module = getattr(inner, "__module__", None) or type(inner).__module__
    qualname = getattr(inner, "__qualname__", None) or type(inner).__qualname__
    scope = getattr(inner, "__globals__", None) or vars(sys.modules.get(module, object))
    file = scope.get("__file__")
    text = _bytes(file) if isinstance(file, str) else None
    if text is None:
        file, text = None, _code_bytes(inner)
    return Source(importable(module), qualname, file, text)


def class_name(cls: type) -> str:
    return _readable(importable(cls.__module__), cls.__qualname__)


def _readable(module: str, qualname: str) -> str:
    return f"{module}.{qualname}".replace(".<locals>", "").replace("<lambda>", "lambda")


def _bytes(file: str) -> bytes | None:
    global _read
    try:
        found = os.stat(file)
        state = file, found.st_mtime_ns, found.st_size, found.st_ino
        if _read[0] != state:
            with open(file, "rb") as stream:
                _read = state, stream.read()
    except OSError:
        return None
    return _read[1]


def _code_bytes(function: Any) -> bytes:
    """For what no file declares, as in a notebook: the function's own code."""
    import marshal

    code = getattr(function, "__code__", None)
    return marshal.dumps(code) if code is not None else repr(type(function)).encode()


def importable(module: str) -> str:
    """A program's own file is `__main__` when it is run and goes by its name when it is imported: one tool, one name."""
    if module != "__main__":
        return module
    scope = vars(sys.modules["__main__"])
    spec, file = scope.get("__spec__"), scope.get("__file__")
    if spec is not None:
        return str(spec.name).removesuffix(".__main__")
    return str(file).replace("\\", "/").rpartition("/")[2].removesuffix(".py") if file else module
