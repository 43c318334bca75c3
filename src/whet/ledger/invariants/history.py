"""The ledger's entries as nouns, by kind and subject; what cannot be read is kept as a sentence, never skipped."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from whet.domain.approval import Approval, Question, Tier
from whet.domain.build import Build
from whet.domain.canonical import canonical, digest
from whet.domain.deployment import Deployment, Intent, Rehearsal, Rollback, Snapshot, Verification
from whet.domain.diagnosis import Diagnosis
from whet.domain.evidence import Evidence
from whet.domain.lesson import Lesson
from whet.domain.patch import Patch
from whet.domain.proposal import Proposal
from whet.domain.recorded import Overhead
from whet.domain.trial import Trial, Watch
from whet.domain.trigger import Trigger
from whet.errors import Corrupt
from whet.ledger.entry import Entry

Noun = TypeVar("Noun")
Diagnoses = tuple[Diagnosis, ...]
Proposals = tuple[Proposal, ...]
Violations = Iterator[list[str]]
"""For each thing that was looked at, what is wrong with it."""

_KINDS: dict[Any, str] = {
    Diagnoses: "Diagnose",
    Proposals: "Propose",
    **{
        cls: cls.__name__
        for cls in (
            Approval, Build, Deployment, Evidence, Intent, Lesson, Overhead, Proposal, Question, Rehearsal, Rollback, Snapshot,
            Trial, Trigger, Verification, Watch,
        )
    },
}  # fmt: skip


@dataclass(frozen=True)
class Recorded(Generic[Noun]):
    """A noun and the row that holds it."""

    entry: Entry
    noun: Noun


class History:
    def __init__(self, entries: Sequence[Entry]) -> None:
        self._rows: dict[str, list[Entry]] = defaultdict(list)
        self._seen: dict[str, list[Recorded[Any]]] = defaultdict(list)
        self._broken: dict[str, list[str]] = defaultdict(list)
        self._policies: list[tuple[int, str, Any]] = []
        classes = {kind: cls for cls, kind in _KINDS.items()}
        for entry in sorted(entries, key=lambda entry: entry.seq):
            self._rows[entry.subject].append(entry)
            if entry.kind == "Policy":
                self._policies.append((entry.seq, entry.key, _policy(entry)))
            elif entry.kind in classes:
                self._take(entry, classes[entry.kind])

    def _take(self, entry: Entry, cls: Any) -> None:
        try:
            seen: Recorded[Any] = Recorded(entry, entry.read(cls))
            canonical(seen.noun)
        except (Corrupt, ValueError, OverflowError) as problem:  # what has no canonical form has no digest either
            self._broken[entry.kind].append(f"row {entry.seq} ({entry.kind} of {entry.subject}): {problem}")
        else:
            self._seen[entry.kind].append(seen)
            self._seen[f"{entry.kind}/{entry.subject}"].append(seen)

    def every(self, cls: type[Noun]) -> list[Recorded[Noun]]:
        return self._seen[_KINDS[cls]]

    def of(self, cls: type[Noun], subject: str) -> list[Recorded[Noun]]:
        return self._seen[f"{_KINDS[cls]}/{subject}"]

    def earlier(self, cls: type[Noun], than: Recorded[Any]) -> list[Noun]:
        """What was on record about the same subject before this row."""
        return [seen.noun for seen in self.of(cls, than.entry.subject) if seen.entry.seq < than.entry.seq]

    def rows(self, subject: str) -> list[Entry]:
        return self._rows[subject]

    def broken(self, *classes: Any) -> list[str]:
        return [problem for cls in classes for problem in self._broken[_KINDS[cls]]]

    def policy(self, describe: str) -> Any:
        """The recorded policy with this digest as plain data, so that one of an older whet is read as it was."""
        return next((data for _, key, data in self._policies if key == f"policy/{named}"), None)

    def policy_at(self, row: int) -> Any:
        """The policy that was recorded last before a row."""
        return next((data for seq, _, data in reversed(self._policies) if seq < row), None)

    # ---- what a deployment stands on --------------------------------------------------------------------------

    def evidence(self, deployed: Recorded[Deployment]) -> Evidence | None:
        wanted = (deployed.noun.proposal, deployed.noun.evidence_digest)
        return next((e for e in self.earlier(Evidence, deployed) if (e.proposal, e.digest) == wanted), None)

    def answers(self, deployed: Recorded[Deployment]) -> list[Approval]:
        """Every answer about its evidence that was given before it."""
        wanted = (deployed.noun.proposal, deployed.noun.evidence_digest)
        return [answer for answer in self.earlier(Approval, deployed) if (answer.proposal, answer.digest) == wanted]

    def patch(self, deployed: Recorded[Deployment]) -> Patch | None:
        evidence = self.evidence(deployed)
        patches = [built.patch for built in self.earlier(Build, deployed) if built.patch]
        return next((patch for patch in patches if evidence and patch.digest == evidence.patch_digest), None)


def _policy(entry: Entry) -> Any:
    """None where the content is not what the key names."""
    try:
        return entry.data if entry.key == f"policy/{digest(entry.data)}" else None
    except (Corrupt, ValueError):
        return None


def setting(policy: Any, *keys: str) -> Any:
    """A setting of a recorded policy, or None where there is no such thing."""
    for key in keys:
        policy = policy.get(key) if isinstance(policy, dict) else None
    return policy


def approved_at_require(answer: Approval) -> bool:
    """A person's yes at the tier at which they repeat what they approve."""
    return answer.granted and answer.approver == "person" and answer.tier is Tier.REQUIRE


def describe(deployed: Recorded[Deployment]) -> str:
    return f"deployment {deployed.noun.id} (row {deployed.entry.seq})"
