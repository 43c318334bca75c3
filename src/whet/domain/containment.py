"""The limits of one sandbox run."""

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Containment:
    """The limits that the sandbox enforced on a run, read from the started sandbox and not from the settings.

    `enforced_by` names the enforcer of each limit: the kernel (control group, process limit or file system size), or
    whet's watchdog, which polls every few milliseconds.
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
