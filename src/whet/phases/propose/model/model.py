"""The proposer `model`: a language model writes the edits; guard, tests and proof judge them like any other patch."""

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from whet.cases.regression import failures_of, has_target, regression_of, targets_of
from whet.conversation.inputs import injected
from whet.conversation.prompt import Prompt, PromptTurn, Quotation
from whet.conversation.recorded_model import RecordedModel
from whet.conversation.roles import model_in_role
from whet.domain.build import Build
from whet.domain.canonical import digest, to_plain
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.file_review import ReviewedDefect
from whet.domain.finding import Finding
from whet.domain.patch import Patch
from whet.domain.plural import shorten
from whet.domain.proposal import KIND_OF_LAYER, Proposal, ProposalKind, ValidationPlan, kind_of_fix
from whet.domain.risk import Risk
from whet.domain.suggestion import Suggestion
from whet.errors import Internal, ModelUnavailable
from whet.kit import Kit
from whet.models.providers import key_of
from whet.phases.propose.model import context
from whet.phases.propose.model.candidate import CandidateTests
from whet.phases.propose.model.conventions import GUIDES, conventions
from whet.phases.propose.model.earlier import earlier_patches
from whet.phases.propose.model.prompt import RULES, first_turn, shown_failure
from whet.phases.propose.model.sampling import Sampler, Samples, summary
from whet.phases.propose.model.target_runs import target_runs
from whet.store.codec import decode

_MOST_FAILURES = 5
_MOST_FILES = 400
_LARGEST_FILE = 300_000
_LEAST_RUN_SECONDS = 60.0
_SLOWER = 5  # the target tests of a candidate may take this many times as long as the whole suite on the base


