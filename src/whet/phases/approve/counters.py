"""Counters of passkeys. A counter that does not rise means that two devices hold the same key.

Only answers that the passkey signed count as earlier ones. Otherwise a row that somebody writes into the ledger could name
the highest counter there is, and the owner of the passkey could never answer again.
"""

from collections.abc import Collection, Iterable, Iterator

from whet.domain.approval import Vote
from whet.domain.proof import PasskeyProof
from whet.errors import NotCounted
from whet.signing.passkeys import Passkey, counter_of, signed_by


def refuse_cloned(proof: object, votes: Iterable[Vote], passkeys: Collection[Passkey]) -> None:
    """Raise NotCounted if the counter of a passkey is not above that of each of its earlier answers.

    A passkey that counts nothing always says 0. The same answer, sent once more, is no second one.
    """
    if not isinstance(proof, PasskeyProof):
        return
    earlier = [
        vote.proof
        for vote in votes
        if isinstance(vote.proof, PasskeyProof) and vote.proof != proof and _same_key(vote.proof, proof, passkeys)
    ]
    last, counter = max(map(counter_of, earlier), default=0), counter_of(proof)
    if (last or counter) and counter <= last:
        raise NotCounted(
            f"the counter of this passkey is {counter} and was {last} before: a copy of the key may be in use",
            "revoke the passkey (whet approvers revoke) and enrol a new one",
        )


def cloned(votes: Iterable[tuple[int, Vote]], passkeys: Collection[Passkey]) -> Iterator[str]:
    """Yield a sentence about each vote whose counter did not rise since an earlier vote of its passkey, as a copy would cause.

    `votes` are (ledger row, vote).
    """
    before: list[Vote] = []
    for row, vote in votes:
        try:
            if isinstance(vote.proof, PasskeyProof) and _same_key(vote.proof, vote.proof, passkeys):
                refuse_cloned(vote.proof, before, passkeys)
        except NotCounted as problem:
            yield f"row {row}: {problem.message}"
        before.append(vote)


def _same_key(earlier: PasskeyProof, proof: PasskeyProof, passkeys: Collection[Passkey]) -> bool:
    """True if the passkey that `proof` names signed the earlier answer too."""
    keys = [passkey for passkey in passkeys if passkey.credential == proof.credential]
    return earlier.credential == proof.credential and any(signed_by(earlier, key) for key in keys)
