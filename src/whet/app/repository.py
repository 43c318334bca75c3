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

from whet.app import kill_switch
from whet.app.agent_notes.ask import InquiryState, list_inquiries
from whet.app.agent_notes.reply import reply_to
from whet.app.approvals import approvers, approvers_view, decisions, rulings
from whet.app.audits import audit as audits
from whet.app.budget import BudgetStatus, budget_statuses
from whet.app.cycles import repair as repairs
from whet.app.cycles.dry_run import DryRun, dry_run
from whet.app.cycles.loop import Loop, running
from whet.app.deployments import rollback
from whet.app.deployments.recommend import recommend_for
from whet.app.deployments.rollback import Version
from whet.app.deployments.three_way_merge import suggest_merge
from whet.app.deployments.versions import ModuleSync, path_of_tool, sync
from whet.app.findings import evaluate as evaluations
from whet.app.findings import improve, intents, tune
from whet.app.findings import scan as scans
from whet.app.findings import suggest as suggestions
from whet.app.findings.codemods import unfinished
from whet.app.findings.known_findings import refuse_unknown_finding
from whet.app.findings.suggestions import SuggestionState, drop_suggestion, list_suggestions
from whet.app.knowledge import patterns, preferences
from whet.app.project import Project, open_project
from whet.app.proofs import attestations, changes, prove
from whet.app.proofs.prove import ProvedChange
from whet.app.service.status import ServiceStatus, service_status
from whet.app.setup.models import ModelStatus, model_statuses
from whet.app.views.proposal_view import ProposalView, resolve, view_proposal, view_proposals
from whet.domain import attestation
from whet.domain.approval import Answer, Approval
from whet.domain.deployment import Rollback
from whet.domain.evidence import Evidence
from whet.domain.finding import Finding
from whet.domain.improvement import ImproveResult
from whet.domain.pattern import Pattern
from whet.domain.preference import Preference
from whet.domain.progress import Progress
from whet.domain.proof import Proof
from whet.domain.recommendation import Recommendation
from whet.domain.statement import field_of
from whet.domain.suggestion import Suggestion
from whet.ledger.entry import Entry
from whet.runtime.tool import Tool


