"""Merge, and hand the new source to the processes that run it.

Forward, git moves first: nothing runs that the branch does not hold. Back, the processes come first: what hurts stops
hurting even where git must be waited for.
"""

from whet.domain.clock import now
from whet.domain.deployment import Intent
from whet.kit import Kit
from whet.phases.deploy.live_modules import served
from whet.phases.deploy.merge import Merge
from whet.store.versions import Cause, Versions


class HotReload:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._merge = kit, kit.git, Merge(kit)
        self._versions = Versions(kit.state)

    def deploy(self, intent: Intent, commit: str) -> None:
        self._merge.deploy(intent, commit)
        self._publish(intent.before, commit, Cause(why=intent.proposal, deployment=intent.id, at=intent.at))

    def take_back(self, ref: str, head: str, commit: str) -> None:
        try:
            self._publish(head, commit, Cause(why="taken back", deployment="", at=now()))
        finally:
            self._merge.take_back(ref, head, commit)

    def _publish(self, old: str, new: str, cause: Cause) -> None:
        known = served(self._kit, old)
        for change in self._git.changes(old, new):
            before, after = self._git.read(old, change.path), self._git.read(new, change.path)
            if change.path in known and before is not None and after is not None:
                self._versions.publish(known[change.path], change.path, before, after, cause)
