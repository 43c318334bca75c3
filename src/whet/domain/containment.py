from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Containment:
    """What the sandbox really enforced on a run, as it was started, not as it was configured."""

    backend: str
    version: str
    uid: int
    namespaces: tuple[str, ...]
    network: bool
    seccomp: bool
    writable: tuple[str, ...]
    limits: dict[str, int]