class Repository:
    """A git repository with its policy (`whet.toml`) and its record (`.whet/`)."""

    def __init__(self, project: Project, *, via: str = "api") -> None:
        """Take the project. Answers are recorded as given by the client `via`."""
        self.project, self._via = project, via

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
    ) -> ProvedChange:
        """Prove one change that whet did not write: a patch file, a branch or a range of commits.

        `base` is the commit to prove against, by default the branch that whet improves; with a base alone, the change is
        what the checked-out commit changes since it left the base. `trust_tests` lets the tests that the change brings
        count as evidence. `cache` is a file that keeps the run of the base between proofs.
        `claim` is `refactoring` or `tests`, for a change with which no test is to turn green.
        """
        file = Path(patch) if patch else None
        change = changes.named_change(
            self.project.git, lambda: self.project.ref, patch=file, branch=branch, commits=commits, base=base
        )
        stated = prove.stated_claim(claim)
        kept = Path(cache) if cache else None
        return prove.prove(self.project, change, trust_tests=trust_tests, cache=kept, stated=stated)

    def prove_each(
        self, *, branch: str = "", commits: str = "", base: str = "", trust_tests: bool = False, claim: str = ""
    ) -> list[ProvedChange]:
        """Prove every commit of a branch or a range as a change of its own, the oldest first, under the policy before the
        first. The parameters are those of `prove`."""
        git, stated = self.project.git, prove.stated_claim(claim)
        patches = changes.named_commits(git, lambda: self.project.ref, branch=branch, commits=commits, base=base)
        first = patches[0].base
        return [
            prove.prove(self.project, change, trust_tests=trust_tests, stated=stated, policy_of=first)
            for change in patches
        ]

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
            self.project, view.proposal.id, text, decisions.GivenAnswer(via=self._via, why=why, digest=digest)
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

    def suggestions(self) -> list[SuggestionState]:
        """Return every suggestion and what became of it, oldest first."""
        return list_suggestions(self.project)

    def drop_suggestion(self, suggestion: str, why: str = "") -> SuggestionState:
        """Take a suggestion off the list, by the beginning of its id."""
        return drop_suggestion(self.project, suggestion, why)

    def import_intents(self, file: str | Path) -> list[Suggestion]:
        """Record the wishes in a file of another system as suggestions, each once; return the new ones."""
        return intents.import_intents(self.project, Path(file))

    def intents(self) -> dict[str, Any]:
        """Return every suggestion with its outcome, in the format of the file that `import_intents` reads."""
        return intents.outcomes(self.project)

    def tune(self, name: str, *, dry_run: bool = False) -> tune.TuneResult:
        """Search for better values of the constants of `[tune.declared.NAME]`; `run(finding=...)` then proposes them."""
        return tune.tune(self.project, name, dry_run=dry_run)

    def improve(self, name: str, *, file: str = "", dry_run: bool = False) -> ImproveResult:
        """Search for a better version of what an evaluation or a benchmark is about: a prompt, a workflow, slow functions.

        `name` is a declared evaluation or benchmark, `file` the file to improve if it is about several.
        """
        return improve.improve(self.project, name, file, dry_run=dry_run)

    def evaluate(self, name: str) -> evaluations.EvaluateResult:
        """Score the texts of the last commit by `[evaluations.declared.NAME]`. The answers of a model are asked for once."""
        return evaluations.evaluate(self.project, name)

    def codemod(self, name: str = "") -> list[Finding]:
        """Return one finding for each package that a declared rewrite has not reached; all rewrites without a name."""
        return unfinished(self.project, name)

    def patterns(self) -> tuple[Pattern, ...]:
        """Return the fixes that worked, in general form."""
        return patterns.library(self.project).patterns

    def pattern(self, identity: str) -> Pattern:
        """Return a pattern by the beginning of its id."""
        return patterns.pattern(self.project, identity)

    def export_patterns(self, *identities: str) -> dict[str, Any]:
        """Return these patterns, or all, in the form that another repository imports."""
        return patterns.exported(self.project, identities)

    def import_patterns(self, file: str | Path) -> list[str]:
        """Take over the patterns of an export, without confidence; return their ids."""
        return patterns.import_patterns(self.project, Path(file))

    def forget_pattern(self, identity: str, why: str = "") -> Pattern:
        """Forget a pattern until a new fix shows it again."""
        return patterns.forget(self.project, identity, why)

    def preferences(self) -> tuple[Preference, ...]:
        """Return what people's decisions have taught."""
        return preferences.preferences(self.project)

    def unlearn(self, identity: str, why: str = "") -> str:
        """Remove a preference or a pattern and its effect, by the beginning of its id; return the whole id."""
        return preferences.unlearn(self.project, identity, why)

    def history(self, file: str) -> list[Version]:
        """Return the versions of a file on the target branch, newest first. A tool's name stands for its module."""
        return rollback.history(self.project, path_of_tool(self.project, file))

    def compare(self, file: str, old: int, new: int) -> str:
        """Return the diff between two versions of a file or of a tool's module."""
        return rollback.compare(self.project, path_of_tool(self.project, file), old, new)

    def sync(self, tool: str = "") -> list[ModuleSync]:
        """Compare repository, registry and running processes, for every module with tools or for one."""
        return sync(self.project, path_of_tool(self.project, tool) if tool else "")

    def merge(self, tool: str) -> list[ProposalView]:
        """Suggest the merge of both sides' changes to a tool's module, and carry the proposal."""
        suggested = suggest_merge(self.project, path_of_tool(self.project, tool))
        return self._following(lambda loop: loop.wait_for_cycle(loop.start(suggested.text)))

    def budget(self) -> list[BudgetStatus]:
        """Return every budget: granted, reserved, spent, left."""
        return budget_statuses(self.project)

    def models(self) -> list[ModelStatus]:
        """Return the language models: price, use, edits that did not fit. Ask none of them."""
        return model_statuses(self.project)

    def ledger(self, *, phase: str = "", kind: str = "", subject: str = "", after: int = 0) -> list[Entry]:
        """Return the entries of the ledger in order, from the one after the number `after`."""
        return self.project.ledger.entries(phase=phase, kind=kind, subject=subject, after=after)

    def status(self) -> ServiceStatus:
        """Return what runs, waits and is followed, and why whet is silent."""
        return service_status(self.project)

    def inquiries(self) -> list[InquiryState]:
        """Return the questions of agents and their replies, oldest first."""
        return list_inquiries(self.project.ledger)

    def reply(self, inquiry: str, text: str) -> InquiryState:
        """Answer the question of an agent, by the beginning of its id. The answer is advice and approves nothing."""
        return reply_to(self.project, inquiry, text, via=self._via)

    def stop(self, why: str = "") -> None:
        """Switch whet off: running sandboxes end, nothing new begins, nothing is deployed."""
        kill_switch.stop(self.project, why)

    def start(self) -> bool:
        """Switch whet on again; return True if it was off."""
        return kill_switch.start(self.project)

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
        given = decisions.GivenAnswer(via=self._via, why=why, digest=digest, who=who, proof=proof)
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
