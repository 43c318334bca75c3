"""The repair engine: proposes to search for a fix of failing tests, and runs the search."""

import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace

from whet.cases.regression import failures_of, has_target, regression_of, targets_of
from whet.domain.build import Build
from whet.domain.canonical import digest, to_plain
from whet.domain.clock import now
from whet.domain.diagnosis import Diagnosis
from whet.domain.finding import Finding
from whet.domain.layer import Layer
from whet.domain.patch import Patch
from whet.domain.payload import FailingCall
from whet.domain.plural import count
from whet.domain.proposal import Proposal, ValidationPlan, kind_of_fix
from whet.domain.recommendation import Recommendation
from whet.domain.risk import Risk
from whet.domain.suite import SuiteReport
from whet.kit import Kit
from whet.phases.propose.repair.candidate import Candidate
from whet.phases.propose.repair.disputes import ReferenceAnswers, disputes
from whet.phases.propose.repair.evaluate import Observer, WarmEvaluator
from whet.phases.propose.repair.generate import all_candidates
from whet.phases.propose.repair.hints import Hints, expected_values, read_hints
from whet.phases.propose.repair.prior_from_history import template_priors
from whet.phases.propose.repair.progress import SearchProgress
from whet.phases.propose.repair.rank_by_behaviour import BehaviourRanking
from whet.phases.propose.repair.search import SearchLimits, SearchResult, search, why_none
from whet.phases.propose.repair.symptoms import symptom_lines
from whet.phases.propose.repair.synthesis.synthesis import Synthesis
from whet.store.codec import decode
from whet.target.distributed import CandidateRunner, DistributedPool
from whet.target.suite import Suite
from whet.target.warm_pool import WarmPool

_MOST_NEAR = 60
_MOST_RIVALS = 5


