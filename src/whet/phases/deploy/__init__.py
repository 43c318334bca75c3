from typing import Protocol

from whet.domain.deployment import Intent


class Target(Protocol):
    """Where a proven, approved commit goes. Both calls may be repeated after a crash and then finish the work."""

    def deploy(self, intent: Intent, commit: str) -> None:
        """Move `intent.ref` from `intent.before` to `commit`, or refuse and move nothing."""
        ...

    def take_back(self, ref: str, head: str, commit: str) -> None:
        """Move `ref` from `head` to the commit that undoes a deployment."""
        ...
