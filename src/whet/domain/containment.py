from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Containment:
    """What the sandbox really enforced on a run, as it was started, not as it was configured.

    `enforced_by` says for each limit who held it: the kernel by a control group or by its limits for each process or
    file system, or whet's watchdog, which looks every few milliseconds.
    """

    backend: str
    version: str
    uid: int
    namespaces: tuple[str, ...]
    network: bool
    seccomp: bool
    writable: tuple[str, ...]
    limits: dict[str, int]
    enforced_by: dict[str, str] = field(default_factory=dict)
