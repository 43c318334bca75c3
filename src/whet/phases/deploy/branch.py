"""Leave the change on a branch of its own; nothing else moves."""

from whet.domain.deployment import Intent
from whet.errors import Refused, WorktreeNotClean
from whet.git.git import ZERO
from whet.kit import Kit
from whet.phases.deploy.under_way import refuse_if_under_way


class Branch:
    def __init__(self, kit: Kit) -> None:
        self._git = kit.git

    def deploy(self, intent: Intent, commit: str) -> None:
        ref = branch_of(intent.proposal)
        there = self._git.read_ref(ref)
        if there == commit:
            return
        if there != ZERO and self._git.log(there, limit=1)[0].trailers.get("Whet-Proposal") != intent.proposal:
            raise Refused(f"{ref} exists and is not whet's", f"delete or rename it: git branch -m {ref[11:]} ...")
        self._refuse_if_checked_out(ref)
        self._git.move_ref(ref, commit, there, f"whet: {intent.proposal}")

    def take_back(self, ref: str, head: str, commit: str) -> None:
        del commit
        if self._git.read_ref(ref) != ZERO:
            self._refuse_if_checked_out(ref)
            self._git.remove_ref(ref, head)

    def _refuse_if_checked_out(self, ref: str) -> None:
        """The checkout would stand on a branch that is gone, or somewhere else than its files say."""
        refuse_if_under_way(self._git, ref)
        if folders := self._git.checked_out(ref):
            raise WorktreeNotClean(f"{ref[11:]} is checked out in {folders[0]}", "switch it to another branch first")


def branch_of(proposal: str) -> str:
    return f"refs/heads/whet/{proposal}"
