"""The approvers in force: those on the target branch, if they are the ones that the ledger's chain ends with.

`whet.signers`, `whet.passkeys` and the rules in `whet.toml` are read from the target branch, never from the checkout.
"""

import secrets

from whet.config import Config, parse
from whet.domain.approval import Vote
from whet.domain.approvers import Approvers, Enrolment, EnrolmentQuestion
from whet.domain.clock import now
from whet.domain.own_files import FILE_NAME
from whet.errors import ApproversChanged
from whet.git.git import Git
from whet.ledger.ledger import Ledger
from whet.phases.approve.enrolments import PASSKEYS, SIGNERS, SUBJECT, Chain, PendingChange, chain, count_change
from whet.phases.approve.exposure import exposed_keys
from whet.phases.approve.votes import has_signers
from whet.signing import passkeys as passkey_file
from whet.signing import signers
from whet.signing.signers import Signers

_BOTH = "sign the change: whet approvers sign; or restore the file that differs"


class Roll:
    """The roll of approvers of one repository."""

    def __init__(self, git: Git, ledger: Ledger, policy: Config, ref: str = "") -> None:
        self._git, self._ledger, self._policy = git, ledger, policy
        named = f"refs/heads/{policy.target.branch}" if policy.target.branch else git.branch()
        self._ref = ref or named or "HEAD"

    @property
    def repository(self) -> str:
        """Return the first commit, which names the repository; a shallow clone does not have it."""
        return "unknown (shallow clone)" if self._git.is_shallow() else self._git.first_commit()

    def chain(self) -> Chain:
        """Return the verified changes of the approvers."""
        return chain(self._ledger.entries(kind="Enrolment", subject=SUBJECT), self.repository)

    def on_branch(self) -> Approvers:
        """Return the approvers that the last commit of the target branch names.

        Without signers there, the rules are those of the checkout: nobody has committed to anything yet.
        """
        tip = self._git.resolve(self._ref)
        text, passkeys = (self._read(tip, name) for name in (SIGNERS, PASSKEYS))
        return approvers(text, passkeys, self.policy_at(tip) if text.strip() else self._policy)

    def parent(self, commit: str) -> str:
        """Return the first parent of a commit. Raise UsageError if the repository does not have it."""
        return self._git.resolve(f"{commit}^")

    def policy_at(self, commit: str) -> Config:
        """Return the policy that a commit holds."""
        return parse(self._read(commit, FILE_NAME).encode())

    def signers_at(self, commit: str) -> Signers:
        """Return the signers that a commit names."""
        return signers.parse(self._read(commit, SIGNERS))

    def passkeys_at(self, commit: str) -> str:
        """Return the passkeys that a commit names, in their canonical form."""
        return passkey_file.canonical(self._read(commit, PASSKEYS))

    def _last(self) -> Enrolment | None:
        """Return the last change of the approvers; None if there is none.

        Refuse a record whose changes were signed for a repository with another first commit. They do not count here, so the
        approvers before them, and with these a revoked key, would be in force again.
        """
        known = self.chain()
        if known.elsewhere:
            raise ApproversChanged(
                f"the approvers on record are those of the repository {known.elsewhere[:10]}, and this is {self.repository}",
                "check out a branch with the first commit of the record, complete a shallow clone (git fetch --unshallow), or, if the "
                "history was rewritten on purpose, move .whet away and start a new record",
            )
        return known.last

    def in_force(self) -> Approvers:
        """Return the approvers whose votes count. Record a change that its quorum has signed, and the first approvers.

        Raise ApproversChanged if the branch or the checkout differs from what was signed.
        """
        on_branch, last = self.on_branch(), self._last()
        if last is None and not has_signers(on_branch):
            return on_branch
        if self._policy.tier_settings != on_branch.settings and (
            last is None or on_branch.digest == last.approvers.digest
        ):
            raise ApproversChanged(
                f"{FILE_NAME} in the checkout is not the one on {self._branch}, and it decides who must approve",
                f"commit it, or restore it: git checkout {self._branch} -- {FILE_NAME}",
            )
        if last is None:
            self._record_first(on_branch)
        elif on_branch.digest != last.approvers.digest:
            self._record_signed(self._change(last, on_branch))
        return on_branch

    def pending(self, proposed: Approvers | None = None) -> PendingChange | None:
        """Return the change that waits for signatures: to `proposed`, or to the approvers on the branch."""
        after, last = proposed or self.on_branch(), self._last()
        if last is None or after.digest == last.approvers.digest:
            return None
        return self._change(last, after)

    def votes(self, change: PendingChange) -> list[Vote]:
        """Return the votes on a change of the approvers."""
        entries = self._ledger.entries(kind="Vote", subject=SUBJECT)
        start = f"{_key(change.number, change.after)}/vote/"
        return [entry.unedited().read(Vote) for entry in entries if entry.key.startswith(start)]

    def add_vote(self, change: PendingChange, vote: Vote, who: str) -> None:
        """Record a vote on a change of the approvers."""
        key = f"{_key(change.number, change.after)}/vote/{who}"
        self._ledger.append("approve", vote, subject=SUBJECT, key=key, actor=who)

    @property
    def _branch(self) -> str:
        return self._ref.removeprefix("refs/heads/")

    def _change(self, last: Enrolment, after: Approvers) -> PendingChange:
        """Return a change of the approvers with the question to them. The first call records the question."""
        number = last.number + 1
        question = self._ask(number, after, last.approvers)
        return PendingChange(self.repository, last, after, question)

    def _ask(self, number: int, after: Approvers, before: Approvers) -> EnrolmentQuestion:
        key = f"{_key(number, after)}/ask"
        if known := self._ledger.find(key):
            return known.unedited().read(EnrolmentQuestion)
        question = EnrolmentQuestion(
            number=number,
            after=after.digest,
            nonce=secrets.token_hex(16),
            exposed=exposed_keys(signers.parse(before.signers).keys()),
            at=now(),
        )
        entry = self._ledger.append("approve", question, subject=SUBJECT, key=key)
        return entry.read(EnrolmentQuestion)

    def _record_first(self, first: Approvers) -> None:
        question = EnrolmentQuestion(number=1, after=first.digest, nonce="", exposed=(), at=now())
        everybody = ", ".join(signers.parse(first.signers).people())
        self._record(
            Enrolment(
                number=1, approvers=first, previous="", change=f"trust {everybody} on first use", question=question,
                votes=(), recorded_by="whet", at=now(),
            )
        )  # fmt: skip

    def _record_signed(self, change: PendingChange) -> None:
        votes = self.votes(change)
        voters, absent = count_change(change, votes, now())
        if absent:
            needed = ", ".join(map(str, absent))
            raise ApproversChanged(
                f"the approvers on {self._branch} are not the ones on record ({change.summary}); "
                f"the approvers on record have not all signed the change, missing: {needed}",
                _BOTH,
            )
        people = ", ".join(voter.who for voter in voters)
        self._record(
            Enrolment(
                number=change.number, approvers=change.after, previous=change.last.approvers.digest,
                change=change.summary, question=change.question, votes=tuple(votes), recorded_by=people, at=now(),
            )
        )  # fmt: skip

    def _record(self, link: Enrolment) -> None:
        key = f"{_key(link.number, link.approvers)}/enrolment"
        self._ledger.append("approve", link, subject=SUBJECT, key=key, actor=link.recorded_by)

    def _read(self, commit: str, path: str) -> str:
        return (self._git.read(commit, path) or b"").decode()


def approvers(signers_text: str, passkeys: str, policy: Config) -> Approvers:
    """Return the approvers of these files. Comments, spaces and the order of the lines do not count."""
    return Approvers(
        signers=signers.parse(signers_text).canonical,
        passkeys=passkey_file.canonical(passkeys),
        rules=policy.approval_rules,
        settings=policy.tier_settings,
    )


def _key(number: int, after: Approvers) -> str:
    return f"{SUBJECT}/{number}/{after.digest}"
