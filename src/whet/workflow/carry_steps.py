"""The steps of `carry`: build and validate a patch, its gates, its release, and the lesson at the end."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial

from whet.domain.approval import Approval, Gate
from whet.domain.build import Build
from whet.domain.evidence import Evidence
from whet.domain.lesson import Ending, Lesson
from whet.domain.proposal import Proposal
from whet.domain.regression import Regression
from whet.domain.review import Review
from whet.domain.verdict import Verdict
from whet.errors import BudgetSpent, Internal, ModelUnavailable
from whet.knowledge.examples import example_of
from whet.phases.learn.step import learn
from whet.phases.propose import Proposer
from whet.phases.propose.compete import joined
from whet.phases.propose.decide import decide
from whet.phases.propose.step import build as run_build
from whet.phases.propose.step import rebase
from whet.phases.validate.review import review
from whet.workflow.gates import Gates
from whet.workflow.journal import Step
from whet.workflow.judging import engine_origin, judge_patch
from whet.workflow.on_calls import OnCalls
from whet.workflow.proven import question_step
from whet.workflow.release import patch_of


class CarrySteps(Gates, OnCalls):
    def proposal(self, identity: str) -> Proposal:
        return self._journal.recall(f"{identity}/proposal", Proposal)

    def build(self, proposal: Proposal) -> Build:
        within = self._wall(proposal.id, self._build_seconds(proposal))
        step = Step("propose", "build", proposal.id, Build, within=within)
        return self._do(step, partial(self._build, proposal))

    def _build_seconds(self, proposal: Proposal) -> float:
        """Return the time limit of the engines that build a proposal."""
        engine = self._engines.proposers.get(proposal.engine)
        seconds = float(getattr(engine, "build_seconds", self._policy.propose.repair_seconds))
        return seconds + (self._policy.models.seconds if self._competitor(proposal) else 0.0)

    def _build(self, proposal: Proposal) -> Build:
        """Build the patch. Builds run one at a time, so that a second proposal sees the patch of the first and avoids it."""
        avoid = [learner.avoid(proposal.signature) for learner in self._engines.learners.values()]
        known = frozenset[str]().union(*avoid)
        built = run_build(proposal, self._engines.proposers[proposal.engine], known)
        author = self._competitor(proposal)
        return self._compete(proposal, built, author, known) if author and built.patch else built

    def _competitor(self, proposal: Proposal) -> Proposer | None:
        """Return the engine `model` if it competes with the search for a proposal; None if nobody does."""
        model = self._engines.proposers.get("model") if self._policy.models.compete else None
        competes = proposal.engine == "repair" and not proposal.decided
        return model if model and competes and model.can_help(proposal.diagnosis.finding) else None

    def _compete(self, proposal: Proposal, built: Build, author: Proposer, known: frozenset[str]) -> Build:
        """Have a model write a patch for the same targets. Without an answer, or without budget, the search's patch stays."""
        try:
            written = run_build(proposal, author, known)
        except (ModelUnavailable, BudgetSpent) as problem:
            self._kit.progress.warn(f"{problem.code}: {problem.message}; {problem.remedy}")
            return replace(built, note=f"{built.note}; no model was asked: {problem.message}")
        model = self._policy.models.author
        return joined(built, written, model.name if model else "the model")

    def decide(self, proposal: Proposal, build: Build, decision: Approval, attempt: int) -> Build:
        """Let a person's decision of an undecided call choose the patch; search again if no patch agrees with it."""
        within = self._wall(proposal.id, self._build_seconds(proposal))
        step = Step("propose", f"decide-{attempt}", proposal.id, Build, within=within)
        return self._do(step, partial(self._decide, proposal, build, decision))

    def _decide(self, proposal: Proposal, build: Build, decision: Approval) -> Build:
        if decision.ruling is None:
            raise Internal(f"the decision on {proposal.id} names no call", "please report this")
        return decide(build, decision.ruling, partial(self._search_again, proposal), self._kit)

    def _search_again(self, proposal: Proposal, decided: tuple[Regression, ...]) -> Build:
        return self._build(replace(proposal, decided=decided))

    def rebase(self, proposal: Proposal, stale: Build, evidence: Evidence, attempt: int) -> Build:
        """Take the patch off the base that has moved, and put it on the new one."""
        self.roll_back_stale(proposal, evidence)
        step = Step("propose", f"rebase-{attempt}", proposal.id, Build)
        return self._do(step, partial(rebase, stale, self._git.resolve(self._ref), self._git))

    def validate(self, proposal: Proposal, build: Build, attempt: int) -> Evidence:
        within = partial(self._if_deployable, build, self._wall(proposal.id, self._policy.tests.timeout_seconds))
        step = Step("validate", f"validate-{attempt}", proposal.id, Evidence, within=within)
        return self._do(
            step,
            partial(judge_patch, patch_of(build), engine_origin(proposal, build), self._engines.checks, self._kit),
        )

    @contextmanager
    def _if_deployable(self, build: Build, within: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
        """Refuse a patch that could not be deployed, before its proof costs minutes and a person is asked."""
        if self._policy.deploy.reloads:
            self._live_modules(build)
        with within():
            yield

    def review(self, proposal: Proposal, build: Build, evidence: Evidence, attempt: int) -> Build | None:
        """Ask the reviewer model about a patch and its proof. Return another patch if it asks for one and the engine
        finds one. Without a reviewer in the settings nothing is asked, unless they require a review."""
        models = self._policy.models
        if not self._is_step(f"validate/review-{attempt}", evidence, wanted=models.reviewed):
            return None
        within = self._wall(proposal.id, models.reviewer.timeout_seconds if models.reviewer else 1)
        step = Step("validate", f"review-{attempt}", proposal.id, Review, within=within)
        answer = self._do(step, partial(review, patch_of(build), evidence, self._kit))
        return self._revised(proposal, build, evidence, answer, attempt) if answer.asks_for_rework else None

    def _revised(
        self, proposal: Proposal, build: Build, evidence: Evidence, review: Review, attempt: int
    ) -> Build | None:
        """Let the engine write another patch with the reviewer's remarks. None if it cannot use remarks, if the rounds
        are used up, or if no other patch passes the tests."""
        engine = self._engines.proposers[proposal.engine]
        wanted = attempt + 1 < self._policy.models.max_iterations_per_cycle and getattr(engine, "takes_remarks", False)
        if not self._is_step(f"propose/revise-{attempt}", evidence, wanted=wanted):
            return None
        within = self._wall(proposal.id, self._build_seconds(proposal))
        step = Step("propose", f"revise-{attempt}", proposal.id, Build, within=within)
        revised = self._do(step, partial(self._revise, proposal, build, review))
        return replace(revised, rivals=(*revised.rivals, patch_of(build))) if revised.patch else None

    def _is_step(self, name: str, evidence: Evidence, *, wanted: bool) -> bool:
        """True if a step of the review runs. A resumed workflow repeats the steps that it had, whatever whet.toml says now."""
        if self._ledger.find(f"{evidence.proposal}/{name}"):
            return True
        asked = self._ledger.find(f"{evidence.proposal}/approve/{question_step(Gate.APPLY, evidence.digest)}")
        return wanted and asked is None

    def _revise(self, proposal: Proposal, build: Build, review: Review) -> Build:
        avoid = [learner.avoid(proposal.signature) for learner in self._engines.learners.values()]
        known = frozenset[str]({patch_of(build).digest}).union(*avoid)
        asked = replace(proposal, remarks=(*review.remarks, f"about this patch:\n{patch_of(build).diff}"))
        return run_build(asked, self._engines.proposers[proposal.engine], known)

    def learn(self, proposal: Proposal, ending: Ending, why: str, code: str = "") -> Lesson:
        step = Step("learn", "learn", proposal.id, Lesson)
        return self._do(step, partial(self._learn, proposal, ending, why, code))

    def _learn(self, proposal: Proposal, ending: Ending, why: str, code: str) -> Lesson:
        entry = self._ledger.latest("Evidence", subject=proposal.id)
        evidence = entry.read(Evidence) if entry else None
        self._budgets.end_attempt(proposal.id, failed=not ending.worked and code != ModelUnavailable.code)
        digest = evidence.patch_digest if evidence else ""
        if evidence and evidence.verdict is Verdict.PASSED:
            self._keep_example(proposal, evidence)
        return learn(proposal, ending, code or _code_of(ending, evidence), why, digest)

    def _keep_example(self, proposal: Proposal, evidence: Evidence) -> None:
        """Record a proven patch as an example for the pattern library, if a pattern can be made of it."""
        for entry in reversed(self._ledger.entries(kind="Build", subject=proposal.id)):
            for patch in entry.read(Build).patches:
                if patch.digest == evidence.patch_digest and (example := example_of(proposal, patch, self._kit)):
                    self._ledger.append("learn", example, subject=proposal.id, key=f"{proposal.id}/learn/example")
                    return


def _code_of(ending: Ending, evidence: Evidence | None) -> str:
    """Return the code of the first blocking guard finding for a refused patch, and the ending's name otherwise."""
    blocking = [finding.rule for finding in evidence.guard if finding.severity == "block"] if evidence else []
    return blocking[0] if ending is Ending.REFUSED and blocking else ending.value