class Repair:
    """The proposer that searches for small edits which turn failing tests green."""

    layers = frozenset({Layer.CONSTANTS, Layer.BEHAVIOR})

    def __init__(self, kit: Kit) -> None:
        self._kit, self._git = kit, kit.git
        self.seconds = float(kit.policy.propose.repair_seconds)

    def can_help(self, finding: Finding) -> bool:
        return has_target(finding)

    def propose(self, diagnosis: Diagnosis, base: str, cycle: str) -> Iterable[Proposal]:
        finding = diagnosis.finding
        suspects = [place.path for place in diagnosis.places if not self._kit.is_test(place.path)]
        if not suspects:
            self._kit.progress.note(
                f"{finding.title}: no line of the project is suspicious, so there is nothing to edit"
            )
            return
        regression = regression_of(finding, self._git.tree_of(base), self._kit)
        targets = regression.red if regression else finding.subjects
        recommendation = _recommendation(finding)
        top = diagnosis.places[0]
        yield Proposal(
            id=f"p-{digest([cycle, 'repair', finding.signature])[:8]}",
            engine="repair",
            kind=kind_of_fix(diagnosis),
            category=finding.category,
            target=tuple(dict.fromkeys(suspects))[:5],
            title=f"Repair {finding.title}"[:200],
            rationale=(
                f"{len(targets)} failing: {', '.join(targets[:3])}. Most suspicious: {top.path}:{top.line}, {top.why}."
            ),
            risk=recommendation.risk if recommendation else Risk.MEDIUM,
            expected_gain=max(0.05, round(0.6 * diagnosis.confidence, 3)),
            plan=ValidationPlan(targets=targets_of(finding, targets), recommendation=recommendation),
            diagnosis=diagnosis,
            base=base,
            created_at=now(),
            recipe=to_plain(regression) if regression else {},
        )

    def build(self, proposal: Proposal, avoid: frozenset[str]) -> Build:
        tree_to_edit = self._tree_to_edit(proposal)
        result, ranking, reference = self._search(proposal, tree_to_edit)
        best = result.survivors[:_MOST_RIVALS]
        patches = [self._patch(proposal, tree_to_edit, candidate) for candidate in best]
        sources = self._sources(tree_to_edit, {candidate.path for candidate in best})
        objection = ranking.objection(result.survivors)
        standing, disputed = disputes(
            dict(zip(best, patches, strict=True)), avoid, ranking, reference, sources, beyond_tests=bool(objection)
        )
        if objection and not any(call.testable for call in disputed):  # otherwise a person's answer convinces
            passed = f"{len(result.survivors)} passed, but none is convincing"
            return Build(
                patch=None,
                note=f"{count(result.tried, 'edit')} tried; {passed}: {objection}",
                tried=result.tried,
                seconds=result.seconds,
                first_seconds=result.first_seconds,
                unconvincing=tuple(patches),
            )
        if partial := self._partial_build(proposal, tree_to_edit, result, avoid):
            return partial
        if not standing:
            return Build(patch=None, note=why_none(result), tried=result.tried, seconds=result.seconds)
        note = (
            f"{count(result.tried, 'edit')} tried, {result.green} turned the targets green, "
            f"{len(result.survivors)} of them kept the other tests green"
        )
        return Build(
            patch=standing[0],
            rivals=tuple(standing[1:]),
            note=note,
            disputed=disputed,
            difference="" if disputed else ranking.difference(best),
            tried=result.tried,
            seconds=result.seconds,
            first_seconds=result.first_seconds,
            trusted_tests=_trusted(proposal),
            made_by={patch.digest: candidate.template for patch, candidate in zip(patches, best, strict=True)},
        )

    def _partial_build(
        self, proposal: Proposal, tree_to_edit: str, result: SearchResult, avoid: frozenset[str]
    ) -> Build | None:
        """Return the best patch for some of the targets; None if there is none, or a patch for all of them.

        Once a person has decided a call, nothing less than all targets will do.
        """
        targets = len(proposal.plan.targets["tests"])
        for candidate, left_red in result.partial:
            patch = self._patch(proposal, tree_to_edit, candidate)
            if patch.digest not in avoid and not proposal.decided:
                return Build(
                    patch=patch,
                    note=f"{count(result.tried, 'edit')} tried; none turned all {targets} targets green, this one {targets - len(left_red)}",
                    tried=result.tried,
                    seconds=result.seconds,
                    trusted_tests=_trusted(proposal),
                    left_red=left_red,
                    made_by={patch.digest: candidate.template},
                )
        return None

    def _tree_to_edit(self, proposal: Proposal) -> str:
        """Return the tree to edit: the base, with the tests that come with the finding and with people's decisions."""
        base_tree, files = self._git.tree_of(proposal.base), _written_tests(proposal)
        contents = {path: text.encode() for path, text in files.items()}
        return self._git.with_files(base_tree, contents) if contents else base_tree

    def _patch(self, proposal: Proposal, tree_to_edit: str, candidate: Candidate) -> Patch:
        tree = self._git.with_files(tree_to_edit, {candidate.path: candidate.source.encode()})
        return self._git.patch(proposal.base, tree, candidate.summary)

    def _search(self, proposal: Proposal, tree_to_edit: str) -> tuple[SearchResult, BehaviourRanking, ReferenceAnswers]:
        places = [place for place in proposal.diagnosis.places if not self._kit.is_test(place.path)]
        sources = self._sources(tree_to_edit, {place.path for place in places})
        limits = self._limits(proposal)
        with (
            WarmPool(self._suite(proposal), tree_to_edit, os.cpu_count() or 1, self.seconds + 60) as local,
            ExitStack() as stack,
        ):
            warm = self._with_workers(local, proposal, stack)
            targets, regression_tests = _targets(proposal), self._regression_tests(proposal)
            finding = proposal.diagnosis.finding
            wrong_values = all(failure.exception == "AssertionError" for failure in failures_of(finding).values())
            observer = Observer(warm, sources, _failing_lines(finding), limits.deadline, wrong_values=wrong_values)
            suite_seconds = self._base_run(proposal).seconds
            progress = SearchProgress(self._kit.progress)
            evaluator = WarmEvaluator(warm, targets, regression_tests, suite_seconds, progress, observer)
            hints = self._hints(proposal, tree_to_edit)
            stream = all_candidates(sources, places, hints, template_priors(self._kit.ledger))
            expected = expected_values(failures_of(finding), self._sources(tree_to_edit, _files_of(targets)))
            synthesis = Synthesis(warm, targets, regression_tests[0], expected)

            def guide() -> Iterator[Candidate]:
                if self._suite(proposal).policy.tests.runner != "pytest":
                    return iter(())
                return synthesis.candidates(sources, places, hints, (limits.deadline, evaluator.timeout_seconds))

            result = search(stream, evaluator, targets, evaluator.stages, limits, time.monotonic, guide)
            return result, evaluator.ranking, evaluator.reference(result.survivors)

    def _with_workers(self, warm: WarmPool, proposal: Proposal, stack: ExitStack) -> CandidateRunner:
        """Return the local sandboxes combined with the worker processes that are alive now, if any."""
        crew = self._kit.crew()
        if crew is None:
            return warm
        checkout = {
            "base": proposal.base,
            "files": _written_tests(proposal),
            "how": self._suite(proposal).run_settings(),
        }
        return stack.enter_context(DistributedPool(warm, crew, checkout, self._kit.progress))

    def _limits(self, proposal: Proposal) -> SearchLimits:
        """Return the limits of the search, whose clock starts now.

        Confirming a survivor takes about as long as the suite took on the base.
        """
        deadline = time.monotonic() + self.seconds
        suite = self._base_run(proposal).seconds
        return SearchLimits(deadline=deadline, confirming_seconds=min(suite, self.seconds / 4))

    def _suite(self, proposal: Proposal) -> Suite:
        """Return the suite that holds the targets: of several packages, that of theirs."""
        return self._kit.suite.of(_targets(proposal))

    def _base_run(self, proposal: Proposal) -> SuiteReport:
        return self._suite(proposal).run(self._git.tree_of(proposal.base), fresh=False)

    def _sources(self, tree: str, paths: Iterable[str]) -> dict[str, str]:
        """Return the text of the files; those that are not UTF-8 are left out."""
        selected = set(paths)
        entries = [entry for entry in self._git.entries(tree) if entry.path in selected]
        sources = {}
        for entry, content in zip(entries, self._git.blobs([entry.blob for entry in entries]), strict=True):
            with suppress(UnicodeDecodeError):
                sources[entry.path] = content.decode()
        return sources

    def _hints(self, proposal: Proposal, tree_to_edit: str) -> Hints:
        failures = failures_of(proposal.diagnosis.finding)
        hints = read_hints(failures, self._sources(tree_to_edit, _files_of(_targets(proposal))))
        symptoms = symptom_lines(failures.values(), proposal.diagnosis.places, self._kit.is_test)
        return replace(hints, symptoms=symptoms)

    def _regression_tests(self, proposal: Proposal) -> list[list[str]]:
        """Return passing tests that a wrong edit may break, in stages.

        The first stage samples the tests in the files of the targets and the others; the second has all of them.
        """
        files = {test.partition("::")[0] for test in proposal.plan.targets["tests"]}
        passed = sorted(self._base_run(proposal).passed)
        passed += proposal.recipe.get("held", ())
        passed += [test for regression in proposal.decided for test in regression.held]
        near = [test for test in passed if test.partition("::")[0] in files]
        near_set = set(near)
        far = [test for test in passed if test not in near_set]
        stride = max(len(far) // 20, 1)
        some = [*near[:: max(len(near) // _MOST_NEAR, 1)][:_MOST_NEAR], *far[::stride][:20]]
        return [some, [*near, *far]] if len(some) < len(passed) else [some]


def _written_tests(proposal: Proposal) -> dict[str, str]:
    """Return the test files that whet wrote for a proposal, by path: from its finding, and from people's decisions."""
    recipe = proposal.recipe
    own = {str(recipe["path"]): str(recipe["text"])} if recipe else {}
    return own | {regression.path: regression.text for regression in proposal.decided}


def _trusted(proposal: Proposal) -> tuple[str, ...]:
    return (str(proposal.recipe["path"]),) if proposal.recipe else ()


def _targets(proposal: Proposal) -> tuple[str, ...]:
    """Return the tests that a patch must turn green."""
    red = [test for regression in proposal.decided for test in regression.red]
    return (*proposal.plan.targets["tests"], *red)


def _files_of(tests: Iterable[str]) -> set[str]:
    return {test.partition("::")[0] for test in tests}


def _failing_lines(finding: Finding) -> dict[str, set[int]]:
    """Return the lines on the stacks of the failures, by path."""
    lines = defaultdict(set)
    for failure in failures_of(finding).values():
        for path, line, _ in failure.frames:
            lines[path].add(line)
    return lines


def _recommendation(finding: Finding) -> Recommendation | None:
    """Return how the tool of a failing call can be tried; None for any other finding."""
    signal = finding.signals[0]
    return decode(FailingCall, signal.payload).recommendation if signal.kind == FailingCall.kind else None
