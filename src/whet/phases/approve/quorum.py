"""Count the signatures under a statement that is not an answer at a gate: a change of the approvers, an accepted record."""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime

from whet.domain.approval import Tier, Vote, Voter
from whet.domain.approvers import Approvers, Seats
from whet.domain.proof import Assurance
from whet.domain.statement import field_of
from whet.errors import Refused
from whet.phases.approve.votes import is_same_voter, missing, verify
from whet.signing import signers


def count_signers(
    votes: Iterable[Vote],
    approvers: Approvers,
    exposed: Collection[str],
    at: datetime,
    statement: Callable[[str, str], str],
) -> tuple[tuple[Voter, ...], tuple[Seats, ...]]:
    """Return (people whose signatures count, seats of the quorum that are still empty).

    The quorum and the proof are those of tier `require`. If no key of the approvers can give that proof, the best that they
    can give suffices: otherwise nobody could ever enrol a better key, or accept a restored record. `exposed` are
    fingerprints of keys that any program of this user can sign with; `statement` returns the text for a person and a reason.
    """
    least = min(approvers.rules.proof[Tier.REQUIRE], _best(approvers), key=lambda assurance: assurance.rank)
    voters: list[Voter] = []
    for vote in votes:
        try:
            voter = verify(vote, approvers, at)
        except Refused:
            continue
        expected = statement(voter.who, field_of(vote.statement, "why"))
        known = any(is_same_voter(voter, other) for other in voters)
        weak = voter.assurance < least or (voter.key in exposed and voter.means == "ssh")
        if vote.statement == expected and voter.proven and not weak and not known:
            voters.append(voter)
    return tuple(voters), missing(approvers.rules.need[Tier.REQUIRE], voters, approvers.rules)


def _best(approvers: Approvers) -> Assurance:
    known = signers.parse(approvers.signers).keys()
    hardware = any(key.in_hardware for key in known)
    return Assurance.VERIFIED if hardware else Assurance.SIGNATURE  # a security key can ask for a PIN, if it must
