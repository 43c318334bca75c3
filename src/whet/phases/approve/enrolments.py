"""The chain of changes of the approvers, as the ledger holds it.

The first approvers are trusted on first use. Every later change counts only with the signatures of a quorum of the
approvers before it, so a commit alone changes nobody's rights.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from whet.domain.approval import Vote, Voter
from whet.domain.approvers import Approvers, Enrolment, EnrolmentQuestion, Seats
from whet.domain.own_files import FILE_NAME
from whet.domain.statement import ApproversStatement, field_of, line
from whet.ledger.entry import Entry
from whet.phases.approve.quorum import count_signers
from whet.phases.approve.votes import has_signers, is_before
from whet.signing import passkeys, signers

SIGNERS, PASSKEYS = "whet.signers", "whet.passkeys"
SUBJECT = "approvers"


@dataclass(frozen=True)
class Chain:
    """The enrolments that count, in order, and a sentence about each that does not.

    `elsewhere` names the repository for which one that does not count was signed; empty if there is none.
    """

    links: tuple[Enrolment, ...]
    problems: tuple[str, ...]
    elsewhere: str = ""

    @property
    def last(self) -> Enrolment | None:
        return self.links[-1] if self.links else None


def chain(entries: Iterable[Entry], repository: str) -> Chain:
    """Verify every enrolment in the ledger. One that is not signed by the quorum before it is left out."""
    links: list[Enrolment] = []
    problems: list[str] = []
    elsewhere = ""
    for entry in entries:
        link = entry.unedited().read(Enrolment)
        if problem := _flaw(link, links, repository):
            problems.append(f"row {entry.seq}: change {link.number} of the approvers does not count: {problem}")
            elsewhere = elsewhere or _signed_for(link, links, repository)
        else:
            links.append(link)
    return Chain(tuple(links), tuple(problems), elsewhere)


def _signed_for(link: Enrolment, before: Sequence[Enrolment], repository: str) -> str:
    """Return the other repository in which an enrolment that does not count would count; empty if there is none."""
    named = {field_of(vote.statement, "repository") for vote in link.votes} - {repository}
    return next((other for other in sorted(named) if other and not _flaw(link, before, other)), "")


def _flaw(link: Enrolment, before: Sequence[Enrolment], repository: str) -> str:
    """Return why an enrolment does not count after those before it; empty if it counts."""
    last = before[-1] if before else None
    if (link.number, link.previous) != (len(before) + 1, last.approvers.digest if last else ""):
        return "it does not follow the change before it"
    if not has_signers(link.approvers):
        return "it leaves nobody who can sign"
    if last is None:
        return ""
    if is_before(link.question.at, last.at) or is_before(link.at, link.question.at):
        return "its time is earlier than that of its question or of the change before it"
    change = PendingChange(repository, last, link.approvers, link.question)
    _, absent = count_change(change, link.votes, link.at)
    return f"signatures are missing: {', '.join(map(str, absent))}" if absent else ""


@dataclass(frozen=True)
class PendingChange:
    """A change of the approvers that needs signatures."""

    repository: str
    last: Enrolment
    after: Approvers
    question: EnrolmentQuestion

    @property
    def number(self) -> int:
        return self.last.number + 1

    @property
    def summary(self) -> str:
        return describe(self.last.approvers, self.after)

    def statement(self, who: str, why: str) -> str:
        return ApproversStatement(
            repository=self.repository,
            number=str(self.number),
            before=self.last.approvers.digest,
            after=self.after.digest,
            change=self.summary,
            question=self.question.nonce,
            who=line(who),
            why=line(why),
        ).text


def count_change(
    change: PendingChange, votes: Iterable[Vote], at: datetime
) -> tuple[tuple[Voter, ...], tuple[Seats, ...]]:
    """Return (people who signed a change, seats of the quorum that are still empty).

    The quorum and the proof are those of tier `require`.
    """
    return count_signers(votes, change.last.approvers, change.question.exposed, at, change.statement)


def describe(before: Approvers, after: Approvers) -> str:
    """Return what differs between two sets of approvers, on one line."""
    old, new = set(_people(before)), set(_people(after))
    parts = [f"add {signer}" for signer in sorted(new - old)] + [f"remove {signer}" for signer in sorted(old - new)]
    if (before.rules, before.settings) != (after.rules, after.settings):
        parts.append(f"change the approval, guard or branch settings in {FILE_NAME}")
    return "; ".join(parts) or f"edit {SIGNERS}"


def _people(approvers: Approvers) -> Iterator[str]:
    for _, signer in signers.parse(approvers.signers).entries:
        yield f"{','.join(signer.names)} {signer.key.fingerprint}"
    for passkey in passkeys.parse(approvers.passkeys):
        yield f"passkey of {passkey.who} at {passkey.origin} {passkey.fingerprint}"
