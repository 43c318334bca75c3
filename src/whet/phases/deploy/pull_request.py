"""Offer the commit as a pull request on a forge; people merge it there or close it.

Both halves may be repeated after a crash: the push finds its commit there already, and an open pull request of the branch is
updated instead of opened again.
"""

from dataclasses import replace
from functools import cached_property

from whet.domain.check_report import check_of
from whet.domain.clock import now
from whet.domain.deployment import Deployment, Intent, RollbackIntent
from whet.domain.evidence import Evidence
from whet.domain.notice import Delivery
from whet.domain.objection import Objection, notes_of
from whet.domain.proposal import Proposal
from whet.domain.pull_request import FINDING, PullRequest, RequestDraft, RequestState
from whet.domain.verdict import Verdict
from whet.errors import ForgeRefused, ForgeUnavailable, Refused
from whet.forge import Forge
from whet.git.git import ZERO
from whet.git.remote import Remote
from whet.kit import Kit
from whet.phases.deploy.branch import branch_of
from whet.phases.deploy.request_checks import not_green
from whet.phases.deploy.request_text import draft, finding_mark, objection_comment

FETCHED = "refs/whet/forge/"
"""The branches of the forge as whet last fetched them. The user's own refs are left alone."""


class ByPullRequest:
    """The target of the strategy `pr`."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._ledger = kit, kit.git, kit.ledger

    @cached_property
    def _forge(self) -> Forge:
        return self._kit.forge()

    @cached_property
    def _remote(self) -> Remote:
        place = self._kit.place()
        return Remote(self._git, place.push_url, place.push_header)

    def deploy(self, intent: Intent, commit: str) -> None:
        """Push the commit to its own branch and open a pull request, or update the one that is open."""
        self.request(intent, commit)

    def request(self, intent: Intent, commit: str) -> PullRequest:
        """Push the commit to its own branch, and return its pull request."""
        proposal, branch = self._proposal(intent.proposal), _name(branch_of(intent.proposal))
        base, labels = _name(intent.ref), self._kit.policy.forge.labels
        evidence = self._evidence(intent)
        text = draft(proposal, evidence, self._git.log(commit, limit=1)[0], branch, base, labels)
        existing = self._existing(branch)
        if existing is None:
            self._refuse_duplicate(proposal, branch)
        if existing is None or existing.state is RequestState.OPEN:
            self._push(intent.proposal, branch, commit)
        request = self._offer(text, existing)
        self._report(evidence, commit)
        self.tell_objections(proposal.id, request)
        return replace(request, body="")

    def _report(self, evidence: Evidence, commit: str) -> None:
        """Show the verdict on the commit. A token that may not write checks leaves it at a note."""
        paths = self._git.patch(evidence.base, evidence.tree, "").paths
        try:
            self._forge.report(check_of(evidence, paths, commit))
        except ForgeRefused as refusal:
            self._kit.progress.note(f"the forge shows no check: {refusal.message}")

    def tell_objections(self, proposal: str, request: PullRequest) -> None:
        """Write each objection of an agent into a comment, once; again only if whet is cut off before it has noted that.

        A token that may not comment leaves it at a note: an objection decides nothing.
        """
        for entry in self._ledger.entries(kind="Objection", subject=notes_of(proposal)):
            objection = entry.read(Objection)
            key = f"objection/{objection.id}/on-forge"
            if self._ledger.find(key):
                continue
            try:
                self._forge.comment(request.number, objection_comment(objection))
            except (ForgeRefused, ForgeUnavailable) as problem:
                self._kit.progress.note(f"{request.url} does not show the objection {objection.id}: {problem.message}")
                return
            told = Delivery(channel=request.url, notices=(objection.id,), title="an objection", error="", at=now())
            self._ledger.append("deploy", told, subject="notifications", key=key)

    def _push(self, proposal: str, branch: str, commit: str) -> None:
        """Push the commit, over nothing or over a commit that whet pushed for this proposal."""
        there = self._remote.head(branch)
        if there == commit:
            return
        if there != ZERO and there not in self._own_commits(proposal):
            raise ForgeRefused(
                f"the branch {branch} on the forge has commits that whet did not push, and they would be lost",
                "move them to a branch of their own and delete this one on the forge, then `whet resume`",
            )
        self._remote.push(commit, branch, there)

    def _own_commits(self, proposal: str) -> set[str]:
        entries = self._ledger.entries(kind="Deployment", subject=proposal)
        return {entry.read(Deployment).after for entry in entries}

    def _offer(self, text: RequestDraft, existing: PullRequest | None) -> PullRequest:
        """Open the pull request. If the answer was lost, find out whether it was opened."""
        if existing and existing.state is not RequestState.OPEN:
            return existing  # people were faster; the gate reads their answer
        if existing:
            return self._forge.update(existing.number, text)
        try:
            return self._forge.offer(text)
        except (ForgeUnavailable, ForgeRefused):
            if opened := self._existing(text.branch):
                return opened
            raise

    def _existing(self, branch: str) -> PullRequest | None:
        return next(self._forge.requests(branch), None)

    def _refuse_duplicate(self, proposal: Proposal, branch: str) -> None:
        """Refuse if another whet, in another clone, has a pull request open for the same finding."""
        name = finding_mark(proposal.signature)
        for request in self._forge.requests(only_open=True):
            if request.branch != branch and request.is_about(FINDING, name):
                raise Refused(
                    f"{request.url} is open for this finding already", "merge or close it; then start again: `whet run`"
                )

    def look(self, request: PullRequest) -> PullRequest:
        """Return the pull request as the forge shows it now."""
        return replace(self._forge.look(request.number), body="")

    def refuse_moved_base(self, request: PullRequest, proved: str) -> None:
        """Raise ForgeRefused unless the branch on the forge is at the commit that the proof was made on."""
        if (there := self._remote.head(request.base)) != proved:
            raise ForgeRefused(
                f"{request.base} on the forge is at {there[:10]}, and the proof was made on {proved[:10]}",
                "merge the pull request yourself, or close it, pull and start again with `whet run`",
            )

    def refuse_open_checks(self, request: PullRequest, verdict: Verdict) -> None:
        """Raise ForgeRefused unless every check of the pull request passed."""
        if names := not_green(self._forge.checks(request), verdict):
            raise ForgeRefused(
                f"the checks of {request.url} are not green: {names}",
                "`whet resume` when they are, or merge the pull request yourself",
            )

    def merge(self, request: PullRequest, head: str) -> None:
        """Merge the pull request on the forge, if its head is this commit and the forge's rules allow it."""
        self._forge.merge(request.number, head)

    def fetch_base(self, request: PullRequest, have: str) -> str:
        """Fetch the branch that the pull request was merged into, and return the ref that holds it here."""
        ref = f"{FETCHED}{request.base}"
        self._git.move_ref(ref, self._remote.fetch(request.base, have), self._git.read_ref(ref), "whet: fetched")
        return ref

    def close(self, request: PullRequest, why: str) -> PullRequest:
        """Close the pull request if it is open, and remove its branch unless others have pushed to it."""
        if self._forge.look(request.number).state is RequestState.OPEN:
            self._forge.close(request.number, why)
        if self._remote.head(request.branch) == request.head:
            self._remote.push(ZERO, request.branch, request.head)
        return self.look(request)

    def roll_back(self, ref: str, head: str, commit: str) -> None:
        """Offer the commit that reverts a deployment as a pull request of its own."""
        branch, base = f"whet/revert-{head[:12]}", ref.removeprefix(FETCHED)
        last = self._git.log(commit, limit=1)[0]
        there, intents = self._remote.head(branch), self._ledger.entries(kind="RollbackIntent")
        if there not in {ZERO, *(entry.read(RollbackIntent).commit for entry in intents)}:
            raise ForgeRefused(
                f"the branch {branch} on the forge has commits that whet did not push", "delete it there"
            )
        if there != commit:
            self._remote.push(commit, branch, there)
        labels = self._kit.policy.forge.labels
        body = "whet rolls a change back. Merge this pull request to take the change out of the branch.\n"
        text = RequestDraft(branch=branch, base=base, title=last.subject, body=body, labels=labels)
        self._offer(text, self._existing(branch))

    def _proposal(self, identity: str) -> Proposal:
        entry = self._ledger.find(f"{identity}/proposal")
        if entry is None:
            raise Refused(f"{identity} is not a proposal, and only a proposal can be offered as a pull request")
        return entry.read(Proposal)

    def _evidence(self, intent: Intent) -> Evidence:
        for entry in self._ledger.entries(kind="Evidence", subject=intent.proposal):
            if (evidence := entry.read(Evidence)).digest == intent.evidence_digest:
                return evidence
        raise Refused("the ledger has no such evidence")


def _name(ref: str) -> str:
    return ref.removeprefix("refs/heads/")
