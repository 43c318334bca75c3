"""Move the target branch to the proven commit and update its checkouts; refuse if a checkout is not clean."""

from whet.domain.change import ChangeStatus
from whet.domain.deployment import Intent
from whet.errors import BaseMoved, GitFailed, WorktreeNotClean
from whet.git.checkout import Checkout
from whet.kit import Kit
from whet.phases.deploy.git_operation import refuse_during_git_operation


class Merge:
    """The target of the strategy `merge`."""

    def __init__(self, kit: Kit) -> None:
        self._git = kit.git

    def deploy(self, intent: Intent, commit: str) -> None:
        self._move(intent.ref, intent.before, commit, f"whet: {intent.proposal}")

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        self._move(ref, head, commit, "whet: rollback")

    def _move(self, ref: str, old: str, new: str, reason: str) -> None:
        """Move the ref, then every checkout of it. If a checkout cannot follow, move everything back."""
        checkouts = [Checkout(folder) for folder in self._git.checked_out(ref)]
        head = self._git.read_ref(ref)
        if head != new:
            if head != old:
                raise BaseMoved(f"{ref} is at {head[:10]}, not at {old[:10]} as it was when the change was proved")
            refuse_during_git_operation(self._git, ref)
            for checkout in checkouts:
                _refuse_unless_clean(checkout, old, new)
            self._git.move_ref(ref, new, old, reason)
        for number, checkout in enumerate(checkouts):
            try:
                checkout.follow(old, new)
            except GitFailed as problem:
                for updated in checkouts[:number]:
                    updated.follow(new, old)
                self._git.move_ref(ref, old, new, "whet: the checkout could not follow")
                raise WorktreeNotClean(
                    f"the checkout {checkout.root} changed meanwhile and could not follow: {problem.message}",
                    "commit or stash your changes and run `whet resume`",
                ) from problem


def _refuse_unless_clean(checkout: Checkout, old: str, new: str) -> None:
    if dirty := checkout.dirty_paths():
        shown = ", ".join(dirty[:5])
        raise WorktreeNotClean(
            f"the branch is checked out in {checkout.root} with uncommitted changes: {shown}",
            "commit or stash them, then `whet resume`; or set deploy.strategy to branch",
        )
    added = [change.path for change in checkout.changes(old, new) if change.status is ChangeStatus.ADDED]
    if in_the_way := checkout.untracked_obstacles(added):
        raise WorktreeNotClean(
            f"an untracked file is in the way in {checkout.root}: {in_the_way[0]}", "move it away, then `whet resume`"
        )
