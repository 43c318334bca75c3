"""Proposes a patch that a person supplied with a suggestion; it is validated like any other patch."""

from collections.abc import Iterable

from whet.cases.regression import regression_of
from whet.domain.build import Build
from whet.domain.canonical import digest, to_plain
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.domain.suggestion import Suggestion
from whet.kit import Kit
from whet.store.codec import decode


class SuppliedPatch:
    """The proposer of patches that come with a suggestion."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git

    def can_help(self, finding: Finding) -> bool:
        return finding.kind == FindingKind.SUGGESTED and bool(_suggestion(finding).patch)

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        suggestion = _suggestion(finding)
        regression = regression_of(finding, self._git.tree_of(base), self._kit)
        yield Proposal(
            id=f"p-{digest([cycle, 'supplied_patch', finding.signature])[:8]}",
            engine="supplied_patch",
            kind=ProposalKind.BEHAVIOR_FIX,
            category=finding.category,
            target=tuple(dict.fromkeys(place.path for place in diagnosis.places)),
            title=f"Apply {finding.title}"[:200],
            rationale=f"{suggestion.by} wrote this change: {suggestion.text}",
            risk=Risk.MEDIUM,
            expected_gain=0.9,
            plan=ValidationPlan(targets={"tests": regression.red if regression else ()}),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe={"diff": suggestion.patch, **(to_plain(regression) if regression else {})},
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        recipe, base = proposal.recipe, self._git.tree_of(proposal.base)
        with_test = self._git.with_files(base, {recipe["path"]: recipe["text"].encode()}) if "path" in recipe else base
        tree = self._git.apply(with_test, str(recipe["diff"]).encode())
        if tree is None:
            return Build(patch=None, note="the change no longer applies")
        patch = self._git.patch(proposal.base, tree, proposal.diagnosis.finding.title)
        if patch.digest in avoid:
            return Build(patch=None, note="the change was rejected before")
        trusted = (str(recipe["path"]),) if "path" in recipe else ()
        return Build(patch=patch, note="the supplied patch", tried=1, trusted_tests=trusted, foreign=True)


def _suggestion(finding: Finding) -> Suggestion:
    return decode(Suggestion, finding.signals[0].payload)
