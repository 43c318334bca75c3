"""Counters of passkeys. A counter that does not rise means that two devices hold the same key."""

from collections.abc import Iterable, Iterator

from whet.domain.approval import Vote
from whet.domain.proof import PasskeyProof
from whet.errors import NotCounted
from whet.signing.passkeys import counter_of


def refuse_cloned(proof: object, votes: Iterable[Vote]) -> None:
    """Raise NotCounted if the counter of a passkey is not above that of each of its earlier answers.

    A passkey that counts nothing always says 0. The same answer, sent once more, is no second one.
    """
    if not isinstance(proof, PasskeyProof):
        return
    earlier = [
        vote.proof
        for vote in votes
        if isinstance(vote.proof, PasskeyProof) and vote.proof.credential == proof.credential and vote.proof != proof
    ]
    last, counter = max(map(counter_of, earlier), default=0), counter_of(proof)
    if (last or counter) and counter <= last:
        raise NotCounted(
            f"the counter of this passkey is {counter} and was {last} before: a copy of the key may be in use",
            "revoke the passkey (whet approvers revoke) and enrol a new one",
        )


def cloned(votes: Iterable[tuple[int, Vote]]) -> Iterator[str]:
    """Yield a sentence for each vote whose counter did not rise since the earlier vote of that passkey, which a copied
    passkey would cause. `votes` are (ledger row, vote)."""
    before: list[Vote] = []
    for row, vote in votes:
        try:
            refuse_cloned(vote.proof, before)
        except NotCounted as problem:
            yield f"row {row}: {problem.message}"
        before.append(vote)
