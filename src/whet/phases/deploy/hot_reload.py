"""Merge the commit, and publish the new source to the running applications.

A deployment moves git first, so that no application runs a source that the branch does not contain. A rollback publishes
first, so that a harmful version stops running even if git has to be waited for.
"""

from whet.domain.clock import now
from whet.domain.deployment import Intent
from whet.kit import Kit
from whet.phases.deploy.live_modules import live_modules
from whet.phases.deploy.merge import Merge
from whet.store.versions import Cause, Versions


class HotReload:
    """The target of the strategies `hot_reload`, `canary`, `ab` and `shadow`."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._merge = kit, kit.git, Merge(kit)
        self._versions = Versions(kit.state)

    def deploy(self, intent: Intent, commit: str) -> None:
        self._merge.deploy(intent, commit)
        self._publish(intent.before, commit, Cause(why=intent.proposal, deployment=intent.id, at=intent.at))

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        try:
            self._publish(head, commit, Cause(why="rolled back", deployment="", at=now()))
        finally:
            self._merge.roll_back(ref, head, commit)

    def _publish(self, old: str, new: str, cause: Cause) -> None:
        """Publish the new source of every changed module that applications have tools in."""
        modules = live_modules(self._kit, old)
        for change in self._git.changes(old, new):
            before, after = self._git.read(old, change.path), self._git.read(new, change.path)
            if change.path in modules and before is not None and after is not None:
                self._versions.publish(modules[change.path], change.path, before, after, cause)
