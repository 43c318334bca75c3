"""The Python API: `whet.open(path)` returns a `Repository`. The command line is a client of it.

import whet

repository = whet.open(".")
for row in repository.scan().findings:
    print(row.finding.title)
proof = repository.prove(branch="feature")
print(proof.evidence.verdict)
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from whet.app.approvals import approvers, approvers_view, decisions, rulings
from whet.app.audits import audit as audits
from whet.app.cycles import repair as repairs
from whet.app.cycles.dry_run import DryRun, dry_run
from whet.app.cycles.loop import Loop, running
from whet.app.deployments import rollback
from whet.app.deployments.recommend import recommend_for
from whet.app.findings import scan as scans
from whet.app.findings import suggest as suggestions
from whet.app.findings.known_findings import refuse_unknown_finding
from whet.app.project import Project, open_project
from whet.app.proofs import attestations, prove
from whet.app.views.proposal_view import ProposalView, resolve, view_proposal, view_proposals
from whet.domain import attestation
from whet.domain.approval import Answer, Approval
from whet.domain.deployment import Rollback
from whet.domain.evidence import Evidence
from whet.domain.progress import Progress
from whet.domain.proof import Proof
from whet.domain.recommendation import Recommendation
from whet.domain.statement import field_of
from whet.domain.suggestion import Suggestion
from whet.errors import UsageError
from whet.runtime.tool import Tool


class Repository:
    """A git repository with its policy (`whet.toml`) and its record (`.whet/`)."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def scan(self, *, parity: str | Path | None = None) -> scans.Scan:
        """Run the suite once and return the findings, ranked, with the engines that could act on each.

        `parity` is a JUnit file of a run outside the sandbox; the scan then also lists the tests whose outcome differs.
        """
        return scans.scan(self.project, Path(parity) if parity else None)

    def run(self, *, top: int | None = None, finding: str = "", reason: str = "asked for") -> list[ProposalView]:
        """Start a cycle and carry its proposals until each has ended or waits for a person."""
        refuse_unknown_finding(self.project, finding)
        self.project.prefetch_first_test_run()
        return self._following(lambda loop: loop.wait_for_cycle(loop.start(reason, top=top, finding=finding)))

    def dry_run(self, *, top: int | None = None, finding: str = "") -> DryRun:
        """Do what `run` does up to the first gate, and record nothing."""
        refuse_unknown_finding(self.project, finding)
        return dry_run(self.project, top, finding)

    def resume(self) -> list[ProposalView]:
        """Continue every proposal that has not ended, until it has ended or waits for a person."""

        def unfinished(loop: Loop) -> list[str]:
            for cycle in [name for name in loop.engine.unfinished() if name.startswith("c-")]:
                loop.wait_for_cycle(cycle)
            return [view.proposal.id for view in self.proposals() if view.lesson is None]

        return self._following(unfinished)

    def prove_each(
        self,
        *,
        branch: str = "",
        commits: str = "",
        base: str = "",
        trust_tests: bool = False,
        claim: str = "",
    ) -> list[prove.Proof]:
        """Prove every commit of a branch or a range as a change of its own, the oldest first, under the policy before the
        first. The parameters are those of `prove`."""
        if bool(commits) + bool(branch) > 1 or not (commits or branch or base):
            raise UsageError(
                "name the commits: a range, --branch NAME or --base COMMIT", "whet prove --each main..feature"
            )
        git = self.project.git
        first, _, last = (
            commits.replace("...", "..").partition("..")
            if commits
            else (base or self.project.ref, "", branch or "HEAD")
        )
        if commits:
            prove.from_range(git, commits)
        changes = prove.each_commit(git, git.resolve(first), last)
        if not changes:
            raise UsageError(
                f"there is no commit between {first} and {last}", "name a range: whet prove --each main..feature"
            )
        stated = prove.stated_claim(claim)
        return [
            prove.prove(self.project, change, trust_tests=trust_tests, stated=stated, policy_of=changes[0].base)
            for change in changes
        ]

    def prove(
        self,
        *,
        patch: str | Path | None = None,
        branch: str = "",
        commits: str = "",
        base: str = "",
        trust_tests: bool = False,
        cache: str | Path | None = None,
        claim: str = "",
    ) -> prove.Proof:
        """Prove one change that whet did not write: a patch file, a branch or a range of commits.

        `base` is the commit to prove against, by default the branch that whet improves; with a base alone, the change is
        what the checked-out commit changes since it left the base. `trust_tests` lets the tests that the change brings
        count as evidence. `cache` is a file that keeps the run of the base between proofs.
        `claim` is `refactoring` or `tests`, for a change with which no test is to turn green.
        """
        named = sum(map(bool, (commits, patch, branch)))
        if named > 1 or not (named or base):
            raise UsageError(
                "name one change: --patch FILE, --branch NAME, a range, or --base COMMIT for what is checked out",
                "whet prove --branch feature",
            )
        git = self.project.git
        if commits:
            change = prove.from_range(git, commits)
        else:
            against = git.resolve(base or self.project.ref)
            change = (
                prove.from_file(git, against, Path(patch))
                if patch
                else prove.from_branch(git, against, branch or "HEAD")
            )
        return prove.prove(
            self.project,
            change,
            trust_tests=trust_tests,
            cache=Path(cache) if cache else None,
            stated=prove.stated_claim(claim),
        )

    def attest(self, evidence: Evidence) -> str:
        """Return the attestation of a proof, as the text of a file that `verify` reads."""
        return attestation.attest(evidence)

    def verify(
        self,
        file: str | Path,
        *,
        commit: str = "",
        signature: str | Path | None = None,
        signers: str | Path | None = None,
        signed: bool = False,
    ) -> attestations.VerifiedAttestation:
        """Verify an attestation without running anything, and say what was verified and what was not.

        `commit` must have the attested tree. `signature` is by default the file beside the attestation with the suffix
        `.sig`, `signers` the list on the target branch. `signed` refuses a file that nobody on the list signed.
        """
        demands = attestations.Demands(
            commit=commit,
            detached=Path(signature) if signature else None,
            signers=Path(signers) if signers else None,
            signed=signed,
        )
        return attestations.verify(Path(file), self.project, demands)

    def repair(self, tests: Sequence[str], *, seconds: float | None = None) -> repairs.RepairResult:
        """Search for a patch for these failing tests and prove it; nothing is deployed."""
        return repairs.repair(self.project, tests, seconds)

    def proposals(self) -> list[ProposalView]:
        """Return every proposal on record, oldest first."""
        return view_proposals(self.project.ledger)

    def proposal(self, proposal: str) -> ProposalView:
        """Return a proposal by the beginning of its id, or by the id of one of its deployments."""
        return view_proposal(self.project.ledger, resolve(self.project.ledger, proposal))

    def approve(
        self, proposal: str, *, why: str = "", digest: str = "", statement: str = "", signature: str = ""
    ) -> ProposalView:
        """Say yes at the open gate of a proposal, and continue with it.

        `signature` is an SSH signature over `statement`, which `statement()` makes. Without them the yes is that of the
        user of this process: tier `confirm` takes it as an unproven approver, higher tiers refuse it in production. If
        `digest` is given, it must be the beginning of the evidence digest.
        """
        identity = self.proposal(proposal).proposal.id
        if signature:
            who, reason = field_of(statement, "who"), field_of(statement, "why")
            proof = approvers.proof_of(statement, signature)
            return self._answer(identity, Answer.APPROVED, reason, digest, who, proof)
        return self._answer(identity, Answer.APPROVED, why, digest)

    def statement(self, proposal: str, who: str, why: str = "") -> str:
        """Return the text that `who` signs to say yes at the open gate of a proposal, in the namespace whet-approval@v1."""
        return decisions.statement(self.project, self.proposal(proposal).proposal.id, who, why)

    def reject(self, proposal: str, why: str) -> ProposalView:
        """Say no at the open gate of a proposal. The reason is remembered, and the patch is not offered again."""
        return self._answer(self.proposal(proposal).proposal.id, Answer.REJECTED, why)

    def answer(self, proposal: str, value: str, *, why: str = "", digest: str = "") -> ProposalView:
        """Decide the undecided call of a proposal, and continue with it. This approves nothing.

        `value` is Python text: a literal, or `raise NAME`. The answer is that of the user of this process.
        """
        view = self.proposal(proposal)
        text = rulings.chosen_answer(self.project, view, None, value)
        rulings.decide_call(
            self.project, view.proposal.id, text, decisions.GivenAnswer(via="api", why=why, digest=digest)
        )
        [followed] = self._following(lambda _: [view.proposal.id])
        return followed

    def approvers(self) -> approvers_view.ApproversView:
        """Return the people who may approve, with their keys, and the change that waits for signatures."""
        return approvers_view.view(self.project)

    def withdraw(self, proposal: str, why: str = "") -> Approval:
        """Withdraw an approval that has not been acted on yet."""
        return decisions.withdraw(self.project, self.proposal(proposal).proposal.id, why)

    def rollback(self, identity: str, why: str, *, despite_damage: str = "") -> Rollback:
        """Roll back the deployment of a proposal, as a revert with the reason.

        `despite_damage` is your reason to do so although the record is damaged.
        """
        return rollback.rollback(self.project, identity, why, despite_damage)

    def restore(self, path: str, version: int, why: str) -> Rollback:
        """Restore a version of a file, by its number in `whet history`."""
        return rollback.restore(self.project, path, version, why)

    def suggest(self, text: str, *, where: str = "", case: str = "", raises: str = "", patch: str = "") -> Suggestion:
        """Record what should be better. With a case, repair can act on it."""
        return suggestions.suggest(self.project, text, where, case, raises, patch)

    def audit(self) -> audits.Audit:
        """Verify the ledger, the deploy commits and the invariants."""
        return audits.audit(self.project)

    def recommend(self, tool: str | Tool | Callable[..., Any]) -> Recommendation:
        """Return how a change to a tool can be tested: by shadowing, replay, declared cases or by hand.

        `tool` is the name of a captured tool, or a tool itself: a decorated function, a class or an instance of one.
        """
        return recommend_for(self.project, tool)

    def _answer(
        self, identity: str, answer: Answer, why: str, digest: str = "", who: str = "", proof: Proof | None = None
    ) -> ProposalView:
        given = decisions.GivenAnswer(via="api", why=why, digest=digest, who=who, proof=proof)
        receipt = decisions.answer(self.project, identity, answer, given)
        if receipt.missing:
            return self.proposal(identity)
        [view] = self._following(lambda _: [identity])
        return view

    def _following(self, proposals: Callable[[Loop], list[str]]) -> list[ProposalView]:
        with running(self.project) as loop:
            return [loop.wait_for(proposal) for proposal in proposals(loop)]


def open_path(path: str | Path = ".", *, progress: Progress | None = None) -> Repository:
    """Open the repository that contains `path`."""
    return Repository(open_project(Path(path), progress))
