"""An application of one module, served in this process, and whet's side of its registry."""

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
HEAD = "from whet import BaseTool, Case, tool\n"


def until(condition: Callable[[], Any], seconds: float = 5.0) -> float:
    """How long it took to come true."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise AssertionError("it did not come true")
        time.sleep(0.005)
    return time.monotonic() - began


def cause(why: str = "a test") -> Cause:
    return Cause(why=why, deployment=why, at=now())


class Application:
    def __init__(self, folder: Path) -> None:
        self.name = f"served_{next(_numbers)}"
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
        split = Split(mode=mode, share=share, salt=salt, key=key, until=until)
        return self.versions.start_trial(
            self.name, self.file.name, self.source, (HEAD + source).encode(), split, cause()
        )

    def told(self) -> dict[str, Any]:
        """What this process reports of the module."""
        for running in self.versions.running():
            if self.name in running.modules:
                told: dict[str, Any] = running.modules[self.name]
                return told
        return {"versions": [], "refused": {}, "candidate": "", "problem": ""}

    def runs(self, source: str) -> bool:
        return bool(self.told()["versions"] == [short(source)])

    def refuses(self, source: str) -> str:
        """Waits until it is refused, and says why."""
        until(lambda: short(source) in self.told()["refused"])
        why: str = self.told()["refused"][short(source)]
        return why


def short(source: str) -> str:
    return digest_of((HEAD + source).encode())[:16]
