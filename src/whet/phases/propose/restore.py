"""Proposes the earlier version of a constant, a section of the settings or a prompt, where replay showed that it decides."""

from collections.abc import Iterable

from whet.cases.regression import has_target, regression_of
from whet.domain.attribution import Attribution
from whet.domain.build import Build
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.guard.change.kinds import kind_of
from whet.kit import Kit
from whet.knowledge.earlier_units import earlier_units


class Restore:
    """The proposer of earlier versions. Functions are left to other engines: their change had more than one effect."""

    layers = frozenset({Layer.CONSTANTS, Layer.PROTOCOL, Layer.SKILL})

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git

    def can_help(self, finding: Finding) -> bool:
        return bool(self._kit.policy.target.replay_commits) and has_target(finding)

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        known, finding = diagnosis.attribution, diagnosis.finding
        if known is None or not known.path or known.layer not in self.layers:
            return
        if regression_of(finding, self._git.tree_of(base), self._kit):  # its test is not in the tree of the proof
            return
        what = f"{known.unit} in {known.path}" if known.unit else known.path
        yield Proposal(
            id=f"p-{digest([cycle, 'restore', finding.signature])[:8]}",
            engine="restore",
            kind=self._kind(known, base),
            category=finding.category,
            target=(known.path,),
            title=f"Take {what} back to its version of {known.earlier[:10]}"[:200],
            rationale=f"{'; '.join(known.evidence)}.",
            risk=Risk.MEDIUM,
            expected_gain=round(0.8 * known.confidence, 3),
            plan=ValidationPlan(targets={"tests": finding.subjects}),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe={"path": known.path, "unit": known.unit, "earlier": known.earlier},
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        path, name = str(proposal.recipe["path"]), str(proposal.recipe["unit"])
        content = self._earlier(str(proposal.recipe["earlier"]), proposal.base, path, name)
        if content is None:
            return Build(patch=None, note=f"{path} has no earlier version of {name or 'itself'} any more")
        tree = self._git.with_files(self._git.tree_of(proposal.base), {path: content})
        patch = self._git.patch(proposal.base, tree, proposal.title[:72])
        if patch.digest in avoid:
            return Build(patch=None, note="the earlier version was rejected before")
        return Build(patch=patch, note=proposal.title, tried=1)

    def _earlier(self, earlier: str, base: str, path: str, name: str) -> bytes | None:
        before, after = self._git.read(earlier, path), self._git.read(base, path)
        if before is None or after is None:
            return None
        return next((unit.content for unit in earlier_units(path, before, after) if unit.name == name), None)

    def _kind(self, known: Attribution, base: str) -> ProposalKind:
        before = (self._git.read(base, known.path) or b"").decode(errors="replace")
        after = (self._earlier(known.earlier, base, known.path, known.unit) or b"").decode(errors="replace")
        return kind_of(known.path, before, after, self._kit.policy.target)
