"""The proposer: a patch that removes expired TODO comments that stand on lines of their own."""

from collections import defaultdict
from collections.abc import Iterable

from whet.domain.build import Build
from whet.domain.canonical import digest
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.proposal import Proposal, ProposalKind, ValidationPlan
from whet.domain.risk import Risk
from whet.kit import Kit
from whet.store.codec import decode
from whet_todos.source import ExpiredTodo


class RemoveExpired:
    def __init__(self, kit: Kit) -> None:
        self._git = kit.git

    def can_help(self, finding: Finding) -> bool:
        return finding.kind == "expired_todo"

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        yield Proposal(
            id=f"p-{digest([cycle, 'todos', finding.signature])[:8]}",
            engine="todos",
            kind=ProposalKind.BEHAVIOR_FIX,
            category=finding.category,
            target=finding.paths,
            title=f"Remove {finding.title}",
            rationale=f"{finding.reasons[0]}; a comment that nobody acted on by its date misleads readers.",
            risk=Risk.LOW,
            expected_gain=0.5,
            plan=ValidationPlan(targets={"todos": finding.subjects, "tests": ()}),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        lines: dict[str, set[int]] = defaultdict(set)
        for signal in proposal.diagnosis.finding.signals:
            todo = decode(ExpiredTodo, signal.payload)
            lines[todo.path].add(todo.line)
        tree = self._git.tree_of(proposal.base)
        files = {path: self._without(tree, path, numbers) for path, numbers in lines.items()}
        patch = self._git.patch(proposal.base, self._git.with_files(tree, files), proposal.title)
        if patch.digest in avoid:
            return Build(patch=None, note="the removal was rejected before")
        return Build(patch=patch, note="the comments are removed", tried=1)

    def _without(self, tree: str, path: str, numbers: set[int]) -> bytes:
        content = (self._git.read(tree, path) or b"").splitlines(keepends=True)
        kept = [
            line
            for number, line in enumerate(content, start=1)
            if number not in numbers or not line.lstrip().startswith(b"#")
        ]
        return b"".join(kept)
