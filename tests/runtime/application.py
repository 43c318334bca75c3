"""An application of one module, run in this process, and the registry that whet writes for it."""

import importlib.util
import itertools
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from whet.domain.clock import now
from whet.domain.version import Manifest, Mode, Split, digest_of
from whet.store.versions import Cause, Versions

_numbers = itertools.count()
TOOLS = ("answer", "waits", "counts", "streams")
HEAD = "from whet import BaseTool, Case, tool\n"


def until(condition: Callable[[], Any], seconds: float = 5.0) -> float:
    """Wait until the condition is true and return how long that took."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise AssertionError(f"the condition was not true within {seconds} seconds")
        time.sleep(0.005)
    return time.monotonic() - began


def cause(why: str = "a test") -> Cause:
    return Cause(why=why, deployment=why, at=now())


class Application:
    """A module with tools in a file of its own, and its entry in the registry."""

    def __init__(self, folder: Path) -> None:
        self.name = f"application_{next(_numbers)}"
        self.file = folder / f"{self.name}.py"
        self.versions = Versions(folder / ".whet")
        self.source = b""

    def load(self, source: str) -> ModuleType:
        self.source = (HEAD + source).encode()
        self.file.write_bytes(self.source)
        spec = importlib.util.spec_from_file_location(self.name, self.file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[self.name] = module
        spec.loader.exec_module(module)
        return module

    def publish(self, source: str) -> Manifest:
        return self.versions.publish(self.name, self.file.name, self.source, (HEAD + source).encode(), cause())

    def try_out(
        self,
        source: str,
        mode: Mode = Mode.CANARY,
        share: float = 0.5,
        key: str = "",
        salt: str = "salt",
        until: float = 0.0,
    ) -> Manifest:
        split = Split(
            mode=mode,
            share=share,
            salt=salt,
            keys={f"{self.name}.{tool}": key for tool in TOOLS} if key else {},
            until=until,
        )
        return self.versions.start_trial(
            self.name, self.file.name, self.source, (HEAD + source).encode(), split, cause()
        )

    def reported(self) -> dict[str, Any]:
        """Return what the process report says about the module."""
        for running in self.versions.running():
            if self.name in running.modules:
                entry: dict[str, Any] = running.modules[self.name]
                return entry
        return {"versions": [], "refused": {}, "candidate": "", "problem": ""}

    def runs(self, source: str) -> bool:
        return bool(self.reported()["versions"] == [short(source)])

    def refuses(self, source: str) -> str:
        """Wait until the version is refused and return the reason."""
        until(lambda: short(source) in self.reported()["refused"])
        why: str = self.reported()["refused"][short(source)]
        return why


def short(source: str) -> str:
    return digest_of((HEAD + source).encode())[:16]
