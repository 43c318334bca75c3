"""`ToolSource`: the module, file and source text that declared a tool.

The text is read when the module is imported and hashed when the version is first needed. So an edit of the file while the
application runs does not change the version that the running code is captured under.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ToolSource:
    """The place where a tool was declared, and the source text of its module at that moment."""

    __slots__ = ("_text", "_version", "file", "module", "qualname")

    def __init__(self, module: str, qualname: str, file: str | None, text: bytes) -> None:
        self.module = module
        self.qualname = qualname
        self.file = file
        self._text = text
        self._version = ""

    @property
    def version(self) -> str:
        """Return the first 16 hex digits of the SHA-256 of the module's source."""
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


_last_read: tuple[object, bytes] = (None, b"")
"""Identity and content of the file read last. A module declares its tools one after another, so one entry is enough."""


def source_of(function: Any) -> ToolSource:
    """Return the source of a function, seen through decorators, bound methods and partials."""
    inner = function
    while hasattr(inner, "__wrapped__") or hasattr(inner, "__func__") or hasattr(inner, "func"):
        inner = getattr(inner, "__wrapped__", None) or getattr(inner, "__func__", None) or inner.func
    module = getattr(inner, "__module__", None) or type(inner).__module__
    qualname = getattr(inner, "__qualname__", None) or type(inner).__qualname__
    scope = getattr(inner, "__globals__", None) or vars(sys.modules.get(module, object))
    file = scope.get("__file__")
    text = _read(file) if isinstance(file, str) else None
    if text is None:
        file, text = None, _code_bytes(inner)
    return ToolSource(importable(module), qualname, file, text)


def class_name(cls: type) -> str:
    return _readable(importable(cls.__module__), cls.__qualname__)


def _readable(module: str, qualname: str) -> str:
    return f"{module}.{qualname}".replace(".<locals>", "").replace("<lambda>", "lambda")


def _read(file: str) -> bytes | None:
    global _last_read
    try:
        stat = os.stat(file)
        identity = file, stat.st_mtime_ns, stat.st_size, stat.st_ino
        if _last_read[0] != identity:
            with open(file, "rb") as stream:
                _last_read = identity, stream.read()
    except OSError:
        return None
    return _last_read[1]


def _code_bytes(function: Any) -> bytes:
    """Return the function's own code object as bytes, for a function without a file, as in a notebook."""
    import marshal

    code = getattr(function, "__code__", None)
    return marshal.dumps(code) if code is not None else repr(type(function)).encode()


def importable(module: str) -> str:
    """Return the import name of a module, also if it runs as `__main__`, so that its tools have the same names.

    `__mp_main__` is the program's file in a spawned child of `multiprocessing`.
    """
    if module not in ("__main__", "__mp_main__"):
        return module
    scope = vars(sys.modules[module])
    spec, file = scope.get("__spec__"), scope.get("__file__")
    if spec is not None:
        return str(spec.name).removesuffix(".__main__")
    return str(file).replace("\\", "/").rpartition("/")[2].removesuffix(".py") if file else module
