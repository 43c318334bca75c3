"""Preferences, derived from the answers of people in the ledger. They steer ranking, never the guard or the proof."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from whet.domain.approval import Answer, Approval
from whet.domain.build import Build
from whet.domain.finding import Finding, FindingKind
from whet.domain.preference import LEAST_DECISIONS, PersonalDecision, Preference, preference_id
from whet.domain.proposal import Proposal

if TYPE_CHECKING:
    from whet.ledger.ledger import Ledger

Traits = tuple[tuple[str, str], ...]
_SIZES = ((5, "up to 5 lines"), (30, "6 to 30 lines"))
_LEAST, _MOST = 0.3, 1.5


def read_preferences(ledger: "Ledger") -> tuple[Preference, ...]:
    """Return the preferences that people's answers show, each with at least three answers, the strongest first.

    Answers from before an `Unlearned` entry do not count for the preference that it names.
    """
    unlearned = {entry.data["preference"]: entry.seq for entry in ledger.entries(kind="Unlearned")}
    by_trait: dict[tuple[str, str], list[PersonalDecision]] = defaultdict(list)
    for decision in _decisions(ledger):
        for trait, value in decision.traits:
            if decision.seq > unlearned.get(preference_id(trait, value), 0):
                by_trait[trait, value].append(decision)
    known = [
        Preference(trait=trait, value=value, decisions=tuple(decisions))
        for (trait, value), decisions in by_trait.items()
        if len(decisions) >= LEAST_DECISIONS
    ]
    return tuple(sorted(known, key=lambda preference: (-abs(preference.factor - 1), preference.id)))


def weigh(proposal: Proposal, preferences: Iterable[Preference]) -> tuple[float, tuple[str, ...]]:
    """Return the factor for a proposal's score and the reasons for it. The size is not known before the patch is built."""
    traits = set(traits_of(proposal))
    matching = [item for item in preferences if (item.trait, item.value) in traits and item.factor != 1]
    factor = 1.0
    for preference in matching:
        factor *= preference.factor
    reasons = tuple(f"preference {item.id} ({item.sentence}): x {item.factor}" for item in matching)
    return round(min(max(factor, _LEAST), _MOST), 3), reasons


def muting(finding: Finding, engine: str, preferences: Iterable[Preference]) -> Preference | None:
    """Return the preference because of which `engine` should not propose for a finding; None if there is none.

    Failing tests, failing tools and requests of people are never muted.
    """
    if finding.kind != FindingKind.LINT:
        return None
    traits = {("category", finding.category.value), ("engine", engine), ("subject", finding.subjects[0])}
    return next((item for item in preferences if item.muted and (item.trait, item.value) in traits), None)


def traits_of(proposal: Proposal, build: Build | None = None) -> Traits:
    folder = str(PurePosixPath(proposal.target[0]).parent)
    traits = [
        ("engine", proposal.engine),
        ("category", proposal.category.value),
        ("kind", proposal.kind.value),
        ("folder", "the top folder" if folder == "." else folder),
    ]
    if proposal.diagnosis.finding.kind == FindingKind.LINT:
        traits.append(("subject", proposal.diagnosis.finding.subjects[0]))
    if build and build.patch:
        lines = sum(change.added_lines + change.removed_lines for change in build.patch.changes)
        traits.append(("size", next((words for most, words in _SIZES if lines <= most), "over 30 lines")))
    return tuple(traits)


def _decisions(ledger: "Ledger") -> list[PersonalDecision]:
    """Return the last answer of a person to each proposal; answers of the policy are no preferences."""
    answers: dict[str, tuple[int, Approval]] = {}
    for entry in ledger.entries(kind="Approval"):
        approval = entry.read(Approval)
        if approval.approver == "person" and approval.answer in (Answer.APPROVED, Answer.REJECTED):
            answers[approval.proposal] = entry.seq, approval
    proposals = {entry.subject: entry for entry in ledger.entries(kind="Proposal") if entry.subject in answers}
    builds = {entry.subject: entry for entry in ledger.entries(kind="Build") if entry.subject in answers}
    decisions = []
    for proposal, (seq, approval) in answers.items():
        if proposal not in proposals:
            continue
        built = builds[proposal].read(Build) if proposal in builds else None
        decisions.append(
            PersonalDecision(
                proposal=proposal,
                accepted=approval.granted,
                who=approval.who,
                why=approval.why,
                seq=seq,
                traits=traits_of(proposals[proposal].read(Proposal), built),
            )
        )
    return decisions
