"""Deploy to a branch of its own, `whet/<proposal>`; nothing else moves."""

from whet.domain.deployment import Intent
from whet.errors import Refused, WorktreeNotClean
from whet.git.git import ZERO
from whet.kit import Kit
from whet.phases.deploy.git_operation import refuse_during_git_operation


class Branch:
    """The target of the strategy `branch`."""

    def __init__(self, kit: Kit) -> None:
        self._git = kit.git

    def deploy(self, intent: Intent, commit: str) -> None:
        ref = branch_of(intent.proposal)
        head = self._git.read_ref(ref)
        if head == commit:
            return
        if head != ZERO and self._git.log(head, limit=1)[0].trailers.get("Whet-Proposal") != intent.proposal:
            raise Refused(
                f"{ref} exists, and its last commit is not of this proposal",
                f"delete or rename it: git branch -m {ref[11:]} NEW_NAME",
            )
        self._refuse_if_checked_out(ref)
        self._git.move_ref(ref, commit, head, f"whet: {intent.proposal}")

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        del commit
        if self._git.read_ref(ref) != ZERO:
            self._refuse_if_checked_out(ref)
            self._git.remove_ref(ref, head)

    def _refuse_if_checked_out(self, ref: str) -> None:
        """Refuse if a worktree has the branch checked out: its files would no longer match the branch."""
        refuse_during_git_operation(self._git, ref)
        if folders := self._git.checked_out(ref):
            raise WorktreeNotClean(f"{ref[11:]} is checked out in {folders[0]}", "switch it to another branch first")


def branch_of(proposal: str) -> str:
    """Return the ref of the branch that a proposal is deployed to."""
    return f"refs/heads/whet/{proposal}"
