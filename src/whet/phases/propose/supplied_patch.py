"""A change that somebody wrote and suggested: it goes the same way as an engine's own, and is proved by the same proof."""

from collections.abc import Iterable

from whet.cases.from_suggestion import regression_of
from whet.domain.build import Build
from whet.domain.canonical import digest, to_plain
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.kit import Kit


class SuppliedPatch:
    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git

    def can_help(self, finding: Finding) -> bool:
        return finding.kind is FindingKind.SUGGESTED and bool(finding.signals[0].payload.get("patch"))

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        told = finding.signals[0].payload
        written = regression_of(finding, self._git.tree_of(base), self._kit)
        yield Proposal(
            id=f"p-{digest([cycle, 'supplied_patch', finding.signature])[:8]}",
            engine="supplied_patch",
            kind=ProposalKind.BEHAVIOR_FIX,
            category=finding.category,
            target=tuple(dict.fromkeys(place.path for place in diagnosis.places)),
            title=f"Apply {finding.title}"[:200],
            rationale=f"{told['by']} wrote this change: {told['text']}",
            risk=Risk.MEDIUM,
            expected_gain=0.9,
            plan=ValidationPlan(targets={"tests": written.red if written else ()}),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe={"diff": told["patch"], **(to_plain(written) if written else {})},
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        recipe, base = proposal.recipe, self._git.tree_of(proposal.base)
        tested = self._git.with_files(base, {recipe["path"]: recipe["text"].encode()}) if "path" in recipe else base
        tree = self._git.apply(tested, str(recipe["diff"]).encode())
        if tree is None:
            return Build(patch=None, note="the change no longer applies")
        patch = self._git.patch(proposal.base, tree, proposal.diagnosis.finding.title)
        if patch.digest in avoid:
            return Build(patch=None, note="the change was turned down before")
        trusted = (str(recipe["path"]),) if "path" in recipe else ()
        return Build(patch=patch, note="as it was given", tried=1, trusted_tests=trusted)
