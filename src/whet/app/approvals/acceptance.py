"""Accept a record that does not match its witness. Where keys are enrolled, the strictest quorum signs the acceptance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whet.app.approvals import approvers as people
from whet.app.approvals.decisions import refuse_secrets, roll_of
from whet.app.audits.outside import ACCEPTANCE, compare_outside
from whet.app.cycles.loop import actor
from whet.app.project import Project
from whet.domain.acceptance import Acceptance
from whet.domain.approval import Vote, Voter
from whet.domain.approvers import Approvers, Seats
from whet.domain.clock import now
from whet.domain.redact import redact
from whet.domain.statement import AcceptanceStatement, field_of
from whet.errors import NotCounted, Refused
from whet.ledger.entry import RESTORE
from whet.ledger.ledger import verify
from whet.phases.approve.exposure import exposed_keys
from whet.phases.approve.quorum import count_signers
from whet.phases.approve.votes import PROTECT, exposed, has_signers
from whet.signing import keygen, signers

_SIGN = (
    'whet audit --accept "why" --key FILE signs it; for another machine or another person: --as NAME --statement FILE, '
    "then --signature FILE.sig"
)


@dataclass(frozen=True)
class PendingAcceptance:
    """A record that can be accepted. `boards` are the approvers that must agree: those on the target branch, and those on
    record if they are others. Without any enrolled key there are none."""

    acceptance: Acceptance
    repository: str
    boards: tuple[Approvers, ...]

    def statement(self, who: str, why: str) -> str:
        return AcceptanceStatement.about(self.acceptance, self.repository, who, why).text

    def count(self, votes: Sequence[Vote]) -> tuple[tuple[Voter, ...], tuple[Seats, ...]]:
        """Return (people whose signatures count, seats that are still empty)."""
        voters: dict[str, Voter] = {}
        empty: list[Seats] = []
        for board in self.boards:
            loaded = exposed_keys(signers.parse(board.signers).keys())
            counted, absent = count_signers(votes, board, loaded, now(), self.statement)
            voters |= {voter.who: voter for voter in counted}
            empty += absent
        return tuple(voters.values()), tuple(dict.fromkeys(empty))


def pending(project: Project, why: str) -> PendingAcceptance:
    """Return the acceptance of the record as it is, without signatures.

    The chain itself must be whole: an edited row cannot be accepted.
    """
    ledger = project.ledger
    entries, anchor = ledger.entries(), ledger.anchor()
    if broken := verify(entries, []):
        raise Refused(f"the chain itself is broken, and that cannot be accepted: {broken[0]}", RESTORE)
    outside = compare_outside(project, entries, ())
    problems = [*outside.problems, *outside.unchecked]
    problems += verify(entries, [("ledger.head", anchor)]) if anchor else []
    if anchor is None and entries:
        problems.append("ledger.head is missing or unreadable")
    if not problems:
        raise Refused("the record matches its witness, so there is nothing to accept")
    comparison, boards = ledger.compare_witness(), _boards(project)
    acceptance = Acceptance(
        problems=tuple(problems),
        why=redact(why),
        at=now(),
        record=str(ledger.head()),
        witness=comparison.mark.row if comparison and comparison.mark else "",
        ref=comparison.published.commit if comparison and comparison.published else "",
        approvers=boards[0].digest if boards else "",
    )
    return PendingAcceptance(acceptance, roll_of(project).repository, boards)


def _boards(project: Project) -> tuple[Approvers, ...]:
    """Return the approvers on the target branch and those on record, each once; only sets in which somebody can sign.

    Both must agree: a restored record may be older than the branch, and a forged branch names other people than the record.
    """
    roll = roll_of(project)
    found, last = roll.on_branch(), roll.chain().last
    sets = {each.digest: each for each in (found, *((last.approvers,) if last else ())) if has_signers(each)}
    return tuple(sets.values())


def sign(project: Project, why: str, key: Path, *, who: str, show: Callable[[str], None]) -> Vote:
    """Show the statement of the acceptance and sign it with the person's key."""
    waiting, public = pending(project, why), people.public_half(key)
    if not waiting.boards:
        raise Refused("no key is enrolled, so a signature proves nobody", "leave --key out")
    person = people.person_of(waiting.boards[0], public, who)
    if exposed_keys([public]):
        raise NotCounted(exposed(public.fingerprint), PROTECT)
    text = waiting.statement(person, waiting.acceptance.why)
    show(text)
    return signed(text, keygen.sign(text.encode(), key, people.NAMESPACE))


def signed(statement: str, armored: str) -> Vote:
    """Return the vote that a statement and its signature make."""
    return Vote(statement=statement, proof=people.proof_of(statement, armored), via="cli", at=now())


def accept(project: Project, why: str, votes: Sequence[Vote] = ()) -> Acceptance:
    """Anchor the record as it is, and record who accepted what. Raise NotCounted if signatures are missing."""
    waiting, ledger = pending(project, why), project.ledger
    acceptance = waiting.acceptance
    if waiting.boards:
        acceptance = _signed(waiting, votes)
    by = ", ".join(voter.who for voter in acceptance.voters) or actor()
    with ledger.despite_damage():  # recorded first: if this process is killed, the damage is still there
        key = f"acceptance/{acceptance.at.isoformat()}"
        ledger.append("approve", acceptance, subject="ledger", key=key, actor=by, kind=ACCEPTANCE)
    ledger.anchor_again()
    ledger.publish(note=f"{by}: {acceptance.why}")
    return acceptance


def _signed(waiting: PendingAcceptance, votes: Sequence[Vote]) -> Acceptance:
    for vote in votes:
        refuse_secrets(vote)
        if vote.statement != waiting.statement(field_of(vote.statement, "who"), field_of(vote.statement, "why")):
            raise NotCounted("the signed statement is not about the record as it is now", _SIGN)
    voters, absent = waiting.count(votes)
    if absent:
        missing = ", ".join(map(str, absent))
        raise NotCounted(
            f"keys are enrolled, so the record is accepted by signatures of tier require; missing: {missing}", _SIGN
        )
    reasons = dict.fromkeys(field_of(vote.statement, "why") for vote in votes)
    why = waiting.acceptance.why or "; ".join(filter(None, reasons))
    return replace(waiting.acceptance, why=why, votes=tuple(votes), voters=voters)
