"""The history that invariants are checked against: the ledger's entries as nouns."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from whet.domain.acceptance import Acceptance
from whet.domain.approval import Approval, Question, Tier
from whet.domain.build import Build
from whet.domain.canonical import canonical, digest
from whet.domain.captured import Overhead
from whet.domain.deployment import Deployment, Intent, Rehearsal, Rollback, Snapshot, Verification
from whet.domain.diagnosis import Diagnosis
from whet.domain.evidence import Evidence
from whet.domain.following import Following
from whet.domain.lesson import Lesson
from whet.domain.patch import Patch
from whet.domain.proposal import Proposal
from whet.domain.trial import Trial, Watch
from whet.domain.trigger import Trigger
from whet.errors import Corrupt
from whet.ledger.entry import Entry

Noun = TypeVar("Noun")
Diagnoses = tuple[Diagnosis, ...]
Proposals = tuple[Proposal, ...]
Violations = Iterator[list[str]]
"""For each item that an invariant checked, the list of its violations; empty if the item is in order."""

# The ledger's `kind` of each class.
_KINDS: dict[Any, str] = {
    Diagnoses: "Diagnose",
    Proposals: "Propose",
    **{
        cls: cls.__name__
        for cls in (
            Acceptance, Approval, Build, Deployment, Evidence, Following, Intent, Lesson, Overhead, Proposal, Question, Rehearsal, Rollback,
            Snapshot, Trial, Trigger, Verification, Watch,
        )
    },
}  # fmt: skip


@dataclass(frozen=True)
class Recorded(Generic[Noun]):
    """A noun and the ledger entry that holds it."""

    entry: Entry
    noun: Noun


class History:
    """The ledger's entries, decoded and indexed by kind and subject. Unreadable entries are kept as messages."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._rows: dict[str, list[Entry]] = defaultdict(list)
        self._recorded: dict[str, list[Recorded[Any]]] = defaultdict(list)
        self._broken: dict[str, list[str]] = defaultdict(list)
        self._policies: list[tuple[int, str, Any]] = []
        classes = {kind: cls for cls, kind in _KINDS.items()}
        for entry in sorted(entries, key=lambda entry: entry.seq):
            self._rows[entry.subject].append(entry)
            if entry.kind == "Policy":
                self._policies.append((entry.seq, entry.key, _policy(entry)))
            elif entry.kind in classes:
                self._decode(entry, classes[entry.kind])

    def _decode(self, entry: Entry, cls: Any) -> None:
        try:
            recorded: Recorded[Any] = Recorded(entry, entry.read(cls))
            canonical(recorded.noun)  # raises for NaN and the like: a noun without a canonical form has no digest
        except (Corrupt, ValueError, OverflowError) as problem:
            self._broken[entry.kind].append(f"row {entry.seq} ({entry.kind} of {entry.subject}): {problem}")
        else:
            self._recorded[entry.kind].append(recorded)
            self._recorded[f"{entry.kind}/{entry.subject}"].append(recorded)

    def every(self, cls: type[Noun]) -> list[Recorded[Noun]]:
        """Return all nouns of a class, in ledger order."""
        return self._recorded[_KINDS[cls]]

    def of(self, cls: type[Noun], subject: str) -> list[Recorded[Noun]]:
        """Return all nouns of a class that are recorded for a subject, in ledger order."""
        return self._recorded[f"{_KINDS[cls]}/{subject}"]

    def earlier(self, cls: type[Noun], than: Recorded[Any]) -> list[Noun]:
        """Return the nouns of a class that were recorded for the same subject in lower rows."""
        return [other.noun for other in self.of(cls, than.entry.subject) if other.entry.seq < than.entry.seq]

    def rows(self, subject: str) -> list[Entry]:
        """Return all entries of a subject, in ledger order."""
        return self._rows[subject]

    def broken(self, *classes: Any) -> list[str]:
        """Return a message for each entry of these classes that cannot be read."""
        return [problem for cls in classes for problem in self._broken[_KINDS[cls]]]

    def policy(self, policy_digest: str) -> Any:
        """Return the recorded policy with this digest; None if there is none.

        The policy is plain data and not a `Config`, so that one of an older whet can be read.
        """
        return next((data for _, key, data in self._policies if key == f"policy/{policy_digest}"), None)

    def policy_at(self, row: int) -> Any:
        """Return the last policy that was recorded before a row; None if there is none."""
        return next((data for seq, _, data in reversed(self._policies) if seq < row), None)

    # ---- the records that a deployment refers to ---------------------------------------------------------------

    def evidence(self, deployed: Recorded[Deployment]) -> Evidence | None:
        """Return the evidence that a deployment names, if it was recorded before the deployment."""
        named = (deployed.noun.proposal, deployed.noun.evidence_digest)
        return next((e for e in self.earlier(Evidence, deployed) if (e.proposal, e.digest) == named), None)

    def answers(self, deployed: Recorded[Deployment]) -> list[Approval]:
        """Return all answers about a deployment's evidence that were recorded before the deployment."""
        named = (deployed.noun.proposal, deployed.noun.evidence_digest)
        return [answer for answer in self.earlier(Approval, deployed) if (answer.proposal, answer.digest) == named]

    def patch(self, deployed: Recorded[Deployment]) -> Patch | None:
        """Return the patch that a deployment's evidence names, if it was recorded before the deployment."""
        evidence = self.evidence(deployed)
        patches = [build.patch for build in self.earlier(Build, deployed) if build.patch]
        return next((patch for patch in patches if evidence and patch.digest == evidence.patch_digest), None)


def _policy(entry: Entry) -> Any:
    """Return the policy of an entry as plain data; None if its content does not have the digest in the key."""
    try:
        return entry.data if entry.key == f"policy/{digest(entry.data)}" else None
    except (Corrupt, ValueError):
        return None


def setting(policy: Any, *keys: str) -> Any:
    """Return a setting of a recorded policy; None if the policy does not have it."""
    for key in keys:
        policy = policy.get(key) if isinstance(policy, dict) else None
    return policy


def approved_at_require(answer: Approval) -> bool:
    """True if a person approved at the highest tier."""
    return answer.granted and answer.approver == "person" and answer.tier is Tier.REQUIRE


def describe(deployed: Recorded[Deployment]) -> str:
    return f"deployment {deployed.noun.id} (row {deployed.entry.seq})"
