"""Proposes declared rewrites, one package at a time."""

from collections.abc import Iterable

from whet.domain.build import Build
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding, FindingKind
from whet.domain.plural import count
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.proved_claim import ProvedClaim
from whet.domain.risk import Risk
from whet.errors import EnvironmentProblem
from whet.kit import Kit
from whet.knowledge.codemod import rewritten_files


class Codemod:
    """The proposer of declared rewrites. The proof must show that the behaviour held: no test turns green for them."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._declared = kit, kit.git, kit.policy.codemods.declared

    def can_help(self, finding: Finding) -> bool:
        return finding.kind == FindingKind.CODEMOD and finding.subjects[0] in self._declared

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        [name] = finding.subjects
        paths, most = finding.paths, self._kit.policy.guard.max_files
        rest = f" The other {count(len(paths) - most, 'file')} come next." if len(paths) > most else ""
        policy = self._declared[name]
        yield Proposal(
            id=f"p-{digest([cycle, 'codemod', finding.signature])[:8]}",
            engine="codemod",
            kind=ProposalKind.BEHAVIOR_FIX,
            category=finding.category,
            target=paths[:most],
            title=f"Apply {name} in {count(len(paths[:most]), 'file')}",
            rationale=f"{policy.why or 'whet.toml declares it'}: {policy.title}.{rest}",
            risk=Risk.LOW,
            expected_gain=0.5,
            plan=ValidationPlan(targets={"tests": ()}, stated=ProvedClaim.REFACTORING),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe={"codemod": name},
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        tree = self._git.tree_of(proposal.base)
        name = str(proposal.recipe["codemod"])
        try:
            found = list(rewritten_files(name, self._declared[name], tree, self._kit))
        except EnvironmentProblem as problem:
            return Build(patch=None, note=problem.message)
        texts = {file.path: file.text.encode() for file in found if file.path in proposal.target}
        new = self._git.with_files(tree, texts)
        patch = self._git.patch(proposal.base, new, proposal.title[:72])
        if not patch.changes:
            return Build(patch=None, note="the rewrite changes nothing here")
        if patch.digest in avoid:
            return Build(patch=None, note="this rewrite was rejected before")
        return Build(patch=patch, note="the declared rewrite at every place", tried=1)