class Model:
    """The proposer that asks a language model for the edits. It is silent if no model is configured."""

    takes_remarks = True

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git, self._policy = kit, kit.git, kit.policy.models
        self._unavailable = ""

    @property
    def build_seconds(self) -> float:
        """Return the time limit of one build."""
        return float(self._policy.seconds)

    def can_help(self, finding: Finding) -> bool:
        return self._policy.author is not None and has_target(finding) and self._is_available()

    def _is_available(self) -> bool:
        """True if the model can be asked. If not, warn with the reason once; the other engines still run."""
        author = self._policy.author
        if author is None or self._unavailable:
            return False
        try:
            key_of(author)
        except ModelUnavailable as problem:
            self._say_unavailable(problem)
        return not self._unavailable

    def _say_unavailable(self, problem: ModelUnavailable) -> None:
        self._unavailable = problem.message
        self._kit.progress.warn(f"{problem.code}: {problem.message}; {problem.remedy}")

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding, author = diagnosis.finding, self._policy.author
        suspects = [place.path for place in diagnosis.places if not self._kit.is_test(place.path)]
        if not suspects or author is None:
            return
        regression = regression_of(finding, self._git.tree_of(base), self._kit)
        targets = regression.red if regression else finding.subjects
        top = diagnosis.places[0]
        yield Proposal(
            id=f"p-{digest([cycle, 'model', finding.signature])[:8]}",
            engine="model",
            kind=_kind(diagnosis),
            category=finding.category,
            target=tuple(dict.fromkeys(suspects))[:5],
            title=f"Fix {finding.title}"[:200],
            rationale=(
                f"{len(targets)} failing: {', '.join(targets[:3])}. Most suspicious: {top.path}:{top.line}, {top.why}. "
                f"{author.name} writes the change."
            ),
            risk=Risk.MEDIUM,
            expected_gain=max(0.04, round(0.5 * diagnosis.confidence, 3)),  # less than repair, which costs nothing
            plan=ValidationPlan(targets=targets_of(finding, targets)),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe=to_plain(regression) if regression else {},
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        began = time.monotonic()
        try:
            samples, prompt = self._sample(proposal, began + self.build_seconds, avoid)
        except ModelUnavailable as problem:
            self._say_unavailable(problem)
            raise
        patches = sorted((self._patch(proposal, tree) for tree in samples.passed), key=_size)
        fresh = [patch for patch in patches if patch.digest not in avoid]
        note = summary(samples) + (f"; left out of the prompt: {'; '.join(prompt.left_out)}" if prompt.left_out else "")
        if patches and not fresh:
            note = f"{note}; every patch that passed was rejected before"
        return Build(
            patch=fresh[0] if fresh else None,
            rivals=tuple(fresh[1:]),
            foreign=True,
            note=note,
            tried=len(samples.tried),
            seconds=time.monotonic() - began,
            trusted_tests=(str(proposal.recipe["path"]),) if proposal.recipe else (),
        )

    def _sample(self, proposal: Proposal, deadline: float, avoid: frozenset[str]) -> tuple[Samples, Prompt]:
        tree = self._tree_to_edit(proposal)
        targets = _targets(proposal)
        base = self._kit.suite.run(self._git.tree_of(proposal.base), fresh=False)
        run_seconds = max(_LEAST_RUN_SECONDS, _SLOWER * base.seconds)

        def enough(samples: Samples) -> bool:
            fresh = any(self._patch(proposal, passed).digest not in avoid for passed in samples.passed)
            return fresh or time.monotonic() > deadline

        wall_seconds = 2 * self.build_seconds
        suite = self._kit.suite
        with target_runs(suite, tree, targets, run_seconds=run_seconds, wall_seconds=wall_seconds) as run_targets:
            prompt = self._prompt(proposal, tree, targets)
            tests = CandidateTests(targets, base.red, run_targets, suite)
            sampler = Sampler(self._author(proposal, deadline), self._kit.policy, self._git, tree, tests)
            return sampler.sample(prompt, enough), prompt

    def _author(self, proposal: Proposal, deadline: float) -> RecordedModel:
        policy = self._policy.author
        if policy is None:
            raise Internal("the engine model proposed without a model", "please report this")
        return model_in_role("author", policy, self._kit, phase="propose", subject=proposal.id, deadline=deadline)

    def _prompt(self, proposal: Proposal, tree: str, targets: tuple[str, ...]) -> Prompt:
        """Return the opening prompt: conventions, the failures and earlier patches, then code as far as it fits."""
        python = self._python_files(tree)
        sources = {path: text for path, text in python.items() if not self._kit.is_test(path)}
        places = [place for place in proposal.diagnosis.places if place.path in sources]
        style, guides = conventions(sources, self._texts(tree, GUIDES))
        suspects = context.suspicious_code(places, sources)
        tests = context.failing_tests(targets, python)
        heads = context.imports(dict.fromkeys(excerpt.path for excerpt in suspects if excerpt.name), sources)
        code = [*suspects[:1], *tests, *suspects[1:], *heads, *context.callers(suspects, sources)]
        optional = [excerpt.quotation for excerpt in code]
        required = [*self._failures(proposal, targets), *earlier_patches(self._kit.ledger, proposal.signature)]
        background, told = injected(self._policy.inputs, "author", self._kit.ledger)
        if proposal.remarks:
            told = (*told, Quotation.of("A reviewer's remarks on an earlier patch", "\n".join(proposal.remarks)))
        turn, left_out = first_turn([*required, *told], [*optional, *guides], self._policy.context_tokens)
        opening = PromptTurn(f"{style}\n{turn.words}", turn.quotations)
        return Prompt(rules=RULES, turns=(opening,), background=background, left_out=left_out)

    def _failures(self, proposal: Proposal, targets: tuple[str, ...]) -> list[Quotation]:
        failures = failures_of(proposal.diagnosis.finding)
        quotations = [Quotation.of("The tests that fail", "\n".join(targets))]
        for name, failure in list(failures.items())[:_MOST_FAILURES]:
            quotations.append(Quotation.of(f"Output of {name}", shown_failure(failure)))
        signal = proposal.diagnosis.finding.signals[0]
        if signal.kind == Suggestion.kind:
            quotations.append(Quotation.of("The request", decode(Suggestion, signal.payload).text))
        if signal.kind == ReviewedDefect.kind:
            quotations.append(Quotation.of("The defect", decode(ReviewedDefect, signal.payload).reason))
        return quotations

    def _python_files(self, tree: str) -> dict[str, str]:
        paths = [entry.path for entry in self._git.entries(tree) if entry.path.endswith(".py")]
        return self._texts(tree, paths[:_MOST_FILES])

    def _texts(self, tree: str, paths: Iterable[str]) -> dict[str, str]:
        """Return the text of these files; those that are large or not UTF-8 are left out."""
        texts = {}
        for path, content in self._git.read_all(tree, paths).items():
            with suppress(UnicodeDecodeError):
                if len(content) <= _LARGEST_FILE:
                    texts[path] = content.decode()
        return texts

    def _tree_to_edit(self, proposal: Proposal) -> str:
        """Return the base, with the tests that come with the finding and with people's decisions."""
        own = {str(proposal.recipe["path"]): str(proposal.recipe["text"])} if proposal.recipe else {}
        files = own | {regression.path: regression.text for regression in proposal.decided}
        base = self._git.tree_of(proposal.base)
        return self._git.with_files(base, {path: text.encode() for path, text in files.items()}) if files else base

    def _patch(self, proposal: Proposal, tree: str) -> Patch:
        name = self._policy.author.name if self._policy.author else "a model"
        patch = self._git.patch(proposal.base, tree, "")
        return replace(patch, summary=f"Change {shorten(patch.paths, 3)}, as written by {name}")


def _kind(diagnosis: Diagnosis) -> ProposalKind:
    kind = kind_of_fix(diagnosis)
    return kind if kind is ProposalKind.FORMULA_CHANGE else KIND_OF_LAYER[diagnosis.layer]


def _targets(proposal: Proposal) -> tuple[str, ...]:
    red = [test for regression in proposal.decided for test in regression.red]
    return (*proposal.plan.targets["tests"], *red)


def _size(patch: Patch) -> tuple[int, str]:
    """Order patches by their changed lines; the digest makes the order the same every time."""
    return patch.changed_lines, patch.digest
